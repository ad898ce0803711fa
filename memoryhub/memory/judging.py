"""What a person says about how facts are found: pins, restrictions, and *not relevant here*."""

from datetime import datetime

from django.db import transaction

from memoryhub.audit import trail
from memoryhub.errors import Invalid
from memoryhub.llm.errors import ModelUnavailable
from memoryhub.memory import facts, recall
from memoryhub.memory.kinds import FactStatus
from memoryhub.memory.models import Fact, RecallFeedback

#: Answers kept for one fact: what matters is which questions, and the newest tell.
_KEPT = 50


def pin(fact: Fact, *, pinned: bool, at: datetime, etag: str | None = None) -> Fact:
    """Rank a fact a little higher, or no more. Raises ``Conflict``, ``Stale``, ``Gone``."""
    with transaction.atomic():
        row = facts.locked(fact, etag)
        facts.require(row, FactStatus.ACTIVE)
        row.pinned, row.updated_at = pinned, at
        row.save(update_fields=["pinned", "updated_at"])
        action = trail.Action.FACT_PIN if pinned else trail.Action.FACT_UNPIN
        trail.record(action, "fact", row.id, at=at, subject_id=row.subject_id)
    return row


def restrict(fact: Fact, *, at: datetime, etag: str | None = None) -> Fact:
    """Keep a fact and use it no more, on any path, until it is restored (GDPR Art. 18).

    Raises ``Conflict``, ``Stale``, ``Gone``.
    """
    with transaction.atomic():
        row = facts.locked(fact, etag)
        facts.require(row, FactStatus.ACTIVE, FactStatus.HELD)
        row.status, row.held_because, row.updated_at = FactStatus.RESTRICTED, "", at
        row.save(update_fields=["status", "held_because", "updated_at"])
        trail.record(trail.Action.FACT_RESTRICT, "fact", row.id, at=at, subject_id=row.subject_id)
    return row


def not_relevant(fact: Fact, query: str, *, at: datetime) -> RecallFeedback:
    """This fact does not answer this question: it comes back for it no more, and ranks lower for like ones.

    The question's vector is kept, never its words. Raises ``Invalid`` for an empty question, ``ModelUnavailable``
    when the embedder does not answer, ``Conflict``, ``Gone``.
    """
    if not query.strip():
        raise Invalid.field("query", "required", "query is the question that the fact does not answer.")
    asked = recall.embedded(query)
    if asked.vector is None:
        raise ModelUnavailable(
            "The embedding model can not be reached, so the question can not be kept; try again."
        )
    with transaction.atomic():
        row = facts.locked(fact, None)
        facts.require(row, FactStatus.ACTIVE)
        made = RecallFeedback(
            fact=row,
            subject_id=row.subject_id,
            embedding=list(asked.vector),
            embedder=asked.embedder,
            created_at=at,
        )
        made.save(force_insert=True)
        old = RecallFeedback.objects.filter(fact=row).order_by("-created_at", "-id").values("id")[_KEPT:]
        RecallFeedback.objects.filter(id__in=list(old.values_list("id", flat=True))).delete()
        trail.record(trail.Action.RECALL_FEEDBACK, "fact", row.id, at=at, subject_id=row.subject_id)
    return made


def relevant_again(fact: Fact, *, at: datetime) -> int:
    """Take back everything of the sort that was said of a fact; how many answers that were."""
    with transaction.atomic():
        row = facts.locked(fact, None)
        gone: int = RecallFeedback.objects.filter(fact=row).delete()[0]
        if gone:
            trail.record(
                trail.Action.RECALL_FEEDBACK, "fact", row.id, at=at, subject_id=row.subject_id, count=0
            )
    return gone
