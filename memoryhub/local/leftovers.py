"""What a start that died without a word has left running, and its end.

On Linux the kernel ends the children of a killed start; a grandchild, or another system, may still be there and
hold the port or the data. The record names each by its process number and the moment of its start.
"""

import contextlib
import json
import os
import subprocess
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from memoryhub.local.processes import Identity, identity, kill_group, wait_until_gone

_PATIENCE, _DYING_SECONDS = 3.0, 2.0


@dataclass(frozen=True)
class Leader:
    """The first process of a group that we made, and the signal that ends it in good order."""

    who: Identity
    stop_signal: int


@dataclass(frozen=True)
class Record:
    """What runs, first begun first, and the boot it was begun in: process numbers start anew with each."""

    boot: str
    leaders: tuple[Leader, ...]


def remember(path: Path, pids: Iterable[tuple[int, int]]) -> None:
    """Note what runs now: each leader's number and stop signal, in the order in which they were begun."""
    leaders = tuple(Leader(who, stop_signal) for pid, stop_signal in pids if (who := identity(pid)))
    path.write_text(json.dumps(asdict(Record(_boot(), leaders))))


def end_all(path: Path) -> int:
    """End what the record names and is still there, last begun first; how many that were."""
    record = _read(path)
    if record is None or record.boot != _boot():
        return 0
    return sum(_end(leader) for leader in reversed(record.leaders))


def _read(path: Path) -> Record | None:
    """None when there is no record, or a crash left half of one."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        stored = json.loads(path.read_text())
        leaders = (Leader(Identity(**entry["who"]), entry["stop_signal"]) for entry in stored["leaders"])
        return Record(stored["boot"], tuple(leaders))
    return None


def _end(leader: Leader) -> bool:
    """A group whose leader is gone keeps its number until its last member ends, so it can not be somebody else's."""
    who = leader.who
    now = identity(who.pid)
    if now not in (who, None) or not _group_exists(who.pid):
        return False
    if now == who:
        with contextlib.suppress(ProcessLookupError):
            os.kill(who.pid, leader.stop_signal)
        wait_until_gone(who, _PATIENCE)
    kill_group(who.pid)
    deadline = time.monotonic() + _DYING_SECONDS
    while _group_exists(who.pid) and time.monotonic() < deadline:
        time.sleep(0.02)  # its port is taken until it is gone
    return True


def _group_exists(pid: int) -> bool:
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _boot() -> str:
    """One boot of one machine or container."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip() + os.readlink("/proc/self/ns/pid")
    except OSError:
        return subprocess.run(["sysctl", "-n", "kern.boottime"], capture_output=True, text=True).stdout
