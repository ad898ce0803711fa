"""What ends a start."""

import errno
import shutil
from pathlib import Path

from memoryhub.errors import MemoryHubError

_NOTHING_BYTES = 1 << 20
_DISK_FULL = "No space left on device"


class CannotStart(MemoryHubError):
    """The start can not go on. The message is for the person at the terminal and says what to do."""

    code = "cannot_start"


class Stopped(BaseException):
    """Somebody asked us to stop (Ctrl-C, SIGTERM, a closed terminal). Not an error, so no ``Exception``."""


def disk_full(where: Path) -> CannotStart:
    """The disk that holds ``where`` has no room left."""
    return CannotStart(f"The disk is full: make room where {where} is, then start again.", code="disk_full")


def is_full(where: Path, output: str) -> bool:
    """Whether ``output`` complains about a full disk, or could not even be written whole to that of ``where``."""
    return _DISK_FULL in output or shutil.disk_usage(where).free < _NOTHING_BYTES


def from_os_error(error: OSError, where: Path) -> CannotStart:
    """An operating system's refusal, as a sentence; ``where`` is what we were working on."""
    place = Path(error.filename) if isinstance(error.filename, str) else where
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return disk_full(place)
    if isinstance(error, PermissionError):
        return CannotStart(f"This account may not use {place}: it belongs to another one, or is read-only.")
    return CannotStart(f"{place}: {error.strerror or error}.")


def last_lines(path: Path, count: int = 15) -> str:
    """The end of a log, indented to stand below a sentence; empty when there is none."""
    try:
        lines = path.read_text(errors="replace").splitlines()[-count:]
    except OSError:
        return ""
    return "\n".join(f"    {line}" for line in lines)
