"""How records look in JSON. One function a record, used by every resource that shows it."""

from datetime import datetime
from typing import Any

from memoryhub import ids
from memoryhub.audit.trail import Event
from memoryhub.memory import summaries
from memoryhub.memory.models import Evidence, Fact, FactVersion, Job, Rebuild, Subject, Summary, Thread, Turn
from memoryhub.privacy.models import PrivacyRequest, Receipt
from memoryhub.tenants.models import ApiKey


def stamp(moment: datetime | None) -> str | None:
    """RFC 3339 in UTC with a Z."""
    return moment.isoformat().replace("+00:00", "Z") if moment else None


def subject(row: Subject) -> dict[str, Any]:
    """A subject."""
    return {
        "id": row.public_id,
        "external_id": row.external_id,
        "display_name": row.display_name,
        "created_at": stamp(row.created_at),
        "erased_at": stamp(row.erased_at),
    }


def thread(row: Thread) -> dict[str, Any]:
    """A thread; its ``subject`` joined."""
    return {
        "id": row.public_id,
        "external_id": row.external_id,
        "subject": row.subject.external_id,
        "title": row.title,
        "metadata": row.metadata,
        "turns": row.last_seq,
        "learned_seq": row.learned_seq,
        "summarised_seq": row.summarised_seq,
        "created_at": stamp(row.created_at),
        "last_turn_at": stamp(row.last_turn_at),
    }


def turn(row: Turn) -> dict[str, Any]:
    """A turn."""
    return {
        "id": row.public_id,
        "thread": ids.public("thr", row.thread_id),
        "seq": row.seq,
        "role": row.role,
        "name": row.name,
        "content": row.content,
        "status": row.status,
        "client_id": row.client_id,
        "metadata": row.metadata,
        "created_at": stamp(row.said_at),
        "received_at": stamp(row.created_at),
    }


def evidence(row: Evidence) -> dict[str, Any]:
    """A quote and the turn it stands in; its ``turn`` joined."""
    if row.turn is None:
        return {"turn": None, "quote": None, "source_erased_at": stamp(row.source_erased_at)}
    return {
        "turn": row.turn.public_id,
        "thread": ids.public("thr", row.turn.thread_id),
        "seq": row.turn.seq,
        "quote": row.turn.content[row.start : row.end],
        "start": row.start,
        "end": row.end,
        "said_at": stamp(row.turn.said_at),
        "source_erased_at": None,
    }


def fact(row: Fact) -> dict[str, Any]:
    """A fact; its ``subject`` joined and ``evidence`` prefetched."""
    return {
        "id": row.public_id,
        "subject": row.subject.external_id,
        "statement": row.statement,
        "kind": row.kind,
        "attribute": row.attribute or None,
        "value": row.value or None,
        "status": row.status,
        "held_because": row.held_because or None,
        "origin": row.origin,
        "verification": row.verification,
        "version": row.version,
        "pinned": row.pinned,
        "valid_at": stamp(row.valid_at),
        "invalid_at": stamp(row.invalid_at),
        "observed_at": stamp(row.observed_at),
        "verified_at": stamp(row.verified_at),
        "created_at": stamp(row.created_at),
        "expired_at": stamp(row.expired_at),
        "supersedes": ids.public("fact", row.supersedes_id) if row.supersedes_id else None,
        "evidence": [evidence(link) for link in row.evidence.all()],
        "etag": row.etag,
    }


def version(row: FactVersion) -> dict[str, Any]:
    """A version of a fact."""
    return {
        "fact": ids.public("fact", row.fact_id),
        "number": row.number,
        "statement": row.statement,
        "kind": row.kind,
        "attribute": row.attribute or None,
        "value": row.value or None,
        "origin": row.origin,
        "valid_at": stamp(row.valid_at),
        "invalid_at": stamp(row.invalid_at),
        "created_at": stamp(row.created_at),
        "expired_at": stamp(row.expired_at),
        "reason": row.reason or None,
        "actor": f"{row.actor_kind}:{row.actor_id}",
    }


def summary(row: Summary) -> dict[str, Any]:
    """A running summary and the turns it covers."""
    return {
        "id": row.public_id,
        "version": row.version,
        "content": row.content,
        "through_seq": row.through_seq,
        "turns": [ids.public("turn", turn_id) for turn_id in summaries.covered_by(row)],
        "created_at": stamp(row.created_at),
    }


def privacy_request(row: PrivacyRequest) -> dict[str, Any]:
    """A privacy request; its ``subject`` joined."""
    return {
        "id": row.public_id,
        "reference": row.reference,
        "kind": row.kind,
        "status": row.status,
        "subject": None if row.subject.erased_at else row.subject.external_id,
        "identity": row.identity,
        "requested_by": row.requested_by,
        "approved_by": row.approved_by,
        "received_at": stamp(row.received_at),
        "due_at": stamp(row.due_at),
        "previewed_at": stamp(row.previewed_at),
        "preview": row.preview,
        "preview_digest": row.preview_digest or None,
        "approved_at": stamp(row.approved_at),
        "finished_at": stamp(row.finished_at),
        "refusal": row.refusal_code or None,
        "left_over": row.left_over,
    }


def receipt(row: Receipt, public_key: str) -> dict[str, Any]:
    """A receipt with its signature and the key to check it."""
    return {
        "id": row.public_id,
        "body": row.body,
        "signature": row.signature,
        "algorithm": "Ed25519 over the body as JSON with sorted keys and no spaces, UTF-8",
        "key_id": row.key_id,
        "public_key": public_key,
    }


def event(row: Event) -> dict[str, Any]:
    """An audit entry."""
    return {
        "id": row.public_id,
        "seq": row.seq,
        "at": stamp(row.at),
        "actor": f"{row.actor_kind}:{row.actor_id}",
        "via": row.via,
        "request_id": row.request_id,
        "action": row.action,
        "object_kind": row.object_kind,
        "object": row.object_id.hex if row.object_id else None,
        "subject_ref": row.subject_ref or None,
        "detail": dict(row.detail),
    }


def job(row: Job) -> dict[str, Any]:
    """A job."""
    return {
        "id": row.public_id,
        "kind": row.kind,
        "thread": ids.public("thr", row.thread_id),
        "status": row.status,
        "attempts": row.attempts,
        "error_code": row.error_code or None,
        "error": row.error or None,
        "counts": row.counts,
        "available_at": stamp(row.available_at),
        "started_at": stamp(row.started_at),
        "finished_at": stamp(row.finished_at),
        "created_at": stamp(row.created_at),
    }


def rebuild(row: Rebuild) -> dict[str, Any]:
    """A rebuild; its ``subject`` joined."""
    return {
        "id": row.public_id,
        "subject": row.subject.external_id,
        "dry_run": row.dry_run,
        "status": row.status,
        "progress": {"done": row.done, "total": row.total},
        "counts": row.counts,
        "differences": [
            {"change": d["change"], "statement": d["statement"], "fact": d["fact_id"] or None}
            for d in row.differences
        ],
        "extractor": row.extractor or None,
        "error_code": row.error_code or None,
        "created_at": stamp(row.created_at),
        "finished_at": stamp(row.finished_at),
    }


def api_key(row: ApiKey) -> dict[str, Any]:
    """A key without its secret."""
    return {
        "id": row.public_id,
        "name": row.name,
        "prefix": f"mh_live_{row.prefix}",
        "scopes": list(row.scopes),
        "status": row.status,
        "created_at": stamp(row.created_at),
        "expires_at": stamp(row.expires_at),
        "revoked_at": stamp(row.revoked_at),
        "last_used_at": stamp(row.last_used_at),
    }
