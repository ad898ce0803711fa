"""Packages out of a lock file with hashes, with word of how far it is. Standard library only.

uv does it in a third of pip's time, so pip fetches uv first, by its hash. Where that fails, or where pip is told an
index of its own that uv would not ask, pip does all of it.
"""

import os
import re
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from memoryhub.local import console, processes
from memoryhub.local.failure import CannotStart, disk_full, is_full, last_lines

_UV = Path(__file__).with_name("installer.lock")
_LOCKED = ("--require-hashes", "--only-binary", ":all:", "--requirement")
_PROGRESS_SECONDS = 3.0
_NO_NETWORK = re.compile(
    "NewConnectionError|Temporary failure in name resolution|Name or service not known|nodename nor servname"
    "|Network is unreachable|Connection refused|ConnectTimeout|ReadTimeout|Read timed out|ProxyError|Max retries exceeded"
)


def install(python: Path, lock: Path, log: Path) -> None:
    """Install into the environment of ``python`` what ``lock`` names. Raises ``CannotStart`` with the reason."""
    console.say(f"Installing {len(re.findall(r'(?m)^[A-Za-z0-9]', lock.read_text()))} packages.")
    if not _with_uv(python, lock, log) and not _with_pip(python, lock, log):
        raise explained(log.read_text(errors="replace"), log)


def explained(output: str, log: Path) -> CannotStart:
    """An installer's complaint as a sentence."""
    if _NO_NETWORK.search(output):
        return CannotStart(
            "The packages could not be fetched: there is no network, or the package index can not be reached. "
            "Start again when there is, or set PIP_INDEX_URL to an index that this machine reaches.",
            code="no_network",
        )
    if "DO NOT MATCH THE HASHES" in output:
        message = "A fetched package is not the one in the lock file; nothing was installed."
        return CannotStart(message, code="hash_mismatch")
    return CannotStart(f"The packages could not be installed; the end of {log}:\n{last_lines(log)}")


def progress(output: str) -> str:
    """What the installer is doing, from the last thing that it said of it."""
    if "Installing collected packages" in output:
        return "Unpacking the packages."
    named = re.findall(r"(?m)^ *(?:Collecting|Download(?:ing|ed)) ([A-Za-z][A-Za-z0-9._-]+)", output)
    return f"Fetching {named[-1]}." if named else "Looking for the packages."


def _with_uv(python: Path, lock: Path, log: Path) -> bool:
    if _has_own_index(python) or not _with_pip(python, _UV, log):
        return False
    uv = [str(python), "-m", "uv", "pip", "install", "--no-cache", "--python", str(python)]
    return _run([*uv, *_LOCKED, str(lock)], log)


def _with_pip(python: Path, lock: Path, log: Path) -> bool:
    pip = [str(python), "-m", "pip", "install", "--no-compile", "--progress-bar", "off"]
    return _run([*pip, *_LOCKED, str(lock)], log)


def _has_own_index(python: Path) -> bool:
    configured = subprocess.run(
        [python, "-m", "pip", "config", "list"], capture_output=True, text=True
    ).stdout
    return re.search(r"\.index-url=", configured) is not None


def _run(command: Sequence[str], log: Path) -> bool:
    """Whether ``command`` succeeded; ``log`` holds what it said. A full disk is not worth another try."""
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1", "NO_COLOR": "1"}
    with log.open("wb") as output, processes.held_signals():
        process = processes.spawn(command, env=environment, output=output)
    told = time.monotonic()
    try:
        while process.poll() is None:
            time.sleep(0.05)
            if time.monotonic() - told > _PROGRESS_SECONDS:
                told = time.monotonic()
                console.say(progress(log.read_text(errors="replace")))
    finally:
        processes.end(process, signal.SIGTERM, patience=5)
    if process.returncode and is_full(log.parent, log.read_text(errors="replace")):
        raise disk_full(log.parent)
    return process.returncode == 0
