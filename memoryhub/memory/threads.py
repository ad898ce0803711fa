"""Conversations: opening threads and writing turns through, before anything else happens."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, connection, transaction

from memoryhub import ids, text
from memoryhub.audit import trail
from memoryhub.errors import Conflict, FieldError, Invalid, NotFound
from memoryhub.memory import purge, redaction, subjects, tasks
from memoryhub.memory.kinds import TurnRole, TurnStatus
from memoryhub.memory.models import Subject, Thread, Turn
from memoryhub.tenants import scope

#: A turn may claim to be this much ahead of our clock; beyond it the claim is wrong.
_CLOCK_SLACK = timedelta(minutes=5)
_METADATA_LIMIT = 16_000


@dataclass(frozen=True)
class NewTurn:
    """A turn as a caller gives it. ``said_at`` is when it was said; now when None."""

    role: str
    content: str
    name: str = ""
    client_id: str | None = None
    said_at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    status: TurnStatus = TurnStatus.COMPLETE


def open_thread(
    subject: Subject,
    *,
    at: datetime,
    title: str = "",
    external_id: str | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> tuple[Thread, bool]:
    """A thread of ``subject``, and whether it is new.

    With an ``external_id`` that exists, that thread is resumed; ``Conflict`` when it is another subject's.
    """
    external_id = text.clean(external_id, field="external_id", limit=255) if external_id is not None else None
    existing = Thread.objects.filter(external_id=external_id).first() if external_id else None
    if existing is not None:
        return _same_subject(existing, subject), False
    thread = Thread(
        subject=subject,
        external_id=external_id,
        title=text.clean(title, field="title", limit=200, required=False),
        metadata=checked_metadata(metadata or {}),
        created_at=at,
        last_turn_at=at,
    )
    try:
        with transaction.atomic():
            subjects.lock_for_writing(subject.id)
            thread.save(force_insert=True)
            trail.record(trail.Action.THREAD_CREATE, "thread", thread.id, at=at, subject_id=subject.id)
    except IntegrityError:
        return _same_subject(Thread.objects.get(external_id=external_id), subject), False
    return thread, True


def _same_subject(thread: Thread, subject: Subject) -> Thread:
    if thread.subject_id != subject.id:
        raise Conflict(
            "A thread with this id exists for another subject; use another id.", code="thread_id_taken"
        )
    return thread


def get(thread_id: uuid.UUID, *, subject_id: uuid.UUID | None = None) -> Thread:
    """The thread, of ``subject_id`` when given. Raises ``NotFound``."""
    rows = Thread.objects.select_related("subject").filter(id=thread_id)
    found: Thread | None = (rows.filter(subject_id=subject_id) if subject_id else rows).first()
    if found is None:
        raise NotFound
    return found


def checked_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata that may be stored: a small object without NUL characters or lone surrogates."""
    if not isinstance(metadata, Mapping):
        raise Invalid.field("metadata", "not_an_object", "metadata is a JSON object.")
    encoded = json.dumps(metadata, ensure_ascii=False)
    if len(encoded) > _METADATA_LIMIT:
        raise Invalid.field(
            "metadata", "too_large", f"metadata may have at most {_METADATA_LIMIT} characters."
        )
    if "\\u0000" in encoded or any("\ud800" <= c <= "\udfff" for c in encoded):
        raise Invalid.field(
            "metadata", "bad_character", "metadata holds a NUL character or half a surrogate pair."
        )
    return dict(metadata)


def checked_query(query: str, *, field: str = "query") -> str:
    """A search text or question: any Unicode that can be stored, empty too. Raises ``Invalid``, ``TooLarge``."""
    return text.clean(query, field=field, limit=settings.MEMORYHUB_TURN_LIMIT, required=False)


def _checked(new: NewTurn, index: int, at: datetime) -> NewTurn:
    if new.role not in TurnRole.values:
        raise Invalid.field("role", "unknown_role", f"role is one of {', '.join(TurnRole.values)}.")
    waiting = new.status is TurnStatus.PENDING
    content = text.clean(
        new.content, field="content", limit=settings.MEMORYHUB_TURN_LIMIT, required=not waiting
    )
    if settings.MEMORYHUB_REDACT:
        content = redaction.redact(content).text
    said_at = new.said_at or at
    if said_at.tzinfo is None:
        raise Invalid.field("created_at", "no_zone", "created_at needs a zone, such as Z or +02:00.")
    if said_at > at + _CLOCK_SLACK:
        raise Invalid.field("created_at", "in_the_future", "created_at lies in the future.")
    client_id = text.clean(new.client_id, field="client_id", limit=255) if new.client_id is not None else None
    name = text.clean(new.name, field="name", limit=80, required=False)
    return NewTurn(new.role, content, name, client_id, said_at, checked_metadata(new.metadata), new.status)


def _all_checked(news: Sequence[NewTurn], at: datetime) -> list[NewTurn]:
    """Every turn of a batch, or ``Invalid`` naming all that are wrong: nothing is half written."""
    checked, wrong = [], []
    for index, new in enumerate(news):
        try:
            checked.append(_checked(new, index, at))
        except Invalid as error:
            wrong += [FieldError(f"/turns/{index}{f.pointer}", f.code, f.detail) for f in error.fields]
    if wrong:
        raise Invalid(wrong[0].detail, code=wrong[0].code, fields=wrong)
    return checked


# One statement: the subject's fence, the thread's counter and the row. The lock on the subject waits for an erasure
# under way and then finds nothing; it does not keep others from appending.
_APPEND = """
WITH living AS (
    SELECT id FROM subject WHERE id = %(subject)s AND tenant_id = %(tenant)s AND erased_at IS NULL FOR KEY SHARE
), counted AS (
    UPDATE thread SET next_seq = next_seq + 1, last_turn_at = %(at)s FROM living
    WHERE thread.id = %(thread)s AND thread.tenant_id = %(tenant)s AND thread.subject_id = living.id
    RETURNING next_seq - 1 AS seq
)
INSERT INTO turn (id, tenant_id, thread_id, subject_id, seq, role, name, content, status, error_code, client_id,
                  metadata, said_at, created_at, written_by, request_id)
SELECT %(id)s, %(tenant)s, %(thread)s, %(subject)s, counted.seq, %(role)s, %(name)s, %(content)s, %(status)s, '',
       %(client_id)s, %(metadata)s::jsonb, %(said_at)s, %(at)s, %(written_by)s, %(request_id)s
FROM counted RETURNING seq
"""


def _insert(thread: Thread, new: NewTurn, at: datetime) -> Turn:
    current = scope.current()
    turn = Turn(
        id=ids.new(), tenant_id=current.tenant_id, thread=thread, subject_id=thread.subject_id, role=new.role,
        name=new.name, content=new.content, status=new.status, client_id=new.client_id,
        metadata=dict(new.metadata), said_at=new.said_at or at, created_at=at,
        written_by=f"{current.actor.kind.value}:{current.actor.id}"[:64], request_id=current.request_id,
    )  # fmt: skip
    values: dict[str, Any] = {
        "tenant": turn.tenant_id, "subject": turn.subject_id, "thread": thread.id, "id": turn.id, "at": at,
        "role": turn.role, "name": turn.name, "content": turn.content, "status": str(turn.status),
        "client_id": turn.client_id, "metadata": json.dumps(turn.metadata), "said_at": turn.said_at,
        "written_by": turn.written_by, "request_id": turn.request_id,
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(_APPEND, values)
        row = cursor.fetchone()
    if row is None:
        raise _why_refused(thread)
    turn.seq = row[0]
    turn._state.adding = False
    return turn


def _why_refused(thread: Thread) -> Exception:
    if Subject.objects.filter(id=thread.subject_id, erased_at__isnull=False).exists():
        return subjects.gone()
    return NotFound("This thread has been deleted.")


def append_turns(thread: Thread, news: Sequence[NewTurn], *, at: datetime) -> list[Turn]:
    """Write turns, all or none; the next numbers of the thread, without a gap.

    A ``client_id`` already in the thread returns the turn that is there, so that a retry is harmless; ``Conflict``
    when it comes with other content. Raises ``Invalid``, ``NotFound`` (thread deleted), ``Gone`` (subject erased).
    """
    checked = _all_checked(news, at)
    try:
        if len(checked) == 1 and not connection.in_atomic_block:
            # One statement is a transaction by itself.
            return [_insert(thread, checked[0], at)]
        with transaction.atomic():
            return [_insert(thread, new, at) for new in checked]
    except IntegrityError:
        # A client id is there already, from an earlier try or a twin. It is rare, so it is not asked for beforehand.
        return _found_or_written(thread, checked, at)


def _found_or_written(thread: Thread, checked: Sequence[NewTurn], at: datetime) -> list[Turn]:
    wanted = [new.client_id for new in checked if new.client_id is not None]
    with transaction.atomic():
        known = {turn.client_id: turn for turn in thread.turns.filter(client_id__in=wanted)}
        written = []
        for new in checked:
            twin = known.get(new.client_id) if new.client_id is not None else None
            turn = _same_content(twin, new) if twin else _insert(thread, new, at)
            if new.client_id is not None:
                known[new.client_id] = turn
            written.append(turn)
        return written


def _same_content(twin: Turn, new: NewTurn) -> Turn:
    if (twin.role, twin.content) != (new.role, new.content):
        raise Conflict(
            "This client_id was used in the thread with other content; use a new one.",
            code="client_id_reused",
        )
    return twin


def append_turn(thread: Thread, new: NewTurn, *, at: datetime) -> Turn:
    """One turn; see ``append_turns``."""
    return append_turns(thread, [new], at=at)[0]


def wake_learning(thread: Thread) -> None:
    """Tell the workers that the thread has something new; if they can not be reached the sweep finds it."""
    tasks.learn.delay_on_commit(str(thread.id))
    tasks.summarise.delay_on_commit(str(thread.id))
    tasks.index.delay_on_commit(str(thread.id))


def rename(thread: Thread, title: str, *, at: datetime) -> Thread:
    """Give the thread a title. Raises ``Invalid``."""
    thread.title = text.clean(title, field="title", limit=200)
    with transaction.atomic():
        thread.save(update_fields=["title"])
        trail.record(trail.Action.THREAD_RENAME, "thread", thread.id, at=at, subject_id=thread.subject_id)
    return thread


def delete(thread: Thread, *, forget: bool, at: datetime) -> int:
    """Delete a thread with its turns and summaries; ``forget`` also purges what only this thread taught.

    Returns how many facts were purged. Facts that rest on other turns too lose this source and stay.
    """
    with transaction.atomic():
        subjects.lock_for_writing(thread.subject_id)
        purged = purge.delete_thread(thread, forget=forget, at=at)
        trail.record(
            trail.Action.THREAD_DELETE, "thread", thread.id, at=at, subject_id=thread.subject_id, count=purged
        )
    return purged
