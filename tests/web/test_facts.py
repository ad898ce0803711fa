"""A fact's page: why it is known, what became of it, and the auditor's verbs."""

import dataclasses
from collections.abc import Callable, Mapping
from datetime import timedelta

import pytest
from django.test import Client

from memoryhub import clock
from memoryhub.audit import trail
from memoryhub.memory import facts, threads
from memoryhub.memory.facts import Correction
from memoryhub.memory.kinds import FactStatus, Verification
from memoryhub.memory.models import Fact, Subject
from memoryhub.tenants.models import Membership
from memoryhub.tenants.permissions import Role
from tests.web.conftest import acting, know


@pytest.fixture
def operator(as_role: Callable[[Role], Client]) -> Client:
    return as_role(Role.OPERATOR)


@pytest.fixture
def tea(members: Mapping[Role, Membership], mira: Subject) -> Fact:
    """A fact with its quote."""
    with acting(members[Role.OPERATOR]):
        thread, _ = threads.open_thread(mira, at=clock.now(), title="Breakfast")
        said = threads.NewTurn("user", "By the way, I prefer tea in the morning, always.")
        turn = threads.append_turn(thread, said, at=clock.now())
        return know(
            mira, "Prefers tea in the morning", source_turn=turn.id, quote="I prefer tea in the morning"
        )


def _now(fact: Fact, members: Mapping[Role, Membership]) -> Fact:
    with acting(members[Role.OPERATOR]):
        return facts.get(fact.id)


def test_the_page_shows_the_quote_in_its_turn_and_leads_there(operator: Client, tea: Fact) -> None:
    page = operator.get(f"/facts/{tea.public_id}")
    quote = page.context["evidence"][0]
    assert (quote.before, quote.span, quote.after) == (
        "By the way, ",
        "I prefer tea in the morning",
        ", always.",
    )
    assert "<mark>I prefer tea in the morning</mark>" in page.content.decode()
    path, _, anchor = quote.url.partition("#")
    assert f'id="{anchor}"' in operator.get(path).content.decode()


def test_looking_changes_nothing(operator: Client, tea: Fact, members: Mapping[Role, Membership]) -> None:
    operator.get("/me/memory")
    with acting(members[Role.OPERATOR]):
        before = trail.head()
    for address in (f"/facts/{tea.public_id}", "/facts/", "/threads/", "/jobs/"):
        operator.get(address)
    with acting(members[Role.OPERATOR]):
        assert trail.head() == before


def test_a_correction_keeps_the_old_version_and_says_who_and_why(
    operator: Client, tea: Fact, members: Mapping[Role, Membership]
) -> None:
    page = operator.get(f"/facts/{tea.public_id}")
    etag = page.context["correct_form"].initial["etag"]
    form = {"statement": "Prefers green tea", "reason": "She said so on the phone", "etag": etag}
    assert operator.post(f"/facts/{tea.public_id}/correct", form).status_code == 302
    newest, oldest = operator.get(f"/facts/{tea.public_id}").context["history"]
    assert (newest.title, newest.before, newest.after) == (
        "Corrected to version 2",
        "Prefers tea in the morning",
        "Prefers green tea",
    )
    assert (newest.actor_label, newest.reason) == ("Operator", "She said so on the phone")
    assert oldest.title == "Recorded"


def test_who_decided_on_an_older_version_sees_the_other_change_first(
    operator: Client, owner: Client, tea: Fact, members: Mapping[Role, Membership]
) -> None:
    etag = operator.get(f"/facts/{tea.public_id}").context["correct_form"].initial["etag"]
    with acting(members[Role.OWNER]):
        facts.correct(tea, Correction("Prefers oolong", "asked"), facts.OPERATOR, at=clock.now())
    form = {"statement": "Prefers green tea", "reason": "phone", "etag": etag}
    answer = operator.post(f"/facts/{tea.public_id}/correct", form)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "Owner changed this meanwhile" in html
    assert "Prefers oolong" in html
    assert answer.context["open_dialog"] == "correct-fact"
    assert _now(tea, members).statement == "Prefers oolong"
    again = {**answer.context["correct_form"].initial}
    assert again["statement"] == "Prefers green tea", "what was typed is not lost"
    assert operator.post(f"/facts/{tea.public_id}/correct", again).status_code == 302
    assert _now(tea, members).statement == "Prefers green tea"


@pytest.mark.parametrize(("field", "value"), [("statement", " "), ("reason", ""), ("statement", "x" * 2001)])
def test_a_correction_that_is_no_good_comes_back_with_what_was_typed(
    operator: Client, tea: Fact, members: Mapping[Role, Membership], field: str, value: str
) -> None:
    form = {"statement": "Prefers green tea", "reason": "phone", field: value}
    answer = operator.post(f"/facts/{tea.public_id}/correct", form)
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.content.decode()
    assert answer.context["open_dialog"] == "correct-fact"
    assert _now(tea, members).version == 1


def test_a_correction_to_what_another_fact_says_comes_back_with_a_sentence(
    operator: Client, tea: Fact, mira: Subject, members: Mapping[Role, Membership]
) -> None:
    with acting(members[Role.OPERATOR]):
        know(mira, "Prefers green tea")
    answer = operator.post(
        f"/facts/{tea.public_id}/correct", {"statement": "Prefers green tea", "reason": "phone"}
    )
    assert answer.status_code == 409
    assert "Another fact already says this" in answer.content.decode()
    assert _now(tea, members).version == 1


def test_verify_archive_and_restore(operator: Client, tea: Fact, members: Mapping[Role, Membership]) -> None:
    operator.post(f"/facts/{tea.public_id}/verify")
    assert _now(tea, members).verification == Verification.VERIFIED
    answer = operator.post(f"/facts/{tea.public_id}/archive", follow=True)
    assert _now(tea, members).status == FactStatus.ARCHIVED
    html = answer.content.decode()
    assert f'action="/facts/{tea.public_id}/restore"' in html, "it can be undone where it is said"
    assert (answer.context["can"].archive, answer.context["can"].restore) == (False, True)
    operator.post(f"/facts/{tea.public_id}/restore")
    assert _now(tea, members).status == FactStatus.ACTIVE
    titles = [m.title for m in operator.get(f"/facts/{tea.public_id}").context["history"]]
    assert titles == ["Restored", "Archived", "Verified", "Recorded"]


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"reason": "wrong"},
        {"reason": "wrong", "typed": "Purge it"},
        {"reason": "no such", "typed": "purge"},
    ],
)
def test_a_purge_that_is_not_meant_is_refused(
    operator: Client, tea: Fact, members: Mapping[Role, Membership], form: dict[str, str]
) -> None:
    answer = operator.post(f"/facts/{tea.public_id}/purge", form)
    assert answer.status_code == 422
    assert answer.context["open_dialog"] == "purge-fact"
    assert _now(tea, members).statement == "Prefers tea in the morning"


def test_a_purge_leaves_no_word_on_any_page(
    operator: Client, owner: Client, tea: Fact, members: Mapping[Role, Membership]
) -> None:
    thread = operator.get("/threads/").context["threads"][0]
    form = {"reason": "sensitive", "typed": "purge"}
    assert operator.post(f"/facts/{tea.public_id}/purge", form)["Location"] == "/facts/"
    assert operator.get(f"/facts/{tea.public_id}").status_code == 404
    for address in ("/facts/?view=all", "/facts/?view=all&q=tea", thread.url, "/jobs/"):
        assert "tea in the morning" not in operator.get(address).content.decode()
    events = owner.get(f"/audit/?q={tea.public_id}").context["events"]
    assert (events[0].action, events[0].target_url) == ("fact.purge", "")


def test_a_role_without_the_verbs_is_not_shown_them(as_role: Callable[[Role], Client], tea: Fact) -> None:
    page = as_role(Role.VIEWER).get(f"/facts/{tea.public_id}")
    assert not any(dataclasses.astuple(page.context["can"]))
    html = page.content.decode()
    for verb in ("Verify", "Correct", "Archive", "Purge fact"):
        assert f">{verb}<" not in html


def test_a_fact_and_its_successor_lead_to_each_other(
    operator: Client, mira: Subject, members: Mapping[Role, Membership]
) -> None:
    with acting(members[Role.OPERATOR]):
        old = know(mira, "Lives in Hamburg", kind="profile", attribute="city", value="Hamburg")
        new = know(mira, "Lives in Leipzig", kind="profile", attribute="city", value="Leipzig")
    old_page, new_page = (operator.get(f"/facts/{fact.public_id}").context for fact in (old, new))
    assert old_page["fact"].replaced_by_url == f"/facts/{new.public_id}"
    assert new_page["fact"].replaces_url == f"/facts/{old.public_id}"
    assert [m.title for m in new_page["history"]] == ["Took the place of an older fact", "Recorded"]


def test_a_supersession_is_undone(
    operator: Client, mira: Subject, members: Mapping[Role, Membership]
) -> None:
    with acting(members[Role.OPERATOR]):
        old = know(mira, "Lives in Hamburg", kind="profile", attribute="city", value="Hamburg")
        new = know(mira, "Lives in Leipzig", kind="profile", attribute="city", value="Leipzig")
    page = operator.get(f"/facts/{new.public_id}")
    assert page.context["can"].undo
    assert "Lives in Hamburg" in page.content.decode()
    assert not operator.get(f"/facts/{old.public_id}").context["can"].undo
    operator.post(f"/facts/{new.public_id}/undo")
    assert (_now(old, members).status, _now(new, members).status) == (FactStatus.ACTIVE, FactStatus.ARCHIVED)
    answer = operator.post(f"/facts/{new.public_id}/undo", follow=True)
    assert "This needs a fact that is active or needs review" in answer.content.decode()


def test_a_held_fact_says_why_and_leads_to_the_review(
    operator: Client, tea: Fact, members: Mapping[Role, Membership]
) -> None:
    with acting(members[Role.OPERATOR]):
        Fact.objects.filter(id=tea.id).update(status=FactStatus.HELD, held_because="about_somebody_else")
    page = operator.get(f"/facts/{tea.public_id}")
    assert "about another person" in page.content.decode()
    assert page.context["fact"].review_url == f"/review/{tea.public_id}"
    assert operator.get(page.context["fact"].review_url).context["item"].public_id == tea.public_id


def test_a_stale_fact_says_for_how_long(
    operator: Client, mira: Subject, members: Mapping[Role, Membership]
) -> None:
    with acting(members[Role.OPERATOR]):
        long_ago = clock.now() - timedelta(days=430)
        fact = know(mira, "Works at Acme", kind="profile", observed_at=long_ago)
    page = operator.get(f"/facts/{fact.public_id}")
    assert page.context["fact"].stale == "not confirmed for 14 months"
    assert operator.get(page.context["fact"].review_url).context["item"].public_id == fact.public_id
    operator.post(f"/facts/{fact.public_id}/verify")
    assert operator.get(f"/facts/{fact.public_id}").context["fact"].stale == ""


#: Which roles may do what to a fact: written down here a second time, on purpose.
_VERBS = {
    "correct": {Role.OPERATOR, Role.OWNER},
    "verify": {Role.OPERATOR, Role.OWNER},
    "archive": {Role.OPERATOR, Role.OWNER},
    "restore": {Role.OPERATOR, Role.OWNER},
    "purge": {Role.OPERATOR, Role.PRIVACY_OFFICER, Role.OWNER},
}


@pytest.mark.parametrize("verb", _VERBS)
def test_a_verb_is_refused_to_every_other_role_and_changes_nothing(
    as_role: Callable[[Role], Client], tea: Fact, members: Mapping[Role, Membership], verb: str
) -> None:
    form = {"statement": "Prefers coffee", "reason": "wrong", "typed": "purge"}
    for role in set(Role) - _VERBS[verb]:
        assert as_role(role).post(f"/facts/{tea.public_id}/{verb}", form).status_code == 403
    assert _now(tea, members).etag == tea.etag
    for role in _VERBS[verb]:
        assert as_role(role).post(f"/facts/{tea.public_id}/{verb}", form).status_code != 403
