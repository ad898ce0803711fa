"""Writing an answer: claim it, build the prompt, read the model's stream, save as it grows.

An answer is written by whoever claims it, in a thread of its own, and does not hang on the reader's connection. All
progress is in the turn's row; a process that dies leaves a partial answer behind that can be retried.
"""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import transaction

from memoryhub import clock
from memoryhub.chat import conversation
from memoryhub.errors import MemoryHubError
from memoryhub.llm import get_chat_model
from memoryhub.llm.types import Message, Purpose, Tool, ToolCall
from memoryhub.memory import context, subjects, threads, tools, usage
from memoryhub.memory.context import Context
from memoryhub.memory.kinds import TurnStatus
from memoryhub.memory.models import RecalledFact, Turn

logger = logging.getLogger(__name__)

#: How often a model may ask for tools before it has to answer.
_MOST_TOOL_ROUNDS = 3
#: Seconds between two saves of a growing answer; the most that a crash can lose.
CHECKPOINT = 0.4
#: An answer whose writer has been silent for so long has lost it.
ABANDONED_AFTER = timedelta(seconds=20)


@dataclass
class Progress:
    """An answer while it is written in this process, for readers in this process. ``text`` only grows.

    ``superseded`` once the answer is written anew by another writer: this one has nothing to say any more.
    """

    text: str = ""
    recalled: bool = False
    finished: bool = False
    superseded: bool = False
    waiting_since: float = field(default_factory=time.monotonic)


def claim(answer: Turn, *, at: datetime) -> bool:
    """Take a pending answer; True for one caller only, whatever the number of processes."""
    taken = Turn.objects.filter(id=answer.id, status=TurnStatus.PENDING).update(
        status=TurnStatus.STREAMING, heartbeat_at=at
    )
    return bool(taken)


def close_abandoned(answer: Turn, *, at: datetime) -> bool:
    """Mark an answer whose writer is gone as interrupted (with text) or failed (without)."""
    rows = Turn.objects.filter(
        id=answer.id, status=TurnStatus.STREAMING, heartbeat_at__lt=at - ABANDONED_AFTER
    )
    partial = rows.exclude(content="").update(status=TurnStatus.PARTIAL, error_code="interrupted")
    failed = rows.filter(content="").update(status=TurnStatus.FAILED, error_code="interrupted")
    return bool(partial or failed)


def write(answer: Turn, progress: Progress, release: Callable[[], None]) -> None:
    """Write a claimed answer to its end. Never raises: a failure is noted on the turn, with its code.

    ``release`` gives the database connection back; it is called before each wait for the model.
    """
    try:
        built = _prepare(answer)
        progress.recalled = True
        release()
        _finish(answer, _streamed(answer, built, progress, release), progress.text)
    except MemoryHubError as error:
        _fail(answer, progress.text, error.code)
    except Exception:
        logger.exception("reply failed turn=%s", answer.id)
        _fail(answer, progress.text, "internal")
    finally:
        progress.finished = True
        release()


def _prepare(answer: Turn) -> Context:
    question = conversation.question_of(answer)
    thread = threads.get(answer.thread_id)
    built = context.build(thread, question.content, at=clock.now(), before_seq=question.seq)
    with transaction.atomic():
        RecalledFact.objects.filter(turn=answer).delete()
        RecalledFact.objects.bulk_create(_uses(answer, built))
    usage.note([item.fact.id for item in built.facts], at=clock.now())
    return built


def _uses(answer: Turn, built: Context) -> list[RecalledFact]:
    """What stood in the prompt: recalled facts by rank, then the standing instructions, which have no score."""
    uses = [
        RecalledFact(
            turn=answer, fact=item.fact, subject_id=answer.subject_id, rank=rank, score=item.score,
            cosine=item.cosine, keyword=item.keyword,
        )
        for rank, item in enumerate(built.facts, start=1)
    ]  # fmt: skip
    return uses + [
        RecalledFact(turn=answer, fact=fact, subject_id=answer.subject_id, rank=rank, score=0.0)
        for rank, fact in enumerate(built.instructions, start=len(uses) + 1)
    ]


def _streamed(answer: Turn, built: Context, progress: Progress, release: Callable[[], None]) -> bool:
    """Read the model's stream into ``progress``; False when somebody stopped or erased the answer meanwhile.

    A model that asks for a tool gets its answer and goes on, a few times at most; then it has to do without.
    """
    messages = list(built.messages)
    for round_ in range(_MOST_TOOL_ROUNDS + 1):
        offered = built.tools if round_ < _MOST_TOOL_ROUNDS else ()
        calls = _one_round(answer, messages, offered, progress, release)
        if calls is None:
            return False
        if not calls:
            return not progress.superseded
        subject = subjects.get(answer.subject_id)
        messages.append(Message("assistant", "", calls))
        messages += [Message("tool", tools.run(subject, call, at=clock.now()), (), call.id) for call in calls]
        release()
    return True


def _one_round(
    answer: Turn,
    messages: Sequence[Message],
    offered: Sequence[Tool],
    progress: Progress,
    release: Callable[[], None],
) -> tuple[ToolCall, ...] | None:
    """One call of the model: the tools it asks for, none when it has answered; None when the answer was stopped."""
    saved = time.monotonic()
    with get_chat_model(Purpose.REPLY).stream(messages, tools=offered) as stream:
        for delta in stream:
            if progress.superseded:
                return None
            progress.text += delta.text
            if time.monotonic() - saved < CHECKPOINT:
                continue
            saved = time.monotonic()
            if not _save(answer, progress.text, TurnStatus.STREAMING):
                return None
            release()
        return stream.completion.tool_calls if stream.completion else ()


def _save(answer: Turn, content: str, status: TurnStatus, error_code: str = "") -> bool:
    """Write progress unless the answer is no longer ours to write."""
    rows = Turn.objects.filter(id=answer.id, status=TurnStatus.STREAMING)
    return bool(
        rows.update(
            content=_storable(content), status=status, error_code=error_code, heartbeat_at=clock.now()
        )
    )


def _storable(content: str) -> str:
    """A model may answer with what PostgreSQL can not hold."""
    return content.replace("\x00", "").encode("utf-8", "ignore").decode()


def _finish(answer: Turn, whole: bool, content: str) -> None:
    if whole:
        empty = not content.strip()
        _save(
            answer,
            content,
            TurnStatus.FAILED if empty else TurnStatus.COMPLETE,
            "model_answer_empty" if empty else "",
        )
    else:
        # Stopped: keep what had arrived. An erased turn is gone, and then no row matches.
        Turn.objects.filter(id=answer.id, status=TurnStatus.STOPPED).update(content=_storable(content))
    with transaction.atomic():
        threads.wake_learning(answer.thread)


def _fail(answer: Turn, content: str, code: str) -> None:
    status = TurnStatus.PARTIAL if content.strip() else TurnStatus.FAILED
    try:
        _save(answer, content, status, code)
        with transaction.atomic():
            threads.wake_learning(answer.thread)
    except Exception:
        # The database is away too; the heartbeat grows old and the next reader closes the answer.
        logger.exception("could not note a failed reply turn=%s", answer.id)
