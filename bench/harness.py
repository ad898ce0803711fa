"""What every benchmark shares: a database of its own, timing in turns, a table and one JSON object.

Absolute times are the machine's; what counts are the ratios, taken in one run with the two sides in turns.
"""

import argparse
import contextlib
import json
import os
import platform
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from memoryhub.local import environment, services  # noqa: E402
from memoryhub.local.environment import State  # noqa: E402
from memoryhub.local.services import BROKER, Place  # noqa: E402
from memoryhub.local.supervisor import Supervisor, run_once  # noqa: E402


@dataclass(frozen=True)
class Row:
    """A line of the report. ``ratio`` is against the floor named in ``against``; ``budget`` is its limit.

    ``extra`` holds what is counted and not timed, by name.
    """

    what: str
    median_ms: float | None = None
    p95_ms: float | None = None
    against: str = ""
    ratio: float | None = None
    budget: str = ""
    met: bool | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass
class Report:
    """All lines of a run. ``load_before`` is the machine's load when it began: other work spoils the figures."""

    name: str
    rows: list[Row] = field(default_factory=list)
    notes: dict[str, Any] = field(default_factory=dict)
    load_before: float = field(default_factory=lambda: os.getloadavg()[0])

    def add(self, row: Row) -> None:
        self.rows.append(row)

    def show(self, as_json: bool) -> None:
        """Print the table, or one JSON object."""
        self.notes["load"] = f"{self.load_before:.1f} before, {os.getloadavg()[0]:.1f} after"
        if as_json:
            machine = {
                "python": platform.python_version(),
                "machine": platform.machine(),
                "cores": os.cpu_count(),
            }
            print(
                json.dumps(
                    {"name": self.name, **machine, **self.notes, "rows": [asdict(r) for r in self.rows]}
                )
            )
            return
        print(f"\n{self.name}")
        width = max(len(row.what) for row in self.rows)
        for row in self.rows:
            print(f"  {row.what:<{width}}  {_ms(row.median_ms)}  {_ms(row.p95_ms)}  {_judged(row)}")
        for name, value in self.notes.items():
            print(f"  {name}: {value}")


def _ms(value: float | None) -> str:
    return f"{value:8.2f} ms" if value is not None else " " * 11


def _judged(row: Row) -> str:
    ratio = f"{row.ratio:.2f}x {row.against}" if row.ratio is not None else ""
    verdict = "" if row.met is None else (" met" if row.met else " MISSED")
    extra = ", ".join(f"{name} {value}" for name, value in row.extra.items())
    return "  ".join(part for part in (ratio, f"{row.budget}{verdict}", extra) if part)


def compared(
    what: str,
    times: Sequence[float],
    *,
    to: Sequence[float] = (),
    against: str = "",
    most: float | None = None,
    extra: dict[str, Any] | None = None,
) -> Row:
    """A line with the median and p95 of ``times``, as a multiple of the median of ``to``, which ``most`` limits."""
    typical = median(times)
    ratio = typical / median(to) if to else None
    judged = ratio is not None and most is not None
    return Row(
        what, typical, p95(times), against, ratio,
        f"<= {most:g}x" if judged else "", ratio <= most if judged else None, extra or {},
    )  # fmt: skip


def parser(description: str) -> argparse.ArgumentParser:
    """The options that every script has."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    made.add_argument("--quick", action="store_true", help="fewer rounds; ends within a minute")
    return made


@contextlib.contextmanager
def database(*, durable: bool = True) -> Iterator[services.RoleUrls]:
    """A fresh embedded PostgreSQL, migrated, with Django set up as the application's role on it.

    ``durable`` keeps PostgreSQL's defaults (each commit reaches the disk); without it commits cost nothing, which
    is the hardest comparison for everything that is not SQL.
    """
    folder = Path(tempfile.mkdtemp(prefix="memoryhub-bench-"))
    folder.chmod(0o755)
    supervisor = Supervisor(folder / "processes")
    try:
        where = State(folder / "state")
        environment.open_state(where)
        secrets = environment.ensure_secrets(where)
        place = Place(where.folder, where.folder / "logs", throwaway=not durable)
        urls = services.start_database(supervisor, place, secrets, name="memoryhub_bench")
        _configure(urls, secrets["MEMORYHUB_SECRET_KEY"], where.folder)
        yield urls
    finally:
        # Its words are not part of the report, which may be one JSON object.
        with contextlib.redirect_stdout(sys.stderr):
            supervisor.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _configure(urls: services.RoleUrls, secret: str, folder: Path) -> None:
    os.environ |= {
        **services.database_environment(urls),
        BROKER: "redis://127.0.0.1:1/0",
        "MEMORYHUB_SECRET_KEY": secret,
        "MEMORYHUB_STATE_DIR": str(folder),
        "MEMORYHUB_DATABASE_POOL": "0",
        "DJANGO_SETTINGS_MODULE": "memoryhub.config.settings",
        "PYTHONPATH": str(ROOT),
        "OMP_NUM_THREADS": "1",
    }
    migrate = [sys.executable, "-m", "django", "migrate", "--verbosity", "0", "--skip-checks"]
    run_once("migrate", migrate, {**os.environ, "DATABASE_URL": urls.owner})
    import django

    django.setup()
    from django.db import connection

    # One connection kept for the run, as a pool gives it to a request.
    connection.settings_dict["CONN_MAX_AGE"] = None


@contextlib.contextmanager
def tenant_scope() -> Iterator[Any]:
    """A tenant of its own, entered."""
    from memoryhub import clock
    from memoryhub.accounts import members
    from memoryhub.tenants import scope

    tenant = members.found_tenant("Bench", f"bench-{time.time_ns()}", at=clock.now())
    actor = scope.Actor(scope.ActorKind.SYSTEM, "bench", "cli")
    with scope.enter(tenant.id, actor, "req_bench"):
        yield tenant


def in_turns(sides: Sequence[Callable[[], object]], rounds: int, warmup: int = 15) -> list[list[float]]:
    """Milliseconds of each side, called in turns so that a drifting machine hits all alike."""
    return clocked_in_turns([lambda side=side: timed(side) for side in sides], rounds, warmup)


def timed(act: Callable[[], object]) -> float:
    """Milliseconds that ``act`` takes."""
    begun = time.perf_counter()
    act()
    return (time.perf_counter() - begun) * 1000


def clocked_in_turns(
    sides: Sequence[Callable[[], float]], rounds: int, warmup: int = 15
) -> list[list[float]]:
    """The same for sides that time themselves, such as those in another process; each returns milliseconds."""
    times: list[list[float]] = [[] for _ in sides]
    for round_ in range(warmup + rounds):
        for index, side in enumerate(sides):
            spent = side()
            if round_ >= warmup:
                times[index].append(spent)
    return times


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def p95(values: Sequence[float]) -> float:
    return sorted(values)[max(0, int(len(values) * 0.95) - 1)]
