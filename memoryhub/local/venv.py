"""The virtual environment in ``.venv``, built from a lock file with hashes. Standard library only."""

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from memoryhub.local import console, processes
from memoryhub.local.environment import PROJECT
from memoryhub.local.failure import CannotStart, disk_full, last_lines, names_full_disk

FOLDER = PROJECT / ".venv"
PYTHON = FOLDER / "bin" / "python"
RUNTIME = PROJECT / "requirements.lock"
#: Everything in ``RUNTIME`` in the same versions, and the tools of the tests.
TESTS = PROJECT / "tests" / "requirements.lock"
_STAMP = FOLDER / ".installed"
_LOG = FOLDER / "install.log"
_PROGRESS_SECONDS = 3.0
_NO_NETWORK = re.compile(
    "NewConnectionError|Temporary failure in name resolution|Name or service not known|nodename nor servname"
    "|Network is unreachable|Connection refused|ConnectTimeout|ReadTimeout|Read timed out|ProxyError|Max retries exceeded"
)


def is_current() -> bool:
    """Whether this very interpreter is the environment's."""
    return Path(sys.prefix).resolve() == FOLDER.resolve()


def is_ready(lock: Path) -> bool:
    """Whether the environment holds exactly what ``lock`` names, by the lock's hash."""
    return PYTHON.exists() and _digest(lock) in _stamps()


def ensure(lock: Path) -> None:
    """Build or complete the environment from ``lock``. Raises ``CannotStart`` with what is missing for it."""
    if is_ready(lock):
        return
    with _alone(lock):
        if is_ready(lock):
            return
        if not _works():
            _create()
        _install(lock)
        # A later install of the runtime alone must not claim the tools: only the larger lock implies the other.
        _STAMP.write_text("\n".join(_digest(path) for path in {lock, RUNTIME}) + "\n")
        console.say("Installed.")


def take_over(arguments: list[str]) -> None:
    """Go on as the environment's interpreter. Does not return."""
    sys.stdout.flush()
    environment = {**os.environ, console.BEGUN: console.begun()}
    os.execve(PYTHON, [str(PYTHON), *arguments], environment)  # noqa: S606 - our own interpreter, no shell


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    with lock.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _digest(lock: Path) -> str:
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def _stamps() -> set[str]:
    with contextlib.suppress(OSError):
        return set(_STAMP.read_text().split())
    return set()


def _works() -> bool:
    """A half-made environment, or one whose Python has been upgraded away, is made again."""
    with contextlib.suppress(OSError):
        return subprocess.run([PYTHON, "-c", "import pip"], capture_output=True).returncode == 0
    return False


def _create() -> None:
    if not all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        raise CannotStart(
            "Python's venv module is missing: install it (on Debian and Ubuntu: apt-get install python3-venv), "
            "then start again.",
            code="venv_missing",
        )
    console.say(f"Creating {FOLDER.name} with Python {sys.version.split()[0]}.")
    command = [sys.executable, "-m", "venv", "--clear", str(FOLDER)]
    made = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if made.returncode:
        output = made.stdout + made.stderr
        if names_full_disk(output):
            raise disk_full(FOLDER)
        raise CannotStart(f"{FOLDER} could not be made: {output.strip()}")


def _install(lock: Path) -> None:
    wanted = len(re.findall(r"(?m)^[A-Za-z0-9]", lock.read_text()))
    console.say(f"Installing {wanted} packages from {lock.relative_to(PROJECT)}.")
    command = [str(PYTHON), "-m", "pip", "install", "--require-hashes", "--only-binary", ":all:"]
    command += ["--no-compile", "--progress-bar", "off", "--requirement", str(lock)]
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    with _LOG.open("wb") as output, processes.held_signals():
        pip = processes.spawn(command, env=environment, output=output)
    try:
        _report(pip, wanted)
    finally:
        processes.end(pip, signal.SIGTERM, patience=5)
    if pip.returncode:
        raise _explained(_LOG.read_text(errors="replace"))
    # On all cores, which pip does not; without it every start would compile what it imports.
    console.say("Compiling.")
    subprocess.run([PYTHON, "-m", "compileall", "-q", "-j", "0", FOLDER / "lib"], capture_output=True)


def _report(pip: "subprocess.Popen[bytes]", wanted: int) -> None:
    """Say every few seconds how far the installer is."""
    told = time.monotonic()
    while pip.poll() is None:
        time.sleep(0.1)
        if time.monotonic() - told > _PROGRESS_SECONDS:
            told = time.monotonic()
            console.say(_progress(_LOG.read_text(errors="replace"), wanted))


def _progress(log: str, wanted: int) -> str:
    fetched = re.findall(r"(?m)^Collecting ([A-Za-z0-9._-]+)", log)
    if "Installing collected packages" in log:
        return f"Unpacking {wanted} packages into {FOLDER.name}."
    return f"Fetching package {len(fetched)} of {wanted}{f': {fetched[-1]}' if fetched else ''}."


def _explained(log: str) -> CannotStart:
    if names_full_disk(log):
        return disk_full(FOLDER)
    if _NO_NETWORK.search(log):
        return CannotStart(
            "The packages could not be fetched: there is no network, or the package index can not be reached. "
            "Start again when there is, or set PIP_INDEX_URL to an index that this machine reaches.",
            code="no_network",
        )
    if "DO NOT MATCH THE HASHES" in log:
        return CannotStart(
            "A fetched package is not the one in the lock file; nothing was installed.", code="hash_mismatch"
        )
    return CannotStart(f"The packages could not be installed; the end of {_LOG}:\n{last_lines(_LOG)}")
