"""Ways to index vectors under a filter: what each costs, and the share of the true top ten that it finds.

Rows of 384 dimensions in 200 clusters (a centre plus a random direction of 0.8 of its length, see ``vectors.py``),
in scopes of several sizes; questions lie near a row of their scope. Each pair of design and scope has a connection
of its own with fifty calls; psycopg prepares the statement after five and PostgreSQL may plan it for any value after
five more. Medians and shares are of calls 11 to 50.
"""

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import harness
import numpy as np
import psycopg
import vectors
from pgvector.psycopg import register_vector

CALLS, SETTLED, K, SMALL = 50, 10, 10, 100
RELAXED = ("SET hnsw.iterative_scan = relaxed_order", "SET hnsw.ef_search = 100")


@dataclass(frozen=True)
class Design:
    """A table with its indexes, how a session is set up, and the condition on the scope."""

    name: str
    table: str
    column: str = "v"
    session: Sequence[str] = ()
    literal: bool = False
    only: Sequence[int] = field(default=())

    def sql(self, scope: int) -> str:
        """The statement; a partial index is only found when the scope stands in it word for word."""
        kind = "vector" if self.column == "v" else "halfvec"
        subject = str(scope) if self.literal else "%(scope)s"
        return (
            f"SELECT id FROM {self.table} WHERE tenant = 1 AND subject = {subject}"
            f" ORDER BY {self.column} <=> %(vector)s::{kind} LIMIT {K}"
        )


def designs(partial: Sequence[int]) -> list[Design]:
    """All that are compared. Sorting is turned off where the vector index is to be taken whatever it costs."""
    forced = (*RELAXED, "SET enable_sort = off")
    return [
        Design("exact, btree, vector", "bench_exact"),
        Design("exact, btree, halfvec", "bench_exact_half", "h"),
        Design("one global HNSW, planner's choice", "bench_global"),
        Design("one global HNSW, iterative", "bench_global", session=forced),
        Design("16 hash partitions, HNSW halfvec, iterative", "bench_parts", "h", session=forced),
        Design(
            "partial HNSW for the scope, ef 100",
            "bench_partial",
            session=forced[1:],
            literal=True,
            only=partial,
        ),
    ]


def make(owner: Any, sizes: Sequence[int], total: int, partial: Sequence[int]) -> vectors.Vectors:
    """All tables and indexes; returns the vectors by id. Subject n has ``sizes[n]`` rows, the others a hundred."""
    rows = vectors.clustered(total, seed=11)
    subjects = np.repeat(np.arange(len(sizes)), sizes)
    others = len(sizes) + np.arange(total - len(subjects)) // SMALL
    # In one mixed order, as rows of many people arrive.
    order = np.random.default_rng(3).permutation(total)
    subject_of = np.concatenate([subjects, others])
    owner.execute("CREATE TABLE bench_exact (id int, tenant int, subject int, v vector(384) NOT NULL)")
    copying = "COPY bench_exact FROM STDIN (FORMAT binary)"
    with owner.cursor() as cursor, cursor.copy(copying) as copy:
        copy.set_types(["int4", "int4", "int4", "vector"])
        for number in order.tolist():
            copy.write_row((number, 1, int(subject_of[number]), rows[number]))
    for statement in tables(partial):
        owner.execute(statement)
    return rows


def tables(partial: Sequence[int]) -> list[str]:
    """The statements after the first table is filled."""
    half = "CREATE TABLE {} AS SELECT id, tenant, subject, v::halfvec(384) AS h FROM bench_exact"
    parts = "CREATE TABLE bench_parts (id int, tenant int, subject int, h halfvec(384)) PARTITION BY HASH (subject)"
    each = [
        f"CREATE TABLE bench_parts_{n} PARTITION OF bench_parts FOR VALUES WITH (MODULUS 16, REMAINDER {n})"
        for n in range(16)
    ]
    names = ("bench_exact", "bench_exact_half", "bench_global", "bench_parts", "bench_partial")
    return [
        half.format("bench_exact_half"), "CREATE TABLE bench_global AS TABLE bench_exact",
        "CREATE TABLE bench_partial AS TABLE bench_exact", parts, *each,
        "INSERT INTO bench_parts SELECT * FROM bench_exact_half",
        *(f"CREATE INDEX ON {name} (tenant, subject)" for name in names),
        "CREATE INDEX ON bench_global USING hnsw (v vector_cosine_ops)",
        "CREATE INDEX ON bench_parts USING hnsw (h halfvec_cosine_ops)",
        *(f"CREATE INDEX ON bench_partial USING hnsw (v vector_cosine_ops) WHERE tenant = 1 AND subject = {n}"
          for n in partial),
        "VACUUM ANALYZE",
    ]  # fmt: skip


class Asking:
    """One design and one scope on a connection of their own."""

    def __init__(
        self, url: str, design: Design, scope: int, asked: vectors.Vectors, true: list[list[int]]
    ) -> None:
        self.design, self.sql = design, design.sql(scope)
        self.values = [{"scope": scope, "vector": vectors.text_of(one)} for one in asked]
        self.true, self.shares, self.calls = true, [], 0
        self.connection = psycopg.connect(url, autocommit=True, prepare_threshold=5)
        for statement in design.session:
            self.connection.execute(statement)

    def once(self) -> float:
        """The next question; milliseconds."""
        found: list[Any] = []
        values = self.values[self.calls]
        spent = harness.timed(lambda: found.extend(self.connection.execute(self.sql, values).fetchall()))
        self.shares.append(vectors.share([row[0] for row in found], self.true[self.calls]))
        self.calls += 1
        return spent

    def row(self, size: int, times: Sequence[float]) -> harness.Row:
        """The line of the report."""
        settled = self.shares[SETTLED:]
        extra = {
            "share": round(sum(settled) / len(settled), 3),
            "in the first ten calls": round(sum(self.shares[:SETTLED]) / SETTLED, 3),
        }
        return harness.compared(f"{size:>7,} rows: {self.design.name}", times, extra=extra)


def measure(
    url: str, sizes: Sequence[int], rows: vectors.Vectors, listed: Sequence[Design], report: harness.Report
) -> None:
    begins = np.concatenate([[0], np.cumsum(sizes)])
    askings: list[tuple[int, Asking]] = []
    for scope, size in enumerate(sizes):
        first = int(begins[scope])
        own = rows[first : first + size]
        asked = vectors.questions(own, CALLS, seed=scope)
        true = [[first + place for place in vectors.best(own, one, K)] for one in asked]
        askings += [
            (size, Asking(url, design, scope, asked, true))
            for design in listed
            if not design.only or scope in design.only
        ]
    times = harness.clocked_in_turns([asking.once for _, asking in askings], CALLS - SETTLED, SETTLED)
    for (size, asking), took in zip(askings, times, strict=True):
        report.add(asking.row(size, took))
        asking.connection.close()


def main() -> None:
    options = harness.parser(__doc__ or "").parse_args()
    sizes, total = (
        ((100, 1_000, 5_000), 20_000) if options.quick else ((100, 1_000, 10_000, 100_000), 160_000)
    )
    partial = [n for n, size in enumerate(sizes) if size >= 5_000]
    report = harness.Report(f"Vector indexes under a filter, {total:,} rows")
    with contextlib.ExitStack() as stack:
        urls = stack.enter_context(harness.database(durable=False))
        owner = stack.enter_context(psycopg.connect(urls.owner, autocommit=True))
        register_vector(owner)
        owner.execute("SET maintenance_work_mem = '1GB'")
        begun = time.monotonic()
        rows = make(owner, sizes, total, partial)
        report.notes["seconds to fill and index"] = round(time.monotonic() - begun)
        measure(urls.owner, sizes, rows, designs(partial), report)
    report.show(options.json)


if __name__ == "__main__":
    main()
