"""The seeds' own test: teach in one thread, ask in a fresh one, and see that the prompt carries it.

It goes the product's whole way with whatever models are configured: turns, extraction, reconciliation, recall and
the prompt. Each script has a subject of its own, which is removed afterwards.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.db import transaction

from memoryhub import ids
from memoryhub.memory import context, learning, purge, subjects, threads
from memoryhub.memory.models import Subject

SHIPPED = Path(__file__).parent / "data" / "seeds.jsonl"
_ROUNDS = 20


@dataclass(frozen=True)
class Script:
    """What is said, what is asked later, and the words that the prompt must then hold; none: nothing recalled.

    ``standing``: the words stand among the standing instructions.
    """

    teach: tuple[str, ...]
    ask: str
    expect: tuple[str, ...]
    standing: bool = False


@dataclass(frozen=True)
class Outcome:
    """A script's end: what the prompt carried, and whether that was right."""

    script: Script
    passed: bool
    carried: tuple[str, ...]


def scripts(path: Path = SHIPPED) -> list[Script]:
    """The scripts of a file, one JSON object a line."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        Script(tuple(row["teach"]), row["ask"], tuple(row["expect"]), bool(row.get("standing")))
        for row in rows
    ]


def play(script: Script, *, at: datetime) -> Outcome:
    """Teach, ask in a fresh thread, and compare. Raises the llm room's errors when a model fails."""
    subject = subjects.ensure(f"recall-suite-{ids.new().hex}", at=at)
    try:
        _teach(subject, script.teach, at)
        fresh, _ = threads.open_thread(subject, at=at)
        built = context.build(fresh, script.ask, at=at)
        standing = tuple(row.statement for row in built.instructions)
        recalled = tuple(item.fact.statement for item in built.facts)
    finally:
        with transaction.atomic():
            purge.purge_subject(subject, at=at)
    carried = standing if script.standing else recalled
    return Outcome(script, _right(script.expect, carried), carried)


def _teach(subject: Subject, lines: Sequence[str], at: datetime) -> None:
    thread, _ = threads.open_thread(subject, at=at)
    for line in lines:
        threads.append_turn(thread, threads.NewTurn("user", line), at=at)
    for _ in range(_ROUNDS):
        if not learning.learn_from(threads.get(thread.id), at=at).more:
            return


def _right(expected: Sequence[str], carried: Sequence[str]) -> bool:
    if not expected:
        return not carried
    return all(any(word.casefold() in line.casefold() for line in carried) for word in expected)
