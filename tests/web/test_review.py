"""The review queue: what waits and why, one decision after the other."""

from collections.abc import Callable, Mapping
from datetime import timedelta

import pytest
from django.test import Client

from memoryhub import clock, ids
from memoryhub.audit import trail
from memoryhub.memory import facts, subjects, threads
from memoryhub.memory.facts import Correction
from memoryhub.memory.kinds import FactStatus, Verification
from memoryhub.memory.models import Fact, Subject
from memoryhub.tenants.models import Membership, Tenant
from memoryhub.tenants.permissions import Role
from memoryhub.web import reasons
from tests.conftest import add_member
from tests.web.conftest import acting, know

Members = Mapping[Role, Membership]


@pytest.fixture
def operator(as_role: Callable[[Role], Client]) -> Client:
    return as_role(Role.OPERATOR)


def hold(fact: Fact, reason: str) -> Fact:
    """The fact, held for a reason; the caller has entered the scope."""
    Fact.objects.filter(id=fact.id).update(status=FactStatus.HELD, held_because=reason)
    return facts.get(fact.id)


@pytest.fixture
def held(members: Members, mira: Subject) -> list[Fact]:
    """Three facts that wait, the first one longest."""
    with acting(members[Role.OPERATOR]):
        thread, _ = threads.open_thread(mira, at=clock.now(), title="Breakfast")
        turn = threads.append_turn(thread, threads.NewTurn("user", "Maybe I like tea."), at=clock.now())
        tea = know(mira, "Likes tea", source_turn=turn.id, quote="I like tea")
        return [
            hold(tea, "doubtful"),
            hold(know(mira, "Her sister is a vet", kind="profile"), "about_somebody_else"),
            hold(know(mira, "Likes rain"), "doubtful"),
        ]


def _now(fact: Fact, members: Members) -> Fact:
    with acting(members[Role.OPERATOR]):
        return facts.get(fact.id)


def test_the_longest_waiting_comes_first_with_its_words_and_the_reason(
    operator: Client, held: list[Fact]
) -> None:
    page = operator.get("/review/")
    context = page.context
    assert (context["item"].statement, context["place"], context["total"]) == ("Likes tea", 1, 3)
    assert [(tab.label, tab.count, tab.current) for tab in context["tabs"]] == [
        ("All held", 3, True),
        ("Doubtful", 2, False),
        ("About somebody else", 1, False),
        ("Not confirmed for long", 0, False),
    ]
    assert [waiting.statement for waiting in context["following"]] == ["Her sister is a vet", "Likes rain"]
    html = page.content.decode()
    assert "<mark>I like tea</mark>" in html
    assert "It was found, but not plainly said." in html
    assert [item.count for item in context["nav"] if item.label == "Review"] == [3]


def test_a_tab_narrows_the_queue_and_skipping_goes_round(operator: Client, held: list[Fact]) -> None:
    first = operator.get("/review/?reason=doubtful")
    assert first.context["total"] == 2
    second = operator.get(first.context["skip_url"])
    assert (second.context["item"].statement, second.context["place"]) == ("Likes rain", 2)
    assert operator.get(second.context["skip_url"]).context["item"].statement == "Likes tea"


def test_a_picked_fact_is_shown_and_one_that_waits_no_more_leads_to_the_queue(
    operator: Client, held: list[Fact], members: Members
) -> None:
    page = operator.get(f"/review/?fact={held[2].public_id}", follow=True)
    assert (page.context["item"].statement, page.context["place"]) == ("Likes rain", 3)
    with acting(members[Role.OPERATOR]):
        facts.archive(held[2], at=clock.now())
    page = operator.get(f"/review/{held[2].public_id}", follow=True)
    assert page.context["item"].statement == "Likes tea"


@pytest.mark.parametrize(
    ("act", "status", "said"),
    [("confirm", FactStatus.ACTIVE, "Confirmed"), ("archive", FactStatus.ARCHIVED, "Archived")],
)
def test_an_act_is_done_said_audited_and_followed_by_the_next(
    operator: Client, held: list[Fact], members: Members, act: str, status: str, said: str
) -> None:
    etag = operator.get("/review/").context["item"].etag
    answer = operator.post(f"/review/{held[0].public_id}/{act}?reason=doubtful", {"etag": etag}, follow=True)
    assert answer.context["item"].statement == "Likes rain"
    assert (answer.context["place"], answer.context["total"]) == (1, 1)
    html = answer.content.decode()
    assert f"{said}: “Likes tea”" in html
    assert "/restore" not in html, "to undo would put in use what never was"
    assert _now(held[0], members).status == status
    with acting(members[Role.OPERATOR]):
        event = trail.history_of(held[0].id)[0]
    assert event.actor_id == str(members[Role.OPERATOR].user_id)


def test_a_correction_makes_the_fact_active_in_other_words(
    operator: Client, held: list[Fact], members: Members
) -> None:
    form = {"statement": "Likes green tea", "reason": "asked", "etag": held[0].etag}
    answer = operator.post(f"/review/{held[0].public_id}/correct", form, follow=True)
    assert answer.context["item"].statement == "Her sister is a vet"
    fact = _now(held[0], members)
    assert (fact.statement, fact.status, fact.verification) == (
        "Likes green tea",
        FactStatus.ACTIVE,
        Verification.VERIFIED,
    )


def test_a_decision_on_an_older_version_is_not_taken(
    operator: Client, held: list[Fact], members: Members
) -> None:
    etag = held[0].etag
    with acting(members[Role.OWNER]):
        facts.correct(held[0], Correction("Likes oolong", "asked"), facts.OPERATOR, at=clock.now())
    answer = operator.post(f"/review/{held[0].public_id}/archive", {"etag": etag}, follow=True)
    assert "changed since you read it" in answer.content.decode()
    assert _now(held[0], members).status == FactStatus.ACTIVE
    form = {"statement": "Likes green tea", "reason": "asked", "etag": etag}
    answer = operator.post(f"/review/{held[0].public_id}/correct", form)
    assert (answer.status_code, answer.context["open_dialog"]) == (409, "correct-fact")
    assert answer.context["correct_form"]["statement"].value() == "Likes green tea", "nothing typed is lost"


def test_forms_that_are_no_good_come_back(operator: Client, held: list[Fact], members: Members) -> None:
    address = f"/review/{held[0].public_id}"
    answer = operator.post(f"{address}/correct", {"statement": "", "reason": ""})
    assert (answer.status_code, answer.context["open_dialog"]) == (422, "correct-fact")
    answer = operator.post(f"{address}/purge", {"reason": "wrong", "typed": "no"})
    assert (answer.status_code, answer.context["open_dialog"]) == (422, "purge-fact")
    assert _now(held[0], members).status == FactStatus.HELD


def test_a_purge_takes_it_away_for_good(operator: Client, held: list[Fact]) -> None:
    form = {"reason": "wrong", "typed": "purge"}
    answer = operator.post(f"/review/{held[0].public_id}/purge", form, follow=True)
    assert answer.context["item"].statement == "Her sister is a vet"
    assert "Likes tea" not in answer.content.decode()
    assert operator.get(f"/facts/{held[0].public_id}").status_code == 404


def test_what_it_competes_with_stands_beside_it(operator: Client, mira: Subject, members: Members) -> None:
    with acting(members[Role.OPERATOR]):
        old = know(mira, "Lives in Hamburg", kind="profile", attribute="city", value="Hamburg")
        facts.reverify(old, facts.OPERATOR, at=clock.now())
        new = know(mira, "Lives in Leipzig", kind="profile", attribute="city", value="Leipzig")
        know(mira, "Works in Hamburg", kind="profile")
    assert (new.status, new.held_because) == (FactStatus.HELD, "against_human")
    context = operator.get("/review/").context
    assert [other.statement for other in context["beside"]] == ["Lives in Hamburg"]
    operator.post(f"/review/{new.public_id}/confirm", {"etag": new.etag})
    assert _now(old, members).status == FactStatus.SUPERSEDED
    assert operator.get("/review/").context["item"] is None


def test_both_halves_of_a_conflict_see_each_other(operator: Client, mira: Subject, members: Members) -> None:
    with acting(members[Role.OPERATOR]):
        pair = ["Is on the free plan", "Is not on the free plan"]
        for statement in pair:
            hold(know(mira, statement, kind="profile"), "conflict")
        hold(know(mira, "Owns a boat", kind="profile"), "doubtful")
    first = operator.get("/review/?reason=conflict")
    second = operator.get(first.context["skip_url"])
    shown = [
        (page.context["item"].statement, [o.statement for o in page.context["beside"]])
        for page in (first, second)
    ]
    assert shown == [(pair[0], [pair[1]]), (pair[1], [pair[0]])]


def test_a_stale_fact_is_asked_about_until_it_is_confirmed(
    operator: Client, mira: Subject, members: Members
) -> None:
    with acting(members[Role.OPERATOR]):
        fact = know(mira, "Works at Acme", kind="profile", observed_at=clock.now() - timedelta(days=430))
    page = operator.get("/review/?reason=stale")
    assert page.context["item"].statement == "Works at Acme"
    sentence = (
        "Nobody has said or confirmed it for 14 months; a fact of kind profile counts as fresh for 365 days."
    )
    assert page.context["why"].sentence == sentence
    assert operator.get("/review/").context["item"] is None
    answer = operator.post(f"/review/{fact.public_id}/confirm?reason=stale", {"etag": fact.etag}, follow=True)
    assert answer.context["item"] is None
    assert "None for this reason" in answer.content.decode()


def test_who_may_only_read_sees_no_button(as_role: Callable[[Role], Client], held: list[Fact]) -> None:
    html = as_role(Role.VIEWER).get("/review/").content.decode()
    assert "Your role may look, not decide." in html
    assert 'data-key="1"' not in html
    html = as_role(Role.PRIVACY_OFFICER).get("/review/").content.decode()
    assert ('data-key="1"' in html, 'data-key="4"' in html) == (False, True)


@pytest.mark.parametrize("role", [Role.VIEWER, Role.PRIVACY_OFFICER, Role.AUDITOR, Role.MEMBER])
def test_who_may_not_curate_decides_nothing(
    as_role: Callable[[Role], Client], held: list[Fact], members: Members, role: Role
) -> None:
    for act in ("confirm", "archive", "correct"):
        assert as_role(role).post(f"/review/{held[0].public_id}/{act}", {}).status_code == 403
    assert _now(held[0], members).status == FactStatus.HELD


def test_a_foreign_fact_can_not_be_picked(operator: Client, other_tenant: Tenant) -> None:
    stranger = add_member(other_tenant, "stranger@example.org", Role.OWNER)
    with acting(stranger):
        theirs = hold(know(subjects.ensure("x", at=clock.now()), "Likes rum"), "doubtful")
    for fact_id in (theirs.public_id, ids.public("fact", ids.new()), "nonsense"):
        assert operator.get(f"/review/?fact={fact_id}").status_code == 404
        assert operator.get(f"/review/{fact_id}").status_code == 404
    assert operator.get("/review/").context["item"] is None


def test_every_reason_that_the_core_gives_has_words() -> None:
    assert all(reason.label and reason.sentence.endswith(".") for reason in reasons.HELD.values())
    assert reasons.of("of-tomorrow").sentence
