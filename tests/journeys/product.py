"""The whole product as its users run it: ``manage.py up`` in a folder of its own, driven over HTTP."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import psycopg
import requests

from memoryhub.local.processes import Identity, identity

ROOT = Path(__file__).resolve().parent.parent.parent
PASSWORD = "correct-horse-battery"
_FOREIGN = ("DATABASE_URL", "CELERY_BROKER_URL", "DJANGO_SETTINGS_MODULE", "PYTHONPATH", "OMP_NUM_THREADS")
T = TypeVar("T")


def wait_for(look: Callable[[], T], seconds: float = 30.0, what: str = "") -> T:
    """The first true answer of ``look``; fails after ``seconds``."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds:g} s in vain for {what or look}")
        time.sleep(0.1)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Product:
    """One installation, started and killed at will."""

    def __init__(self, folder: Path, model_url: str = "") -> None:
        self.folder, self.port = folder, free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        clean = {k: v for k, v in os.environ.items() if k not in _FOREIGN and not k.startswith("MEMORYHUB_")}
        self.env = {
            **clean,
            "MEMORYHUB_STATE_DIR": str(folder),
            "MEMORYHUB_ADMIN_PASSWORD": PASSWORD,
            "MEMORYHUB_SWEEP_SECONDS": "2",
            "MEMORYHUB_LLM_TIMEOUT": "10",
        }
        if model_url:
            self.env |= {"MEMORYHUB_LLM_BASE_URL": model_url, "MEMORYHUB_LLM_MODEL": "journeys"}

    def start(self, **more_env: str) -> None:
        """Start, and wait until the page answers."""
        log = (self.folder.parent / f"{self.folder.name}.log").open("ab")
        command = [sys.executable, str(ROOT / "manage.py"), "up", "--port", str(self.port)]
        self.process = subprocess.Popen(
            command, env={**self.env, **more_env}, stdout=log, stderr=log, start_new_session=True
        )
        wait_for(self.healthy, 120, "the start; see the log beside the state folder")

    def healthy(self) -> bool:
        """Whether the page answers; fails at once when the start has ended."""
        if self.process is not None and self.process.poll() is not None:
            raise AssertionError(f"up ended with {self.process.returncode}")
        try:
            return requests.get(f"{self.base}/healthz", timeout=2).status_code == 200
        except requests.RequestException:
            return False

    def stop(self) -> None:
        """Stop as a person does."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)
        self.process = None

    def pids(self) -> list[int]:
        """Every process of this installation, by its environment or its command line."""
        mark, found = str(self.folder).encode(), self._leaders()
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                words = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
                zombie = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
            except OSError:
                continue
            if mark in words and not zombie:
                found.append(int(entry.name))
        return sorted(set(found))

    def _leaders(self) -> list[int]:
        """The processes that the supervisor noted, if they are still the same; some hide their environment."""
        with contextlib.suppress(OSError, ValueError):
            noted = json.loads((self.folder / "processes").read_text())["leaders"]
            return [n["who"]["pid"] for n in noted if identity(n["who"]["pid"]) == Identity(**n["who"])]
        return []

    def kill_everything(self) -> None:
        """``kill -9`` for the supervisor, the database, the queue, the web process and the workers, all at once."""
        for pid in self.pids():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        if self.process is not None:
            self.process.wait(10)
        wait_for(lambda: not self.pids(), 20, "the processes to be gone")

    def pid_of(self, words: str) -> list[int]:
        """The processes whose command line holds ``words``."""
        return [
            pid for pid in self.pids() if words in Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
        ]

    def urls(self) -> dict[str, str]:
        """The addresses that the state folder's ``env`` file names."""
        lines = (self.folder / "env").read_text().splitlines()
        return dict(
            re.sub(r"^export ", "", line).replace("'", "").split("=", 1) for line in lines if "=" in line
        )

    def command(self, *words: str) -> str:
        """What ``manage.py`` prints for a command."""
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *words],
            env=self.env,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    @contextmanager
    def second_web_process(self) -> Iterator[str]:
        """Another web process on the same database and queue; its address."""
        port = free_port()
        secrets = dict(
            line.replace("'", "").split("=", 1)
            for line in (self.folder / "secrets").read_text().splitlines()
            if "=" in line
        )
        env = {
            **self.env, **self.urls(), "MEMORYHUB_SECRET_KEY": secrets["MEMORYHUB_SECRET_KEY"],
            "DJANGO_SETTINGS_MODULE": "memoryhub.config.settings", "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1",
        }  # fmt: skip
        command = [sys.executable, "-m", "granian", "--interface", "asginl", "--host", "127.0.0.1", "--port", str(port),
                   "--log-level", "warning", "memoryhub.config.asgi:application"]  # fmt: skip
        process = subprocess.Popen(
            command, env=env, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            wait_for(lambda: _answers(f"http://127.0.0.1:{port}/healthz"), 60, "the second web process")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(20)

    def everything_holding(self, words: str) -> dict[str, int]:
        """Rows whose text holds ``words``, by table, as the backup role sees them: all tenants, all columns."""
        found = {}
        with psycopg.connect(self.urls()["MEMORYHUB_BACKUP_DATABASE_URL"]) as backup:
            tables = backup.execute(
                "SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'public' AND relkind IN ('r', 'p') AND NOT relispartition"
            ).fetchall()
            for (table,) in tables:
                count = backup.execute(
                    f'SELECT count(*) FROM "{table}" t WHERE t::text ILIKE %s', [f"%{words}%"]
                ).fetchone()
                if count and count[0]:
                    found[table] = count[0]
        return found


def _answers(url: str) -> bool:
    try:
        return requests.get(url, timeout=2).status_code == 200
    except requests.RequestException:
        return False


class Person:
    """Somebody signed in, using the pages."""

    def __init__(self, base: str, email: str, password: str = PASSWORD) -> None:
        self.base, self.session = base, requests.Session()
        page = self.get("/accounts/login/")
        answer = self.post("/accounts/login/", {"login": email, "password": password}, page)
        assert "/accounts/login" not in answer.url, f"{email} could not sign in"

    def get(self, path: str) -> requests.Response:
        return self.session.get(self.base + path, timeout=20)

    def post(
        self, path: str, data: dict[str, str], page: requests.Response | None = None
    ) -> requests.Response:
        html = (page or self.get("/")).text
        token = re.search(r'name="csrf-token" content="([^"]+)"', html) or re.search(
            r'csrfmiddlewaretoken" value="([^"]+)"', html
        )
        assert token is not None
        headers = {"Referer": self.base + path}
        return self.session.post(
            self.base + path, {**data, "csrfmiddlewaretoken": token[1]}, headers=headers, timeout=20
        )

    def say(self, text: str, thread: str = "") -> "Exchange":
        """Send a message, and read the stream of its answer to the end."""
        page = self.post(f"/chat/{thread}", {"text": text})
        assert page.status_code == 200, page.text[:500]
        source = re.findall(r'mh-stream src="([^"]+)"', page.text)[-1]
        return Exchange(page.url.rsplit("/", 1)[1], source, self.read(source))

    def read(self, source: str) -> list[tuple[str, Any]]:
        """The events of a stream."""
        with self.session.get(self.base + source, stream=True, timeout=30) as stream:
            text = "".join(chunk.decode() for chunk in stream.iter_content(None))
        events = []
        for block in text.split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
            if "event" in fields:
                events.append((fields["event"], json.loads(fields["data"])))
        return events


class Exchange:
    """A message's thread and the events of its answer."""

    def __init__(self, thread: str, source: str, events: list[tuple[str, Any]]) -> None:
        self.thread, self.source, self.events = thread, source, events

    @property
    def answer(self) -> str:
        return "".join(data["text"] for name, data in self.events if name == "token")

    @property
    def recalled(self) -> list[str]:
        return [fact["statement"] for name, data in self.events if name == "recall" for fact in data["facts"]]

    @property
    def remembered(self) -> list[str]:
        return [fact["statement"] for name, data in self.events if name == "memory" for fact in data["facts"]]

    def error(self) -> dict[str, Any] | None:
        return next((data for name, data in self.events if name == "error"), None)


class Api:
    """The REST API, with a key."""

    def __init__(self, base: str, key: str) -> None:
        self.base, self.session = f"{base}/api/v1", requests.Session()
        self.session.headers["Authorization"] = f"Bearer {key}"

    def get(self, path: str, **params: Any) -> Any:
        answer = self.session.get(self.base + path, params=params, timeout=20)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any, expect: int = 201, **headers: str) -> Any:
        answer = self.session.post(self.base + path, json=body, headers=headers, timeout=20)
        assert answer.status_code == expect, answer.text
        return answer.json()

    def say(self, thread: str, text: str, role: str = "user", at: str | None = None) -> Any:
        turn = {"role": role, "content": text, **({"created_at": at} if at else {})}
        return self.post(f"/threads/{thread}/turns", {"turns": [turn]})["data"][0]

    def thread(self, subject: str, **more: Any) -> str:
        return str(self.post("/threads", {"subject": subject, **more})["id"])

    def statements(self, subject: str, status: str = "active") -> list[str]:
        return [fact["statement"] for fact in self.get("/facts", subject=subject, status=status)["data"]]

    def learned(self, thread: str, seconds: float = 40) -> None:
        """Wait until everything said in the thread has been read."""
        wait_for(lambda: self._caught_up(thread), seconds, "learning to catch up")

    def _caught_up(self, thread: str) -> bool:
        found = self.get(f"/threads/{thread}")
        return bool(found["learned_seq"] == found["turns"])

    def prompt(self, thread: str, query: str) -> str:
        built = self.get(f"/threads/{thread}/context", query=query)
        return "\n".join(message["content"] for message in built["messages"])
