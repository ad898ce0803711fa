"""Building a prompt for a subject with many facts and turns, without the embedder's own time."""

import random
from typing import Any

import harness

BUDGET_MS = 15.0
WORDS = [
    "tea",
    "coffee",
    "train",
    "harbour",
    "invoice",
    "printer",
    "queue",
    "bakery",
    "cello",
    "garden",
    "ticket",
    "server",
    "plan",
    "meeting",
    "Lisbon",
    "Porto",
]
SYLLABLES = ["ba", "co", "di", "fe", "gu", "ka", "lo", "mi", "nu", "pe", "ri", "so", "ta", "vu"]
# As in real notes, most facts of a subject share no word with a question: one in eight or so does here.
VOCABULARY = [*WORDS, *(f"{first}{second}n" for first in SYLLABLES for second in SYLLABLES)]


class StillEmbedder:
    """Answers each query with one vector, at once: what is measured is everything else."""

    name, relevance_floor = "bench", 0.2

    def __init__(self, vector: list[float]) -> None:
        self.vector = vector

    def embed_query(self, text: str) -> list[float]:
        return self.vector


def fill(subject: Any, thread: Any, facts: int, turns: int) -> list[float]:
    """Facts with vectors, and a thread with a summary's worth of turns; one of the vectors."""
    from memoryhub import clock, ids
    from memoryhub.memory.kinds import Origin
    from memoryhub.memory.models import Fact, Thread, Turn
    from memoryhub.memory.reconciliation import content_key_of, key_of

    chance, at, rows, vector = random.Random(7), clock.now(), [], [0.0]
    for number in range(facts):
        statement = f"Mentioned {' '.join(chance.sample(VOCABULARY, 5))} in note {number}"
        vector = [chance.gauss(0, 1) for _ in range(384)]
        rows.append(
            Fact(id=ids.new(), subject=subject, kind="profile", statement=statement, key=key_of(statement),
                 content_key=content_key_of(statement),
                 origin=Origin.SAID, observed_at=at, embedding=vector, embedder="bench")
        )  # fmt: skip
    Fact.objects.bulk_create(rows, batch_size=500)
    Turn.objects.bulk_create(
        [
            Turn(thread=thread, subject=subject, seq=seq, role="user" if seq % 2 else "assistant",
                 content=f"Turn {seq}: {' '.join(chance.sample(WORDS, 12))}.")
            for seq in range(1, turns + 1)
        ],
        batch_size=500,
    )  # fmt: skip
    Thread.objects.filter(id=thread.id).update(next_seq=turns + 1, summarised_seq=max(0, turns - 15))
    return vector


def measure(facts: int, turns: int, rounds: int, report: harness.Report) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from memoryhub import clock
    from memoryhub.memory import context, embedders, subjects, threads

    with harness.tenant_scope():
        subject = subjects.ensure(f"alice-{facts}-{turns}", at=clock.now())
        thread, _ = threads.open_thread(subject, at=clock.now())
        vector = fill(subject, thread, facts, turns)
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        embedders.get_embedder = lambda: StillEmbedder(vector)  # type: ignore[assignment,return-value]
        thread = threads.get(thread.id)

        def build() -> None:
            context.build(
                thread, "When is the train from Lisbon, and what about the printer queue?", at=clock.now()
            )

        (times,) = harness.in_turns([build], rounds)
        with CaptureQueriesContext(connection) as captured:
            build()
    worst = harness.p95(times)
    report.add(
        harness.Row(f"context.build, {facts:,} facts, {turns:,} turns", harness.median(times), worst,
                    budget=f"p95 <= {BUDGET_MS:g} ms", met=worst <= BUDGET_MS)
    )  # fmt: skip
    report.notes[f"queries at {facts:,} facts"] = len(captured)


def main() -> None:
    options = harness.parser(__doc__ or "").parse_args()
    rounds = 100 if options.quick else 500
    report = harness.Report("Building a prompt")
    with harness.database():
        for facts, turns in ((100, 40), (1000, 40), (1000, 1000)):
            measure(facts, turns, rounds, report)
    report.show(options.json)


if __name__ == "__main__":
    main()
