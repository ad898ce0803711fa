"""Lists: the address is the state, and a row's page knows its neighbours in the list it was opened from."""

import re
from collections.abc import Callable, Mapping

import pytest
from django.test import Client, RequestFactory

from memoryhub import clock
from memoryhub.audit import trail
from memoryhub.memory import facts, subjects, threads
from memoryhub.memory.kinds import FactStatus, JobKind, JobStatus
from memoryhub.memory.models import Fact, Job, Subject
from memoryhub.tenants.models import Membership
from memoryhub.tenants.permissions import Role
from memoryhub.web import lists
from tests.web.conftest import acting, know


@pytest.fixture
def known(members: Mapping[Role, Membership], mira: Subject) -> list[Fact]:
    """Six facts, oldest first: teas and coffees in turn."""
    with acting(members[Role.OPERATOR]):
        return [know(mira, f"Prefers {what} {n}") for n in range(3) for what in ("tea", "coffee")]


def _shown(browser: Client, address: str) -> list[str]:
    answer = browser.get(address)
    assert answer.status_code == 200
    return [fact.statement for fact in answer.context["facts"]]


def test_words_and_pairs_narrow_the_list(
    owner: Client, known: list[Fact], members: Mapping[Role, Membership]
) -> None:
    with acting(members[Role.OPERATOR]):
        know(
            subjects.ensure("ivo", at=clock.now(), display_name="Ivo Petrov"), "Prefers tea too", kind="event"
        )
        facts.archive(known[0], at=clock.now())
    assert _shown(owner, "/facts/?q=tea") == ["Prefers tea too", "Prefers tea 2", "Prefers tea 1"]
    assert _shown(owner, "/facts/?q=tea+subject:mira") == ["Prefers tea 2", "Prefers tea 1"]
    assert _shown(owner, '/facts/?q=subject:"Ivo+Petrov"') == ["Prefers tea too"]
    assert _shown(owner, "/facts/?q=kind:event") == ["Prefers tea too"]
    assert _shown(owner, "/facts/?kind=event") == ["Prefers tea too"]
    assert _shown(owner, "/facts/?q=status:archived") == ["Prefers tea 0"]
    assert _shown(owner, "/facts/?view=all&status=archived") == ["Prefers tea 0"]
    assert _shown(owner, "/facts/?q=trust:verified") == []


def test_a_filter_whose_value_is_gone_falls_back_to_all(owner: Client, known: list[Fact]) -> None:
    assert len(_shown(owner, "/facts/?kind=no-such-kind&view=no-such-view")) == len(known)


def test_switching_the_view_keeps_the_filters(owner: Client, known: list[Fact]) -> None:
    tabs = owner.get("/facts/?q=tea&kind=preference").context["tabs"]
    assert [tab.label for tab in tabs] == ["In use", "To review", "All"]
    for tab in tabs:
        assert "q=tea" in tab.url
        assert "kind=preference" in tab.url


def test_the_neighbours_are_those_of_the_filtered_list(owner: Client, known: list[Fact]) -> None:
    listed = owner.get("/facts/?q=tea").context["facts"]
    page = owner.get(listed[1].url)
    siblings = page.context["siblings"]
    assert siblings.list_url == "/facts/?q=tea"
    assert siblings.previous_url == listed[0].url
    assert siblings.next_url == listed[2].url
    assert owner.get(listed[0].url).context["siblings"].previous_url == ""
    assert owner.get(listed[2].url).context["siblings"].next_url == ""


def test_an_act_on_a_row_stays_in_its_list(owner: Client, known: list[Fact]) -> None:
    listed = owner.get("/facts/?q=tea").context["facts"]
    answer = owner.post(f"/facts/{listed[1].public_id}/archive?q=tea")
    assert answer["Location"] == listed[1].url
    siblings = owner.get(listed[1].url).context["siblings"]
    assert (siblings.previous_url, siblings.next_url) == (listed[0].url, listed[2].url)
    answer = owner.post(f"/facts/{listed[1].public_id}/purge?q=tea", {"reason": "wrong", "typed": "purge"})
    assert answer["Location"] == "/facts/?q=tea"


def test_every_row_is_on_exactly_one_page(
    owner: Client, members: Mapping[Role, Membership], mira: Subject
) -> None:
    with acting(members[Role.OPERATOR]):
        wanted = [know(mira, f"Fact number {n}").statement for n in range(120)]
    seen: list[str] = []
    address = "/facts/?q=number"
    while address:
        page = owner.get(address)
        seen += [fact.statement for fact in page.context["facts"]]
        older = page.context["page"].older_url
        address = f"/facts/{older}" if older else ""
    assert sorted(seen) == sorted(wanted)
    back = owner.get(f"/facts/{page.context['page'].newer_url}")
    assert [fact.statement for fact in back.context["facts"]] == seen[50:100]
    assert "q=number" in back.context["page"].newer_url


def test_held_facts_are_counted_where_they_wait(
    owner: Client, known: list[Fact], members: Mapping[Role, Membership]
) -> None:
    with acting(members[Role.OPERATOR]):
        Fact.objects.filter(id=known[0].id).update(status=FactStatus.HELD, held_because="doubtful")
    page = owner.get("/facts/?view=review")
    assert [tab.count for tab in page.context["tabs"]] == [None, 1, None]
    detail = owner.get(page.context["facts"][0].url).content.decode()
    assert "Held for review" in detail


def test_threads_are_found_by_title_and_by_subject(
    owner: Client, members: Mapping[Role, Membership], mira: Subject
) -> None:
    with acting(members[Role.OPERATOR]):
        for title in ("About tea", "About coffee"):
            threads.open_thread(mira, at=clock.now(), title=title)

    def found(query: str) -> list[str]:
        return [row.title for row in owner.get(f"/threads/?q={query}").context["threads"]]

    assert found("tea") == ["About tea"]
    assert found("subject:okonkwo+coffee") == ["About coffee"]
    assert found("subject:nobody") == []


Found = Callable[[str], list[str]]


@pytest.fixture
def audited(owner: Client) -> Found:
    """The actions that a search of the trail shows."""
    return lambda query: [event.action for event in owner.get(f"/audit/?q={query}").context["events"]]


def test_the_trail_is_searched_by_what_an_entry_holds(
    audited: Found, known: list[Fact], members: Mapping[Role, Membership], owner: Client
) -> None:
    with acting(members[Role.PRIVACY_OFFICER]):
        facts.archive(known[0], at=clock.now())
        request_id = trail.history_of(known[0].id)[-1].request_id
    assert audited("fact.archive") == ["fact.archive"]
    assert audited("action:fact.archive") == ["fact.archive"]
    assert audited(known[0].public_id) == ["fact.archive", "fact.add"]
    assert audited(f"target:{known[0].public_id}+action:fact.add") == ["fact.add"]
    assert "fact.archive" in audited(f"request:{request_id}")
    assert audited("actor:privacy_officer@example.org") == ["fact.archive"]
    assert set(audited("subject:mira")) == {"fact.archive", "fact.add", "subject.create"}
    assert audited("actor:nobody") == audited("subject:nobody") == audited("some+words") == []
    answer = owner.get("/audit/?action=fact.archive")
    assert [event.action for event in answer.context["events"]] == ["fact.archive"]


def test_the_trail_shows_a_subject_by_a_pseudonym_only(owner: Client, known: list[Fact]) -> None:
    html = owner.get("/audit/").content.decode()
    assert "Okonkwo" not in html
    assert "Prefers tea" not in html
    event = next(e for e in owner.get("/audit/").context["events"] if e.subject_ref)
    assert {e.subject_ref for e in owner.get(event.subject_url).context["events"]} == {event.subject_ref}


@pytest.mark.parametrize(
    ("query", "given", "words"),
    [
        ("subject:mira tea", {"subject": "mira"}, "tea"),
        ('subject:"Mira K" tea  green', {"subject": "Mira K"}, "tea green"),
        ("other:x tea", {}, "other:x tea"),
        ("subject:a subject:b", {"subject": "b"}, ""),
        ("subject: tea", {}, "subject: tea"),
        ('subject:"" tea', {}, 'subject:"" tea'),
        ("https://example.org/", {}, "https://example.org/"),
    ],
)
def test_the_search_box_is_read_as_pairs_and_words(query: str, given: dict[str, str], words: str) -> None:
    asked = lists.asked(query, ("subject",))
    assert (dict(asked.given), asked.words) == (given, words)


@pytest.mark.parametrize("value", ["mira", "Mira K", "a&b=c#d", "ü"])
def test_a_link_to_a_search_finds_that_value(value: str) -> None:
    address = lists.searching("facts:list", "subject", value)
    query = RequestFactory().get(address).GET["q"]
    assert lists.asked(query, ("subject",)).given == {"subject": value}


def test_the_command_beside_a_record_names_its_own_address(owner: Client, known: list[Fact]) -> None:
    page = owner.get(f"/facts/{known[0].public_id}")
    assert page.context["curl"].startswith(f"curl http://testserver/api/v1/facts/{known[0].public_id} ")
    answer = owner.get(page.context["json_url"])
    assert re.match(r"application/json", answer["Content-Type"])
    assert answer.json()["statement"] == "Prefers tea 0"


def test_a_job_says_in_words_what_became_of_what_it_read(
    owner: Client, mira: Subject, members: Mapping[Role, Membership]
) -> None:
    counts = {
        "added": 2, "held": 1, "conflicts": 0, "dropped_quote_not_found": 2, "dropped_special_health": 1,
        "dropped_of_tomorrow": 1,
    }  # fmt: skip
    with acting(members[Role.OPERATOR]):
        thread, _ = threads.open_thread(mira, at=clock.now(), title="Hello")
        Job(
            kind=JobKind.LEARN, thread=thread, subject=mira, status=JobStatus.DONE, counts=counts
        ).save()  # fmt: skip
    assert owner.get("/jobs/").context["jobs"][0].outcome == (
        "2 added, 1 held for review, "
        "4 dropped (2 without their quote, 1 of tomorrow, 1 special category: health)"
    )
