"""Standing instructions as a page shows and orders them."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.urls import reverse

from memoryhub.errors import Conflict, Invalid
from memoryhub.memory import context, instructions
from memoryhub.memory.models import Fact, Subject
from memoryhub.web.forms import MoveForm


@dataclass(frozen=True)
class Standing:
    """An instruction in its place. ``fits``: it stands within the budget, so prompts give it."""

    public_id: str
    url: str
    statement: str
    verification: str
    origin: str
    observed_at: datetime
    tokens: int
    fits: bool
    first: bool
    last: bool


def direction(request: HttpRequest) -> int:
    """-1 for up, 1 for down, as the form says. Raises ``Invalid``."""
    form = MoveForm(request.POST)
    if not form.is_valid():
        raise Invalid.field("to", "unknown_value", "Say up or down.")
    return -1 if form.cleaned_data["to"] == "up" else 1


def move(subject: Subject, fact: Fact, step: int, *, at: datetime) -> None:
    """Move an instruction by ``step`` places; at the end of the list it stays.

    Raises ``Gone``, and ``Conflict`` when the fact is no standing instruction in force.
    """
    order = [row.id for row in instructions.in_force(subject.id, at)]
    if fact.id not in order:
        raise Conflict("This is no standing instruction in force.", code="wrong_status")
    instructions.reorder(subject, _moved(order, fact.id, step), at=at)


def _moved(order: Sequence[uuid.UUID], fact_id: uuid.UUID, step: int) -> list[uuid.UUID]:
    here = order.index(fact_id)
    there = min(len(order) - 1, max(0, here + step))
    rest = [other for other in order if other != fact_id]
    return [*rest[:there], fact_id, *rest[there:]]


def listed(subject: Subject, *, at: datetime) -> list[Standing]:
    """The subject's instructions in force, in their order, with what each takes of the budget."""
    rows = list(instructions.in_force(subject.id, at))
    spent = 0
    shown = []
    for place, row in enumerate(rows):
        cost = context.instruction_cost(row)
        spent += cost
        fits = spent <= context.INSTRUCTION_TOKENS and place < context.MOST_INSTRUCTIONS
        shown.append(_standing(row, cost, fits=fits, first=place == 0, last=place == len(rows) - 1))
    return shown


def _standing(row: Fact, cost: int, *, fits: bool, first: bool, last: bool) -> Standing:
    return Standing(
        row.public_id, reverse("facts:detail", args=[row.public_id]), row.statement, row.verification, row.origin,
        row.observed_at, cost, fits, first, last,
    )  # fmt: skip
