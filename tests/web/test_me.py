"""My memory: all that can be recalled about a person, in their own hands, up to the receipt of their erasure."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memoryhub import clock
from memoryhub.memory import facts, recall, subjects, threads
from memoryhub.memory.kinds import FactStatus, Origin, Verification
from memoryhub.memory.models import Fact, Subject
from memoryhub.memory.ranking import Wanted
from memoryhub.privacy import erasure, requests
from memoryhub.privacy.models import PrivacyRequest
from memoryhub.tenants.models import Membership
from memoryhub.tenants.permissions import Role
from tests.web.conftest import acting, know


@pytest.fixture
def lena(members: Mapping[Role, Membership]) -> Membership:
    return members[Role.MEMBER]


@pytest.fixture
def browser(as_role: Callable[[Role], Client]) -> Client:
    return as_role(Role.MEMBER)


@pytest.fixture
def herself(lena: Membership) -> Subject:
    """The member's own subject."""
    with acting(lena):
        return subjects.of_member(lena.id, at=clock.now())


@pytest.fixture
def told(lena: Membership, herself: Subject) -> list[Fact]:
    """What she has said of herself."""
    with acting(lena):
        thread, _ = threads.open_thread(herself, at=clock.now(), title="Hello")
        kinds = {
            "I live in Leipzig": "profile",
            "I prefer tea": "preference",
            "Always be brief": "instruction",
        }
        turn = threads.append_turn(thread, threads.NewTurn("user", ". ".join(kinds)), at=clock.now())
        return [
            know(herself, words, kind=kind, source_turn=turn.id, quote=words) for words, kind in kinds.items()
        ]


def _statements(browser: Client, query: str = "") -> list[str]:
    groups = browser.get(f"/me/memory{query}").context["groups"]
    return [fact.statement for group in groups for fact in group.facts]


def test_everything_that_can_be_recalled_is_on_the_page(
    browser: Client, lena: Membership, herself: Subject, told: list[Fact]
) -> None:
    with acting(lena):
        Fact.objects.filter(id=told[1].id).update(status=FactStatus.HELD)
        found = recall.recall(
            herself, "tea in Leipzig", at=clock.now(), limit=100, wanted=Wanted(instructions=True)
        )
    shown = _statements(browser)
    assert found.facts
    assert {item.fact.statement for item in found.facts} <= set(shown)
    assert sorted(shown) == sorted(fact.statement for fact in told)


def test_it_shows_nobody_else(
    browser: Client, owner: Client, told: list[Fact], mira: Subject, lena: Membership
) -> None:
    with acting(lena):
        know(mira, "Prefers coffee")
    assert "Prefers coffee" not in _statements(browser)
    assert _statements(owner) == []
    for act in ("forget", "correct", "confirm"):
        answer = owner.post(f"/me/memory/{told[0].public_id}/{act}", {"statement": "Mine now"})
        assert answer.status_code == 404
    assert len(_statements(browser)) == 3


def test_search_narrows_the_page_and_not_the_total(browser: Client, told: list[Fact]) -> None:
    assert _statements(browser, "?q=tea") == ["I prefer tea"]
    assert browser.get("/me/memory?q=tea").context["total"] == 3


def test_a_correction_is_the_persons_own_word(browser: Client, lena: Membership, told: list[Fact]) -> None:
    browser.post(f"/me/memory/{told[0].public_id}/correct", {"statement": "I live in Dresden"})
    with acting(lena):
        fact = facts.get(told[0].id)
    assert (fact.statement, fact.human, fact.verification) == (
        "I live in Dresden",
        True,
        Verification.CONFIRMED,
    )
    answer = browser.post(f"/me/memory/{told[0].public_id}/correct", {"statement": "  "})
    assert (answer.status_code, answer.context["open_dialog"]) == (422, "correct-mine")


def test_add_and_confirm(browser: Client, lena: Membership, told: list[Fact]) -> None:
    browser.post("/me/memory/add", {"statement": "I am allergic to nuts", "kind": "constraint"})
    browser.post(f"/me/memory/{told[1].public_id}/confirm")
    with acting(lena):
        added = Fact.objects.get(statement="I am allergic to nuts")
        assert (added.origin, added.human) == (Origin.SAID, True)
        assert facts.get(told[1].id).verification == Verification.CONFIRMED
    answer = browser.post("/me/memory/add", {"statement": "", "kind": "profile"})
    assert (answer.status_code, answer.context["open_dialog"]) == (422, "add-mine")


def test_forgetting_takes_the_words_out_of_the_conversation_too(
    browser: Client, lena: Membership, herself: Subject, told: list[Fact]
) -> None:
    browser.post(f"/me/memory/{told[0].public_id}/forget")
    assert "I live in Leipzig" not in _statements(browser)
    with acting(lena):
        thread = threads.get(herself.threads.get().id)
    assert "Leipzig" not in browser.get(f"/chat/{thread.public_id}").content.decode()


def test_erase_me_asks_for_the_address_and_opens_one_request(
    browser: Client, lena: Membership, told: list[Fact]
) -> None:
    browser.post("/me/erase", {"typed": "somebody@else.example"})
    with acting(lena):
        assert PrivacyRequest.objects.count() == 0
    browser.post("/me/erase", {"typed": lena.user.email.upper()})
    context = browser.get("/me/memory").context
    assert context["erase_url"] == ""
    assert [(r.status, r.deadline.tone) for r in context["requests"]] == [("received", "good")]
    browser.post("/me/erase", {"typed": lena.user.email})
    with acting(lena):
        assert PrivacyRequest.objects.count() == 1


def test_a_request_can_be_withdrawn_by_who_made_it_only(
    browser: Client, owner: Client, lena: Membership, told: list[Fact]
) -> None:
    browser.post("/me/erase", {"typed": lena.user.email})
    url = browser.get("/me/memory").context["requests"][0].withdraw_url
    assert owner.post(url).status_code == 404
    browser.post(url)
    context = browser.get("/me/memory").context
    assert [(r.status, r.withdraw_url) for r in context["requests"]] == [("withdrawn", "")]
    assert context["erase_url"] == "/me/erase"


def test_after_the_erasure_there_is_a_receipt_and_nothing_else(
    browser: Client,
    members: Mapping[Role, Membership],
    lena: Membership,
    told: list[Fact],
    tmp_path: Path,
    settings: Any,
) -> None:
    settings.MEMORYHUB_LEDGER = tmp_path / "erasures.jsonl"
    browser.post("/me/erase", {"typed": lena.user.email})
    with acting(members[Role.PRIVACY_OFFICER]):
        item = PrivacyRequest.objects.select_related("subject").get()
        seen = requests.preview(item, at=clock.now())
        requests.approve(item, digest=seen.digest, at=clock.now())
        claimed = erasure.claim(item.id, at=clock.now())
        assert claimed is not None
        assert erasure.run(claimed, at=clock.now()).completed
    page = browser.get("/", follow=True)
    html = page.content.decode()
    assert page.redirect_chain[-1][0] == "/me/memory"
    assert "Your memory has been erased" in html
    assert "Leipzig" not in html
    assert page.context["requests"][0].receipt_url
    receipt = browser.get(page.context["requests"][0].receipt_url).content.decode()
    assert "Erased, counted again, nothing left." in receipt
    assert lena.user.email not in receipt.split("<main")[1].split("</main>")[0]
    assert browser.post("/chat/", {"text": "Hello again"}).status_code == 302
    for address in ("/me/memory/add", "/me/erase"):
        answer = browser.post(
            address, {"statement": "I am back", "kind": "profile", "typed": lena.user.email}, follow=True
        )
        assert "has been erased" in answer.content.decode()
    with acting(lena):
        assert Fact.objects.count() == 0


def test_a_receipt_of_somebody_else_is_not_there(
    owner: Client, browser: Client, lena: Membership, told: list[Fact]
) -> None:
    browser.post("/me/erase", {"typed": lena.user.email})
    with acting(lena):
        item = PrivacyRequest.objects.get()
    assert owner.get(f"/me/requests/{item.public_id}/receipt").status_code == 404
    assert browser.get(f"/me/requests/{item.public_id}/receipt")["Location"] == "/me/memory"
