"""Writing what learning found: one transaction, under the subject's lock."""

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import F, Q

from memoryhub.audit import trail
from memoryhub.memory import policies, reconciliation, screening, suppression
from memoryhub.memory.kinds import FactStatus, Kind, Origin, Verification
from memoryhub.memory.models import HEAVY, Evidence, Fact, FactVersion, Subject
from memoryhub.memory.types import (
    Add,
    Change,
    Confirm,
    Conflict,
    ExtractedFact,
    KnownFact,
    Outdated,
    Span,
    Supersede,
)
from memoryhub.tenants import scope

Vector = Sequence[float] | None


@dataclass(frozen=True)
class Source:
    """How facts come in: their origin, who found them, and the model that embedded them."""

    origin: Origin
    extractor: str = ""
    embedder: str = ""
    human: bool = False
    verification: Verification = Verification.CLAIMED
    reason: str = ""


@dataclass(frozen=True)
class Applied:
    """What became of a batch: how many of each outcome, and the facts touched, in order."""

    counts: dict[str, int]
    facts: tuple[Fact, ...]


def apply(
    subject: Subject, extracted: Sequence[tuple[ExtractedFact, Vector]], source: Source, *, at: datetime
) -> Applied:
    """Screen, reconcile and write; the caller holds the subject's lock (``subjects.lock_for_writing``).

    Suppressed statements are counted and dropped. Running it twice with the same facts changes nothing more.
    """
    known = known_facts(subject, [fact for fact, _ in extracted])
    suppressed = suppression.digests_of(subject)
    policy = policies.current()
    counts: Counter[str] = Counter()
    touched: list[Fact] = []
    for fact, vector in sorted(extracted, key=lambda pair: pair[0].observed_at):
        if suppression.matches(subject, fact, suppressed):
            counts["suppressed"] += 1
            continue
        verdict = screening.screen(fact, source.origin, policy, human=source.human)
        if verdict.drop:
            counts[f"dropped_{verdict.drop}"] += 1
            continue
        change = reconciliation.reconcile(fact, known, hold=verdict.hold)
        row, outcome = _write(subject, change, vector, source, at)
        counts[outcome] += 1
        touched.append(row)
        known = _with(known, row, change)
    return Applied(dict(counts), tuple(touched))


def known_facts(subject: Subject, about: Sequence[ExtractedFact] | None = None) -> list[KnownFact]:
    """What is kept of a subject, as reconciliation sees it, in two queries; only what ``about`` may touch, if given."""
    replaced: dict[uuid.UUID, set[str]] = {}
    past = FactVersion.objects.filter(subject=subject, fact__human=True, number__lt=F("fact__version"))
    for fact_id, statement in past.values_list("fact_id", "statement"):
        replaced.setdefault(fact_id, set()).add(reconciliation.key_of(statement))
    rows = Fact.objects.filter(subject=subject).defer(*HEAVY)
    if about is not None:
        rows = rows.filter(_touched(about, replaced))
    return [replace(known_fact(row), corrected_from=frozenset(replaced.get(row.id, ()))) for row in rows]


def _touched(about: Sequence[ExtractedFact], replaced: dict[uuid.UUID, set[str]]) -> Q:
    """What the rules of reconciliation can reach from these facts; all that has no content key yet as well."""
    keys = {reconciliation.key_of(fact.statement) for fact in about}
    attributes = {name for fact in about for name in reconciliation.attributes_beside(fact.attribute)}
    wanted = Q(key__in=keys) | Q(content_key="") | Q(attribute__in=attributes)
    wanted |= Q(content_key__in={reconciliation.content_key_of(fact.statement) for fact in about})
    wanted |= Q(id__in=[fact_id for fact_id, past in replaced.items() if past & keys])
    return wanted | Q(kind=Kind.INSTRUCTION) if any(f.kind == Kind.INSTRUCTION for f in about) else wanted


def known_fact(row: Fact) -> KnownFact:
    """A row as reconciliation sees it."""
    return KnownFact(
        row.id,
        row.kind,
        row.statement,
        row.attribute,
        row.value,
        row.key,
        row.observed_at,
        row.human,
        row.status,
        row.valid_at,
        row.invalid_at,
    )


def _with(known: list[KnownFact], row: Fact, change: Change) -> list[KnownFact]:
    kept = [k for k in known if k.id != row.id]
    if isinstance(change, Conflict):
        kept = [replace(k, status=FactStatus.HELD) if k.id == change.known_id else k for k in kept]
    if isinstance(change, Supersede):
        kept = [replace(k, status=FactStatus.SUPERSEDED) if k.id == change.known_id else k for k in kept]
    return [*kept, known_fact(row)]


def _write(
    subject: Subject, change: Change, vector: Vector, source: Source, at: datetime
) -> tuple[Fact, str]:
    match change:
        case Confirm(fact, known_id):
            return _confirm(Fact.objects.get(id=known_id), fact, source, at)
        case Supersede(fact, known_id):
            return _supersede(subject, fact, known_id, vector, source, at), "superseded"
        case Outdated(fact, known_id, ended_at):
            row = create(subject, fact, vector, source, at, status=FactStatus.SUPERSEDED, ended_at=ended_at)
            Fact.objects.filter(id=known_id, supersedes__isnull=True).update(supersedes=row)
            return row, "outdated"
        case Conflict(fact, known_id):
            _hold(Fact.objects.get(id=known_id), at)
            row = create(subject, fact, vector, source, at, status=FactStatus.HELD, held="conflict")
            return row, "conflicts"
        case Add(fact, held):
            status = FactStatus.HELD if held else FactStatus.ACTIVE
            return create(
                subject, fact, vector, source, at, status=status, held=held
            ), "held" if held else "added"


def create(
    subject: Subject,
    fact: ExtractedFact,
    vector: Vector,
    source: Source,
    at: datetime,
    *,
    status: FactStatus = FactStatus.ACTIVE,
    held: str = "",
    supersedes: Fact | None = None,
    ended_at: datetime | None = None,
) -> Fact:
    """Write a new fact with its first version, its evidence and its audit entry."""
    start = fact.valid_at or fact.observed_at
    row = Fact(
        subject=subject, kind=fact.kind, attribute=fact.attribute, value=fact.value, statement=fact.statement,
        key=reconciliation.key_of(fact.statement), content_key=reconciliation.content_key_of(fact.statement),
        status=status, held_because=held, origin=source.origin,
        verification=source.verification, human=source.human, valid_at=fact.valid_at,
        invalid_at=max(start, ended_at) if ended_at else fact.invalid_at, observed_at=fact.observed_at,
        verified_at=at if source.human else None, created_at=at, updated_at=at,
        expired_at=at if status is FactStatus.SUPERSEDED else None, supersedes=supersedes,
        extractor=source.extractor, embedding=list(vector) if vector is not None else None,
        embedder=source.embedder if vector is not None else "",
    )  # fmt: skip
    row.save(force_insert=True)
    add_version(row, reason=source.reason, at=at)
    if fact.span is not None:
        add_evidence(row, fact.span, at)
    action = trail.Action.FACT_HOLD if held else trail.Action.FACT_ADD
    trail.record(
        action, "fact", row.id, at=at, subject_id=subject.id, origin=str(source.origin), kind=fact.kind
    )
    return row


def add_version(row: Fact, *, reason: str, at: datetime) -> None:
    """Keep the fact as it stands now as its version ``row.version``."""
    actor = scope.current().actor
    FactVersion(
        fact=row, subject_id=row.subject_id, number=row.version, statement=row.statement, kind=row.kind,
        attribute=row.attribute, value=row.value, origin=row.origin, valid_at=row.valid_at,
        invalid_at=row.invalid_at, created_at=at, expired_at=row.expired_at, reason=reason,
        actor_kind=actor.kind.value, actor_id=actor.id,
    ).save(force_insert=True)  # fmt: skip


def add_evidence(row: Fact, span: Span, at: datetime) -> bool:
    """Link the span; False when it was linked already."""
    if Evidence.objects.filter(fact=row, turn_id=span.turn_id, start=span.start, end=span.end).exists():
        return False
    Evidence(
        fact=row,
        subject_id=row.subject_id,
        turn_id=span.turn_id,
        start=span.start,
        end=span.end,
        created_at=at,
    ).save(force_insert=True)
    return True


def _confirm(row: Fact, fact: ExtractedFact, source: Source, at: datetime) -> tuple[Fact, str]:
    another_turn = fact.span is not None and not row.evidence.filter(turn_id=fact.span.turn_id).exists()
    is_new = fact.span is not None and add_evidence(row, fact.span, at)
    changed = ["updated_at"]
    if another_turn and row.verification == Verification.CLAIMED:
        row.verification = Verification.CORROBORATED
        changed.append("verification")
    if another_turn and fact.observed_at > row.observed_at:
        row.observed_at = fact.observed_at
        changed.append("observed_at")
    if not is_new and not source.human:
        return row, "unchanged"
    if source.human:
        row.verification, row.verified_at, row.human = source.verification, at, True
        changed += ["verification", "verified_at", "human"]
    row.updated_at = at
    row.save(update_fields=changed)
    trail.record(trail.Action.FACT_CONFIRM, "fact", row.id, at=at, subject_id=row.subject_id)
    return row, "confirmed"


def _hold(row: Fact, at: datetime) -> None:
    row.status, row.held_because, row.updated_at = FactStatus.HELD, "conflict", at
    row.save(update_fields=["status", "held_because", "updated_at"])
    trail.record(
        trail.Action.FACT_HOLD, "fact", row.id, at=at, subject_id=row.subject_id, reason_code="conflict"
    )


def _supersede(
    subject: Subject, fact: ExtractedFact, known_id: uuid.UUID, vector: Vector, source: Source, at: datetime
) -> Fact:
    old = Fact.objects.get(id=known_id)
    end(old, ended_at=fact.valid_at or fact.observed_at, at=at)
    row = create(subject, fact, vector, source, at, supersedes=old)
    trail.record(
        trail.Action.FACT_SUPERSEDE, "fact", old.id, at=at, subject_id=subject.id, replaced_by=row.id.hex
    )
    return row


def end(row: Fact, *, ended_at: datetime, at: datetime) -> None:
    """Close a fact: no longer true from ``ended_at`` in the world, no longer believed from ``at``."""
    row.status = FactStatus.SUPERSEDED
    row.invalid_at = max(ended_at, row.valid_at or ended_at)
    row.expired_at = row.updated_at = at
    row.save(update_fields=["status", "invalid_at", "expired_at", "updated_at"])
    row.versions.filter(number=row.version).update(expired_at=at, invalid_at=row.invalid_at)
