"""What every page owes its reader, and what becomes of odd addresses."""

import pytest
from django.test import Client

from memoryhub.tenants.models import Membership
from tests.api.world import World
from tests.web.conftest import signed_in
from tests.web.pages import Tags, addresses, page_routes


@pytest.fixture(scope="module")
def browser(world: World) -> Client:
    return signed_in(Membership(tenant=world.tenant, user=world.owner))


def _html(browser: Client, address: str, status: int = 200) -> str:
    answer = browser.get(address, follow=True)
    assert answer.status_code == status, address
    return str(answer.content.decode())


def test_every_page_has_one_heading_a_title_and_no_raw_component(world: World, browser: Client) -> None:
    seen = 0
    for route, address in addresses(world):
        if route.pattern.endswith(".json"):
            continue
        # The first request in the list has no receipt yet.
        if "receipt" in route.pattern:
            address = address.replace(world.ids["request_id"][0], world.ids["request_id"][1])
        if route.pattern.startswith("me/requests"):
            continue
        html = _html(browser, address)
        tags = Tags(html)
        assert len(tags.named("h1")) == 1, address
        assert "<c-" not in html
        assert not html.split("<title>")[1].startswith(" "), address
        ids = [attrs["id"] for _, attrs in tags.elements if "id" in attrs]
        assert len(set(ids)) == len(ids), address
        seen += 1
    assert seen > 15


def test_every_control_has_a_name(world: World, browser: Client) -> None:
    for _, address in addresses(world):
        tags = Tags(browser.get(address).content.decode(errors="replace"))
        labelled = {attrs.get("for") for attrs in tags.named("label")}
        for tag, attrs in tags.elements:
            if tag in ("input", "textarea", "select") and attrs.get("type") not in (
                "hidden",
                "checkbox",
                "radio",
            ):
                assert attrs.get("aria-label") or attrs.get("id") in labelled, (address, attrs)


def test_a_page_can_be_asked_for_its_head(world: World, browser: Client) -> None:
    for _, address in addresses(world):
        answer = browser.head(address)
        assert answer.status_code < 400 or "receipt" in address
        assert answer.content == b""


def test_an_act_is_not_a_page(world: World, browser: Client) -> None:
    for route in page_routes():
        if "GET" in route.methods:
            continue
        address = route.address(**{name: world.ids[name][0] for name in route.parameters})
        answer = browser.get(address)
        assert answer.status_code == 405
        assert answer["Allow"] == "POST"
        assert "This address is not a page" in answer.content.decode()
        assert browser.put(address).status_code == 405


@pytest.mark.parametrize(
    "address",
    [
        "/nonsense",
        "/facts/nonsense",
        "/facts/fact_" + "0" * 32,
        "/threads/thr_x",
        "/privacy/preq_x",
        "/chat/thr_x",
    ],
)
def test_what_is_not_there_says_so_and_names_the_request(browser: Client, address: str) -> None:
    answer = browser.get(address, headers={"X-Request-Id": "req_told"})
    html = answer.content.decode()
    assert answer.status_code == 404
    assert "There is nothing here" in html
    assert "req_told" in html
    assert len(Tags(html).named("h1")) == 1


LISTS = ["/facts/", "/threads/", "/jobs/", "/privacy/", "/audit/", "/me/memory", "/keys/", "/members/"]
ODD = [
    "q=%00", "q=%FF%FE", "q=" + "a" * 5000, "q=%22unbalanced", "q=a+%26+%7C+%21", "q=ratio+%3E+1.001",
    "q=What%27s+Tom%27s+dog", "view=nonsense", "status=nonsense&kind=%00", "q=status:nonsense",
    "q=subject:%22Mira+K%22", "q=subject:", "before=&after=", "q=%F0%9F%92%A9+%ED%A0%80",
]  # fmt: skip


@pytest.mark.parametrize("address", LISTS)
def test_an_odd_query_is_no_error(browser: Client, address: str) -> None:
    assert {query: browser.get(f"{address}?{query}").status_code for query in ODD} == dict.fromkeys(ODD, 200)


@pytest.mark.parametrize("address", ["/facts/", "/threads/", "/jobs/", "/privacy/"])
def test_a_cursor_that_no_list_gave_out_is_refused_with_a_sentence(browser: Client, address: str) -> None:
    for cursor in ("nonsense", "%00", "W10", "eyJhIjoxfQ", "a" * 3000):
        answer = browser.get(f"{address}?after={cursor}")
        assert answer.status_code == 400
        html = answer.content.decode()
        assert "cursor is not one that this list gave out" in html
        assert "Nothing was changed" in html


def test_an_empty_tenant_is_told_how_to_begin(owner: Client) -> None:
    for address, words in {
        "/facts/": "Nothing is known yet",
        "/threads/": "No conversations yet",
        "/jobs/": "Nothing is waiting",
        "/privacy/": "No requests",
        "/keys/": "No keys yet",
        "/me/memory": "Nothing is remembered about you",
        "/chat/": "What is on your mind?",
    }.items():
        assert words in _html(owner, address)
    assert "curl -X POST http://testserver/api/v1/facts" in _html(owner, "/facts/")


def test_no_match_is_not_the_same_as_nothing_yet(browser: Client) -> None:
    for address in ("/facts/", "/threads/", "/privacy/", "/audit/", "/me/memory"):
        html = _html(browser, f"{address}?q=zzzzqqqq")
        assert "Nothing matches" in html, address
        assert 'type="search"' in html, "the search box stays"
