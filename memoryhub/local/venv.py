"""The virtual environment in ``.venv``, built from a lock file with hashes. Standard library only."""

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from memoryhub.local import console, installer
from memoryhub.local.environment import PROJECT
from memoryhub.local.failure import CannotStart, disk_full, is_full

FOLDER = PROJECT / ".venv"
PYTHON = FOLDER / "bin" / "python"
RUNTIME = PROJECT / "requirements.lock"
#: Everything in ``RUNTIME`` in the same versions, and the tools of the tests.
TESTS = PROJECT / "tests" / "requirements.lock"
_STAMP = FOLDER / ".installed"
_LOG = FOLDER / "install.log"


def is_current() -> bool:
    """Whether this very interpreter is the environment's."""
    return Path(sys.prefix).resolve() == FOLDER.resolve()


def exists() -> bool:
    """Whether there is an environment that this account can use, finished or not."""
    return os.access(PYTHON, os.X_OK)


def is_ready(lock: Path) -> bool:
    """Whether the environment holds exactly what ``lock`` names, by the lock's hash."""
    return exists() and _digest(lock) in _stamps()


def ensure(lock: Path) -> None:
    """Build or complete the environment from ``lock``. Raises ``CannotStart`` with what is missing for it."""
    if is_ready(lock):
        return
    with _alone(lock):
        if is_ready(lock):
            return
        if not _works():
            _create()
        installer.install(PYTHON, lock, _LOG)
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
        if is_full(PROJECT, output):
            raise disk_full(FOLDER)
        raise CannotStart(f"{FOLDER} could not be made: {output.strip()}")
