"""Whatever people, programs and models write is text on every page: no element, no link and no request comes of it."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from memoryhub import clock
from memoryhub.accounts import keys
from memoryhub.accounts import members as accounts
from memoryhub.chat import conversation
from memoryhub.memory import facts, subjects, threads
from memoryhub.memory.facts import Correction, NewFact
from memoryhub.memory.kinds import JobKind, JobStatus, Origin, TurnStatus
from memoryhub.memory.models import Job, RecalledFact, Subject, Summary, Thread, Turn
from memoryhub.privacy import requests
from memoryhub.privacy.models import Identity
from memoryhub.tenants import scope
from memoryhub.tenants.permissions import Role
from tests.conftest import ACTOR, empty_database
from tests.web.conftest import acting, signed_in
from tests.web.pages import Tags

MARK = "zzmark"
HOSTILE = (
    f"{MARK}<script>alert(1)</script><img src=x onerror=alert(2)>\"'><svg onload=alert(3)>"
    "</textarea></title>{{ 7|add:7 }}{% now 'Y' %}<c-icon name=\"x\" />"
)
MARKDOWN = (
    f"{HOSTILE} ![pixel](https://evil.example/p.png) [run](javascript:alert(4)) [data](data:text/html,x)"
    " <a href='javascript:alert(5)'>x</a> [fine](https://fine.example/)"
)


@pytest.fixture(scope="module")
def pages(django_db_setup: None, django_db_blocker: Any) -> Iterator[Mapping[str, str]]:
    """Every page that shows what somebody wrote, by its address, filled with hostile words."""
    with django_db_blocker.unblock():
        empty_database()
        browser, addresses = _filled()
        yield {address: _content(browser, address) for address in addresses}
        empty_database()


def _content(browser: Client, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200, address
    return str(answer.content.decode())


def _filled() -> tuple[Client, list[str]]:
    tenant = accounts.found_tenant(HOSTILE[:120], "hostile", at=clock.now())
    with scope.enter(tenant.id, ACTOR, "req_test"):
        owner = accounts.add(
            "o@example.org", Role.OWNER, at=clock.now(), name=HOSTILE[:120], password="p" * 14
        )
        accounts.add("m@example.org", Role.MEMBER, at=clock.now(), name=HOSTILE[:120])
    with acting(owner):
        own = _talk(subjects.of_member(owner.id, at=clock.now()))
        other = _talk(subjects.ensure(HOSTILE[:200], at=clock.now(), display_name=HOSTILE))
        fact = other.subject.facts.order_by("created_at").first()
        keys.issue(HOSTILE[:80], ["memory:read"], at=clock.now())
        opened = requests.open_request(other.subject, identity=Identity.ATTESTED, at=clock.now())
        requests.preview(opened, at=clock.now())
    return signed_in(owner), [
        "/facts/?view=all", f"/facts/?q={MARK}%3Cscript%3E", f"/facts/{fact.public_id}", "/threads/",
        f"/threads/{other.public_id}", f"/threads/{other.public_id}?tab=summaries", "/chat/",
        f"/chat/{own.public_id}", "/me/memory", "/jobs/", "/privacy/", f"/privacy/{opened.public_id}",
        "/audit/?q=%3Cscript%3Ezzmark", "/keys/", "/members/",
    ]  # fmt: skip


def _talk(subject: Subject) -> Thread:
    """A conversation in which everything that can be written is hostile."""
    at = clock.now()
    thread, _ = threads.open_thread(subject, at=at, title=HOSTILE)
    posted = conversation.post_message(thread, MARKDOWN, at=at)
    Turn.objects.filter(id=posted.answer.id).update(status=TurnStatus.COMPLETE, content=MARKDOWN)
    new = NewFact(HOSTILE, source_turn=posted.question.id, quote=HOSTILE)
    fact = facts.remember(subject, new, origin=Origin.SAID, human=True, at=at)
    facts.correct(fact, Correction(f"{HOSTILE} corrected", HOSTILE), facts.OPERATOR, at=at)
    RecalledFact(turn=posted.answer, fact=fact, subject=subject, rank=1, score=0.5).save()
    Summary(
        thread=thread,
        subject=subject,
        version=1,
        content=HOSTILE,
        through_seq=1,
        turn_ids=[],
        model=HOSTILE[:120],
    ).save()
    Job(
        kind=JobKind.LEARN, thread=thread, subject=subject, status=JobStatus.PARKED, attempts=5, error=HOSTILE[:300]
    ).save()  # fmt: skip
    return threads.get(thread.id)


def test_the_hostile_words_are_on_the_pages(pages: Mapping[str, str]) -> None:
    assert [address for address, html in pages.items() if MARK not in html] == []


def test_nothing_that_was_written_becomes_an_element(pages: Mapping[str, str]) -> None:
    for address, html in pages.items():
        tags = Tags(html)
        assert all(script.get("src", "").startswith("/static/") for script in tags.named("script")), address
        assert tags.named("img") == [], address
        assert not [attrs for tag, attrs in tags.elements if tag == "svg" and "onload" in attrs], address
        assert not [tag for tag, _ in tags.elements if tag.startswith("c-")], address


def test_no_element_carries_a_handler_or_a_style(pages: Mapping[str, str]) -> None:
    for address, html in pages.items():
        for tag, attrs in Tags(html).elements:
            assert not [name for name in attrs if name.startswith("on") or name == "style"], (
                address,
                tag,
                attrs,
            )


def test_links_and_forms_lead_to_ourselves_or_to_plain_addresses(pages: Mapping[str, str]) -> None:
    for address, html in pages.items():
        for tag, attrs in Tags(html).elements:
            for name in ("href", "src", "action", "hx-get", "hx-post", "formaction"):
                target = attrs.get(name, "/").strip().lower()
                assert target.startswith(("/", "#", "?", "https://fine.example/")), (address, tag, target)


def test_a_link_in_an_answer_tells_the_other_site_nothing(pages: Mapping[str, str]) -> None:
    links = [
        attrs
        for html in pages.values()
        for attrs in Tags(html).named("a")
        if attrs.get("href", "").startswith("https://fine.example")
    ]
    assert links
    assert all(attrs["rel"] == "noopener noreferrer nofollow" for attrs in links)


def test_nothing_that_was_written_is_run_as_a_template(pages: Mapping[str, str]) -> None:
    whole = [html for html in pages.values() if "{{ 7|add:7 }}" in html]
    assert len(whole) > 8


def test_the_content_policy_refuses_what_escaping_might_miss(pages: Mapping[str, str]) -> None:
    policy = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    assert policy["default-src"] == ["'none'"]
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*"} & {
        word for words in policy.values() for word in words
    }
