"""Reading what is known: lists and histories, in a constant number of queries."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.postgres.search import SearchQuery
from django.db.models import Q, QuerySet

from memoryhub.memory import policies
from memoryhub.memory.models import HEAVY, Fact, FactVersion, evidence_prefetch

_LONGEST_CHAIN = 50


@dataclass(frozen=True)
class Wanted:
    """Which facts. None and "" do not filter; an empty list of statuses or kinds matches nothing."""

    subject_id: uuid.UUID | None = None
    statuses: Sequence[str] | None = None
    kinds: Sequence[str] | None = None
    verifications: Sequence[str] | None = None
    words: str = ""
    subject_words: str = ""
    created_from: datetime | None = None
    created_before: datetime | None = None
    stale_at: datetime | None = None


def matching(wanted: Wanted) -> "QuerySet[Any, Any]":
    """The facts, with subject and evidence; unordered."""
    rows: QuerySet[Any, Any] = (
        Fact.objects.select_related("subject").defer(*HEAVY).prefetch_related(evidence_prefetch())
    )
    exact: dict[str, Any] = {
        "subject_id": wanted.subject_id,
        "created_at__gte": wanted.created_from,
        "created_at__lt": wanted.created_before,
        "status__in": wanted.statuses,
        "kind__in": wanted.kinds,
        "verification__in": wanted.verifications,
    }
    rows = rows.filter(**{name: value for name, value in exact.items() if value is not None})
    if wanted.words:
        # The whole words by stem, or the text as it stands: an id such as E-4012 has no stem.
        by_word = Q(search=SearchQuery(wanted.words, config="english", search_type="websearch"))
        rows = rows.filter(by_word | Q(statement__icontains=wanted.words))
    if wanted.stale_at is not None:
        aged = rows.annotate(confirmed_at=policies.confirmed_at())
        rows = aged.filter(policies.stale(policies.current(), wanted.stale_at))
    if wanted.subject_words:
        person = Q(subject__external_id__icontains=wanted.subject_words)
        rows = rows.filter(person | Q(subject__display_name__icontains=wanted.subject_words))
    return rows


def history(fact: Fact) -> list[FactVersion]:
    """Versions of a fact and of all that it superseded, newest first."""
    chain = [fact.id]
    earlier = fact.supersedes_id
    while earlier is not None and earlier not in chain and len(chain) < _LONGEST_CHAIN:
        chain.append(earlier)
        earlier = Fact.objects.filter(id=earlier).values_list("supersedes_id", flat=True).first()
    rows = (
        FactVersion.objects.filter(fact_id__in=chain)
        .select_related("fact")
        .defer("embedding", *(f"fact__{name}" for name in HEAVY))
    )
    return sorted(rows, key=lambda v: (-chain.index(v.fact_id), v.number), reverse=True)
