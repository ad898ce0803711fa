"""What a fact competes with: what a reviewer has to see beside it."""

import uuid
from dataclasses import dataclass

from memoryhub.memory import catalogue, polarity
from memoryhub.memory.kinds import FactStatus, Kind
from memoryhub.memory.models import Fact
from memoryhub.memory.schema import SINGLE_VALUED

#: Facts of one subject that are looked through, newest first.
_LOOKED_THROUGH = 1000
_MOST_SHOWN = 5


@dataclass(frozen=True)
class _Other:
    """As much of another fact as tells whether it competes."""

    id: uuid.UUID
    statement: str
    kind: str
    attribute: str
    status: str
    held_because: str


def of(fact: Fact) -> list[Fact]:
    """The facts in use that can not hold together with this one, the other half of a conflict, and what it replaced.

    In three queries, however many there are.
    """
    columns = ("id", "statement", "kind", "attribute", "status", "held_because")
    rows = Fact.objects.filter(
        subject_id=fact.subject_id, status__in=[FactStatus.ACTIVE, FactStatus.HELD]
    ).exclude(id=fact.id)
    others = (_Other(*row) for row in rows.order_by("-created_at").values_list(*columns)[:_LOOKED_THROUGH])
    found = [other.id for other in others if _competes(fact, other)][:_MOST_SHOWN]
    if fact.supersedes_id:
        found.append(fact.supersedes_id)
    return list(catalogue.matching(catalogue.Wanted()).filter(id__in=found).order_by("-observed_at", "-id"))


def _competes(fact: Fact, other: _Other) -> bool:
    if other.status == FactStatus.HELD and not fact.held_because == other.held_because == "conflict":
        return False
    if fact.attribute in SINGLE_VALUED and fact.attribute == other.attribute:
        return True
    if fact.kind == other.kind == Kind.INSTRUCTION:
        slot = _slot(fact)
        return bool(slot) and slot == _slot(other)
    one, another = polarity.signature(fact.statement), polarity.signature(other.statement)
    return polarity.same_but_denied(one, another)


def _slot(fact: Fact | _Other) -> str:
    return fact.attribute or polarity.instruction_slot(fact.statement)
