"""The embedded PostgreSQL at work: how it is begun, awaited and cleared away."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

import psycopg

from memoryhub.local import processes
from memoryhub.local.cluster import SYNC, Cluster, plain_environment
from memoryhub.local.failure import CannotStart, disk_full, is_full, last_lines
from memoryhub.local.supervisor import Program

_START_SECONDS = 60.0
_STOP_SECONDS = 30.0
_OPTIONS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "shared_buffers": "256MB",
    "max_connections": "100",
    "timezone": "UTC",
    "jit": "off",
    "recovery_init_sync_method": SYNC,
    # A container's small /dev/shm fails parallel index builds.
    "max_parallel_maintenance_workers": "0",
    # The log is no second store of what people said: no statements, no values, no rows of a failed constraint.
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_min_error_statement": "panic",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
}
_UNSAFE_BUT_FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def program(cluster: Cluster, log: Path) -> Program:
    """How the supervisor runs it. SIGINT is PostgreSQL's fast, clean shutdown."""
    settings = {**_OPTIONS, "port": str(cluster.port), **(_UNSAFE_BUT_FAST if cluster.throwaway else {})}
    command = [str(cluster.binaries / "postgres"), "-D", str(cluster.data)]
    for name, value in settings.items():
        command += ["-c", f"{name}={value}"]
    return Program(
        name="postgres",
        command=command,
        env=plain_environment(),
        log=log,
        stop_signal=signal.SIGINT,
        patience=_STOP_SECONDS,
        account=cluster.account,
        before=lambda: clear_the_way(cluster.data),
    )


def await_ready(cluster: Cluster, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until it takes connections. Raises ``CannotStart`` with the end of its log when it does not."""
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            psycopg.connect(cluster.url, connect_timeout=2).close()
            return
        except psycopg.OperationalError as error:
            if "password authentication failed" in str(error):
                raise CannotStart(_wrong_password(cluster), code="wrong_password") from error
        if process.poll() is not None or time.monotonic() > deadline:
            raise _did_not_start(cluster, log)
        time.sleep(0.03)


def clear_the_way(data: Path) -> None:
    """End a server that an earlier start left on ``data``, and forget one that is only remembered.

    After a ``kill -9`` or a power cut the number in ``postmaster.pid`` may belong to nobody, a zombie or a stranger.
    """
    note = data / "postmaster.pid"
    with contextlib.suppress(FileNotFoundError, ValueError, IndexError):
        pid = int(note.read_text().split()[0])
        who = processes.identity(pid)
        if who is None or not _serves(pid, data):
            note.unlink()
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGINT)
        if not processes.wait_until_gone(who, _STOP_SECONDS):
            raise CannotStart(
                f"A PostgreSQL of an earlier start (process {pid}) does not end: end it, then start again."
            )


def _serves(pid: int, data: Path) -> bool:
    return f"-D {data} " in processes.command_line(pid) + " "


def _wrong_password(cluster: Cluster) -> str:
    return (
        f"The embedded database in {cluster.data} does not take the password in the secrets file of the state folder: "
        "put the file that belongs to it back, or move the database folder away to start an empty one."
    )


def _did_not_start(cluster: Cluster, log: Path) -> CannotStart:
    end = last_lines(log)
    if is_full(cluster.data, end):
        return disk_full(cluster.data)
    return CannotStart(f"The embedded PostgreSQL did not start; the end of {log}:\n{end}")
