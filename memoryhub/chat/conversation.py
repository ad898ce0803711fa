"""The front desk of the chat: posting a message, stopping and retrying an answer."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from memoryhub import text
from memoryhub.errors import Conflict, NotFound
from memoryhub.memory import facts, threads
from memoryhub.memory.kinds import TurnRole, TurnStatus
from memoryhub.memory.models import Thread, Turn

_TITLE_LENGTH = 60
_UNFINISHED = (TurnStatus.PENDING, TurnStatus.STREAMING)
_RETRYABLE = (TurnStatus.FAILED, TurnStatus.STOPPED, TurnStatus.PARTIAL)


@dataclass(frozen=True)
class Posted:
    """What a message became: its turn, and the turn that waits for the answer."""

    question: Turn
    answer: Turn


def post_message(thread: Thread, content: str, *, at: datetime, client_id: str | None = None) -> Posted:
    """Keep a message and the place of its answer, in one transaction; the answer comes when its stream is read.

    ``client_id`` makes a repeat harmless. Raises ``Invalid``, ``Gone``, ``NotFound``.
    """
    news = [
        threads.NewTurn(TurnRole.USER, content, client_id=client_id),
        threads.NewTurn(
            TurnRole.ASSISTANT,
            "",
            client_id=f"{client_id}:answer" if client_id else None,
            status=TurnStatus.PENDING,
        ),
    ]
    known = thread.turns.filter(client_id=f"{client_id}:answer").first() if client_id else None
    if known is not None:
        return Posted(thread.turns.get(client_id=client_id), known)
    with transaction.atomic():
        question, answer = threads.append_turns(thread, news, at=at)
        if not thread.title:
            threads.rename(thread, text.shorten(question.content, _TITLE_LENGTH) or "New chat", at=at)
    return Posted(question, answer)


def answer_of(turn_id: uuid.UUID, *, subject_id: uuid.UUID | None = None) -> Turn:
    """An assistant's turn, of ``subject_id`` when given. Raises ``NotFound``."""
    rows = Turn.objects.select_related("thread", "subject").filter(id=turn_id, role=TurnRole.ASSISTANT)
    found: Turn | None = (rows.filter(subject_id=subject_id) if subject_id else rows).first()
    if found is None:
        raise NotFound
    return found


def question_of(answer: Turn) -> Turn:
    """The subject's turn that an answer answers. Raises ``NotFound`` when there is none."""
    found: Turn | None = (
        Turn.objects.filter(thread_id=answer.thread_id, seq__lt=answer.seq, role=TurnRole.USER)
        .order_by("-seq")
        .first()
    )
    if found is None:
        raise NotFound
    return found


def stop(answer: Turn) -> Turn:
    """End an answer under way; what was written is kept. Stopping a finished one changes nothing."""
    Turn.objects.filter(id=answer.id, status__in=_UNFINISHED).update(status=TurnStatus.STOPPED)
    answer.refresh_from_db()
    return answer


def retry(answer: Turn) -> Turn:
    """Let an answer that failed, was stopped or was cut off be written anew.

    Raises ``Conflict`` for any other, and when the conversation has gone on since.
    """
    if Turn.objects.filter(thread_id=answer.thread_id, seq__gt=answer.seq).exists():
        raise Conflict("The conversation has gone on; ask again in a new message.", code="not_last_answer")
    again = Turn.objects.filter(id=answer.id, status__in=_RETRYABLE).update(
        status=TurnStatus.PENDING, content="", error_code="", heartbeat_at=None
    )
    if not again:
        raise Conflict("Only an answer that failed or was stopped can be retried.", code="answer_not_failed")
    answer.refresh_from_db()
    return answer


def undo(fact_id: uuid.UUID, *, subject_id: uuid.UUID, at: datetime) -> None:
    """Forget again what an answer said it had remembered. Raises ``NotFound``, ``Gone``."""
    facts.withdraw(facts.get(fact_id, subject_id=subject_id), at=at)
