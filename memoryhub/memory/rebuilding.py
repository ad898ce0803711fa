"""Deriving a subject's facts anew from what was said, with the extractor as it is now.

A human's word, an archive decision and a suppression stand. What machines found before and do not find any more is
expired, kept with its history. Reading goes batch by batch and is taken down as it goes, so that a run that was
interrupted goes on where it was; nothing is changed before everything has been read.
"""

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from memoryhub import clock
from memoryhub.audit import trail
from memoryhub.errors import Conflict, NotFound
from memoryhub.memory import (
    applying,
    embedding,
    extraction,
    learning,
    policies,
    reconciliation,
    screening,
    subjects,
    suppression,
)
from memoryhub.memory.extraction import SourceTurn
from memoryhub.memory.kinds import FactStatus, JobStatus, Origin, TurnRole
from memoryhub.memory.models import HEAVY, Fact, Rebuild, Subject, Turn
from memoryhub.memory.types import Add, ExtractedFact, KnownFact, Span, Supersede

_BATCH = 20
#: A running rebuild that got no further for this long has lost its worker: no batch takes half of it.
ABANDONED_AFTER = timedelta(minutes=10)
_DIFF_LIMIT = 500


@dataclass(frozen=True)
class Difference:
    """What a rebuild changes: ``change`` is ``added`` or ``expired``."""

    change: str
    statement: str
    fact_id: str = ""


def begin(subject: Subject, *, dry_run: bool, at: datetime) -> Rebuild:
    """Note that a subject's facts are to be rebuilt. Raises ``Conflict`` while one is under way, ``Gone``."""
    with transaction.atomic():
        subjects.lock_for_writing(subject.id)
        if Rebuild.objects.filter(subject=subject, status=JobStatus.RUNNING).exists():
            raise Conflict("A rebuild of this subject is under way already.", code="rebuild_running")
        total = _spoken(subject.id).count()
        row = Rebuild(
            subject=subject,
            dry_run=dry_run,
            status=JobStatus.RUNNING,
            total=total,
            created_at=at,
            updated_at=at,
        )
        row.save(force_insert=True)
        trail.record(trail.Action.FACTS_REBUILD, "rebuild", row.id, at=at, subject_id=subject.id, count=total)
    return row


def abandoned(*, at: datetime) -> list[uuid.UUID]:
    """Take over the rebuilds whose worker is gone: each is returned to one caller, who wakes another for it."""
    lost = Rebuild.objects.filter(status=JobStatus.RUNNING, updated_at__lt=at - ABANDONED_AFTER)
    ids = lost.values_list("id", flat=True)
    return [row_id for row_id in list(ids) if lost.filter(id=row_id).update(updated_at=at)]


def get(rebuild_id: uuid.UUID) -> Rebuild:
    """The rebuild. Raises ``NotFound``."""
    found: Rebuild | None = Rebuild.objects.select_related("subject").filter(id=rebuild_id).first()
    if found is None:
        raise NotFound
    return found


def _spoken(subject_id: uuid.UUID) -> Any:
    return Turn.objects.filter(subject_id=subject_id).exclude(content="").order_by("thread_id", "seq")


def read_next(row: Rebuild) -> bool:
    """Read one batch of turns and take down what they state; False when all have been read.

    Raises the llm room's errors; the batch is then read again by the next call.
    """
    turns = list(_spoken(row.subject_id)[row.done : row.done + _BATCH])
    if not turns:
        return False
    found = [] if not any(t.role == TurnRole.USER for t in turns) else _extracted(turns, row)
    row.found = [*row.found, *found]
    row.done += len(turns)
    # An erasure deletes the row; then there is nothing to update and nothing is left behind.
    return bool(
        Rebuild.objects.filter(id=row.id).update(
            found=row.found, done=row.done, extractor=row.extractor, updated_at=clock.now()
        )
    )


def _extracted(turns: Sequence[Turn], row: Rebuild) -> list[dict[str, Any]]:
    # Seq is unique in a thread only, and a batch may span two.
    sources = [
        SourceTurn(t.id, number, t.role, t.content, t.said_at) for number, t in enumerate(turns, start=1)
    ]
    answer = extraction.extract(sources, learning.zone_of(row.subject))
    row.extractor = answer.extractor
    return [_stored(fact) for fact in answer.facts]


def _stored(fact: ExtractedFact) -> dict[str, Any]:
    data = asdict(fact)
    data["span"] = [str(fact.span.turn_id), fact.span.start, fact.span.end] if fact.span else None
    for name in ("observed_at", "valid_at", "invalid_at"):
        data[name] = data[name].isoformat() if data[name] else None
    return data


def _loaded(data: dict[str, Any]) -> ExtractedFact:
    moments = {
        n: datetime.fromisoformat(data[n]) if data[n] else None
        for n in ("observed_at", "valid_at", "invalid_at")
    }
    span = data["span"]
    return ExtractedFact(
        **{**data, **moments, "span": Span(uuid.UUID(span[0]), span[1], span[2]) if span else None}
    )


def conclude(row: Rebuild, *, at: datetime) -> Rebuild:
    """Compare what was found with what is known, and, unless it is a dry run, make it so.

    Raises ``Gone`` when the subject was erased meanwhile.
    """
    found = [_loaded(data) for data in row.found]
    vectors = embedding.embed([fact.statement for fact in found]) if not row.dry_run else None
    with transaction.atomic():
        subject = subjects.lock_for_writing(row.subject_id)
        found = _still_said(found)
        expired, added = _compare(subject, found)
        counts: Counter[str] = Counter(expired=len(expired), added=len(added))
        if vectors is not None:
            by_statement = dict(zip((f["statement"] for f in row.found), vectors.vectors, strict=True))
            for fact in expired:
                _expire(fact, at)
            source = applying.Source(Origin.SAID, row.extractor, vectors.embedder)
            pairs = [(fact, by_statement.get(fact.statement)) for fact in found]
            counts.update(
                {f"apply_{k}": v for k, v in applying.apply(subject, pairs, source, at=at).counts.items()}
            )
        _finish(row, expired, added, dict(counts), at)
    return row


def _still_said(found: Sequence[ExtractedFact]) -> list[ExtractedFact]:
    """Only what its turn still says: a turn may have been blotted or deleted since it was read."""
    ids = {fact.span.turn_id for fact in found if fact.span is not None}
    contents = dict(Turn.objects.filter(id__in=ids).values_list("id", "content"))
    return [
        fact
        for fact in found
        if fact.span and contents.get(fact.span.turn_id, "")[fact.span.start : fact.span.end] == fact.quote
    ]


def _compare(subject: Subject, found: Sequence[ExtractedFact]) -> tuple[list[Fact], list[ExtractedFact]]:
    rows = list(Fact.objects.filter(subject=subject).defer(*HEAVY))
    machine = [
        row
        for row in rows
        if not row.human
        and row.origin == Origin.SAID
        and row.status not in (FactStatus.ARCHIVED, FactStatus.RESTRICTED)
    ]
    by_machine = {row.id for row in machine}
    standing = [known for known in applying.known_facts(subject) if known.id not in by_machine]
    suppressed, policy = suppression.digests_of(subject), policies.current()
    kept = [
        fact
        for fact in sorted(found, key=lambda f: f.observed_at)
        if not suppression.matches(subject, fact, suppressed)
        and not screening.screen(fact, Origin.SAID, policy, human=False).drop
    ]
    wanted = {reconciliation.key_of(fact.statement) for fact in kept}
    known = {row.key for row in rows if row.status != FactStatus.EXPIRED}
    # A machine's fact that superseded a human's word would not be there; one that is beside it is judged as usual.
    added = [
        fact
        for fact in kept
        if reconciliation.key_of(fact.statement) not in known and _counts(fact, standing)
    ]
    expired = [row for row in machine if row.key not in wanted and row.status != FactStatus.EXPIRED]
    return expired, added


def _counts(fact: ExtractedFact, standing: Sequence[KnownFact]) -> bool:
    return isinstance(reconciliation.reconcile(fact, standing), Add | Supersede)


def _expire(row: Fact, at: datetime) -> None:
    row.status, row.expired_at, row.updated_at, row.held_because = FactStatus.EXPIRED, at, at, ""
    row.save(update_fields=["status", "expired_at", "updated_at", "held_because"])
    row.versions.filter(number=row.version, expired_at__isnull=True).update(expired_at=at)
    trail.record(trail.Action.FACT_EXPIRE, "fact", row.id, at=at, subject_id=row.subject_id)


def _finish(
    row: Rebuild,
    expired: Sequence[Fact],
    added: Sequence[ExtractedFact],
    counts: dict[str, int],
    at: datetime,
) -> None:
    differences = [Difference("expired", fact.statement, fact.public_id) for fact in expired]
    differences += [Difference("added", fact.statement) for fact in added]
    row.differences = [asdict(d) for d in differences[:_DIFF_LIMIT]]
    row.counts, row.status, row.finished_at, row.found = counts, JobStatus.DONE, at, []
    row.save()


def run(row: Rebuild, *, at: datetime) -> Rebuild:
    """Read all there is to read, then conclude. Safe to call again after a failure."""
    while read_next(row):
        pass
    return conclude(row, at=at)


def with_error(row: Rebuild, code: str) -> None:
    """Note why a run stopped; ``resume`` goes on with it."""
    Rebuild.objects.filter(id=row.id).update(status=JobStatus.FAILED, error_code=code)


def resume(row: Rebuild, *, at: datetime) -> Rebuild:
    """Let a failed rebuild go on where it stopped. Raises ``Conflict`` for any other."""
    with transaction.atomic():
        again = Rebuild.objects.filter(id=row.id, status=JobStatus.FAILED).update(
            status=JobStatus.RUNNING, error_code="", updated_at=at
        )
        if not again:
            raise Conflict("Only a failed rebuild can go on.", code="rebuild_not_failed")
        trail.record(trail.Action.FACTS_REBUILD, "rebuild", row.id, at=at, subject_id=row.subject_id)
    return get(row.id)
