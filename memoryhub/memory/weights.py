"""How the signals of recall are weighed against each other. A tenant may set its own; these are the defaults.

The defaults were chosen on the labelled questions of ``tests/llm/questions.py`` and hold the order of
``tests/memory/test_ranking.py``; ``manage.py recall_suite`` shows what a change does to a tenant's own questions.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

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
        return {name: value for name, value in asdict(self).items() if value != getattr(DEFAULTS, name)}


DEFAULTS = Weights()
_LONGEST_HALF_LIFE = 3650.0
NAMES = tuple(field.name for field in fields(Weights))


def checked(values: Mapping[str, object]) -> Weights:
    """The defaults with ``values`` over them. Raises ``Invalid`` naming ``recall_weights``."""
    numbers: dict[str, float] = {}
    for name, value in values.items():
        if name not in NAMES:
            raise _invalid("unknown_weight", f"recall_weights may hold {', '.join(NAMES)}.")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _invalid("not_a_number", f"The weight {name} is a number.")
        highest = _LONGEST_HALF_LIFE if name == "half_life" else 1.0
        lowest = 1.0 if name == "half_life" else 0.0
        if not lowest <= value <= highest:
            raise _invalid("out_of_range", f"The weight {name} lies between {lowest:g} and {highest:g}.")
        numbers[name] = float(value)
    made = Weights(**numbers)
    if made.meaning + made.keywords <= 0:
        raise _invalid(
            "nothing_to_rank_by", "meaning and keywords can not both be 0: nothing would be found."
        )
    return made


def _invalid(code: str, sentence: str) -> Invalid:
    return Invalid.field("recall_weights", code, sentence)
