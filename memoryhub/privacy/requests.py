"""The front desk: opening, previewing, approving, refusing and withdrawing a request."""

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction

from memoryhub.audit import trail
from memoryhub.errors import Conflict, Forbidden, Invalid, NotFound
from memoryhub.memory import purge
from memoryhub.memory.models import Subject
from memoryhub.privacy import deadlines, tasks
from memoryhub.privacy.models import OPEN_STATUSES, TRANSITIONS, Identity, PrivacyRequest, RequestKind, Status
from memoryhub.tenants import scope
from memoryhub.tenants.models import ApiKey
from memoryhub.tenants.scope import ActorKind

#: Why a request may be refused (GDPR Art. 12(5)-(6), 17(3)).
REFUSALS = {
    "identity_unproven": "We could not establish that the request comes from the person",
    "manifestly_unfounded": "The request is manifestly unfounded or excessive",
    "legal_obligation": "A law obliges us to keep the data",
    "legal_claims": "The data is needed for legal claims",
}


@dataclass(frozen=True)
class Preview:
    """What an erasure would remove: rows by store, a few samples, what is kept and why."""

    counts: Mapping[str, int]
    digest: str
    samples: Mapping[str, Sequence[str]]
    at: datetime

    @property
    def total(self) -> int:
        """Rows in all."""
        return sum(self.counts.values())


def actor_name() -> str:
    """The scope's actor as requests keep it: ``user:<id>``."""
    actor = scope.current().actor
    return f"{actor.kind.value}:{actor.id}"


def open_request(
    subject: Subject, *, identity: Identity, at: datetime, kind: str = RequestKind.ERASURE
) -> PrivacyRequest:
    """Receive a demand; the clock starts. Raises ``Conflict`` when one of the kind is open already."""
    if kind not in RequestKind.values:
        raise Invalid.field("kind", "unknown_kind", f"kind is one of {', '.join(RequestKind.values)}.")
    if subject.erased_at is not None:
        raise Conflict("This subject has been erased already.", code="subject_erased")
    request = PrivacyRequest(
        kind=kind, subject=subject, identity=identity, requested_by=actor_name(), received_at=at,
        due_at=deadlines.due_at(at), reference="",
    )  # fmt: skip
    request.reference = f"PR-{at:%y%m%d}-{request.id.hex[-6:].upper()}"
    try:
        with transaction.atomic():
            request.save(force_insert=True)
            trail.record(
                trail.Action.PRIVACY_OPEN,
                "privacy_request",
                request.id,
                at=at,
                subject_id=subject.id,
                kind=kind,
            )
    except IntegrityError as error:
        raise Conflict(
            "A request of this kind is open for this person already.", code="request_open"
        ) from error
    return request


def get(request_id: uuid.UUID, *, subject_id: uuid.UUID | None = None) -> PrivacyRequest:
    """The request, of ``subject_id`` when given. Raises ``NotFound``."""
    rows = PrivacyRequest.objects.select_related("subject").filter(id=request_id)
    found: PrivacyRequest | None = (rows.filter(subject_id=subject_id) if subject_id else rows).first()
    if found is None:
        raise NotFound
    return found


def open_for(subject_id: uuid.UUID) -> PrivacyRequest | None:
    """The open request of a subject, None if there is none."""
    rows = PrivacyRequest.objects.filter(subject_id=subject_id, status__in=OPEN_STATUSES)
    found: PrivacyRequest | None = rows.order_by("-received_at").first()
    return found


#: Copies that come and go by themselves within a day; nobody decides on them.
_PASSING = frozenset({"idempotent_answers"})


def _digest(counts: Mapping[str, int]) -> str:
    decided_on = {name: count for name, count in counts.items() if name not in _PASSING}
    return hashlib.sha256(json.dumps(decided_on, sort_keys=True).encode()).hexdigest()


def look(request: PrivacyRequest, *, at: datetime) -> Preview:
    """What the erasure would remove now. Changes nothing."""
    counts = purge.counts_of(request.subject_id)
    return Preview(counts, _digest(counts), purge.samples(request.subject_id), at)


def preview(request: PrivacyRequest, *, at: datetime) -> Preview:
    """Take down what the erasure would remove, for the approver to decide on. Raises ``Conflict`` when it is closed."""
    seen = look(request, at=at)
    with transaction.atomic():
        row = _locked(request, Status.APPROVED)
        row.preview, row.preview_digest, row.previewed_at = dict(seen.counts), seen.digest, at
        row.save(update_fields=["preview", "preview_digest", "previewed_at"])
        trail.record(
            trail.Action.PRIVACY_PREVIEW, "privacy_request", row.id, at=at, subject_id=row.subject_id,
            counts=dict(seen.counts),
        )  # fmt: skip
    request.refresh_from_db()
    return seen


def _locked(request: PrivacyRequest, towards: Status) -> PrivacyRequest:
    row: PrivacyRequest = PrivacyRequest.objects.select_for_update().get(id=request.id)
    if towards not in TRANSITIONS[row.status]:
        label = Status(row.status).label.lower()
        raise Conflict(f"This request is {label}; that can not be done any more.", code="wrong_status")
    return row


def _people_behind(actor: str) -> frozenset[str]:
    """The actor, and for a key also the person who issued it: two hands of one person are not two people."""
    kind, _, key_id = actor.partition(":")
    if kind != ActorKind.API_KEY:
        return frozenset({actor})
    issuers = ApiKey.objects.filter(id=key_id).values_list("created_by", flat=True)
    return frozenset({actor, *(f"{ActorKind.USER.value}:{issuer}" for issuer in issuers)})


def approve(request: PrivacyRequest, *, digest: str, at: datetime) -> PrivacyRequest:
    """Let the erasure run: by another person than opened it, on the preview that they saw.

    Raises ``Forbidden`` (``second_person_needed``), ``Conflict`` (``preview_missing``, ``preview_changed``,
    ``wrong_status``). The database refuses one person for both as well.
    """
    with transaction.atomic():
        row = _locked(request, Status.APPROVED)
        if actor_name() in _people_behind(row.requested_by):
            raise Forbidden(
                "You opened this request, so somebody else has to approve it.", code="second_person_needed"
            )
        if not row.preview_digest:
            raise Conflict("Look at the preview first.", code="preview_missing")
        counts = purge.counts_of(row.subject_id)
        if digest != row.preview_digest or _digest(counts) != row.preview_digest:
            raise Conflict(
                "What would be erased has changed since the preview; look again.", code="preview_changed"
            )
        row.status, row.approved_by, row.approved_at = Status.APPROVED, actor_name(), at
        row.save(update_fields=["status", "approved_by", "approved_at"])
        trail.record(
            trail.Action.PRIVACY_APPROVE, "privacy_request", row.id, at=at, subject_id=row.subject_id
        )
        tasks.run_request.delay_on_commit(str(row.id))
    return row


def refuse(request: PrivacyRequest, *, code: str, at: datetime) -> PrivacyRequest:
    """Refuse with a reason that is told to the person. Raises ``Invalid``, ``Conflict``."""
    if code not in REFUSALS:
        raise Invalid.field("reason", "unknown_reason", f"reason is one of {', '.join(REFUSALS)}.")
    return _close(request, Status.REFUSED, trail.Action.PRIVACY_REFUSE, code, at)


def withdraw(request: PrivacyRequest, *, at: datetime) -> PrivacyRequest:
    """Take a request back before it is approved. Raises ``Conflict`` afterwards."""
    return _close(request, Status.WITHDRAWN, trail.Action.PRIVACY_REFUSE, "withdrawn", at)


def _close(
    request: PrivacyRequest, status: Status, action: trail.Action, code: str, at: datetime
) -> PrivacyRequest:
    with transaction.atomic():
        row = _locked(request, status)
        row.status, row.refusal_code, row.finished_at = status, code, at
        row.save(update_fields=["status", "refusal_code", "finished_at"])
        trail.record(action, "privacy_request", row.id, at=at, subject_id=row.subject_id, reason_code=code)
    return row


def rerun(request: PrivacyRequest, *, at: datetime) -> PrivacyRequest:
    """Try a request again whose verification failed. Raises ``Conflict`` for any other."""
    with transaction.atomic():
        row = _locked(request, Status.RUNNING)
        if row.status != Status.VERIFICATION_FAILED:
            raise Conflict("Only a request whose verification failed can be run again.", code="wrong_status")
        tasks.run_request.delay_on_commit(str(row.id))
    return row
