"""Another system in a process of its own: one JSON object a line in, one out; it times its own calls."""

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "peers"
DEFAULT = Path(__file__).resolve().parent / ".venv-peers" / "bin" / "python"
HOW = (
    "The other systems are left out: make them a virtual environment with\n"
    "  python3 -m venv bench/.venv-peers && bench/.venv-peers/bin/pip install -r bench/requirements-peers.txt\n"
    "or name the Python of one that has them with --peers-python."
)


class PeerError(RuntimeError):
    """The other system failed; its own message."""


class Peer:
    """A running peer. ``ask`` returns its answer; ``ms`` in it is the time of the call inside that process."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def ask(self, do: str, **values: Any) -> dict[str, Any]:
        """Have one thing done. Raises ``PeerError``."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"do": do, **values}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line else {"error": "the process ended"}
        if "error" in answer:
            raise PeerError(f"{do}: {answer['error']}")
        return answer


@contextlib.contextmanager
def start(python: Path, script: str, url: str) -> Iterator[Peer]:
    """The peer ``script`` on the database ``url``, with its tables made; ended with the block."""
    with tempfile.TemporaryDirectory(prefix="memoryhub-peer-") as home:
        env = {
            "PATH": os.defpath,
            "HOME": home,
            "OMP_NUM_THREADS": "1",
            "MEM0_TELEMETRY": "False",
            "MEM0_DIR": home,
            "LANGSMITH_TRACING": "false",
        }
        process = subprocess.Popen(
            [str(python), str(FOLDER / script)], env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )  # fmt: skip
        try:
            peer = Peer(process)
            peer.ask("setup", url=url)
            yield peer
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)


def python_of(given: str) -> Path | None:
    """The Python that has the peers: the one given, else the usual place; None when there is none."""
    path = Path(given) if given else DEFAULT
    if given and not path.exists():
        raise SystemExit(f"There is no {path}.")
    return path if path.exists() else None
