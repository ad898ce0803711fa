"""The chat's pages without their scripts: what is sent is kept, and only its owner sees it."""

from collections.abc import Callable, Mapping

import pytest
from django.test import Client

from memoryhub import clock
from memoryhub.chat import conversation
from memoryhub.memory import subjects, threads
from memoryhub.memory.kinds import TurnStatus
from memoryhub.memory.models import Fact, RecalledFact, Thread, Turn
from memoryhub.tenants.models import Membership
from memoryhub.tenants.permissions import Role
from tests.web.conftest import acting, know
from tests.web.pages import Tags

HTMX = {"HX-Request": "true"}


@pytest.fixture
def lena(members: Mapping[Role, Membership]) -> Membership:
    return members[Role.MEMBER]


@pytest.fixture
def browser(as_role: Callable[[Role], Client]) -> Client:
    return as_role(Role.MEMBER)


@pytest.fixture
def thread(lena: Membership) -> Thread:
    with acting(lena):
        herself = subjects.of_member(lena.id, at=clock.now())
        return threads.open_thread(herself, at=clock.now(), title="Hello")[0]


def _answered(lena: Membership, thread: Thread, status: TurnStatus, content: str, code: str = "") -> Turn:
    with acting(lena):
        answer = conversation.post_message(thread, "I prefer tea, what about you?", at=clock.now()).answer
        Turn.objects.filter(id=answer.id).update(status=status, content=content, error_code=code)
        answer.refresh_from_db()
    return answer


def test_the_first_message_opens_a_thread_that_carries_its_words(browser: Client, lena: Membership) -> None:
    answer = browser.post("/chat/", {"text": "Plan a picnic for six"}, follow=True)
    assert answer.status_code == 200
    assert "Plan a picnic for six" in answer.content.decode()
    stream = Tags(answer.content.decode()).named("mh-stream")
    assert [attrs["src"][:18] for attrs in stream] == ["/stream/turns/turn"]
    with acting(lena):
        assert Thread.objects.get().title == "Plan a picnic for six"


def test_a_message_sent_twice_is_one_message(browser: Client, thread: Thread, lena: Membership) -> None:
    for _ in range(3):
        answer = browser.post(f"/chat/{thread.public_id}", {"text": "Hello", "client_id": "c1"}, headers=HTMX)
        assert answer.status_code == 200
    with acting(lena):
        assert Turn.objects.count() == 2


@pytest.mark.parametrize("text", ["", "   ", "x" * 20_001])
def test_a_message_that_is_none_is_refused(
    browser: Client, thread: Thread, lena: Membership, text: str
) -> None:
    assert browser.post("/chat/", {"text": text}).status_code == 422
    assert browser.post(f"/chat/{thread.public_id}", {"text": text}, headers=HTMX).status_code == 409
    with acting(lena):
        assert (Thread.objects.count(), Turn.objects.count()) == (1, 0)


def test_an_answer_shows_what_it_used_with_the_words_it_rests_on(
    browser: Client, thread: Thread, lena: Membership
) -> None:
    answer = _answered(lena, thread, TurnStatus.COMPLETE, "Tea as well.")
    with acting(lena):
        question = conversation.question_of(answer)
        fact = know(thread.subject, "Prefers tea", source_turn=question.id, quote="I prefer tea")
        rule = know(thread.subject, "Always be brief", kind="instruction")
        for rank, (used, cosine) in enumerate(((fact, 0.9), (rule, None)), start=1):
            RecalledFact(
                turn=answer, fact=used, subject=thread.subject, rank=rank, score=0.5, cosine=cosine,
                keyword=None if cosine is None else 0.1,
            ).save()  # fmt: skip
    page = browser.get(f"/chat/{thread.public_id}")
    cards = page.context["memory"].facts
    assert [(card.statement, card.reason) for card in cards] == [
        ("Prefers tea", "Close in meaning to your message"),
        ("Always be brief", "A standing instruction: part of every answer"),
    ]
    assert (cards[0].quote, cards[0].after) == ("I prefer tea", ", what about you?")
    path, _, anchor = cards[0].url.partition("#")
    assert f'id="{anchor}"' in browser.get(path).content.decode()
    assert [fact.statement for fact in page.context["turns"][1].remembered] == ["Prefers tea"]


def test_undo_forgets_what_was_remembered(browser: Client, thread: Thread, lena: Membership) -> None:
    answer = _answered(lena, thread, TurnStatus.COMPLETE, "Noted.")
    with acting(lena):
        question = conversation.question_of(answer)
        know(thread.subject, "Prefers tea", source_turn=question.id, quote="I prefer tea")
    remembered = browser.get(f"/chat/{thread.public_id}").context["turns"][1].remembered
    assert browser.post(remembered[0].undo_url).status_code == 204
    assert browser.post(remembered[0].undo_url).status_code == 404
    with acting(lena):
        assert Fact.objects.count() == 0
        assert "I prefer tea" in Turn.objects.get(id=question.id).content, "undoing is not blacking out"


@pytest.mark.parametrize(
    ("status", "code", "shown", "may_retry"),
    [
        (TurnStatus.FAILED, "model_timeout", "The language model took too long", True),
        (TurnStatus.PARTIAL, "interrupted", "interrupted by a restart", True),
        (TurnStatus.STOPPED, "", "stopped", True),
        (TurnStatus.COMPLETE, "", "Half an answer", False),
    ],
)
def test_an_answer_that_did_not_come_keeps_the_question_and_offers_another_try(
    browser: Client,
    thread: Thread,
    lena: Membership,
    status: TurnStatus,
    code: str,
    shown: str,
    may_retry: bool,
) -> None:
    answer = _answered(lena, thread, status, "Half an answer", code)
    html = browser.get(f"/chat/{thread.public_id}").content.decode()
    assert shown in html
    assert "I prefer tea, what about you?" in html
    assert (f'data-retry="/chat/retry/{answer.public_id}"' in html) is may_retry
    again = browser.post(f"/chat/retry/{answer.public_id}", headers=HTMX)
    assert again.status_code == (200 if may_retry else 409)
    if may_retry:
        assert "mh-stream" in again.content.decode()


def test_only_the_last_answer_can_be_tried_again(browser: Client, thread: Thread, lena: Membership) -> None:
    first = _answered(lena, thread, TurnStatus.FAILED, "", "model_timeout")
    _answered(lena, thread, TurnStatus.COMPLETE, "Fine.")
    html = browser.get(f"/chat/{thread.public_id}").content.decode()
    assert f"/chat/retry/{first.public_id}" not in html
    answer = browser.post(f"/chat/retry/{first.public_id}", headers=HTMX)
    assert (answer.status_code, answer.content.decode()) == (
        409,
        "The conversation has gone on; ask again in a new message.",
    )


def test_another_persons_conversation_is_not_there(owner: Client, thread: Thread, lena: Membership) -> None:
    answer = _answered(lena, thread, TurnStatus.FAILED, "")
    assert owner.get(f"/chat/{thread.public_id}").status_code == 404
    assert owner.post(f"/chat/{thread.public_id}", {"text": "Hello"}).status_code == 404
    for act in ("rename", "delete"):
        assert owner.post(f"/chat/{thread.public_id}/{act}", {"title": "Mine"}).status_code == 404
    for act in ("stop", "retry"):
        assert owner.post(f"/chat/{act}/{answer.public_id}").status_code == 404
    assert thread.public_id not in owner.get("/chat/").content.decode()


def test_rename(browser: Client, thread: Thread) -> None:
    browser.post(f"/chat/{thread.public_id}/rename", {"title": "Picnic"})
    assert browser.get(f"/chat/{thread.public_id}").context["thread"].title == "Picnic"
    answer = browser.post(f"/chat/{thread.public_id}/rename", {"title": " "}, follow=True)
    assert "must not be empty" in answer.content.decode()


@pytest.mark.parametrize(("scope", "left"), [("chat", 1), ("taught", 0)])
def test_a_conversation_is_deleted_with_or_without_what_it_taught(
    browser: Client, thread: Thread, lena: Membership, scope: str, left: int
) -> None:
    answer = _answered(lena, thread, TurnStatus.COMPLETE, "Noted.")
    with acting(lena):
        question = conversation.question_of(answer)
        know(thread.subject, "Prefers tea", source_turn=question.id, quote="I prefer tea")
    assert browser.post(f"/chat/{thread.public_id}/delete", {"scope": scope})["Location"] == "/chat/"
    assert browser.get(f"/chat/{thread.public_id}").status_code == 404
    with acting(lena):
        assert (Turn.objects.count(), Fact.objects.count()) == (0, left)
    if left:
        html = browser.get("/me/memory").content.decode()
        assert "The words this rests on were erased" in html
