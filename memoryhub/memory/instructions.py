"""Standing instructions: what a subject wants always done, in the order in which the prompt gives them."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from memoryhub.audit import trail
from memoryhub.errors import Invalid
from memoryhub.memory import subjects
from memoryhub.memory.kinds import FactStatus, Kind, Origin
from memoryhub.memory.models import HEAVY, Fact, Subject


def in_force(subject_id: uuid.UUID, at: datetime) -> "QuerySet[Any, Any]":
    """The subject's instructions at ``at``: what they said themself or a person entered, never what was inferred."""
    now = Q(invalid_at__isnull=True) | Q(invalid_at__gt=at)
    rows: QuerySet[Any, Any] = Fact.objects.filter(
        now, subject_id=subject_id, kind=Kind.INSTRUCTION, status=FactStatus.ACTIVE
    )
    return rows.exclude(origin=Origin.INFERRED).defer(*HEAVY).order_by("position", "observed_at", "id")


def reorder(subject: Subject, fact_ids: Sequence[uuid.UUID], *, at: datetime) -> list[Fact]:
    """Put the instructions into the given order; those not named come after, as they stood.

    Raises ``Invalid`` when an id is no instruction in force of this subject, or named twice; ``Gone``.
    """
    with transaction.atomic():
        subjects.lock_for_writing(subject.id)
        standing = {fact.id: fact for fact in in_force(subject.id, at)}
        if len(set(fact_ids)) != len(fact_ids) or not set(fact_ids) <= set(standing):
            raise Invalid.field(
                "order", "unknown_instruction", "order names each instruction in force at most once."
            )
        ordered = [*fact_ids, *(i for i in standing if i not in set(fact_ids))]
        for place, fact_id in enumerate(ordered, start=1):
            standing[fact_id].position = place
        Fact.objects.bulk_update(standing.values(), ["position"])
        trail.record(
            trail.Action.INSTRUCTIONS_ORDER,
            "subject",
            subject.id,
            at=at,
            subject_id=subject.id,
            count=len(ordered),
        )
    return [standing[fact_id] for fact_id in ordered]
