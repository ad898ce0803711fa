"""Large scopes: subjects with so many facts that recall takes its candidates from an index.

An exact scan of one subject loses nothing and is fast up to some thousands of facts; beyond, the nearest vectors
come from a graph and the rarest words from a list of words. Both are kept by a trigger on ``fact`` once the subject
is listed in ``large_scope``, and both go when it shrinks again. The two thresholds lie apart, so that a scope at
the border is not built and dropped in turns.
"""

import uuid
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count

from memoryhub.memory import embedders, policies
from memoryhub.memory.kinds import FactStatus
from memoryhub.memory.models import Fact, LargeScope, Subject
from memoryhub.tenants import scope

#: Dimensions for which ``indexed_vector`` has a graph (migration 0010); others are scanned exactly at any size.
DIMENSIONS = (384, 768, 1024, 1536)
#: An index is dropped when a scope falls below this share of what made it large.
_SHRUNK = 0.8


def tend(*, at: datetime) -> dict[str, int]:
    """Build the indexes that observed sizes call for, drop the others. Returns how many were ``built`` and ``dropped``.

    Safe to run in several workers: a scope is built under its subject's lock.
    """
    above = settings.MEMORYHUB_LARGE_SCOPE
    sizes = (
        Fact.objects.filter(status=FactStatus.ACTIVE)
        .values("subject_id")
        .annotate(n=Count("id"))
        .filter(n__gte=int(above * _SHRUNK))
    )
    counted = {row["subject_id"]: row["n"] for row in sizes}
    embedder = embedders.chosen(policies.current())
    built = dropped = 0
    for row in LargeScope.objects.all():
        if row.subject_id not in counted or row.embedder != embedder.name:
            dropped += drop(row.subject_id)
    listed = dict(LargeScope.objects.filter(ready=True).values_list("subject_id", "facts"))
    for subject_id, count in counted.items():
        if subject_id in listed:
            LargeScope.objects.filter(subject_id=subject_id).exclude(facts=count).update(
                facts=count, updated_at=at
            )
        elif count >= above and embedder.dimension in DIMENSIONS:
            built += build(subject_id, embedder.name, embedder.dimension, count, at=at)
    return {"built": built, "dropped": dropped}


#: Facts copied in one transaction: the subject's writers wait no longer than for one of these.
_BATCH = 1000
_COPY = """
WITH wanted AS (
    SELECT id, search, CASE WHEN embedder = %(embedder)s THEN embedding
                            WHEN next_embedder = %(embedder)s THEN next_embedding END AS vector
    FROM fact WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND status = 'active' AND id > %(after)s
    ORDER BY id LIMIT %(batch)s
), words AS (
    INSERT INTO indexed_word (tenant_id, subject_id, fact_id, word)
    SELECT %(tenant)s, %(subject)s, wanted.id, word FROM wanted, unnest(tsvector_to_array(wanted.search)) AS word
    ON CONFLICT DO NOTHING
), vectors AS (
    INSERT INTO indexed_vector (tenant_id, subject_id, fact_id, embedder, dimension, embedding)
    SELECT %(tenant)s, %(subject)s, wanted.id, %(embedder)s, %(dimension)s, wanted.vector
    FROM wanted WHERE wanted.vector IS NOT NULL
    ON CONFLICT (tenant_id, subject_id, fact_id) DO NOTHING
)
SELECT id FROM wanted ORDER BY id DESC LIMIT 1
"""


def build(subject_id: uuid.UUID, embedder: str, dimension: int, facts: int, *, at: datetime) -> bool:
    """List the scope, so that the trigger takes what is written from now on, and copy what is there, in batches.

    False when the subject is gone or erased. Recall scans exactly until the last batch is in.
    """
    with transaction.atomic():
        # Writers hold this lock: one under way has committed, and the next one sees the listing.
        subject = Subject.objects.select_for_update().filter(id=subject_id, erased_at=None).first()
        if subject is None:
            return False
        LargeScope.objects.filter(subject_id=subject_id).delete()
        LargeScope(
            subject=subject, embedder=embedder, dimension=dimension, facts=facts, created_at=at, updated_at=at
        ).save(force_insert=True)
    after: uuid.UUID | None = uuid.UUID(int=0)
    while after is not None:
        after = _copy(subject_id, embedder, dimension, after)
    return bool(
        LargeScope.objects.filter(subject_id=subject_id, embedder=embedder).update(ready=True, updated_at=at)
    )


def _copy(subject_id: uuid.UUID, embedder: str, dimension: int, after: uuid.UUID) -> uuid.UUID | None:
    """One batch; the id it ended at, None when nothing was left or the subject was erased meanwhile."""
    values: dict[str, Any] = {
        "tenant": scope.current().tenant_id, "subject": subject_id, "embedder": embedder, "dimension": dimension,
        "after": after, "batch": _BATCH,
    }  # fmt: skip
    with transaction.atomic():
        # A fact that changes while it is copied would be copied as it was.
        if Subject.objects.select_for_update().filter(id=subject_id, erased_at=None).first() is None:
            return None
        with connection.cursor() as cursor:
            cursor.execute(_COPY, values)
            last = cursor.fetchone()
    return last[0] if last else None


def drop(subject_id: uuid.UUID) -> bool:
    """Take a scope's index away; recall scans exactly from then on."""
    with transaction.atomic():
        Subject.objects.select_for_update().filter(id=subject_id).first()
        gone = LargeScope.objects.filter(subject_id=subject_id).delete()[0]
        with connection.cursor() as cursor:
            for table in ("indexed_vector", "indexed_word"):
                cursor.execute(
                    f"DELETE FROM {table} WHERE tenant_id = %s AND subject_id = %s",  # noqa: S608 - our own names
                    [scope.current().tenant_id, subject_id],
                )
    return bool(gone)
