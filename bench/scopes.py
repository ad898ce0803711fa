"""Recall in one subject of 95 to 100,000 facts, with other tenants around: latency and completeness, both ways.

``exact`` reads every fact of the subject; ``indexed`` takes candidates from the index of a large scope, as the product
does from MEMORYHUB_LARGE_SCOPE facts on. Completeness: the share of the true ten nearest, by all vectors in memory,
over 50 calls on one connection, where statements are long prepared.
"""

import time
from typing import Any

import harness

BUDGETS = {5_000: 8.0, 100_000: 12.0}
COMPLETE = 0.98
CALLS = 50


class StillEmbedder:
    """Stands for the model: its call is not measured here."""

    name, relevance_floor, backend, dimension = "test-vectors", 0.0, "bench", 384

    def embed_query(self, text: str) -> list[float]:
        raise NotImplementedError


def measure(report: harness.Report, subject: Any, vectors: Any, size: int, *, indexed: bool) -> None:
    from memoryhub import clock
    from memoryhub.memory import policies, recall, scaling
    from memoryhub.memory.models import Fact
    from memoryhub.memory.ranking import Asked
    from tests.memory import crowd

    if indexed:
        begun = time.monotonic()
        scaling.build(subject.id, crowd.NAME, crowd.DIMENSION, size, at=clock.now())
        report.notes[f"seconds to build the index of {size:,}"] = round(time.monotonic() - begun, 1)
    numbers = {row: n for n, row in enumerate(_in_order(Fact, subject))}
    probes = crowd.clouds(CALLS, 77)
    times, shares, rows = [], [], []
    for probe in probes:
        probe = vectors[int(abs(probe[0]) * 1e6) % size] * 0.8 + probe * 0.2
        asked = Asked(probe.tolist(), 0.0, crowd.NAME)
        policy = policies.current(subject.id)
        begun = time.perf_counter()
        found = recall.recall(subject, "of which sort", at=clock.now(), limit=10, asked=asked, policy=policy)
        times.append((time.perf_counter() - begun) * 1000)
        rows.append(len(found.facts))
        best = {numbers[item.fact.id] for item in found.facts}
        shares.append(len(best & crowd.nearest(vectors, probe)) / 10)
        assert found.source == ("indexed" if indexed else "exact"), found.source
    half, complete = harness.median(times[10:]), sum(shares) / len(shares)
    budget = BUDGETS.get(size) if indexed else None
    met = None if budget is None else half <= budget and complete >= COMPLETE and min(rows) == 10
    report.add(
        harness.Row(
            f"{size:,} facts, {'indexed' if indexed else 'exact'}: {min(rows)} to {max(rows)} rows, "
            f"recall@10 {complete:.3f}",
            half,
            harness.p95(times[10:]),
            budget=f"p50 <= {budget:g} ms at >= {COMPLETE}" if budget else "",
            met=met,
        )
    )


def _in_order(model: Any, subject: Any) -> list[Any]:
    """Ids in the order in which the facts were made."""
    rows = model.objects.filter(subject=subject).values_list("id", "statement")
    return [row[0] for row in sorted(rows, key=lambda row: int(row[1].split("-")[1].split()[0]))]


def main() -> None:
    options = harness.parser(__doc__ or "").parse_args()
    report = harness.Report("Recall in scopes of any size")
    sizes = (95, 1_000, 5_000) if options.quick else (95, 1_000, 5_000, 100_000)
    with harness.database(durable=False):
        from memoryhub import clock
        from memoryhub.memory import embedders, subjects
        from tests.memory import crowd

        embedders.get_embedder = lambda: StillEmbedder()  # type: ignore[assignment,return-value]
        crowd.others(50 if options.quick else 1_000, 20)
        with harness.tenant_scope():
            for size in sizes:
                subject = subjects.ensure(f"person-{size}", at=clock.now())
                vectors = crowd.fill(subject, size)
                measure(report, subject, vectors, size, indexed=False)
                if size >= 5_000:
                    measure(report, subject, vectors, size, indexed=True)
    report.show(options.json)


if __name__ == "__main__":
    main()
