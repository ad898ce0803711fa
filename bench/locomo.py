"""Finding past turns: LoCoMo's ten long conversations, indexed and searched by the product's own code.

Recall@k of a question is the share of its evidence (turns, or the sessions they stand in) among the first k turns that
come back; reported is the mean over the questions. So does the paper's own evaluation, which also counts the few questions without
evidence as found; they are left out here. Questions of category 5 (about the wrong person, no answer to give) count like
all others, by the turns they allude to, as there. Each conversation is a subject, each session a thread.

The data (CC BY-NC 4.0, https://github.com/snap-research/locomo) is not part of the project: put ``locomo10.json`` into
``locomo`` in the folder named by MEMORYHUB_BENCH_DATA.
"""

import json
import os
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import bm25
import harness
import numpy as np

AT = (5, 10, 25)
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop", 5: "adversarial"}
TARGET = {5: 72.0, 10: 80.0}
#: Maharana et al., Evaluating Very Long-Term Conversational Memory of LLM Agents, ACL 2024, table 3: DRAGON over turns.
PAPER = {5: 56.7, 10: 66.2}
#: Weights are chosen on the first five conversations; the others say what they are worth.
CHOSEN_ON = 5


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


@dataclass
class Scores:
    """Recall of turns and sessions of each question asked, under its conversation and category."""

    rows: list[tuple[int, int, dict[int, float], dict[int, float]]] = field(default_factory=list)

    def add(self, conversation: int, question: Question, found: Sequence[str]) -> None:
        turns, sessions = {}, {}
        wanted = {name.split(":")[0] for name in question.evidence}
        for k in AT:
            turns[k] = len(question.evidence & set(found[:k])) / len(question.evidence)
            sessions[k] = len(wanted & {name.split(":")[0] for name in found[:k]}) / len(wanted)
        self.rows.append((conversation, question.category, turns, sessions))

    def mean(
        self, only: Callable[[int, int], bool] = lambda *_: True, *, sessions: bool = False
    ) -> dict[int, float]:
        """In percent, by k, over the questions whose conversation and category ``only`` takes; empty without any."""
        rows = [row[3 if sessions else 2] for row in self.rows if only(row[0], row[1])]
        return {k: 100 * sum(row[k] for row in rows) / len(rows) for k in AT} if rows else {}


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


def ask(conversation: Conversation, embedder: Any, scores: dict[str, Scores], times: list[float]) -> None:
    """Every question, in the three ways."""
    from memoryhub import clock
    from memoryhub.memory import episodes

    words = bm25.Index(terms_of(conversation))
    for question in conversation.questions:
        vector = embedder.embed_query(question.text)
        begun = time.perf_counter()
        rows = episodes.ranked(
            conversation.subject.id, question.text, vector, floor=embedder.relevance_floor, embedder=embedder.name,
            at=clock.now(), limit=max(AT),
        )  # fmt: skip
        times.append((time.perf_counter() - begun) * 1000)
        found = {
            "MemoryHub": [conversation.names[row.turn_id] for row in rows],
            "BM25 alone, the same terms": words.best(terms(question.text), max(AT)),
            "vector alone": [conversation.names[turn_id] for turn_id in nearest(conversation, vector)],
        }
        for name, turns in found.items():
            scores[name].add(conversation.number, question, turns)


def terms_of(conversation: Conversation) -> dict[str, Counter[str]]:
    """The terms of each turn with their number, as the product's own keyword function finds them."""
    from django.db import connection

    found = {name: Counter[str]() for name in conversation.names.values()}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT turn_id, term.lexeme, greatest(1, cardinality(term.positions))"
            " FROM passage, unnest(words) AS term WHERE subject_id = %s",
            [conversation.subject.id],
        )
        for turn_id, term, count in cursor.fetchall():
            found[conversation.names[turn_id]][term] += count
    return found


def terms(text: str) -> list[str]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT tsvector_to_array(memory_terms(%s::text))", [text])
        return list(cursor.fetchone()[0])


def nearest(conversation: Conversation, vector: Sequence[float]) -> list[Any]:
    from pgvector.django import CosineDistance

    from memoryhub.memory.models import Passage

    rows = Passage.objects.filter(subject=conversation.subject)
    return list(
        rows.order_by(CosineDistance("embedding", vector)).values_list("turn_id", flat=True)[: max(AT)]
    )


def show(scores: dict[str, Scores], notes: dict[str, Any]) -> None:
    """The tables."""
    print("\nLoCoMo, recall of evidence in percent @5 / @10 / @25")
    print(f"  {'':<34}  {'turns':<20}  sessions")
    for name, kept in scores.items():
        print(f"  {name:<34}  {_line(kept.mean()):<20}  {_line(kept.mean(sessions=True))}")
    print(f"  {'DRAGON, in the paper':<34}  {PAPER[5]:.1f} / {PAPER[10]:.1f}")
    own = scores["MemoryHub"]
    for label, only in groups():
        count = sum(only(row[0], row[1]) for row in own.rows)
        if count:
            print(
                f"  {label + f' ({count})':<34}  {_line(own.mean(only)):<20}  {_line(own.mean(only, sessions=True))}"
            )
    for name, value in notes.items():
        print(f"  {name}: {value}")


def groups() -> list[tuple[str, Callable[[int, int], bool]]]:
    """What the product's own figures are split by."""
    made: list[tuple[str, Callable[[int, int], bool]]] = [
        (f"conversations 1-{CHOSEN_ON}, weights chosen here", lambda number, _: number <= CHOSEN_ON),
        (f"conversations {CHOSEN_ON + 1}-10", lambda number, _: number > CHOSEN_ON),
    ]
    for key, name in CATEGORIES.items():
        made.append((f"category {key}, {name}", lambda _, category, key=key: category == key))  # type: ignore[misc]
    return made


def _line(means: dict[int, float]) -> str:
    return " / ".join(f"{means[k]:.1f}" for k in AT) if means else "-"


def as_json(scores: dict[str, Scores], notes: dict[str, Any]) -> str:
    own = scores["MemoryHub"]
    return json.dumps(
        {
            "name": "LoCoMo",
            "turns": {name: kept.mean() for name, kept in scores.items()},
            "sessions": {name: kept.mean(sessions=True) for name, kept in scores.items()},
            "paper": PAPER,
            "groups": {
                label: {"turns": own.mean(only), "sessions": own.mean(only, sessions=True)}
                for label, only in groups()
            },
            **notes,
        }
    )


def run(options: Any, data: Sequence[dict[str, Any]]) -> None:
    from memoryhub.llm import get_embedder
    from memoryhub.memory import embedding

    embedder = Remembering(get_embedder())
    embedders.get_embedder = lambda: embedder  # type: ignore[assignment,return-value]
    scores: dict[str, Scores] = defaultdict(Scores)
    times: list[float] = []
    loaded = [load(number, each, captions=options.captions) for number, each in enumerate(data, start=1)]
    if options.tune:
        import locomo_tune

        vectors = [[embedder.embed_query(q.text) for q in each.questions] for each in loaded]
        embedder.keep()
        locomo_tune.tune(loaded, vectors, CHOSEN_ON)
        return
    for conversation in loaded:
        ask(conversation, embedder, scores, times)
    embedder.keep()
    own = scores["MemoryHub"].mean()
    notes = {
        "questions": len(times), "turns": sum(len(each.names) for each in loaded), "embedder": embedder.name,
        "ms a question, median / p95": f"{harness.median(times):.1f} / {harness.p95(times):.1f}",
        "target": ", ".join(f"@{k} >= {v:g} {'met' if own[k] >= v else 'MISSED'}" for k, v in TARGET.items()),
    }  # fmt: skip
    if options.quick:
        notes["quick"] = f"only the first {len(data)} conversations; the target is meant for all ten"
    if options.json:
        print(as_json(scores, notes))
    else:
        show(scores, notes)


def main() -> None:
    parser = harness.parser(__doc__ or "")
    parser.add_argument(
        "--captions", action="store_true", help="give turns the captions of their images, as the paper does"
    )
    parser.add_argument(
        "--tune", action="store_true", help="search weights on the first five conversations and print them"
    )
    options = parser.parse_args()
    data = read(2 if options.quick else None)
    if data is None:
        return
    os.environ["MEMORYHUB_LLM_BACKEND"] = "offline"
    with harness.database(durable=False), harness.tenant_scope():
        run(options, data)


if __name__ == "__main__":
    main()
