"""What ``manage.py up`` can be told. Standard library only: a wrong option is refused before anything is installed."""

import argparse
import errno
import socket
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memoryhub.local.failure import CannotStart

_HIGHEST_PORT = 65_535


@dataclass(frozen=True)
class UpOptions:
    """``check`` ends the start as soon as everything answers; ``workers`` counts web processes."""

    host: str
    port: int
    demo: bool
    check: bool
    workers: int

    @property
    def address(self) -> str:
        """Where a browser on this machine finds the web process."""
        host = "127.0.0.1" if self.host == "0.0.0.0" else "::1" if self.host == "::" else self.host  # noqa: S104
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"


def parse_up(arguments: Sequence[str]) -> UpOptions:
    """The options of ``up``. Wrong ones end the program with a usage line, as argparse does."""
    parser = argparse.ArgumentParser(
        prog="manage.py up",
        description="Start MemoryHub: database, queue, migrations, web, worker. Ctrl-C stops all of it.",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument(
        "--port", type=_port, default=8000, help="port, 0 for any free one (default: %(default)s)"
    )
    parser.add_argument("--demo", action="store_true", help="fill an empty installation with made-up data")
    parser.add_argument(
        "--check", action="store_true", help="stop again once everything answers; exit code 0"
    )
    parser.add_argument("--workers", type=_count, default=1, help="web processes (default: %(default)s)")
    return UpOptions(**vars(parser.parse_args(arguments)))


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > _HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to {_HIGHEST_PORT}, not {text!r}")
    return int(text)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"at least 1 is needed, not {text!r}")
    return int(text)


def with_free_port(options: UpOptions) -> UpOptions:
    """The same options with port 0 replaced by a free one. Raises ``CannotStart`` when the port is taken."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((options.host, options.port))
        except OSError as error:
            raise CannotStart(_refused(options, error), code="port_taken") from error
        return replace(options, port=probe.getsockname()[1])


def _refused(options: UpOptions, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        other = options.port + 1 if options.port < _HIGHEST_PORT else 8000
        return (
            f"Port {options.port} is taken by another program: choose another one, "
            f"for example python3 manage.py up --port {other}."
        )
    if error.errno == errno.EACCES:
        return f"Port {options.port} needs root: choose one above 1023, for example --port 8000."
    return f"This machine can not listen on {options.host} port {options.port} ({error.strerror or error})."


def free_port(preferred: int = 0) -> int:
    """A port of 127.0.0.1 that nobody uses now: ``preferred`` if that is free."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", preferred))
        except OSError:
            return free_port()
        return int(probe.getsockname()[1])
