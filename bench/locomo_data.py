"""LoCoMo's conversations, brought into the product by its own code."""

import json
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import harness
import numpy as np

#: Nobody talks about these in the conversations; nothing should come back.
FOREIGN = (
    "How do I renew a TLS certificate in nginx?", "What is the capital of Mongolia?", "What is a monad?",
    "Explain the difference between TCP and UDP", "Why does my Kubernetes pod restart with exit code 137?",
    "quarterly depreciation schedule for the forklift", "Write a haiku about rust", "How is insulin dosed?",
    "What is the boiling point of nitrogen?", "How do I sort a list of dicts in Python?", "ticket 55102",
    "Which visa do I need for Kazakhstan?", "Convert 12 inches to centimetres", "How to descale a boiler?",
    "What does error E-4012 mean?", "When is the VAT return due?", "Who won the 1966 world cup?",
    "Summarise the Treaty of Westphalia", "How many moons does Neptune have?", "Set up a PostgreSQL replica",
)  # fmt: skip


@dataclass(frozen=True)
class Question:
    text: str
    category: int
    #: ``D3:7``: the seventh turn of the third session.
    evidence: frozenset[str]


@dataclass
class Conversation:
    """One of the ten, and where its turns are in the database."""

    number: int
    subject: Any
    questions: list[Question]
    names: dict[Any, str] = field(default_factory=dict)


class Remembering:
    """The embedder that ships, with its vectors kept in a file between runs: they are most of the time."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.name, self.relevance_floor = inner.name, inner.relevance_floor
        label = re.sub(r"[^A-Za-z0-9]+", "-", inner.name)
        self._file = Path(tempfile.gettempdir()) / f"memoryhub-locomo-{label}.npz"
        self._known: dict[str, list[float]] = {}
        if self._file.exists():
            kept = np.load(self._file, allow_pickle=False)
            self._known = dict(zip(kept["texts"].tolist(), kept["vectors"].tolist(), strict=True))
        self._at_first = len(self._known)

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        return [
            self._ask(f"passage {text}", lambda text=text: self._inner.embed_passages([text])[0])
            for text in texts
        ]  # type: ignore[misc]

    def embed_query(self, text: str) -> list[float]:
        return self._ask(f"query {text}", lambda: self._inner.embed_query(text))

    def _ask(self, key: str, make: Callable[[], list[float]]) -> list[float]:
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

    def keep(self) -> None:
        if len(self._known) > self._at_first:
            vectors = np.array(list(self._known.values()), dtype=np.float32)
            np.savez(self._file, texts=np.array(list(self._known)), vectors=vectors)


def read(limit: int | None) -> list[dict[str, Any]] | None:
    """The conversations, None when the data is not there."""
    folder = Path(os.environ.get("MEMORYHUB_BENCH_DATA", harness.ROOT.parent / "shared" / "data"))
    file = folder / "locomo" / "locomo10.json"
    if not file.exists():
        print(
            f"Not measured: there is no {file}. Set MEMORYHUB_BENCH_DATA to the folder that holds locomo/locomo10.json."
        )
        return None
    found: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))
    return found[:limit]


def load(number: int, data: dict[str, Any], *, captions: bool) -> Conversation:
    """Write a conversation as turns and index it, by the product's own code."""
    from memoryhub import clock
    from memoryhub.memory import passages, subjects, threads

    talk = data["conversation"]
    loaded = Conversation(number, subjects.ensure(f"locomo-{number}", at=clock.now()), [])
    sessions = [key for key in talk if re.fullmatch(r"session_\d+", key) and talk[key]]
    for key in sorted(sessions, key=lambda name: int(name.split("_")[1])):
        said = datetime.strptime(talk[f"{key}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        thread, _ = threads.open_thread(loaded.subject, at=clock.now(), title=key)
        news = [
            threads.NewTurn("user", worded(turn, captions), name=turn["speaker"], said_at=said)
            for turn in talk[key]
        ]
        written = threads.append_turns(thread, news, at=clock.now())
        loaded.names |= {turn.id: source["dia_id"] for turn, source in zip(written, talk[key], strict=True)}
        while passages.index_thread(threads.get(thread.id)):
            pass
    loaded.questions = questions(data, set(loaded.names.values()))
    return loaded


def worded(turn: dict[str, Any], captions: bool) -> str:
    shown = turn.get("blip_caption") if captions else None
    return f"{turn['text']} [shares an image: {shown}]" if shown else str(turn["text"])


def questions(data: dict[str, Any], turns: set[str]) -> list[Question]:
    """Those with evidence among the turns; a few evidence ids are misspelt, and a few name no turn."""
    asked = []
    for row in data["qa"]:
        named = re.findall(r"D:?(\d+:\d+)", " ".join(row.get("evidence", [])))
        evidence = frozenset(f"D{name}" for name in named) & turns
        if evidence:
            asked.append(Question(str(row["question"]), row["category"], evidence))
    return asked
