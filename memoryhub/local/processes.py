"""Starting and ending other programs so that none outlives its purpose. Standard library only."""

import contextlib
import ctypes
import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from memoryhub.local.failure import Stopped

Account = pwd.struct_passwd
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PR_SET_PDEATHSIG = 1
_prctl = ctypes.CDLL(None, use_errno=True).prctl if sys.platform == "linux" else None


@dataclass(frozen=True)
class Identity:
    """One run of one program: a process number comes back, the moment of its start does not."""

    pid: int
    started: str


@contextlib.contextmanager
def held_signals() -> Iterator[None]:
    """Requests to stop wait until the block is done, so that no child is born and then forgotten."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def hear_stop_requests() -> None:
    """From now on Ctrl-C, SIGTERM and a closed terminal raise ``Stopped`` in the main thread, once."""
    for number in STOP_SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN or number != signal.SIGHUP:  # nohup means it
            signal.signal(number, _stop)


def ignore_stop_requests() -> None:
    """The stop has begun and must not be cut short; each of its waits is bounded."""
    for number in STOP_SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def _stop(number: int, _frame: object) -> None:
    ignore_stop_requests()
    raise Stopped(number)


def spawn(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    output: IO[bytes] | None = None,
    account: Account | None = None,
    stop_signal: signal.Signals = signal.SIGTERM,
    own_session: bool = True,
) -> subprocess.Popen[bytes]:
    """Start ``command``. On Linux the kernel sends it ``stop_signal`` when this process dies, however it dies.

    In a session of its own it does not hear the terminal's Ctrl-C: we stop it, in order. ``account`` drops
    root. Raises ``OSError`` when the program can not be run.
    """

    def in_child() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        if _prctl:
            _prctl(_PR_SET_PDEATHSIG, int(stop_signal))

    return subprocess.Popen(
        list(command),
        env=dict(env),
        stdin=subprocess.DEVNULL if own_session else None,
        stdout=output,
        stderr=subprocess.STDOUT if output else None,
        start_new_session=own_session,
        preexec_fn=in_child,
        **as_account(account),
    )


def as_account(account: Account | None) -> dict[str, Any]:
    """``subprocess`` arguments that run a program as ``account`` instead of root."""
    if account is None:
        return {}
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": [], "cwd": "/"}


def end(process: subprocess.Popen[bytes], stop_signal: signal.Signals, patience: float) -> None:
    """Ask a child to stop, wait ``patience`` seconds, then end it and whatever it has left in its group."""
    if process.poll() is None:
        process.send_signal(stop_signal)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    kill_group(process.pid)
    process.wait()


def kill_group(pid: int) -> None:
    """End every process of the group that ``pid`` leads or led. Only for groups that we made."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def identity(pid: int) -> Identity | None:
    """Who runs under ``pid`` now; None when nobody does or only a zombie is left."""
    if Path("/proc/self/stat").exists():
        return _identity_from_proc(pid)
    command = ["ps", "-o", "stat=,lstart=", "-p", str(pid)]
    line = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return None if not line or line.startswith("Z") else Identity(pid, line.split(None, 1)[1])


def _identity_from_proc(pid: int) -> Identity | None:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else Identity(pid, fields[19])


def command_line(pid: int) -> str:
    """The command that ``pid`` runs; empty when it is gone or a zombie."""
    if identity(pid) is None:
        return ""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return subprocess.run(["ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True).stdout


def wait_until_gone(who: Identity, seconds: float) -> bool:
    """Whether ``who`` ended within ``seconds``. For processes that are not our children."""
    deadline = time.monotonic() + seconds
    while identity(who.pid) == who:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
