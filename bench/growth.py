"""What one exchange costs as its conversation grows: append, build the prompt, append; beside LangGraph's checkpointer.

Lengths are in messages. Each timed exchange is taken back afterwards, so that every call meets the same state: ten
messages in the window, everything older in the summary, compacted by the summariser as the worker does it.
"""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import harness
import peer_process
from context import StillEmbedder, fill
from conversation import turns as spoken

LENGTHS, PEER_LENGTHS, WINDOW, FACTS = (10, 100, 1_000, 10_000), (10, 100, 400), 10, 50
BUDGET = 1.1


def grown(subject: Any, length: int) -> Any:
    """A thread of ``length`` messages with a window of ten."""
    from memoryhub import clock
    from memoryhub.memory import summaries, threads

    thread, _ = threads.open_thread(subject, at=clock.now(), external_id=f"length-{length}")
    keep = 6
    old = length - (WINDOW - keep) if length > WINDOW else length
    written = add(thread, 1, old)
    while summaries.summarise(threads.get(thread.id), at=clock.now()):
        pass
    add(thread, written + 1, length - written)
    thread = threads.get(thread.id)
    assert thread.last_seq - thread.summarised_seq == WINDOW, "the window is not what is compared"
    return thread


def add(thread: Any, first: int, count: int) -> int:
    """Messages in bulk; the last seq."""
    from memoryhub.memory.models import Thread, Turn

    script = spoken()
    rows = [
        Turn(thread=thread, subject_id=thread.subject_id, seq=seq, role=script[(seq - 1) % 40][0],
             content=f"({seq}) {script[(seq - 1) % 40][1]}")
        for seq in range(first, first + count)
    ]  # fmt: skip
    Turn.objects.bulk_create(rows, batch_size=500)
    Thread.objects.filter(id=thread.id).update(next_seq=first + count, learned_seq=first + count - 1)
    return first + count - 1


def exchange(thread_id: Any) -> Callable[[], float]:
    """One exchange, timed, and taken back."""
    from memoryhub import clock
    from memoryhub.memory import context, threads
    from memoryhub.memory.models import Thread

    said, answered = spoken()[0][1], spoken()[1][1]

    def act() -> list[Any]:
        at = clock.now()
        thread = threads.get(thread_id)
        asked = threads.append_turn(thread, threads.NewTurn("user", said), at=at)
        context.build(thread, said, at=at, before_seq=asked.seq)
        return [asked, threads.append_turn(thread, threads.NewTurn("assistant", answered), at=at)]

    def once() -> float:
        written: list[Any] = []
        spent = harness.timed(lambda: written.extend(act()))
        for turn in written:
            turn.delete()
        Thread.objects.filter(id=thread_id).update(next_seq=written[0].seq)
        return spent

    return once


def report_on(name: str, lengths: tuple[int, ...], times: list[list[float]], report: harness.Report) -> None:
    ours = name == "MemoryHub"
    for length, took in zip(lengths, times, strict=True):
        row = harness.compared(
            f"{name}: one exchange at {length:,} messages", took, to=times[0] if length > lengths[0] else (),
            against="at 10 messages", most=BUDGET if ours else None,
        )  # fmt: skip
        report.add(row)


def product(lengths: tuple[int, ...], rounds: int, report: harness.Report) -> None:
    from memoryhub import clock
    from memoryhub.memory import embedders, subjects, threads

    with harness.tenant_scope():
        subject = subjects.ensure("alice", at=clock.now())
        aside, _ = threads.open_thread(subject, at=clock.now())
        vector = fill(subject, aside, FACTS, 0)
        embedders.get_embedder = lambda: StillEmbedder(vector)  # type: ignore[assignment,return-value]
        grownup = [grown(subject, length) for length in lengths]
        analyse()
        times = harness.clocked_in_turns([exchange(thread.id) for thread in grownup], rounds)
        report.notes["summaries of the longest thread"] = grownup[-1].summaries.count()
    report_on("MemoryHub", lengths, times, report)


def analyse() -> None:
    """As autovacuum would have done long before a thread has such a length."""
    import os

    import psycopg

    with psycopg.connect(os.environ["MEMORYHUB_OWNER_DATABASE_URL"], autocommit=True) as owner:
        owner.execute("VACUUM ANALYZE")


def checkpointer(
    python: Path, url: str, lengths: tuple[int, ...], rounds: int, report: harness.Report
) -> None:
    with peer_process.start(python, "langgraph_peer.py", url) as peer:
        stands = [peer.ask("grow", thread=str(n), messages=n)["checkpoint"] for n in lengths]
        acts = [
            lambda n=n, at=at: peer.ask("talk", thread=str(n), checkpoint=at)["ms"]
            for n, at in zip(lengths, stands, strict=True)
        ]
        report_on("LangGraph PostgresSaver", lengths, harness.clocked_in_turns(acts, rounds, 5), report)


def main() -> None:
    parser = harness.parser(__doc__ or "")
    parser.add_argument(
        "--peers-python", default="", help="the Python that has requirements-peers.txt installed"
    )
    options = parser.parse_args()
    python = peer_process.python_of(options.peers_python)
    report = harness.Report("An exchange as its conversation grows")
    rounds = 40 if options.quick else 200
    with contextlib.ExitStack() as stack:
        urls = stack.enter_context(harness.database())
        product(LENGTHS[:3] if options.quick else LENGTHS, rounds, report)
        if python is None:
            report.notes["peers"] = peer_process.HOW
        else:
            checkpointer(python, urls.owner, PEER_LENGTHS[: 2 if options.quick else 3], rounds // 2, report)
    report.show(options.json)


if __name__ == "__main__":
    main()
