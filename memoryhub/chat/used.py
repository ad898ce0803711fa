"""What an answer used and what a message taught, with the words it rests on; the same for a page and for a stream."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryhub.memory.kinds import FactStatus
from memoryhub.memory.models import HEAVY, Evidence, Fact, RecalledFact

_AROUND = 160


@dataclass(frozen=True)
class Excerpt:
    """A span of a turn with what stands around it, cut at ``_AROUND`` characters on each side."""

    before: str
    span: str
    after: str


def excerpt(link: Evidence) -> Excerpt:
    """The words that a piece of evidence points at; its ``turn`` joined and not erased."""
    content = link.turn.content
    start, end = max(0, link.start - _AROUND), link.end + _AROUND
    return Excerpt(
        before=("…" if start else "") + content[start : link.start],
        span=content[link.start : link.end],
        after=content[link.end : end] + ("…" if end < len(content) else ""),
    )


@dataclass(frozen=True)
class UsedFact:
    """A fact that stood in an answer's prompt, and why."""

    public_id: str
    statement: str
    reason: str
    verification: str
    said_at: datetime
    words: Excerpt | None


def used_in(answer_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[UsedFact]]:
    """What each answer used, in the order of its prompt; two queries, however many answers."""
    rows = list(
        RecalledFact.objects.filter(turn_id__in=answer_ids)
        .select_related("fact")
        .defer(*(f"fact__{name}" for name in HEAVY))
        .order_by("turn_id", "rank")
    )
    links = Evidence.objects.filter(fact_id__in={row.fact_id for row in rows}, turn__isnull=False)
    newest = {link.fact_id: link for link in links.select_related("turn").order_by("created_at", "id")}
    used: dict[uuid.UUID, list[UsedFact]] = {}
    for row in rows:
        used.setdefault(row.turn_id, []).append(_used(row, newest.get(row.fact_id)))
    return used


def _used(row: RecalledFact, link: Evidence | None) -> UsedFact:
    fact: Fact = row.fact
    return UsedFact(
        fact.public_id, fact.statement, _reason(row), fact.verification, fact.observed_at,
        excerpt(link) if link is not None else None,
    )  # fmt: skip


def _reason(row: RecalledFact) -> str:
    if row.cosine is None and row.keyword is None:
        return "A standing instruction: part of every answer"
    if row.cosine is not None and row.cosine >= (row.keyword or 0):
        return "Close in meaning to your message"
    return "Shares rare words with your message"


@dataclass(frozen=True)
class TaughtFact:
    """A fact that a message taught; ``held`` waits for review and is not used yet."""

    public_id: str
    statement: str
    held: bool


def taught_by(question_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[TaughtFact]]:
    """What each message taught and what is still kept of it, oldest first; one query."""
    links = (
        Evidence.objects.filter(turn_id__in=question_ids)
        .filter(fact__status__in=[FactStatus.ACTIVE, FactStatus.HELD])
        .select_related("fact")
        .defer(*(f"fact__{name}" for name in HEAVY))
        .order_by("created_at", "id")
    )
    taught: dict[uuid.UUID, dict[uuid.UUID, TaughtFact]] = {}
    for link in links:
        fact: Fact = link.fact
        of_turn = taught.setdefault(link.turn_id, {})
        of_turn.setdefault(
            fact.id, TaughtFact(fact.public_id, fact.statement, fact.status == FactStatus.HELD)
        )
    return {turn_id: list(facts.values()) for turn_id, facts in taught.items()}
