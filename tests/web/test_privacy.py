"""Privacy requests on their pages: two people, a clock, a preview that holds, and a receipt without content."""

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memoryhub import clock
from memoryhub.memory import threads
from memoryhub.memory.models import Fact, Subject
from memoryhub.privacy import erasure, requests
from memoryhub.privacy.models import PrivacyRequest, Status
from memoryhub.tenants.models import Membership, Tenant
from memoryhub.tenants.permissions import Role
from tests.conftest import add_member
from tests.web.conftest import acting, know, signed_in


@pytest.fixture
def petra(as_role: Callable[[Role], Client]) -> Client:
    """The officer who opens."""
    return as_role(Role.PRIVACY_OFFICER)


@pytest.fixture
def paul(tenant: Tenant) -> Membership:
    """The officer who approves."""
    return add_member(tenant, "paul@example.org", Role.PRIVACY_OFFICER)


@pytest.fixture
def held(members: Mapping[Role, Membership], mira: Subject) -> Subject:
    """Mira, of whom something is known."""
    with acting(members[Role.OPERATOR]):
        thread, _ = threads.open_thread(mira, at=clock.now(), title="Breakfast at Mira's")
        turn = threads.append_turn(thread, threads.NewTurn("user", "I prefer tea."), at=clock.now())
        know(mira, "Prefers tea", source_turn=turn.id, quote="I prefer tea")
    return mira


def _open(browser: Client, subject: str = "mira") -> str:
    answer = browser.post("/privacy/new", {"subject": subject, "attested": "on"})
    assert answer.status_code == 302
    return str(answer["Location"])


def _run(members: Mapping[Role, Membership]) -> None:
    with acting(members[Role.OWNER]):
        claimed = erasure.claim(PrivacyRequest.objects.get().id, at=clock.now())
        assert claimed is not None
        erasure.run(claimed, at=clock.now())


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"subject": "nobody", "attested": "on"}, "There is no subject with this id"),
        ({"subject": "*", "attested": "on"}, "names no one person"),
        ({"subject": "mira"}, "This field is required"),
        ({"attested": "on"}, "This field is required"),
    ],
)
def test_a_request_for_nobody_is_refused_where_it_is_typed(
    petra: Client, held: Subject, form: dict[str, str], words: str
) -> None:
    answer = petra.post("/privacy/new", form)
    assert answer.status_code == 422
    assert words in answer.content.decode()


def test_a_second_request_for_the_same_person_is_refused(petra: Client, held: Subject) -> None:
    _open(petra)
    answer = petra.post("/privacy/new", {"subject": "mira", "attested": "on"})
    assert "is open for this person already" in answer.content.decode()


def test_the_steps_of_an_erasure(
    petra: Client,
    paul: Membership,
    held: Subject,
    members: Mapping[Role, Membership],
    tmp_path: Path,
    settings: Any,
) -> None:
    settings.MEMORYHUB_LEDGER = tmp_path / "erasures.jsonl"
    url, other = _open(petra), signed_in(paul)
    before = other.get(url)
    assert not before.context["can"].approve, "nobody approves what they have not seen"
    petra.post(f"{url}/preview")
    page = petra.get(url)
    counted = {line.data_class: line.count for line in page.context["preview"].lines}
    assert counted["Facts with their vectors"] == counted["Turns"] == counted["Threads"] == 1
    assert "Prefers tea" in page.content.decode(), "a sample, for who may read memory"
    assert "somebody else has to approve it" in page.content.decode()
    assert not page.context["can"].approve

    digest = page.context["preview"].digest
    petra.post(f"{url}/approve", {"typed": "Mira Okonkwo", "digest": digest})
    other.post(f"{url}/approve", {"typed": "Mira", "digest": digest})
    other.post(f"{url}/approve", {"typed": "Mira Okonkwo", "digest": "another"})
    with acting(paul):
        assert PrivacyRequest.objects.get().status == Status.RECEIVED

    other.post(f"{url}/approve", {"typed": "Mira Okonkwo", "digest": digest})
    waiting = other.get(url)
    assert waiting.context["refresh"]
    assert 'hx-trigger="every 2s"' in waiting.content.decode()
    _run(members)
    done = other.get(url)
    assert not done.context["refresh"]
    assert done.context["outcome"].ok
    assert [step.state for step in done.context["steps"]] == ["done"] * 6
    assert "Mira" not in done.content.decode()
    receipt = other.get(f"{url}/receipt").content.decode()
    assert "Erased, counted again, nothing left." in receipt
    signed = json.loads(other.get(f"{url}/receipt.json").content)
    assert signed["body"]["rows_left"] == {}
    for text in (receipt, json.dumps(signed)):
        assert "Mira" not in text
        assert "tea" not in text.lower().replace("team", "")


def test_what_changed_since_the_preview_needs_a_new_look(
    petra: Client, paul: Membership, held: Subject, members: Mapping[Role, Membership]
) -> None:
    url = _open(petra)
    petra.post(f"{url}/preview")
    with acting(members[Role.OPERATOR]):
        know(held, "Prefers green tea")
    digest = petra.get(url).context["preview"].digest
    answer = signed_in(paul).post(
        f"{url}/approve",
        {"typed": "Mira Okonkwo", "digest": digest},
        follow=True,
        headers={"Referer": f"http://testserver{url}"},
    )
    assert "has changed since the preview" in answer.content.decode()
    with acting(paul):
        assert Fact.objects.count() == 2


def test_a_recount_that_finds_something_is_shown_as_failed_and_can_be_run_again(
    petra: Client, held: Subject, members: Mapping[Role, Membership], paul: Membership
) -> None:
    url = _open(petra)
    with acting(paul):
        PrivacyRequest.objects.update(
            status=Status.VERIFICATION_FAILED, approved_by=requests.actor_name(), erased_at=clock.now(),
            finished_at=clock.now(), removed={"facts": 1, "turns": 2}, left_over={"fact": 1, "a_new_table": 3},
        )  # fmt: skip
    page = petra.get(url)
    lines = {line.data_class: (line.before, line.after) for line in page.context["outcome"].lines}
    assert lines == {
        "Facts with their vectors": (1, 1),
        "Turns": (2, 0),
        "Table a_new_table": (0, 3),
    }
    assert not page.context["outcome"].ok
    assert page.context["rerun_url"]
    assert "Erase what is left" in page.content.decode()
    assert petra.post(page.context["rerun_url"]).status_code == 302


def test_a_refusal_tells_its_reason_to_the_person(
    petra: Client, members: Mapping[Role, Membership], as_role: Callable[[Role], Client]
) -> None:
    browser = as_role(Role.MEMBER)
    browser.get("/me/memory")
    browser.post("/me/erase", {"typed": members[Role.MEMBER].user.email})
    url = petra.get("/privacy/").context["requests"][0].url
    petra.post(f"{url}/refuse", {"reason": "no such reason"})
    assert petra.get(url).context["request_item"].status == "received"
    petra.post(f"{url}/refuse", {"reason": "legal_claims"})
    assert "The data is needed for legal claims" in browser.get("/me/memory").content.decode()
    assert petra.get("/privacy/").context["requests"] == []
    assert len(petra.get("/privacy/?view=done").context["requests"]) == 1


def test_the_clock_is_green_then_amber_then_red(petra: Client, held: Subject, paul: Membership) -> None:
    _open(petra)

    def clock_after(days: float) -> str:
        with acting(paul):
            item = PrivacyRequest.objects.get()
            item.received_at = clock.now() - timedelta(days=days)
            item.due_at = item.received_at + timedelta(days=30)
            item.save()
        shown = petra.get("/privacy/").context["requests"][0].deadline
        return f"{shown.tone}: {shown.text}"

    assert clock_after(0) == "good: 29 days left"
    assert clock_after(22.6) == "warn: 7 days left"
    assert clock_after(29.5) == "warn: due today"
    assert clock_after(31.5) == "bad: 2 days overdue"


def test_an_auditor_sees_the_request_and_no_word_of_its_content(
    petra: Client, held: Subject, as_role: Callable[[Role], Client]
) -> None:
    url = _open(petra)
    petra.post(f"{url}/preview")
    page = as_role(Role.AUDITOR).get(url)
    html = page.content.decode()
    assert page.context["preview"].total > 0
    assert "Prefers tea" not in html
    assert "Breakfast" not in html
    assert "/facts/" not in html
    assert not page.context["can"].preview
