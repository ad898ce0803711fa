"""Memory and disk of a whole installation: after its start, and after chat turns through the API.

Starts ``manage.py up`` in this checkout with a state folder of its own. Memory is the proportional share (PSS) of
every process it has begun, by kind; a turn is a message appended, the prompt asked for, and an answer appended. Linux
only.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import harness
import psycopg
from conversation import turns
from startup import free_port

TURN_TABLES = ("turn", "summary", "thread")
FACT_TABLES = ("fact", "fact_version", "evidence")
KINDS = {"postgres": "postgres", "valkey": "queue", "granian": "web", " worker ": "worker", " beat ": "beat"}


def children(parent: int) -> list[int]:
    """The process and all that descend from it."""
    found = {parent}
    parents = {}
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    while more := {pid for pid, above in parents.items() if above in found} - found:
        found |= more
    return sorted(found)


def kind_of(pid: int) -> str:
    """What the process is, by its command line."""
    command = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    return next((kind for mark, kind in KINDS.items() if mark in command), "manage.py up")


def megabytes(parent: int) -> Counter[str]:
    """PSS by kind of process."""
    sums: Counter[str] = Counter()
    for pid in children(parent):
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            pss = next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
            sums[kind_of(pid)] += pss / 1024
    return sums


@contextlib.contextmanager
def running() -> Iterator[tuple[int, str, dict[str, str]]]:
    """Process id and address of a running installation, and the environment for other commands."""
    state = Path(tempfile.mkdtemp(prefix="memoryhub-memory-"))
    port = free_port()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMORYHUB_")}
    env = {**kept, "MEMORYHUB_STATE_DIR": str(state)}
    up = [sys.executable, "manage.py", "up", "--port", str(port)]
    process = subprocess.Popen(
        up, cwd=harness.ROOT, env=env, stdout=subprocess.DEVNULL, start_new_session=True
    )
    address = f"http://127.0.0.1:{port}"
    try:
        await_page(process, f"{address}/accounts/login/")
        yield process.pid, address, env
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        shutil.rmtree(state, ignore_errors=True)


def await_page(process: "subprocess.Popen[bytes]", address: str) -> None:
    for _ in range(600):
        if process.poll() is not None:
            raise SystemExit(f"manage.py up ended with {process.returncode}.")
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=2):
            return
        time.sleep(0.1)
    raise SystemExit("There was no page within a minute.")


class Api:
    """Calls with a key."""

    def __init__(self, address: str, env: dict[str, str]) -> None:
        issue = [
            sys.executable,
            "manage.py",
            "issue_api_key",
            "bench",
            "--scope",
            "memory:read",
            "--scope",
            "memory:write",
        ]
        made = subprocess.run(issue, cwd=harness.ROOT, env=env, check=True, text=True, capture_output=True)
        self.address = f"{address}/api/v1"
        self.headers = {
            "Authorization": f"Bearer {made.stdout.split()[-1]}",
            "Content-Type": "application/json",
        }

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """The answer's JSON."""
        data = json.dumps(body).encode() if body is not None else None
        asked = urllib.request.Request(self.address + path, data, self.headers, method=method)
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return json.load(answer)


def chat(api: Api, count: int) -> None:
    """``count`` exchanges in threads of twenty, as a program with its own model has them; a subject a thread."""
    script = turns()
    for number in range(count):
        if number % 20 == 0:
            thread = api.call("POST", "/threads", {"subject": f"person-{number // 20}"})["id"]
        (_, said), (_, answered) = script[(2 * number) % 40], script[(2 * number + 1) % 40]
        api.call("POST", f"/threads/{thread}/turns", {"turns": [{"role": "user", "content": said}]})
        api.call("GET", f"/threads/{thread}/context?query={urllib.parse.quote(said)}")
        api.call("POST", f"/threads/{thread}/turns", {"turns": [{"role": "assistant", "content": answered}]})


def settle(owner: Any, patience: float) -> bool:
    """Wait until all turns are read for facts; whether they are."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if not counted(owner, "SELECT count(*) FROM thread WHERE learned_seq < next_seq - 1"):
            return True
        time.sleep(0.5)
    return False


def counted(connection: Any, sql: str) -> int:
    return int(connection.execute(sql).fetchone()[0])


def sizes(connection: Any, tables: tuple[str, ...]) -> int:
    """Bytes with indexes and long values."""
    return sum(counted(connection, f"SELECT pg_total_relation_size('{table}')") for table in tables)


def on_disk(connection: Any, api: Api, facts: int, before: dict[str, int], report: harness.Report) -> None:
    """What a thousand facts and a thousand turns take, from how much the tables grew."""
    had = counted(connection, "SELECT count(*) FROM fact")
    begun = sizes(connection, FACT_TABLES)
    for number in range(facts):
        api.call(
            "POST",
            "/facts",
            {
                "subject": f"person-{number % 10}",
                "statement": f"Keeps parcel {number} of the harbour depot in hall {number % 7}",
            },
        )
    grown = sizes(connection, FACT_TABLES) - begun
    turn_count = counted(connection, "SELECT count(*) FROM turn")
    turn_grown = sizes(connection, TURN_TABLES) - before["turns"]
    for what, each, bytes_ in (
        ("1,000 turns (turn, thread, summary)", turn_count, turn_grown),
        (
            "1,000 facts (fact, fact_version, evidence)",
            counted(connection, "SELECT count(*) FROM fact") - had,
            grown,
        ),
    ):
        report.add(
            harness.Row(
                f"disk for {what}", extra={"KiB": round(bytes_ / each * 1000 / 1024), "measured on": each}
            )
        )


def add_memory(what: str, sums: Counter[str], report: harness.Report) -> None:
    kinds = {kind: round(value) for kind, value in sorted(sums.items())}
    report.add(harness.Row(f"memory {what}, MiB (PSS)", extra={"all": round(sum(sums.values())), **kinds}))


def main() -> None:
    options = harness.parser(__doc__ or "").parse_args()
    exchanges, facts = (40, 50) if options.quick else (200, 1_000)
    report = harness.Report("Memory and disk of an installation")
    with running() as (pid, address, env):
        # Worker and beat begin after the page is there.
        time.sleep(5 if options.quick else 15)
        add_memory("after the start", megabytes(pid), report)
        api = Api(address, env)
        found = harness.environment.read(Path(env["MEMORYHUB_STATE_DIR"]) / "env")
        with psycopg.connect(found["DATABASE_URL"], autocommit=True) as connection:
            tenant = connection.execute("SELECT tenant_id FROM all_tenants()").fetchone()[0]
            connection.execute("SELECT set_config('app.tenant_id', %s, false)", [str(tenant)])
            before = {"turns": sizes(connection, TURN_TABLES)}
            chat(api, exchanges)
            report.notes["all turns learned from"] = settle(connection, 60)
            add_memory(f"after {exchanges} exchanges", megabytes(pid), report)
            on_disk(connection, api, facts, before, report)
            add_memory(f"after {facts:,} facts more", megabytes(pid), report)
    report.show(options.json)


if __name__ == "__main__":
    main()
