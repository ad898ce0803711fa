"""How the signals of recall are weighed against each other. A tenant may set its own; these are the defaults.

The defaults were chosen on the labelled questions of ``tests/llm/questions.py`` and hold the order of
``tests/memory/test_ranking.py``; ``manage.py recall_suite`` shows what a change does to a tenant's own questions.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import TypeVar

from memoryhub.errors import Invalid


@dataclass(frozen=True)
class Weights:
    """Each signal lies in [0, 1]; the score is their weighted sum, times ``stale`` for a fact that has aged.

    ``exact`` is for a fact that holds an identifier of the question, the more the rarer it is: who names E-4012 means
    that one.

    ``meaning``: cosine of question and fact. ``keywords``: share of the question's words, weighed by how rare they
    are among the subject's own facts. ``recency`` halves every ``half_life`` days since the fact was said or
    confirmed. ``trust``: how far it is verified. ``pin``: a person pinned it. ``feedback`` is taken off for a fact
    that was found not relevant to a like question.
    """

    meaning: float = 0.62
    keywords: float = 0.25
    exact: float = 0.40
    recency: float = 0.06
    trust: float = 0.04
    pin: float = 0.03
    feedback: float = 0.30
    stale: float = 0.80
    half_life: float = 180.0

    def changed(self) -> dict[str, float]:
        """What differs from the defaults."""
        return _changed(self, DEFAULTS)


@dataclass(frozen=True)
class TurnWeights:
    """What each signal adds to a score. Chosen on LoCoMo's conversations 1 to 5 by ``bench/locomo.py --tune``.

    ``keywords`` weighs the words of the question, the rarer the heavier; a word counts whole where it stands, and by
    ``before``, ``two_before``, ``after``, ``two_after`` where it stands one or two passages before or after, the
    largest of them once. ``cosine`` is the passage's meaning, ``cosine_before`` and ``cosine_after`` its neighbours'.
    ``thread_words`` weighs the share of the question's words that the thread has anywhere, ``thread_cosine`` the mean of
    its best three cosines. ``speaker`` is for turns of the one speaker whom the question names. ``question`` is
    taken from passages that ask: they seldom answer. ``length`` is reached at 100 characters: short ones say little.
    ``recency`` halves every ``half_life`` days. ``phrase`` puts what holds the question's quoted words before the rest.
    """

    keywords: float = 0.5
    before: float = 0.8
    two_before: float = 0.5
    after: float = 0.45
    two_after: float = 0.3
    cosine: float = 0.3
    cosine_before: float = 0.05
    cosine_after: float = 0.1
    thread_words: float = 0.2
    thread_cosine: float = 0.1
    speaker: float = 0.1
    question: float = 0.04
    length: float = 0.06
    recency: float = 0.0
    half_life: float = 180.0
    phrase: float = 1.0

    def changed(self) -> dict[str, float]:
        """What differs from the defaults."""
        return _changed(self, TURN_DEFAULTS)


DEFAULTS, TURN_DEFAULTS = Weights(), TurnWeights()
_LONGEST_HALF_LIFE = 3650.0
_W = TypeVar("_W", Weights, TurnWeights)


def _changed(own: Weights | TurnWeights, defaults: Weights | TurnWeights) -> dict[str, float]:
    return {name: value for name, value in asdict(own).items() if value != getattr(defaults, name)}


def checked(values: Mapping[str, object]) -> Weights:
    """The defaults for facts with ``values`` over them. Raises ``Invalid`` naming ``recall_weights``."""
    made = _over(Weights, values, "recall_weights")
    if made.meaning + made.keywords <= 0:
        raise _nothing_left("recall_weights", "meaning and keywords")
    return made


def checked_for_turns(values: Mapping[str, object]) -> TurnWeights:
    """The defaults for turns with ``values`` over them. Raises ``Invalid`` naming ``turn_weights``."""
    made = _over(TurnWeights, values, "turn_weights")
    if made.cosine + made.keywords <= 0:
        raise _nothing_left("turn_weights", "cosine and keywords")
    return made


def _over(kind: type[_W], values: Mapping[str, object], field: str) -> _W:
    names = [each.name for each in fields(kind)]
    numbers: dict[str, float] = {}
    for name, value in values.items():
        if name not in names:
            raise Invalid.field(field, "unknown_weight", f"{field} may hold {', '.join(names)}.")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Invalid.field(field, "not_a_number", f"The weight {name} is a number.")
        lowest, highest = (1.0, _LONGEST_HALF_LIFE) if name == "half_life" else (0.0, 1.0)
        if not lowest <= value <= highest:
            raise Invalid.field(
                field, "out_of_range", f"The weight {name} lies between {lowest:g} and {highest:g}."
            )
        numbers[name] = float(value)
    return kind(**numbers)


def _nothing_left(field: str, which: str) -> Invalid:
    return Invalid.field(field, "nothing_to_rank_by", f"{which} can not both be 0: nothing would be found.")
