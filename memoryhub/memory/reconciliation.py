"""What a new statement means for what is known. Pure: no database, no clock, no model.

Similarity never decides: "is on the free plan" and "is not on the free plan" are 0.94 alike. A statement confirms
its equal (same key: same words, numbers and negations) and supersedes only a fact with the same single-valued
attribute. Everything else stands beside what is known.
"""

import hashlib
from collections.abc import Iterable, Sequence

from memoryhub import text
from memoryhub.memory.kinds import FactStatus, Kind
from memoryhub.memory.schema import SINGLE_VALUED
from memoryhub.memory.types import Add, Change, Confirm, ExtractedFact, KnownFact, Outdated, Supersede


def key_of(statement: str) -> str:
    """The statement's identity, in hex: equal words, numbers and negations, whatever the case or spacing."""
    return hashlib.sha256(text.matching_form(statement).encode()).hexdigest()


def reconcile(fact: ExtractedFact, known: Sequence[KnownFact], *, hold: str = "") -> Change:
    """What ``fact`` means beside ``known``: everything kept of its subject, whatever its status.

    With ``hold``, a reason code, the fact changes nothing until a person has looked at it.

    Facts of one batch are given one at a time, oldest first, each with what the former ones changed.
    """
    live = [k for k in known if k.status in (FactStatus.ACTIVE, FactStatus.HELD)]
    same = _same(fact, live) or _same(fact, [k for k in known if k.status == FactStatus.ARCHIVED])
    if same is not None:
        return Confirm(fact, same.id)
    if hold or fact.doubtful:
        return Add(fact, held=hold or "doubtful")
    rival = next((k for k in live if _competes(fact, k)), None)
    if rival is None:
        return Add(fact)
    return _against(fact, rival, known)


def _against(fact: ExtractedFact, rival: KnownFact, known: Sequence[KnownFact]) -> Change:
    if fact.observed_at < rival.observed_at:
        before = _same(fact, [k for k in known if k.status == FactStatus.SUPERSEDED])
        return Confirm(fact, before.id) if before else Outdated(fact, rival.id, rival.observed_at)
    if rival.human:
        # A person's correction outranks what a machine reads; a person decides again.
        return Add(fact, held="against_human")
    return Supersede(fact, rival.id)


def _same(fact: ExtractedFact, known: Iterable[KnownFact]) -> KnownFact | None:
    key = key_of(fact.statement)
    return next((k for k in known if k.key == key or _same_value(fact, k)), None)


def _same_value(fact: ExtractedFact, known: KnownFact) -> bool:
    return (
        fact.attribute in SINGLE_VALUED
        and (fact.attribute, fact.kind) == (known.attribute, known.kind)
        and bool(fact.value)
        and known.status != FactStatus.HELD
        and text.matching_form(fact.value) == text.matching_form(known.value)
    )


def _competes(fact: ExtractedFact, known: KnownFact) -> bool:
    same_slot = bool(fact.attribute) and fact.attribute == known.attribute
    one_at_a_time = fact.attribute in SINGLE_VALUED or fact.kind == known.kind == Kind.INSTRUCTION
    return known.status == FactStatus.ACTIVE and same_slot and one_at_a_time
