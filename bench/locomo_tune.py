"""A small coordinate search for the weights of ``memory.episodes``, with everything computed in memory.

The score is computed here a second time, from the passages' stored terms and vectors. Its figures for the weights in use
have to be those that ``locomo.py`` reports of the product's own SQL, but for what halves of floats leave.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
GRID: dict[str, tuple[float, ...]] = {
    "before": (0.5, 0.6, 0.7, 0.8, 0.9),
    "two_before": (0.3, 0.4, 0.5, 0.6),
    "after": (0.3, 0.35, 0.45, 0.55),
    "two_after": (0.0, 0.2, 0.3, 0.4),
    "cosine": (0.2, 0.25, 0.3, 0.35, 0.4, 0.5),
    "cosine_before": (0.0, 0.05, 0.1, 0.15),
    "cosine_after": (0.0, 0.05, 0.1, 0.15),
    "thread_words": (0.1, 0.15, 0.2, 0.25, 0.3),
    "thread_cosine": (0.0, 0.05, 0.1, 0.15, 0.2),
    "speaker": (0.05, 0.08, 0.1, 0.13, 0.16),
    "question": (0.0, 0.02, 0.04, 0.06, 0.08),
    "length": (0.0, 0.03, 0.06, 0.1),
}
#: A change must find that much more, in points of the mean of recall@5 and @10, to be taken.
_LEAST = 0.05
_NEAR = {"before": 1, "two_before": 2, "after": -1, "two_after": -2}


@dataclass
class Asked:
    """A question with its signals for every turn of its conversation, in the turns' order."""

    evidence: frozenset[int]
    idf: Floats
    own: Floats  # terms by turns
    near: dict[str, Floats]
    thread_words: Floats
    cosine: Floats
    cosine_before: Floats
    cosine_after: Floats
    thread_cosine: Floats
    spoken: Floats
    asks: Floats
    length: Floats


def tune(conversations: Sequence[Any], vectors: Sequence[Sequence[Any]], chosen_on: int) -> None:
    """Search on the first conversations; print the weights found, and what they find in both halves."""
    from memoryhub.memory.weights import TURN_DEFAULTS

    asked = [_asked(each, queries) for each, queries in zip(conversations, vectors, strict=True)]
    first, second = asked[:chosen_on], asked[chosen_on:]
    _show("weights in use", TURN_DEFAULTS, first, second)
    weights = TURN_DEFAULTS
    best = sum(recall(first, weights)) / 2
    for _ in range(2):
        for name, values in GRID.items():
            for value in values:
                tried = replace(weights, **{name: value})
                found = sum(recall(first, tried)) / 2
                if found > best + _LEAST:
                    best, weights = found, tried
    _show("weights found", weights, first, second)
    print(
        {name: value for name, value in asdict(weights).items() if value != getattr(TURN_DEFAULTS, name)}
        or "no change"
    )


def _show(label: str, weights: Any, first: Sequence[list[Asked]], second: Sequence[list[Asked]]) -> None:
    halves = {"chosen on": first, "the others": second, "all": [*first, *second]}
    told = [
        f"{name} {recall(each, weights)[0]:.1f} / {recall(each, weights)[1]:.1f}"
        for name, each in halves.items()
        if each
    ]
    print(f"  {label}, turns @5 / @10: {', '.join(told)}")


def recall(conversations: Sequence[list[Asked]], weights: Any) -> tuple[float, float]:
    """Mean recall of turn evidence at 5 and 10, in percent."""
    shares = []
    for asked in (question for each in conversations for question in each):
        best = np.argsort(-score(asked, weights), kind="stable")
        wanted = asked.evidence
        shares.append([len(wanted & set(best[:k].tolist())) / len(wanted) for k in (5, 10)])
    five, ten = 100 * np.mean(shares, axis=0)
    return float(five), float(ten)


def score(asked: Asked, weights: Any) -> Floats:
    """As in ``episodes._SQL``, without quoted phrases and recency."""
    held = asked.own
    for name, hits in asked.near.items():
        held = np.maximum(held, getattr(weights, name) * hits)
    made: Floats = weights.keywords * (asked.idf @ held) + weights.cosine * asked.cosine
    made = made + weights.cosine_before * asked.cosine_before + weights.cosine_after * asked.cosine_after
    made = made + weights.thread_words * asked.thread_words + weights.thread_cosine * asked.thread_cosine
    return (
        made + weights.speaker * asked.spoken - weights.question * asked.asks + weights.length * asked.length
    )


def _asked(conversation: Any, vectors: Sequence[Any]) -> list[Asked]:
    import locomo

    from memoryhub.memory.models import Passage

    rows = list(
        Passage.objects.filter(subject=conversation.subject).order_by("thread__title", "seq", "number")
    )
    stored = np.array([row.embedding for row in rows])
    stored /= np.linalg.norm(stored, axis=1, keepdims=True)
    place = {conversation.names[row.turn_id]: index for index, row in enumerate(rows)}
    held = locomo.terms_of(conversation)
    terms = [set(held[conversation.names[row.turn_id]]) for row in rows]
    names = {
        row.speaker: set(locomo.terms(row.speaker)) for row in {row.speaker: row for row in rows}.values()
    }
    made = []
    for question, vector in zip(conversation.questions, vectors, strict=True):
        cosine = stored @ (np.array(vector) / np.linalg.norm(vector))
        evidence = frozenset(place[name] for name in question.evidence)
        made.append(_signals(rows, terms, names, locomo.terms(question.text), cosine, evidence))
    return made


def _signals(
    rows: Sequence[Any], held: Sequence[set[str]], names: dict[str, set[str]], query: Sequence[str], cosine: Floats,
    evidence: frozenset[int],
) -> Asked:  # fmt: skip
    threads = np.array([str(row.thread_id) for row in rows])
    _, of = np.unique(threads, return_inverse=True)
    of_names = set().union(*names.values())
    terms = [term for term in query if term not in of_names] or list(query)
    own = np.array([[float(term in words) for words in held] for term in terms])
    idf = np.log(1 + len(rows) / np.maximum(1, own.sum(axis=1)))
    idf = idf / idf.sum()
    covered = np.array([own[:, of == thread].max(axis=1) for thread in range(of.max() + 1)])
    best = np.array([np.sort(cosine[of == thread])[::-1][:3].mean() for thread in range(of.max() + 1)])
    named = [speaker for speaker, parts in names.items() if parts & set(query)]
    return Asked(
        evidence, idf, own, {name: _moved(own, of, by) for name, by in _NEAR.items()}, (covered @ idf)[of], cosine,
        _moved(cosine, of, 1), _moved(cosine, of, -1), best[of],
        np.array([float(len(named) == 1 and row.speaker == named[0]) for row in rows]),
        np.array([float(row.asks) for row in rows]),
        np.array([min(1.0, (row.end - row.start) / 100) for row in rows]),
    )  # fmt: skip


def _moved(values: Floats, of: NDArray[np.int64], by: int) -> Floats:
    """Each place has what stood ``by`` places before it, 0 across the border of a thread."""
    moved = np.roll(values, by, axis=-1)
    same = np.roll(of, by) == of
    edge = slice(0, by) if by > 0 else slice(by, None)
    same[edge] = False
    return np.where(same, moved, 0.0)
