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
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import bm25
import harness
import locomo_data

AT = (5, 10, 25)
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop", 5: "adversarial"}
TARGET = {5: 72.0, 10: 80.0}
#: Maharana et al., Evaluating Very Long-Term Conversational Memory of LLM Agents, ACL 2024: retrieval of turns by DRAGON.
PAPER = {5: 56.7, 10: 66.2}
#: Weights are chosen on the first five conversations; the others say what they are worth.
CHOSEN_ON = 5


@dataclass
class Scores:
    """Recall of turns and sessions of each question asked, under its conversation and category."""

    rows: list[tuple[int, int, dict[int, float], dict[int, float]]] = field(default_factory=list)

    def add(self, conversation: int, question: locomo_data.Question, found: Sequence[str]) -> None:
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


def ask(
    conversation: locomo_data.Conversation, embedder: Any, scores: dict[str, Scores], times: list[float]
) -> None:
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


def silent(conversations: Sequence[locomo_data.Conversation], embedder: Any) -> str:
    """How many of the foreign questions get no answer, over all conversations."""
    from memoryhub import clock
    from memoryhub.memory import episodes

    answered = [
        episodes.ranked(
            conversation.subject.id, question, embedder.embed_query(question), floor=embedder.relevance_floor,
            embedder=embedder.name, at=clock.now(), limit=1,
        )
        for conversation in conversations for question in locomo_data.FOREIGN
    ]  # fmt: skip
    return f"{answered.count([])} of {len(answered)}"


def terms_of(conversation: locomo_data.Conversation) -> dict[str, Counter[str]]:
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


def nearest(conversation: locomo_data.Conversation, vector: Sequence[float]) -> list[Any]:
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
    from memoryhub.memory import embedders

    embedder = locomo_data.Remembering(get_embedder())
    embedders.get_embedder = lambda: embedder  # type: ignore[assignment,return-value]
    if options.cost:
        import locomo_cost

        locomo_cost.measure(data, embedder)
        embedder.keep()
        return
    scores: dict[str, Scores] = defaultdict(Scores)
    times: list[float] = []
    loaded = [
        locomo_data.load(number, each, captions=options.captions) for number, each in enumerate(data, start=1)
    ]
    if options.tune:
        import locomo_tune

        vectors = [[embedder.embed_query(q.text) for q in each.questions] for each in loaded]
        embedder.keep()
        locomo_tune.tune(loaded, vectors, CHOSEN_ON)
        return
    for conversation in loaded:
        ask(conversation, embedder, scores, times)
    quiet = silent(loaded, embedder)
    embedder.keep()
    own = scores["MemoryHub"].mean()
    notes = {
        "questions": len(times), "turns": sum(len(each.names) for each in loaded), "embedder": embedder.name,
        "questions about nothing that was said, left without an answer": quiet,
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
    parser.add_argument(
        "--cost", action="store_true", help="measure the statement at 600, 5,000 and 10,000 passages"
    )
    options = parser.parse_args()
    data = locomo_data.read(2 if options.quick else None)
    if data is None:
        return
    os.environ["MEMORYHUB_LLM_BACKEND"] = "offline"
    with harness.database(durable=False), harness.tenant_scope():
        run(options, data)


if __name__ == "__main__":
    main()
