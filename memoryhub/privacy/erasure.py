"""The workshop of an erasure: fence and delete, verify by another path, ledger, receipt. Each step may run again."""

import logging
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

import memoryhub
from memoryhub.audit import trail
from memoryhub.errors import NotFound
from memoryhub.memory import purge, subjects
from memoryhub.privacy import ledger, signing
from memoryhub.privacy.models import PrivacyRequest, Receipt, Status

logger = logging.getLogger(__name__)

#: A run that has been silent for so long lost its worker.
ABANDONED_AFTER = timedelta(seconds=310)
#: What an erasure keeps, why, and for how long; stated on the receipt and on the preview.
KEPT = (
    ("audit entries", "codes, counts and a pseudonym, to prove lawful processing (GDPR Art. 5(2), 17(3)(e))"),
    ("this request and its receipt", "to prove that it was answered (GDPR Art. 5(2))"),
    ("the sign-in account, if there is one", "not part of the memory; removed with manage.py remove_user"),
    (
        "an empty row with a keyed hash of the id",
        "to refuse that the person is remembered again (GDPR Art. 17(1))",
    ),
    ("the model provider's own logs, if one is configured", "outside this database; ask the provider"),
)


@dataclass(frozen=True)
class Outcome:
    """What a run came to. ``left_over`` is empty when the verification found nothing."""

    completed: bool
    removed: dict[str, int]
    left_over: dict[str, int]


def claim(request_id: uuid.UUID, *, at: datetime) -> PrivacyRequest | None:
    """Take an approved, failed or abandoned request; None when it is somebody else's or not to be run."""
    rows = PrivacyRequest.objects.filter(id=request_id)
    with transaction.atomic():
        row: PrivacyRequest | None = rows.select_for_update().first()
        if row is None or not _may_run(row, at):
            return None
        row.status, row.started_at, row.attempts = Status.RUNNING, at, row.attempts + 1
        row.save(update_fields=["status", "started_at", "attempts"])
        trail.record(trail.Action.PRIVACY_RUN, "privacy_request", row.id, at=at, subject_id=row.subject_id)
    return row


def _may_run(row: PrivacyRequest, at: datetime) -> bool:
    if row.status in (Status.APPROVED, Status.VERIFICATION_FAILED):
        return True
    return (
        row.status == Status.RUNNING and row.started_at is not None and row.started_at < at - ABANDONED_AFTER
    )


def run(request: PrivacyRequest, *, at: datetime) -> Outcome:
    """Erase, verify and seal a claimed request. Repeating it after a crash goes on where it stopped."""
    removed = _erase(request, at)
    ledger.append(request.tenant_id, request.subject_id, request.id, at=request.erased_at or at)
    left_over = purge.residue(request.subject_id)
    with transaction.atomic():
        trail.record(
            trail.Action.PRIVACY_VERIFY, "privacy_request", request.id, at=at, subject_id=request.subject_id,
            count=sum(left_over.values()),
        )  # fmt: skip
        if left_over:
            _fail(request, left_over, at)
        else:
            _complete(request, removed, at)
    return Outcome(not left_over, removed, left_over)


def _erase(request: PrivacyRequest, at: datetime) -> dict[str, int]:
    """Fence and delete in one transaction. The first run's counts are the receipt's; a repeat finds nothing."""
    with transaction.atomic():
        counts = purge.purge_subject(subjects.get(request.subject_id), at=at)
        earlier: dict[str, int] = request.removed or {}
        removed = {name: earlier.get(name, 0) + count for name, count in counts.items()}
        request.removed = removed
        request.erased_at = request.erased_at or at
        request.save(update_fields=["removed", "erased_at"])
        trail.record(
            trail.Action.SUBJECT_ERASE, "subject", request.subject_id, at=at, subject_id=request.subject_id,
            counts=request.removed,
        )  # fmt: skip
    return removed


def _fail(request: PrivacyRequest, left_over: dict[str, int], at: datetime) -> None:
    request.status, request.left_over, request.finished_at = Status.VERIFICATION_FAILED, left_over, at
    request.save(update_fields=["status", "left_over", "finished_at"])
    trail.record(
        trail.Action.PRIVACY_FAIL, "privacy_request", request.id, at=at, subject_id=request.subject_id,
        counts=left_over,
    )  # fmt: skip
    logger.error("erasure verification failed request=%s tables=%s", request.id, ",".join(left_over))


def _complete(request: PrivacyRequest, removed: dict[str, int], at: datetime) -> None:
    request.status, request.left_over, request.finished_at = Status.COMPLETED, {}, at
    request.save(update_fields=["status", "left_over", "finished_at"])
    trail.record(
        trail.Action.PRIVACY_COMPLETE, "privacy_request", request.id, at=at, subject_id=request.subject_id
    )
    body = receipt_body(request, removed, at)
    signature = signing.sign(body)
    Receipt(
        request=request, body=body, signature=signature.value, key_id=signature.key_id, created_at=at
    ).save(force_insert=True)  # fmt: skip


def receipt_body(request: PrivacyRequest, removed: dict[str, int], at: datetime) -> dict[str, Any]:
    """What the receipt says: codes, counts and times; the person only as a pseudonym."""
    chain = trail.head()
    return {
        "receipt_version": 1,
        "reference": request.reference,
        "request": request.public_id,
        "kind": request.kind,
        "subject_pseudonym": trail.subject_ref(request.subject_id),
        "identity": request.identity,
        "received_at": _stamp(request.received_at),
        "due_at": _stamp(request.due_at),
        "approved_at": _stamp(request.approved_at),
        "erased_at": _stamp(request.erased_at),
        "verified_at": _stamp(at),
        "requested_by": request.requested_by,
        "approved_by": request.approved_by,
        "rows_erased": removed,
        "rows_left": {},
        "verification": "every table with a subject_id in the database's catalogue, counted after the erasure",
        "kept": [{"what": what, "why": why} for what, why in KEPT],
        "gone_from_backups_by": _stamp(at + timedelta(days=settings.MEMORYHUB_BACKUP_DAYS)),
        "audit_head": {"seq": chain.seq, "hash": chain.hash},
        "software": f"MemoryHub {memoryhub.__version__}",
    }


def _stamp(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None


def receipt_of(request: PrivacyRequest) -> Receipt:
    """The receipt of a completed request. Raises ``NotFound`` before that."""
    found: Receipt | None = Receipt.objects.filter(request=request).first()
    if found is None:
        raise NotFound("There is no receipt yet: the request has not been completed.")
    return found


def reapply(stone: ledger.Tombstone, *, at: datetime) -> dict[str, int]:
    """Erase again what a restore brought back; the caller has entered the tombstone's tenant."""
    with transaction.atomic():
        try:
            subject = subjects.get(uuid.UUID(stone.subject_id))
        except NotFound:
            return {}
        if subject.erased_at is not None and not purge.residue(subject.id):
            return {}
        counts = purge.purge_subject(subject, at=at)
        trail.record(
            trail.Action.SUBJECT_ERASE, "subject", subject.id, at=at, subject_id=subject.id, counts=counts
        )
    return counts
