"""The stream of one answer: ``recall``, ``token``…, ``done`` or ``error``, then ``memory`` with what was learned.

Whoever reads first has the answer written, in a thread of this process; others follow the turn's row, from any
process. ``id`` is the number of characters sent, so ``Last-Event-ID`` resumes in the middle of an answer.
"""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from asgiref.sync import sync_to_async
from django.db import close_old_connections, connection
from django.urls import reverse

from memoryhub import clock, ids
from memoryhub.chat import conversation, rendering, reply, used
from memoryhub.chat.prompts import failure_sentence
from memoryhub.chat.used import UsedFact
from memoryhub.errors import NotFound
from memoryhub.gateway import sse
from memoryhub.memory import subjects
from memoryhub.memory.kinds import TurnStatus
from memoryhub.memory.models import Thread, Turn
from memoryhub.tenants import scope
from memoryhub.tenants.identity import Identity
from memoryhub.tenants.scope import Scope

_LOCAL_INTERVAL, _REMOTE_INTERVAL, _LEARN_INTERVAL = 0.04, 0.3, 0.4
_KEEP_ALIVE_AFTER = 15.0
#: Seconds to wait for what an answer's question taught; the page shows it at the next load anyway.
_LEARN_PATIENCE = 12.0
_FINAL = (TurnStatus.COMPLETE, TurnStatus.PARTIAL, TurnStatus.STOPPED, TurnStatus.FAILED)

_writers = ThreadPoolExecutor(max_workers=32, thread_name_prefix="reply")
_in_progress: dict[uuid.UUID, reply.Progress] = {}
T = TypeVar("T")


def _scoped(current: Scope, work: Callable[[], T]) -> T:
    """Run database work in the caller's scope, and give the connection back at once."""
    with scope.enter(current.tenant_id, current.actor, current.request_id):
        try:
            return work()
        finally:
            connection.close()


async def _in_database(current: Scope, work: Callable[[], T]) -> T:
    return await sync_to_async(_scoped, thread_sensitive=False)(current, work)


def _start_if_pending(current: Scope, answer: Turn) -> None:
    if answer.status == TurnStatus.PENDING and reply.claim(answer, at=clock.now()):
        progress, stopped = reply.Progress(), _in_progress.get(answer.id)
        if stopped is not None:
            # Retried before the stopped writer noticed: its words are none of the new answer's.
            stopped.superseded = True
        _in_progress[answer.id] = progress
        _writers.submit(_write, current, answer, progress)


def _write(current: Scope, answer: Turn, progress: reply.Progress) -> None:
    close_old_connections()
    try:
        with scope.enter(current.tenant_id, current.actor, current.request_id):
            reply.write(answer, progress, connection.close)
    finally:
        if _in_progress.get(answer.id) is progress:
            _in_progress.pop(answer.id, None)
        connection.close()


def _state(answer_id: uuid.UUID, subject_id: uuid.UUID) -> Turn:
    answer = conversation.answer_of(answer_id, subject_id=subject_id)
    if answer.status == TurnStatus.STREAMING and reply.close_abandoned(answer, at=clock.now()):
        answer.refresh_from_db()
    return answer


def recalled(answer_id: uuid.UUID) -> list[dict[str, Any]]:
    """The facts used in an answer, as the page shows them."""
    return [_recalled(fact) for fact in used.used_in([answer_id]).get(answer_id, [])]


def _recalled(fact: UsedFact) -> dict[str, Any]:
    words = fact.words
    return {
        "id": fact.public_id,
        "statement": fact.statement,
        "before": words.before if words else "",
        "quote": words.span if words else "",
        "after": words.after if words else "",
        "said": fact.said_at.isoformat(),
        "verification": fact.verification,
        "url": _memory_url(fact.public_id),
        "reason": fact.reason,
    }


def _memory_url(public_id: str) -> str:
    return f"{reverse('me:memory')}#{public_id}"


def _learned(answer: Turn) -> list[dict[str, Any]]:
    question = conversation.question_of(answer)
    return [
        {
            "id": fact.public_id,
            "statement": fact.statement,
            "held": fact.held,
            "url": _memory_url(fact.public_id),
            "undo_url": reverse("chat:undo", args=[fact.public_id]),
        }
        for fact in used.taught_by([question.id]).get(question.id, [])
    ]


def _has_learned(answer: Turn) -> bool:
    return bool(Thread.objects.filter(id=answer.thread_id, learned_seq__gte=answer.seq).exists())


async def own_subject_id(current: Scope, identity: Identity, answer_id: uuid.UUID) -> uuid.UUID:
    """The caller's subject, if the answer is theirs. Raises ``NotFound``, also for somebody without a subject."""

    def look() -> uuid.UUID:
        if identity.membership_id is None:
            raise NotFound
        subject = subjects.of_member(identity.membership_id, at=clock.now())
        return conversation.answer_of(answer_id, subject_id=subject.id).subject_id

    return await _in_database(current, look)


async def stream(
    current: Scope, answer_id: uuid.UUID, subject_id: uuid.UUID, sent: int
) -> AsyncIterator[str]:
    """The events of an answer from its character ``sent`` on."""
    try:
        answer = await _in_database(current, lambda: _state(answer_id, subject_id))
        await _in_database(current, lambda: _start_if_pending(current, answer))
        async for piece in _follow(current, answer_id, subject_id, sent):
            yield piece
        async for piece in _memories(current, answer):
            yield piece
    except NotFound:
        yield sse.event(
            "error", {"code": "not_found", "message": "This answer has been deleted.", "retryable": False}
        )


async def _follow(
    current: Scope, answer_id: uuid.UUID, subject_id: uuid.UUID, sent: int
) -> AsyncIterator[str]:
    """Read from this process's writer where it has one, which is quicker, and look at the row for what it can not
    know: that somebody stopped the answer, or that another process writes it."""
    told, quiet_since, looked_at = False, time.monotonic(), -_REMOTE_INTERVAL
    while True:
        local = _in_progress.get(answer_id)
        answer = None
        if local is None or time.monotonic() - looked_at >= _REMOTE_INTERVAL:
            looked_at = time.monotonic()
            answer = await _in_database(current, lambda: _state(answer_id, subject_id))
        content = local.text if local else (answer.content if answer else "")
        if not told and (local is None or local.recalled):
            told = True
            yield sse.event("recall", {"facts": await _in_database(current, lambda: recalled(answer_id))})
        if told and len(content) > sent:
            yield sse.event("token", {"text": content[sent:]}, event_id=len(content))
            sent, quiet_since = len(content), time.monotonic()
        if answer is not None and answer.status in _FINAL:
            yield _ending(answer, content)
            return
        if time.monotonic() - quiet_since > _KEEP_ALIVE_AFTER:
            quiet_since = time.monotonic()
            yield sse.KEEP_ALIVE
        await asyncio.sleep(_LOCAL_INTERVAL if local else _REMOTE_INTERVAL)


def _ending(answer: Turn, content: str) -> str:
    """The last event. ``content`` may run ahead of the row by what a stopped writer has not saved yet."""
    if answer.status == TurnStatus.FAILED or (answer.status == TurnStatus.PARTIAL and answer.error_code):
        code = answer.error_code or "interrupted"
        return sse.event("error", {"code": code, "message": failure_sentence(code), "retryable": True})
    html = rendering.to_html(content)
    data = {"html": html, "status": answer.status, "turn": ids.public("turn", answer.id)}
    return sse.event("done", data, event_id=len(content))


async def _memories(current: Scope, answer: Turn) -> AsyncIterator[str]:
    deadline = time.monotonic() + _LEARN_PATIENCE
    while time.monotonic() < deadline:
        if await _in_database(current, lambda: _has_learned(answer)):
            yield sse.event("memory", {"facts": await _in_database(current, lambda: _learned(answer))})
            return
        await asyncio.sleep(_LEARN_INTERVAL)
