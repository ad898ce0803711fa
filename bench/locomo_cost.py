"""What a question costs by the number of passages that a subject has: LoCoMo's turns, as often as it takes."""

import time
from collections.abc import Sequence
from typing import Any

import harness

SIZES = (600, 5_000, 10_000)
_QUESTIONS = 50


def measure(data: Sequence[dict[str, Any]], embedder: Any) -> None:
    """Print median and p95 of the ranking statement, the questions' vectors being there already."""
    questions = [str(row["question"]) for row in data[0]["qa"][:_QUESTIONS]]
    message = " ".join(turn["text"] for turn in data[1]["conversation"]["session_1"])[:2000]
    print("\nms a question, median / p95; a message of 2,000 characters, median")
    for size in SIZES:
        subject = _filled(data, size)
        times = [_asked(subject, text, embedder) for text in questions]
        long = [_asked(subject, message, embedder) for _ in range(8)]
        print(
            f"  {size:>6,} passages  {harness.median(times):7.1f} / {harness.p95(times):.1f}   {harness.median(long):.1f}"
        )


def _asked(subject: Any, text: str, embedder: Any) -> float:
    from memoryhub import clock
    from memoryhub.memory import episodes

    vector = embedder.embed_query(text)
    begun = time.perf_counter()
    episodes.ranked(
        subject.id, text, vector, floor=embedder.relevance_floor, embedder=embedder.name, at=clock.now()
    )
    return (time.perf_counter() - begun) * 1000


def _filled(data: Sequence[dict[str, Any]], size: int) -> Any:
    from memoryhub import clock
    from memoryhub.memory import passages, subjects, threads
    from memoryhub.memory.models import Thread, Turn

    subject = subjects.ensure(f"cost-{size}", at=clock.now())
    sessions = [
        each for talk in data for each in talk["conversation"].values() if isinstance(each, list) and each
    ]
    left, number = size, 0
    while left:
        said = sessions[number % len(sessions)][:left]
        left, number = left - len(said), number + 1
        thread, _ = threads.open_thread(subject, at=clock.now())
        Turn.objects.bulk_create(
            Turn(
                thread=thread,
                subject=subject,
                seq=seq,
                role="user",
                name=turn["speaker"],
                content=turn["text"],
            )
            for seq, turn in enumerate(said, start=1)
        )
        Thread.objects.filter(id=thread.id).update(next_seq=len(said) + 1)
        while passages.index_thread(threads.get(thread.id)):
            pass
    return subject
