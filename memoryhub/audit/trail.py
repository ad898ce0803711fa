"""Who did what to which record, and when. Written in the transaction of the change it tells of."""

import enum
import hashlib
import hmac
import re
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from memoryhub.audit.models import AuditEvent, AuditHead
from memoryhub.errors import MemoryHubError
from memoryhub.tenants import scope


class Action(enum.StrEnum):
    """Everything that leaves an entry. ``object.verb``, as GitHub's audit log names them."""

    FACT_ADD = "fact.add"
    FACT_CONFIRM = "fact.confirm"
    FACT_SUPERSEDE = "fact.supersede"
    FACT_CORRECT = "fact.correct"
    FACT_VERIFY = "fact.verify"
    FACT_ARCHIVE = "fact.archive"
    FACT_RESTORE = "fact.restore"
    FACT_PURGE = "fact.purge"
    FACT_HOLD = "fact.hold"
    FACT_EXPIRE = "fact.expire"
    FACT_PIN = "fact.pin"
    FACT_UNPIN = "fact.unpin"
    FACT_RESTRICT = "fact.restrict"
    RECALL_FEEDBACK = "recall.feedback"
    RECALL_SUITE = "recall.suite"
    EMBEDDER_CALIBRATE = "embedder.calibrate"
    EMBEDDER_CHANGE = "embedder.change"
    FACTS_REBUILD = "facts.rebuild"
    INSTRUCTIONS_ORDER = "instructions.order"
    FACT_SUPPRESS = "fact.suppress"
    SUBJECT_CREATE = "subject.create"
    SUBJECT_FENCE = "subject.fence"
    SUBJECT_ERASE = "subject.erase"
    THREAD_CREATE = "thread.create"
    THREAD_RENAME = "thread.rename"
    THREAD_DELETE = "thread.delete"
    TURN_APPEND = "turn.append"
    SUMMARY_CREATE = "summary.create"
    JOB_PARK = "job.park"
    JOB_RETRY = "job.retry"
    PRIVACY_OPEN = "privacy.open"
    PRIVACY_PREVIEW = "privacy.preview"
    PRIVACY_APPROVE = "privacy.approve"
    PRIVACY_REFUSE = "privacy.refuse"
    PRIVACY_RUN = "privacy.run"
    PRIVACY_VERIFY = "privacy.verify"
    PRIVACY_COMPLETE = "privacy.complete"
    PRIVACY_FAIL = "privacy.fail"
    PRIVACY_EXPORT = "privacy.export"
    KEY_CREATE = "key.create"
    KEY_REVOKE = "key.revoke"
    MEMBER_ADD = "member.add"
    MEMBER_REMOVE = "member.remove"
    MEMBER_CHANGE = "member.change"
    TENANT_CREATE = "tenant.create"
    POLICY_CHANGE = "policy.change"
    AUTHZ_DENIED = "authz.denied"


#: What ``detail`` may hold: codes, counts, versions and times. A test feeds it personal data and expects refusal.
DETAIL_KEYS = frozenset(
    {
        "reason_code", "counts", "version", "role_before", "kind", "status", "seq", "role", "scopes", "attempts",
        "error_code", "permission", "route", "due_at", "epoch", "fields", "replaced_by", "supersedes", "origin",
        "count", "temporary",
    }
)  # fmt: skip


class DetailRefused(MemoryHubError):
    """A detail that is not on the list, or is text: content has no place in the trail."""

    code = "audit_detail_refused"


_CODE = re.compile(r"[A-Za-z0-9_.:/<>-]{0,64}")


def _checked(detail: Mapping[str, Any]) -> dict[str, Any]:
    for key, value in detail.items():
        if key not in DETAIL_KEYS:
            raise DetailRefused(f"The audit trail takes no detail named {key!r}.")
        if not _is_code(value):
            raise DetailRefused(f"The audit trail takes codes, not text, and {key!r} looks like text.")
    return dict(detail)


def _is_code(value: Any) -> bool:
    """Whether a detail, with all that is in it, is made of codes and numbers."""
    if isinstance(value, str):
        return _CODE.fullmatch(value) is not None
    if isinstance(value, Mapping):
        return all(_is_code(name) and _is_code(inner) for name, inner in value.items())
    if isinstance(value, list | tuple):
        return all(map(_is_code, value))
    return value is None or isinstance(value, int | float)


def subject_ref(subject_id: uuid.UUID) -> str:
    """A keyed pseudonym of a subject: the same person's entries can be found, and the trail names nobody."""
    digest = hmac.new(settings.SECRET_KEY.encode(), b"audit-subject:" + subject_id.bytes, hashlib.sha256)
    return digest.hexdigest()


def record(
    action: Action,
    object_kind: str,
    object_id: uuid.UUID | None,
    *,
    at: datetime,
    subject_id: uuid.UUID | None = None,
    **detail: Any,
) -> None:
    """Write one entry. Raises ``NoScope`` outside a scope and ``RuntimeError`` outside a transaction."""
    current = scope.current()
    if not connection.in_atomic_block:
        raise RuntimeError("An audit entry shares the transaction of its change; open one.")
    AuditEvent(
        at=at,
        actor_kind=current.actor.kind.value,
        actor_id=current.actor.id,
        via=current.actor.via,
        request_id=current.request_id,
        action=action.value,
        object_kind=object_kind,
        object_id=object_id,
        subject_ref=subject_ref(subject_id) if subject_id else "",
        detail=_checked(detail),
    ).save(force_insert=True)


def denied(permission: str, route: str, *, at: datetime) -> None:
    """Note that somebody tried what they may not; in a transaction of its own, since nothing else changes."""
    with transaction.atomic():
        record(Action.AUTHZ_DENIED, "route", None, at=at, permission=permission, route=route[:64])


@dataclass(frozen=True)
class Event:
    """One entry, as the doors show it."""

    id: uuid.UUID
    public_id: str
    seq: int
    at: datetime
    actor_kind: str
    actor_id: str
    via: str
    request_id: str
    action: str
    object_kind: str
    object_id: uuid.UUID | None
    subject_ref: str
    detail: Mapping[str, Any]


def _event(row: AuditEvent) -> Event:
    return Event(
        row.id, row.public_id, row.seq, row.at, row.actor_kind, row.actor_id, row.via, row.request_id,
        row.action, row.object_kind, row.object_id, row.subject_ref, row.detail,
    )  # fmt: skip


def history_of(object_id: uuid.UUID, limit: int = 200) -> list[Event]:
    """The entries about one record, oldest first, at most ``limit``."""
    return [_event(row) for row in AuditEvent.objects.filter(object_id=object_id).order_by("seq")[:limit]]


def events(
    *,
    before_seq: int | None = None,
    limit: int = 50,
    action: str = "",
    actor_id: str = "",
    object_id: uuid.UUID | None = None,
    ref: str = "",
    request_id: str = "",
) -> list[Event]:
    """Entries, newest first, older than ``before_seq``. Empty filters do not filter."""
    rows = AuditEvent.objects.order_by("-seq")
    if before_seq is not None:
        rows = rows.filter(seq__lt=before_seq)
    if action:
        rows = rows.filter(action=action)
    if actor_id:
        rows = rows.filter(actor_id=actor_id)
    if object_id is not None:
        rows = rows.filter(object_id=object_id)
    if ref:
        rows = rows.filter(subject_ref=ref)
    if request_id:
        rows = rows.filter(request_id=request_id)
    return [_event(row) for row in rows[:limit]]


@dataclass(frozen=True)
class Head:
    """The newest link of the scope's chain: its number and its hash in hex."""

    seq: int
    hash: str


def head() -> Head:
    """The scope's chain as it ends now; write it down elsewhere to notice a cut tail."""
    row = AuditHead.objects.filter(tenant_id=scope.current().tenant_id).first()
    return Head(row.seq, bytes(row.hash).hex()) if row else Head(0, "")


@dataclass(frozen=True)
class Verification:
    """The state of a chain: ``broken_at`` is the first seq whose hash or link is wrong, None when all hold."""

    entries: int
    head_seq: int
    head_hash: str
    broken_at: int | None

    @property
    def intact(self) -> bool:
        """No entry changed or removed, the newest ones included."""
        return self.broken_at is None


_BAD_LINK = """
SELECT seq FROM (
SELECT seq, hash = mh_audit_hash(e) AS hash_ok, prev = lag(hash, 1, ''::bytea) OVER (ORDER BY seq) AS link_ok
FROM audit_event e WHERE tenant_id = %s
) chain WHERE NOT (hash_ok AND link_ok) ORDER BY seq LIMIT 1
"""


def _bad_links(tenant_id: uuid.UUID) -> Iterator[int]:
    with connection.cursor() as cursor:
        cursor.execute(_BAD_LINK, [tenant_id])
        yield from (row[0] for row in cursor.fetchall())


def verify() -> Verification:
    """Recompute the scope's chain. Tail truncation shows as a head that is ahead of the last entry."""
    tenant_id = scope.current().tenant_id
    with transaction.atomic():
        head = AuditHead.objects.filter(tenant_id=tenant_id).first()
        last = AuditEvent.objects.order_by("-seq").values_list("seq", flat=True).first() or 0
        entries = AuditEvent.objects.count()
        broken = next(_bad_links(tenant_id), None)
    head_seq = head.seq if head else 0
    if broken is None and head_seq != last:
        broken = last + 1
    return Verification(entries, head_seq, bytes(head.hash).hex() if head else "", broken)
