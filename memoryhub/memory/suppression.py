"""What was purged and must not be learned again. Only keyed hashes are kept.

A paraphrase typed anew is new information; what is kept from here is the same statement and the same quote.
"""

import uuid
from collections.abc import Iterable, Set
from datetime import datetime

from memoryhub import text
from memoryhub.memory.models import Subject, Suppression
from memoryhub.memory.subjects import keyed_digest
from memoryhub.memory.types import ExtractedFact


def _digests(subject_id: uuid.UUID, statement: str, quotes: Iterable[str]) -> set[str]:
    said = {text.matching_form(part) for part in (statement, *quotes)} - {""}
    return {keyed_digest("suppression", subject_id.hex, part) for part in said}


def add(subject_id: uuid.UUID, statement: str, quotes: Iterable[str], *, at: datetime) -> None:
    """Remember never to learn this statement, or anything resting on these quotes, about the subject."""
    for digest in _digests(subject_id, statement, quotes):
        Suppression.objects.get_or_create(subject_id=subject_id, digest=digest, defaults={"created_at": at})


def lift(subject_id: uuid.UUID, statement: str) -> None:
    """A person states it again by hand: that outranks an earlier purge."""
    Suppression.objects.filter(subject_id=subject_id, digest__in=_digests(subject_id, statement, ())).delete()


def digests_of(subject: Subject) -> frozenset[str]:
    """Everything suppressed for the subject."""
    return frozenset(Suppression.objects.filter(subject=subject).values_list("digest", flat=True))


def matches(subject: Subject, fact: ExtractedFact, suppressed: Set[str]) -> bool:
    """Whether the fact, or the quote it rests on, was purged."""
    return bool(suppressed) and not suppressed.isdisjoint(_digests(subject.id, fact.statement, [fact.quote]))
