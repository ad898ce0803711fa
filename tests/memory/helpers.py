"""Short ways to say things in tests of the memory room."""

import json
from datetime import datetime

from memoryhub import clock
from memoryhub.memory import learning, threads
from memoryhub.memory.models import Fact, Subject, Thread, Turn


def say(thread: Thread, text: str, *, role: str = "user", at: datetime | None = None) -> Turn:
    """Append one turn, said at ``at``."""
    return threads.append_turn(thread, threads.NewTurn(role, text, said_at=at), at=clock.now())


def learn(thread: Thread) -> dict[str, int]:
    """Learn until nothing is left; counts added up."""
    total: dict[str, int] = {}
    for _ in range(50):
        learned = learning.learn_from(threads.get(thread.id), at=clock.now())
        for name, count in learned.counts.items():
            total[name] = total.get(name, 0) + count
        if not learned.more:
            return total
    raise AssertionError("learning did not end")


def statements(subject: Subject, status: str = "active") -> list[str]:
    """What is known, in the order it was recorded."""
    rows = Fact.objects.filter(subject=subject, status=status).order_by("created_at", "id")
    return list(rows.values_list("statement", flat=True))


def facts_json(*facts: dict[str, object]) -> str:
    """An extraction model's answer."""
    return json.dumps({"facts": list(facts)})
