"""Every page, by day and by night, on a desk and on a phone: whole, quiet, and free of grave findings of axe."""

import re
from collections.abc import Mapping, Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.api.world import World, build
from tests.browser.site import Site, assert_sound

#: Addresses with the names of the ids in them; the last of a kind is the fullest.
PAGES = (
    "/chat/", "/chat/{thread_id}", "/me/memory", "/facts/", "/facts/?view=all&kind=preference", "/facts/?q=zzzz",
    "/facts/{fact_id}", "/threads/", "/threads/{thread_id}", "/threads/{thread_id}?tab=summaries", "/jobs/",
    "/privacy/?view=all", "/privacy/new", "/privacy/{request_id}", "/privacy/{completed}", "/privacy/{completed}/receipt",
    "/privacy/{failed}", "/audit/", "/keys/", "/members/", "/developers", "/developers/errors", "/developers/api",
    "/review/", "/policy/", "/subjects/{subject_id}", "/subjects/{subject_id}/instructions",
    "/styleguide", "/accounts/password/change/", "/accounts/2fa/", "/accounts/logout/",
)  # fmt: skip
REFUSALS = ("/nonsense", "/facts/fact_0", "/facts/?after=nonsense", "/chat/undo/fact_0")


@pytest.fixture
def world(site: Site) -> World:
    """A tenant with something of everything."""
    return build(site.tenant.slug + "-world")


def _ids(world: World) -> Mapping[str, str]:
    first = {name: ids[0] for name, ids in world.ids.items()}
    return {**first, "completed": world.ids["request_id"][1], "failed": world.ids["request_id"][2]}


def _look(page: Page, addresses: Sequence[str]) -> None:
    """By day and by night."""
    for address in addresses:
        page.emulate_media(color_scheme="light")
        page.goto(address)
        if address == "/developers/api":
            page.locator(".opblock").first.wait_for()
        assert_sound(page)
        page.emulate_media(color_scheme="dark")
        assert_sound(page)


def test_every_page_is_sound(site: Site, world: World) -> None:
    page = site.signed_in(world.owner)
    _look(page, [address.format(**_ids(world)) for address in PAGES])


def test_every_page_fits_the_smallest_screen(site: Site, world: World) -> None:
    page = site.signed_in(world.owner, viewport={"width": 320, "height": 640}, color_scheme="dark")
    for address in PAGES:
        page.goto(address.format(**_ids(world)))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{address} is too wide"
    _look(page, [PAGES[1].format(**_ids(world)), PAGES[6].format(**_ids(world))])


def test_refusals_are_pages_too(site: Site, world: World) -> None:
    site.refusals = True
    page = site.signed_in(world.owner)
    _look(page, REFUSALS)
    stranger = site.stranger()
    _look(stranger, ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/nonsense"])


def test_dialogs_and_menus_are_sound(site: Site, world: World) -> None:
    page = site.signed_in(world.owner)
    ids = _ids(world)
    for address, button in {
        f"/facts/{ids['fact_id']}": "Correct",
        f"/facts/{world.ids['fact_id'][-1]}": "Purge fact",
        "/keys/": "New key",
        "/members/": "Add member",
        "/me/memory": "Add",
        "/facts/": "Status",
    }.items():
        page.goto(address)
        page.get_by_role("button", name=button, exact=True).first.click()
        page.locator("dialog[open], [popover]:popover-open").first.wait_for()
        assert_sound(page)
    page.goto("/privacy/?view=all")
    page.locator(".account").click()
    assert_sound(page)
    page.get_by_role("button", name="Keyboard shortcuts").click()
    assert_sound(page)


def test_without_scripts_the_pages_can_still_be_read_and_forms_be_sent(site: Site, world: World) -> None:
    page = site.signed_in(world.owner, java_script_enabled=False)
    page.goto(f"/facts/{world.ids['fact_id'][0]}")
    page.get_by_role("button", name="Verify").click()
    expect(page.locator(".facts-line")).to_contain_text("verified")
    page.goto("/facts/")
    page.get_by_role("searchbox").fill("town")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("q=town"))


def test_the_theme_is_chosen_once_and_kept(site: Site, world: World) -> None:
    page = site.signed_in(world.owner, color_scheme="light")
    page.goto("/facts/")
    page.locator(".account").click()
    page.get_by_role("button", name="Dark").click()
    background = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(background) == "rgb(18, 19, 22)"
    page.goto("/audit/")
    assert page.evaluate(background) == "rgb(18, 19, 22)"
