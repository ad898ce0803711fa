"""Why a fact waits for a person, in words: one place for the review, a fact's page and their tabs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from memoryhub.memory import policies
from memoryhub.memory.kinds import Kind
from memoryhub.memory.models import Fact
from memoryhub.memory.policies import Policy


@dataclass(frozen=True)
class Reason:
    """A reason for a review: a tab's label, and a sentence for the person who decides."""

    label: str
    sentence: str


#: By ``Fact.held_because``.
HELD: Mapping[str, Reason] = {
    "doubtful": Reason("Doubtful", "It was found, but not plainly said."),
    "against_human": Reason(
        "Against a person's word", "It contradicts what a person has stated, corrected or confirmed."
    ),
    "conflict": Reason(
        "Conflict", "Two statements of the same moment can not both hold, and nothing says which one does."
    ),
    "about_somebody_else": Reason(
        "About somebody else", "It seems to be about another person than the one who said it."
    ),
    "special_category": Reason(
        "Special category",
        "It seems to be about health, religion, politics or the like, which your memory policy holds back.",
    ),
    "suspected_instruction": Reason(
        "Suspected instruction", "It is shaped like an order to a model, and was not given as one."
    ),
    "instruction_from_elsewhere": Reason(
        "Instruction from elsewhere",
        "It tells the assistant what to do, and does not come from the person's own words.",
    ),
}
STALE = Reason("Not confirmed for long", "It has been neither said nor confirmed for long.")
_UNKNOWN = Reason("Other", "It was held back.")
_MONTH, _YEAR = 30.44, 365.25


def of(code: str) -> Reason:
    """The words for a reason code; something general for one without words."""
    return HELD.get(code, _UNKNOWN)


def staleness(fact: Fact, policy: Policy, at: datetime) -> str:
    """How long a stale fact has gone unconfirmed ("not confirmed for 14 months"); empty for any other."""
    if not policies.is_stale(fact, policy, at):
        return ""
    return f"not confirmed for {_span((at - policies.last_confirmed(fact)).days)}"


def stale_sentence(fact: Fact, policy: Policy, at: datetime) -> str:
    """Why a stale fact is in the review, with the rule that says so."""
    days = policy.stale_after[Kind(fact.kind)]
    since = _span((at - policies.last_confirmed(fact)).days)
    return f"Nobody has said or confirmed it for {since}; a fact of kind {fact.kind} counts as fresh for {days} days."


def _span(days: int) -> str:
    """Days in the unit a person would count in."""
    if days < 60:
        return f"{days} day{'' if days == 1 else 's'}"
    months = round(days / _MONTH)
    return f"{months} months" if months < 24 else f"{int(days / _YEAR)} years"
