"""``manage.py up`` from the outside: one command, and nothing left of it afterwards. Slow; real everything."""

import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryhub.local import environment, options
from memoryhub.local.cluster import Cluster
from memoryhub.local.environment import PROJECT, State
from memoryhub.local.processes import Identity, identity, wait_until_gone
from memoryhub.tenants.provision import RolePasswords, provision

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
MANAGE = [sys.executable, str(PROJECT / "manage.py")]
READY_SECONDS = 90


class Start:
    """One ``up`` on a folder of its own."""

    def __init__(self, state: State, env: dict[str, str], *arguments: str) -> None:
        self.state = state
        self.output = state.folder / f"output-{time.monotonic_ns()}"
        with self.output.open("wb") as output:
            command = [*MANAGE, "up", *arguments]
            self.process = subprocess.Popen(command, env=env, stdout=output, stderr=output)

    def printed(self) -> str:
        return self.output.read_text()

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while "MemoryHub is ready" not in self.printed():
            assert self.process.poll() is None, self.printed()
            assert time.monotonic() < deadline, self.printed()
            time.sleep(0.1)

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


@pytest.fixture
def env(state: State, clean_environment: dict[str, str]) -> dict[str, str]:
    """Somebody who has configured nothing, with a state folder that the test throws away."""
    return clean_environment | {"MEMORYHUB_STATE_DIR": str(state.folder)}


@pytest.fixture
def port() -> int:
    return options.free_port()


@pytest.fixture
def started(state: State, env: dict[str, str], port: int) -> Iterator[Start]:
    start = Start(state, env, "--port", str(port))
    try:
        start.wait_until_ready()
        yield start
    finally:
        start.stop()


def running_on(state: State) -> list[Identity]:
    """Every process that was given this state folder, or works in it."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            traces = (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if str(state.folder).encode() in traces and (who := identity(int(entry.name))):
            found.append(who)
    return found


def get(port: int, path: str) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        return int(answer.status)


def test_check_starts_proves_and_ends_everything(state: State, env: dict[str, str]) -> None:
    start = Start(state, env, "--port", "0", "--check")
    assert start.process.wait(READY_SECONDS * 2) == 0, start.printed()
    assert "MemoryHub is ready: http://127.0.0.1:" in start.printed()
    assert "The worker answers." in start.printed()
    assert running_on(state) == []


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes in /proc")
def test_a_life_with_everything_in_it(state: State, env: dict[str, str], started: Start, port: int) -> None:
    assert get(port, "/healthz") == 200

    second = Start(state, env, "--port", "0")
    assert second.process.wait(60) == 1
    assert "already runs" in second.printed()

    command = [*MANAGE, "shell", "--verbosity", "0", "--command"]
    look = "from django.db import connection as c; k = c.cursor(); k.execute('select current_user'); print(k.fetchone())"
    seen = subprocess.run([*command, look], env=env, capture_output=True, text=True, timeout=60)
    assert "mh_app" in seen.stdout, seen.stderr
    migrated = subprocess.run([*MANAGE, "migrate"], env=env, capture_output=True, text=True, timeout=60)
    assert "No migrations to apply" in migrated.stdout, migrated.stderr

    owners = dict(environment.read(state.env))["MEMORYHUB_OWNER_DATABASE_URL"]
    password = owners.split(":")[2].split("@")[0].encode()
    served = [
        who for who in running_on(state) if b"DATABASE_URL=" in Path(f"/proc/{who.pid}/environ").read_bytes()
    ]
    assert served
    assert not any(password in Path(f"/proc/{who.pid}/environ").read_bytes() for who in served)

    assert started.stop() == 0
    assert "Stopped." in started.printed()
    assert running_on(state) == []


@pytest.mark.skipif(sys.platform != "linux", reason="a killed start ends its children on Linux")
def test_after_kill_9_the_next_start_works_and_keeps_the_sign_in(
    state: State, env: dict[str, str], started: Start, port: int
) -> None:
    before = running_on(state)
    secrets = state.secrets.read_text()
    started.process.kill()
    started.process.wait()
    again = Start(state, env, "--port", str(port))
    try:
        again.wait_until_ready()
        assert get(port, "/healthz") == 200
        assert state.secrets.read_text() == secrets
        assert all(wait_until_gone(who, 5) for who in before)
    finally:
        assert again.stop() == 0
    assert running_on(state) == []


def test_a_taken_port_is_refused_before_anything_starts(state: State, env: dict[str, str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        start = Start(state, env, "--port", str(port))
        assert start.process.wait(60) == 1
    assert start.printed().strip() == (
        f"Port {port} is taken by another program: choose another one, "
        f"for example python3 manage.py up --port {port + 1}."
    )
    assert not (state.folder / "postgres").exists()


def test_a_database_from_outside_is_migrated_by_its_owner_only(
    state: State, env: dict[str, str], served: Cluster
) -> None:
    inner = State(state.folder / "inner")
    urls = provision(served.url, "from_outside", RolePasswords.generate())
    env |= {"MEMORYHUB_STATE_DIR": str(inner.folder), "DATABASE_URL": urls.app}
    refused = Start(state, env, "--port", "0")
    assert refused.process.wait(READY_SECONDS) == 1
    assert "set MEMORYHUB_OWNER_DATABASE_URL" in refused.printed()

    start = Start(state, env | {"MEMORYHUB_OWNER_DATABASE_URL": urls.owner}, "--port", "0", "--check")
    assert start.process.wait(READY_SECONDS * 2) == 0, start.printed()
    assert not (inner.folder / "postgres").exists()
    assert "DATABASE_URL" not in environment.read(inner.env)
