"""The product as real processes on the test database: the web server and a worker, with a scripted model endpoint."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from memoryhub.local import processes
from tests.journeys.provider import RulesProvider

ROOT = Path(__file__).resolve().parent.parent.parent
_READY_SECONDS = 60.0
_WEB = "-m granian --interface asginl --host 127.0.0.1 --log-level warning memoryhub.config.asgi:application --port"
_WORKER = (
    "-m celery --app memoryhub.config.celery worker --concurrency 1 --prefetch-multiplier 1 --loglevel WARNING"
    " --without-gossip --without-mingle --beat --schedule"
)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Product:
    """Web process and worker; both end with the block."""

    def __init__(self, provider: RulesProvider) -> None:
        self.provider, self.port = provider, free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.folder = Path(tempfile.mkdtemp(prefix="memoryhub-browser-"))
        self.env = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "PYTHONPATH": str(ROOT),
            "OMP_NUM_THREADS": "1",
            "MEMORYHUB_BASE_URL": self.base,
            "MEMORYHUB_STATE_DIR": str(self.folder),
            "MEMORYHUB_SWEEP_SECONDS": "2",
            "MEMORYHUB_LLM_BACKEND": "openai",
            "MEMORYHUB_LLM_BASE_URL": provider.url,
            "MEMORYHUB_LLM_MODEL": "test",
            "MEMORYHUB_LLM_TIMEOUT": "10",
        }
        self.web: subprocess.Popen[bytes] | None = None
        self.worker: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Product":
        self.start_web()
        self.worker = self._spawn("worker", [*_WORKER.split(), str(self.folder / "beat")])
        return self

    def __exit__(self, *exc: object) -> None:
        for process in (self.web, self.worker):
            if process is not None:
                processes.end(process, signal.SIGTERM, 10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def start_web(self) -> None:
        """Begin the web process and wait until it answers."""
        self.web = self._spawn("web", [*_WEB.split(), str(self.port)])
        deadline = time.monotonic() + _READY_SECONDS
        while not self._answers():
            assert self.web.poll() is None, self.log("web")
            assert time.monotonic() < deadline, self.log("web")
            time.sleep(0.1)

    def kill_web(self) -> None:
        """``kill -9`` for the web process and what it started."""
        assert self.web is not None
        processes.kill_group(self.web.pid)
        self.web.wait(10)

    def log(self, name: str) -> str:
        """What a program has printed."""
        return (self.folder / f"{name}.log").read_text()

    def faults(self, since: int = 0) -> str:
        """What the web process logged from the first unexpected error on; "" when there is none. ``since``: see ``logged``."""
        text = self.log("web")[since:]
        found = re.search(r"Traceback|CRITICAL|\bERROR\b", text)
        return text[found.start() :] if found else ""

    def logged(self) -> int:
        """How much has been logged."""
        return len(self.log("web"))

    def _spawn(self, name: str, arguments: list[str]) -> "subprocess.Popen[bytes]":
        with (self.folder / f"{name}.log").open("ab") as log:
            return processes.spawn([sys.executable, *arguments], env=self.env, output=log)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.base}/healthz", timeout=2) as answer:
                return bool(answer.status == 200)
        except (OSError, urllib.error.URLError):
            return False
