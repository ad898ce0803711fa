"""The ledger of facts: remembering, correcting, re-verifying, archiving, restoring, purging.

No fact is edited in place. Each act locks the subject, leaves a version where content changed, and writes its audit
entry in the same transaction. ``etag`` arguments hold what the caller decided on; ``Stale`` when it has changed.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, Subquery

from memoryhub import text
from memoryhub.audit import trail
from memoryhub.errors import Conflict, Invalid, NotFound, Stale
from memoryhub.memory import (
    applying,
    embedding,
    purge,
    reconciliation,
    redaction,
    subjects,
    summaries,
    suppression,
)
from memoryhub.memory.applying import Source
from memoryhub.memory.kinds import FactStatus, Kind, Origin, Verification
from memoryhub.memory.models import HEAVY, Fact, Subject, Turn
from memoryhub.memory.schema import SINGLE_VALUED
from memoryhub.memory.types import ExtractedFact, Span

STATEMENT_LIMIT = 2000
#: A time may claim to be this much ahead of our clock; beyond it the claim is wrong.
CLOCK_SLACK = timedelta(minutes=5)


@dataclass(frozen=True)
class NewFact:
    """A fact as a person or program states it. Times are aware; ``source_turn`` and ``quote`` are its evidence."""

    statement: str
    kind: str = Kind.PROFILE
    attribute: str = ""
    value: str = ""
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    observed_at: datetime | None = None
    source_turn: uuid.UUID | None = None
    quote: str = ""


@dataclass(frozen=True)
class Author:
    """On whose word an act rests: the subject's own, or somebody's who works for the tenant."""

    by_subject: bool

    @property
    def origin(self) -> Origin:
        """What a fact written on this word has for origin."""
        return Origin.SAID if self.by_subject else Origin.OPERATOR

    @property
    def verification(self) -> Verification:
        """What a confirmation on this word is worth."""
        return Verification.CONFIRMED if self.by_subject else Verification.VERIFIED


SUBJECT = Author(by_subject=True)
OPERATOR = Author(by_subject=False)


def get(fact_id: uuid.UUID, *, subject_id: uuid.UUID | None = None) -> Fact:
    """The fact, of ``subject_id`` when given. Raises ``NotFound``."""
    rows = Fact.objects.select_related("subject").defer(*HEAVY).filter(id=fact_id)
    found: Fact | None = (rows.filter(subject_id=subject_id) if subject_id else rows).first()
    if found is None:
        raise NotFound
    return found


def remember(subject: Subject, new: NewFact, *, origin: Origin, human: bool, at: datetime) -> Fact:
    """Write a fact on somebody's explicit word; the fact that says so already is confirmed instead.

    ``human`` when a person says it and no program passes it on: it then outranks later extraction and lifts an
    earlier suppression of the statement. Raises ``Invalid``, ``Gone``, and ``Conflict`` (``suppressed``) when a
    program brings back what was purged.
    """
    extracted = _checked(new, subject, at)
    vectors = embedding.embed([extracted.statement])
    author = OPERATOR if origin is Origin.OPERATOR else SUBJECT
    verification = author.verification if human else Verification.CLAIMED
    source = Source(origin, embedder=vectors.embedder, human=human, verification=verification)
    with transaction.atomic():
        locked = subjects.lock_for_writing(subject.id)
        if human:
            suppression.lift(subject.id, extracted.statement)
            _release_human_rival(locked, extracted)
        applied = applying.apply(locked, [(extracted, vectors.vectors[0])], source, at=at)
    if not applied.facts:
        raise _not_kept(applied.counts)
    return applied.facts[0]


def _not_kept(counts: Mapping[str, int]) -> Conflict:
    if "suppressed" in counts:
        return Conflict(
            "This statement was purged; only a person can have it stored again.", code="suppressed"
        )
    return Conflict(
        "This is about a special category of personal data, which this tenant's policy does not store.",
        code="special_category",
    )


def _release_human_rival(subject: Subject, fact: ExtractedFact) -> None:
    """A newer human word may end an older one: only machines may not."""
    if fact.attribute in SINGLE_VALUED:
        Fact.objects.filter(
            subject=subject,
            attribute=fact.attribute,
            status=FactStatus.ACTIVE,
            observed_at__lte=fact.observed_at,
        ).update(human=False)


def check(new: NewFact, *, at: datetime) -> None:
    """What can be told without the subject. Raises ``Invalid`` and ``TooLarge`` as ``remember`` does."""
    _stated(new, at)


def _checked(new: NewFact, subject: Subject, at: datetime) -> ExtractedFact:
    span = _span(new, subject) if new.source_turn else None
    return replace(_stated(new, at), span=span)


def _stated(new: NewFact, at: datetime) -> ExtractedFact:
    if new.kind not in Kind.values:
        raise Invalid.field("kind", "unknown_kind", f"kind is one of {', '.join(Kind.values)}.")
    if new.valid_at and new.invalid_at and new.invalid_at < new.valid_at:
        raise Invalid.field("invalid_at", "before_valid_at", "invalid_at lies before valid_at.")
    if new.quote and new.source_turn is None:
        raise Invalid.field("quote", "no_such_turn", "quote needs the turn that it stands in.")
    statement = checked_statement(new.statement)
    observed = new.observed_at or at
    if observed > at + CLOCK_SLACK:
        raise Invalid.field("observed_at", "in_the_future", "observed_at lies in the future.")
    return ExtractedFact(
        kind=new.kind,
        statement=statement,
        attribute=text.clean(new.attribute, field="attribute", limit=40, required=False),
        value=text.clean(new.value, field="value", limit=500, required=False),
        span=None,
        quote=new.quote,
        observed_at=observed,
        valid_at=new.valid_at or min(observed, new.invalid_at or observed),
        invalid_at=new.invalid_at,
    )


def checked_statement(statement: str) -> str:
    """A statement that may be stored: clean, and without secrets. Raises ``Invalid``, ``TooLarge``."""
    cleaned = text.clean(statement, field="statement", limit=STATEMENT_LIMIT)
    return redaction.redact(cleaned).text if settings.MEMORYHUB_REDACT else cleaned


def _span(new: NewFact, subject: Subject) -> Span:
    turn = Turn.objects.filter(id=new.source_turn, subject=subject).first()
    if turn is None:
        raise Invalid.field("turn", "no_such_turn", "turn names no turn of this subject.")
    start = turn.content.find(new.quote) if new.quote else -1
    if start < 0:
        raise Invalid.field("quote", "quote_not_found", "quote does not stand word for word in that turn.")
    return Span(turn.id, start, start + len(new.quote))


def locked(fact: Fact, etag: str | None) -> Fact:
    """The fact as it is now, its subject locked. Raises ``NotFound``, ``Gone``, ``Stale``."""
    subjects.lock_for_writing(fact.subject_id)
    present = get(fact.id)
    if etag is not None and present.etag != etag:
        raise Stale(
            "This fact has changed since you read it; look at the present one and decide again.",
            etag=present.etag,
        )
    return present


@dataclass(frozen=True)
class Correction:
    """What a correction sets. None leaves a field as it is; ``reason`` is kept with the version."""

    statement: str
    reason: str
    kind: str | None = None
    attribute: str | None = None
    value: str | None = None


def correct(
    fact: Fact, correction: Correction, author: Author, *, at: datetime, etag: str | None = None
) -> Fact:
    """Replace what a fact says. The old version ends and stays visible; later extraction does not undo it.

    Raises ``Invalid``, ``Conflict`` (another fact says the same; not an active or held fact), ``Stale``, ``Gone``.
    """
    correction = _checked_correction(correction)
    vectors = embedding.embed([correction.statement])
    try:
        with transaction.atomic():
            row = locked(fact, etag)
            require(row, FactStatus.ACTIVE, FactStatus.HELD)
            _end_version(row, at)
            _set(row, correction, author, at)
            vector = vectors.vectors[0]
            row.embedding, row.embedder = (
                (list(vector), vectors.embedder) if vector is not None else (None, "")
            )
            row.next_embedding, row.next_embedder = None, ""
            row.save()
            applying.add_version(row, reason=correction.reason, at=at)
            _summarise_anew(row)
            trail.record(
                trail.Action.FACT_CORRECT,
                "fact",
                row.id,
                at=at,
                subject_id=row.subject_id,
                version=row.version,
            )
    except IntegrityError as error:
        raise Conflict(
            "Another fact already says this; archive one of the two.", code="duplicate_fact"
        ) from error
    return row


def _checked_correction(given: Correction) -> Correction:
    """The correction, clean; looked at before any model is asked. Raises ``Invalid``, ``TooLarge``."""
    if given.kind is not None and given.kind not in Kind.values:
        raise Invalid.field("kind", "unknown_kind", f"kind is one of {', '.join(Kind.values)}.")
    attribute = text.clean(given.attribute or "", field="attribute", limit=40, required=False)
    return Correction(
        statement=checked_statement(given.statement),
        reason=text.clean(given.reason, field="reason", limit=500),
        kind=given.kind,
        attribute=None if given.attribute is None else attribute,
        value=text.clean(given.value or "", field="value", limit=500, required=False),
    )


def _end_version(row: Fact, at: datetime) -> None:
    """The present version ends, and keeps its vector: what was believed can still be found by meaning."""
    vector = Fact.objects.filter(id=row.id).values("embedding")
    row.versions.filter(number=row.version).update(
        expired_at=at, embedding=Subquery(vector), embedder=row.embedder
    )


def _summarise_anew(row: Fact) -> None:
    """Summaries that rest on the corrected fact's turns may repeat what was wrong; they are made anew."""
    turns = dict(row.evidence.exclude(turn__isnull=True).values_list("turn_id", "turn__thread_id"))
    summaries.discard_covering(sorted(set(turns.values())), list(turns))


def _set(row: Fact, correction: Correction, author: Author, at: datetime) -> None:
    row.statement, row.key = correction.statement, reconciliation.key_of(correction.statement)
    row.content_key = reconciliation.content_key_of(correction.statement)
    row.kind = correction.kind or row.kind
    if correction.attribute is not None:
        row.attribute = correction.attribute
    # A value drawn from the old words would keep answering for them.
    row.value = correction.value or ""
    row.version += 1
    row.human, row.status, row.held_because = True, FactStatus.ACTIVE, ""
    row.origin, row.verification = author.origin, author.verification
    row.verified_at = row.updated_at = at


def require(row: Fact, *statuses: FactStatus) -> None:
    """Raises ``Conflict`` unless the fact is in one of the states."""
    if row.status not in statuses:
        allowed = " or ".join(str(s.label).lower() for s in statuses)
        raise Conflict(f"This needs a fact that is {allowed}; this one is {row.status}.", code="wrong_status")


def reverify(fact: Fact, author: Author, *, at: datetime, etag: str | None = None) -> Fact:
    """Confirm that a fact holds today; a held one becomes active and ends the fact it competes with."""
    with transaction.atomic():
        row = locked(fact, etag)
        require(row, FactStatus.ACTIVE, FactStatus.HELD)
        if row.status == FactStatus.HELD:
            _end_rivals(row, at)
        row.status, row.held_because = FactStatus.ACTIVE, ""
        row.verification, row.human = author.verification, True
        row.verified_at = row.updated_at = at
        row.save()
        trail.record(trail.Action.FACT_VERIFY, "fact", row.id, at=at, subject_id=row.subject_id)
    return row


def _rivals(row: Fact) -> "list[Fact]":
    if row.attribute not in SINGLE_VALUED:
        return []
    same_slot = Fact.objects.filter(
        subject_id=row.subject_id, attribute=row.attribute, status=FactStatus.ACTIVE
    )
    return list(same_slot.exclude(id=row.id))


def _other_half(row: Fact) -> "list[Fact]":
    """What was held together with a fact because both can not hold: another value of its one place, or its denial."""
    if row.held_because != "conflict":
        return []
    same_place = Q(content_key=row.content_key) & ~Q(content_key="")
    if row.attribute in SINGLE_VALUED:
        same_place |= Q(attribute=row.attribute)
    held = Fact.objects.filter(subject_id=row.subject_id, status=FactStatus.HELD, held_because="conflict")
    return list(held.filter(same_place).exclude(id=row.id))


def _end_rivals(row: Fact, at: datetime) -> None:
    for rival in [*_rivals(row), *_other_half(row)]:
        applying.end(rival, ended_at=row.valid_at or row.observed_at, at=at)
        row.supersedes = rival
        trail.record(
            trail.Action.FACT_SUPERSEDE,
            "fact",
            rival.id,
            at=at,
            subject_id=row.subject_id,
            replaced_by=row.id.hex,
        )


def archive(fact: Fact, *, at: datetime, etag: str | None = None) -> Fact:
    """Take a fact out of use; it can be restored. Raises ``Conflict``, ``Stale``, ``Gone``."""
    with transaction.atomic():
        row = locked(fact, etag)
        require(row, FactStatus.ACTIVE, FactStatus.HELD)
        row.status, row.held_because, row.updated_at = FactStatus.ARCHIVED, "", at
        row.save(update_fields=["status", "held_because", "updated_at"])
        trail.record(trail.Action.FACT_ARCHIVE, "fact", row.id, at=at, subject_id=row.subject_id)
    return row


def restore(fact: Fact, *, at: datetime, etag: str | None = None) -> Fact:
    """Put an archived, restricted or superseded fact back in use.

    Raises ``Conflict`` when another active fact says the same, or holds the one place for its attribute.
    """
    try:
        with transaction.atomic():
            row = locked(fact, etag)
            require(row, FactStatus.ARCHIVED, FactStatus.RESTRICTED, FactStatus.SUPERSEDED)
            if _rivals(row):
                raise Conflict(
                    f"An active fact already gives the {row.attribute}; archive that one first.",
                    code="slot_taken",
                )
            _reopen(row, at)
            trail.record(trail.Action.FACT_RESTORE, "fact", row.id, at=at, subject_id=row.subject_id)
    except IntegrityError as error:
        raise Conflict("Another fact already says this.", code="duplicate_fact") from error
    return row


def _reopen(row: Fact, at: datetime) -> None:
    if row.status == FactStatus.SUPERSEDED:
        row.invalid_at = None
        row.versions.filter(number=row.version).update(expired_at=None, invalid_at=None)
    row.status, row.expired_at, row.updated_at = FactStatus.ACTIVE, None, at
    row.save(update_fields=["status", "invalid_at", "expired_at", "updated_at"])


def undo_supersession(fact: Fact, *, at: datetime, etag: str | None = None) -> Fact:
    """The fact that this one ended is in use again, and this one is archived. Returns this one.

    Raises ``Conflict`` when it ended none, or when that one is in use or gone; ``Stale``, ``Gone``.
    """
    with transaction.atomic():
        row = locked(fact, etag)
        require(row, FactStatus.ACTIVE, FactStatus.HELD)
        before = row.supersedes
        if before is None or before.status != FactStatus.SUPERSEDED:
            raise Conflict("This fact has ended no other that could come back.", code="nothing_superseded")
        row.status, row.held_because, row.updated_at = FactStatus.ARCHIVED, "", at
        row.save(update_fields=["status", "held_because", "updated_at"])
        _reopen(before, at)
        trail.record(trail.Action.FACT_ARCHIVE, "fact", row.id, at=at, subject_id=row.subject_id)
        trail.record(trail.Action.FACT_RESTORE, "fact", before.id, at=at, subject_id=row.subject_id)
    return row


def withdraw(fact: Fact, *, at: datetime) -> None:
    """Undo that something was remembered: the fact is purged, and the one that it ended is in use again."""
    with transaction.atomic():
        row = locked(fact, None)
        before = row.supersedes
        purge.purge_fact(row, reason_code="undone", at=at, redact=False)
        if before is not None and before.status == FactStatus.SUPERSEDED:
            _reopen(before, at)
            trail.record(trail.Action.FACT_RESTORE, "fact", before.id, at=at, subject_id=before.subject_id)


#: Why a fact may be purged: the audit trail keeps the code, never a sentence.
PURGE_REASONS = {
    "subject_asked": "The subject asked for it",
    "wrong": "It is wrong",
    "sensitive": "It should never have been stored",
    "third_party": "It is about somebody else",
    "other": "Another reason",
}


def purge_fact(fact: Fact, *, reason_code: str, at: datetime, etag: str | None = None) -> None:
    """Remove a fact with its versions, blot its quotes out of the turns, and never learn it again.

    Summaries that rest on those turns are destroyed and made anew. Irreversible. Raises ``Invalid``, ``Stale``.
    """
    if reason_code not in PURGE_REASONS:
        raise Invalid.field("reason", "unknown_reason", f"reason is one of {', '.join(PURGE_REASONS)}.")
    with transaction.atomic():
        row = locked(fact, etag)
        purge.purge_fact(row, reason_code=reason_code, at=at, redact=True)
