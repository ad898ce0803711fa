"""What a new statement means for what is known. Pure: no database, no clock, no model.

Similarity never decides: "is on the free plan" and "is not on the free plan" are 0.94 alike. The outcomes:

===========  ==================================================================================================
confirm      the same statement, or the same value of a single-valued attribute: more evidence
supersede    a newer value of a single-valued attribute, or the denial of what was said before: the old one ends
outdated     the same, but older than what is known: kept as history
conflict     two values, or a statement and its denial, said at the same moment: both wait for a person
coexist      anything else stands beside what is known
===========  ==================================================================================================

A machine never ends what a person confirmed; what competes with it waits for a person.
"""

import hashlib
from collections.abc import Iterable, Sequence

from memoryhub import text
from memoryhub.memory import polarity
from memoryhub.memory.kinds import FactStatus, Kind
from memoryhub.memory.schema import SINGLE_VALUED
from memoryhub.memory.types import (
    Add,
    Change,
    Confirm,
    Conflict,
    ExtractedFact,
    KnownFact,
    Outdated,
    Supersede,
)

_LIVE = (FactStatus.ACTIVE, FactStatus.HELD)
#: Taken out of use by a person: said again, it stays so.
_RESTING = (FactStatus.ARCHIVED, FactStatus.RESTRICTED)
#: Attributes whose equal values exclude each other.
_OPPOSITES = {"likes": "dislikes", "dislikes": "likes"}


def key_of(statement: str) -> str:
    """The statement's identity, in hex: equal words, numbers and negations, whatever the case or spacing."""
    return hashlib.sha256(text.matching_form(statement).encode()).hexdigest()


def content_key_of(statement: str) -> str:
    """In hex, equal for statements of the same words that carry meaning, whether they say or deny it."""
    content = sorted(polarity.signature(statement).content)
    return hashlib.sha256(" ".join(content).encode()).hexdigest()


def attributes_beside(attribute: str) -> frozenset[str]:
    """The attributes whose facts one of ``attribute`` may confirm or compete with."""
    return frozenset(filter(None, (attribute, _OPPOSITES.get(attribute))))


def reconcile(fact: ExtractedFact, known: Sequence[KnownFact], *, hold: str = "") -> Change:
    """What ``fact`` means beside ``known``: everything kept of its subject, whatever its status.

    With ``hold``, a reason code, the fact changes nothing until a person has looked at it. Facts of one batch are
    given one at a time, oldest first, each with what the former ones changed.
    """
    live = [k for k in known if k.status in _LIVE]
    same = _same(fact, live) or _same(fact, [k for k in known if k.status in _RESTING])
    if same is not None:
        return Confirm(fact, same.id)
    if hold or fact.doubtful:
        return Add(fact, held=hold or "doubtful")
    if fact.invalid_at is not None and fact.invalid_at <= fact.observed_at:
        # It tells of something past ("used to", "from 2010 to 2015"): that ends nothing that holds now.
        return _past(fact, known)
    rival = next((k for k in live if k.status == FactStatus.ACTIVE and _competes(fact, k)), None)
    if rival is None:
        return Add(fact)
    return _against(fact, rival, known)


def _past(fact: ExtractedFact, known: Sequence[KnownFact]) -> Change:
    before = _same(fact, [k for k in known if k.status in (FactStatus.SUPERSEDED, FactStatus.EXPIRED)])
    return Confirm(fact, before.id) if before else Add(fact)


def _against(fact: ExtractedFact, rival: KnownFact, known: Sequence[KnownFact]) -> Change:
    if fact.observed_at < rival.observed_at:
        before = _same(fact, [k for k in known if k.status == FactStatus.SUPERSEDED])
        return Confirm(fact, before.id) if before else Outdated(fact, rival.id, rival.observed_at)
    if rival.human:
        return Add(fact, held="against_human")
    if fact.observed_at == rival.observed_at and fact.valid_at == rival.valid_at:
        return Conflict(fact, rival.id)
    return Supersede(fact, rival.id)


def _same(fact: ExtractedFact, known: Iterable[KnownFact]) -> KnownFact | None:
    key = key_of(fact.statement)
    return next(
        (k for k in known if k.key == key or _same_value(fact, k) or _was_corrected(fact, key, k)), None
    )


def _was_corrected(fact: ExtractedFact, key: str, known: KnownFact) -> bool:
    """Reading an old turn again finds what a person has since put right: that is no news."""
    return key in known.corrected_from and fact.observed_at <= known.observed_at


def _same_value(fact: ExtractedFact, known: KnownFact) -> bool:
    return (
        fact.attribute in SINGLE_VALUED
        and (fact.attribute, fact.kind) == (known.attribute, known.kind)
        and known.status != FactStatus.HELD
        and _equal(fact.value, known.value)
        and _sign(fact.statement) == _sign(known.statement)
        and not _apart(fact, known)
    )


def _equal(one: str, other: str) -> bool:
    return bool(one) and text.matching_form(one) == text.matching_form(other)


def _sign(statement: str) -> bool:
    return polarity.signature(statement).negated


def _apart(fact: ExtractedFact, known: KnownFact) -> bool:
    """Whether the two held at different times: one ended before the other began."""
    ended_before = (
        fact.invalid_at is not None and known.valid_at is not None and fact.invalid_at <= known.valid_at
    )
    began_after = (
        known.invalid_at is not None and fact.valid_at is not None and known.invalid_at <= fact.valid_at
    )
    return ended_before or began_after


def _competes(fact: ExtractedFact, known: KnownFact) -> bool:
    """Whether both can not hold at once."""
    if _apart(fact, known):
        return False
    new, old = polarity.signature(fact.statement), polarity.signature(known.statement)
    if polarity.same_but_denied(new, old):
        return True
    if fact.kind == known.kind == Kind.INSTRUCTION:
        return _same_slot(fact, known) or (new.content == old.content and bool(new.content))
    if _OPPOSITES.get(fact.attribute) == known.attribute and fact.attribute:
        return _equal(fact.value, known.value) and new.negated == old.negated
    if fact.attribute and fact.attribute == known.attribute and _equal(fact.value, known.value):
        return new.negated != old.negated
    if fact.attribute not in SINGLE_VALUED or fact.attribute != known.attribute:
        return False
    # A denial of another value says nothing about this one.
    return not new.negated and not old.negated and not _equal(fact.value, known.value)


def _same_slot(fact: ExtractedFact, known: KnownFact) -> bool:
    slot = fact.attribute or polarity.instruction_slot(fact.statement)
    return bool(slot) and slot == (known.attribute or polarity.instruction_slot(known.statement))
