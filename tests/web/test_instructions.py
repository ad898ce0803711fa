"""Standing instructions in order: one's own, and anybody's for who curates."""

from collections.abc import Callable, Mapping

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memoryhub import clock, ids
from memoryhub.audit import trail
from memoryhub.memory import context, facts, instructions, subjects
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import Origin
from memoryhub.memory.models import Fact, Subject
from memoryhub.tenants.models import Membership, Tenant
from memoryhub.tenants.permissions import Role
from tests.conftest import add_member
from tests.web.conftest import acting, know

Members = Mapping[Role, Membership]


def _said(subject: Subject, *statements: str) -> list[Fact]:
    """Instructions in the subject's own words; the caller has entered the scope."""
    news = [NewFact(statement, kind="instruction") for statement in statements]
    return [facts.remember(subject, new, origin=Origin.SAID, human=True, at=clock.now()) for new in news]


@pytest.fixture
def browser(as_role: Callable[[Role], Client]) -> Client:
    return as_role(Role.MEMBER)


@pytest.fixture
def own(members: Members) -> list[Fact]:
    """The member's own three."""
    with acting(members[Role.MEMBER]):
        herself = subjects.of_member(members[Role.MEMBER].id, at=clock.now())
        return _said(herself, "Answer in German", "Be brief", "Call me Lena")


def _order(browser: Client) -> list[str]:
    group = browser.get("/me/memory").context["groups"][0]
    assert group.label == "Standing instructions"
    return [fact.statement for fact in group.facts]


def test_ones_own_are_shown_in_order_and_move_by_one_place(
    browser: Client, own: list[Fact], members: Members
) -> None:
    assert _order(browser) == ["Answer in German", "Be brief", "Call me Lena"]
    browser.post(f"/me/memory/{own[2].public_id}/move", {"to": "up"})
    assert _order(browser) == ["Answer in German", "Call me Lena", "Be brief"]
    browser.post(f"/me/memory/{own[0].public_id}/move", {"to": "down"})
    assert _order(browser) == ["Call me Lena", "Answer in German", "Be brief"]
    browser.post(f"/me/memory/{own[2].public_id}/move", {"to": "up"})
    assert _order(browser) == ["Call me Lena", "Answer in German", "Be brief"], "the first stays the first"
    with acting(members[Role.MEMBER]):
        assert trail.events(limit=1)[0].action == trail.Action.INSTRUCTIONS_ORDER


def test_a_page_that_shows_some_of_them_moves_none(browser: Client, own: list[Fact]) -> None:
    assert "/move" in browser.get("/me/memory").content.decode()
    assert "/move" not in browser.get("/me/memory?q=brief").content.decode()


@pytest.mark.parametrize("form", [{}, {"to": "top"}])
def test_a_move_to_nowhere_is_refused(browser: Client, own: list[Fact], form: dict[str, str]) -> None:
    answer = browser.post(f"/me/memory/{own[2].public_id}/move", form, follow=True)
    assert "Say up or down." in answer.content.decode()
    assert _order(browser)[2] == "Call me Lena"


def test_what_is_no_instruction_is_not_moved(browser: Client, members: Members) -> None:
    with acting(members[Role.MEMBER]):
        herself = subjects.of_member(members[Role.MEMBER].id, at=clock.now())
        tea = know(herself, "Likes tea")
    answer = browser.post(f"/me/memory/{tea.public_id}/move", {"to": "up"}, follow=True)
    assert "no standing instruction in force" in answer.content.decode()


def test_nobody_moves_another_persons_on_my_memory(owner: Client, own: list[Fact], browser: Client) -> None:
    assert owner.post(f"/me/memory/{own[2].public_id}/move", {"to": "up"}).status_code == 404
    assert _order(browser)[2] == "Call me Lena"


@pytest.fixture
def miras(members: Members, mira: Subject) -> list[Fact]:
    with acting(members[Role.OPERATOR]):
        return _said(mira, "Answer in Igbo", "Use metric units")


def test_operators_see_the_budget_and_order_them(
    as_role: Callable[[Role], Client], mira: Subject, miras: list[Fact], members: Members
) -> None:
    operator, address = as_role(Role.OPERATOR), f"/subjects/{mira.public_id}/instructions"
    shown = operator.get(address).context
    assert [item.statement for item in shown["instructions"]] == ["Answer in Igbo", "Use metric units"]
    assert (shown["used"], shown["budget"]) == (sum(i.tokens for i in shown["instructions"]), 600)
    form = {"fact": miras[1].public_id, "to": "up"}
    answer = operator.post(f"/subjects/{mira.public_id}/move", form)
    assert answer["Location"] == address
    with acting(members[Role.OPERATOR]):
        standing = [fact.statement for fact in instructions.in_force(mira.id, clock.now())]
    assert standing == ["Use metric units", "Answer in Igbo"]


def test_what_is_over_the_budget_says_so(owner: Client, mira: Subject, members: Members) -> None:
    with acting(members[Role.OPERATOR]):
        _said(mira, *(f"Rule number {number}: " + "never say so " * 60 for number in range(4)))
        thread = mira.threads.model(subject=mira)
        given = len(context.standing_instructions(thread, clock.now()))
    shown = owner.get(f"/subjects/{mira.public_id}/instructions").context
    assert [item.fits for item in shown["instructions"]].count(True) == given < 4
    assert shown["left_out"] == 4 - given
    assert shown["used"] <= shown["budget"]


def test_who_may_only_read_gets_no_buttons(
    as_role: Callable[[Role], Client], mira: Subject, miras: list[Fact]
) -> None:
    viewer, address = as_role(Role.VIEWER), f"/subjects/{mira.public_id}"
    assert "/move" not in viewer.get(f"{address}/instructions").content.decode()
    form = {"fact": miras[1].public_id, "to": "up"}
    assert viewer.post(f"{address}/move", form).status_code == 403
    assert as_role(Role.MEMBER).get(f"{address}/instructions").status_code == 403


def test_another_persons_fact_is_none_of_this_persons(
    owner: Client, mira: Subject, miras: list[Fact], own: list[Fact], other_tenant: Tenant
) -> None:
    stranger = add_member(other_tenant, "stranger@example.org", Role.OWNER)
    with acting(stranger):
        somebody = subjects.ensure("x", at=clock.now())
        theirs = _said(somebody, "Be loud")[0]
    for fact_id in (own[0].public_id, theirs.public_id, ids.public("fact", ids.new()), "x", ""):
        form = {"fact": fact_id, "to": "up"}
        assert owner.post(f"/subjects/{mira.public_id}/move", form).status_code == 404
    assert owner.get(f"/subjects/{somebody.public_id}/instructions").status_code == 404


def test_they_are_found_from_a_fact_and_from_the_list(
    owner: Client, mira: Subject, miras: list[Fact]
) -> None:
    link = f'href="/subjects/{mira.public_id}/instructions"'
    assert link in owner.get(f"/facts/{miras[0].public_id}").content.decode()
    assert link in owner.get("/facts/?q=subject:mira").content.decode()
    assert link not in owner.get("/facts/").content.decode()
    assert owner.get(f"/subjects/{mira.public_id}")["Location"] == "/facts/?q=subject%3Amira"


def test_more_instructions_cost_no_more_queries(owner: Client, mira: Subject, members: Members) -> None:
    counts = []
    for number in (2, 12):
        with acting(members[Role.OPERATOR]):
            _said(mira, *(f"Rule {number} {i}" for i in range(number)))
        with CaptureQueriesContext(connection) as captured:
            owner.get(f"/subjects/{mira.public_id}/instructions")
        counts.append(len(captured))
    assert counts[0] == counts[1]
