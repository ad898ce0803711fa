"""An operator's day: correcting, purging, keys without a mouse, and finding the way back."""

import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from memoryhub import clock
from memoryhub.memory import subjects, threads
from memoryhub.memory.models import Fact
from memoryhub.tenants import scope
from memoryhub.tenants.permissions import Role
from tests.browser.site import Site
from tests.web.conftest import know


@pytest.fixture
def teas(site: Site) -> Sequence[Fact]:
    """Three teas and a coffee, with quotes, oldest first."""
    with scope.enter(site.tenant.id, scope.SYSTEM, "req_test"):
        mira = subjects.ensure("mira", at=clock.now(), display_name="Mira Okonkwo")
        thread, _ = threads.open_thread(mira, at=clock.now(), title="Breakfast")
        made = []
        for what in ("green tea", "black tea", "coffee", "white tea"):
            turn = threads.append_turn(
                thread, threads.NewTurn("user", f"I do prefer {what}."), at=clock.now()
            )
            made.append(know(mira, f"Prefers {what}", source_turn=turn.id, quote=f"I do prefer {what}"))
        return made


def _heading(page: Page, words: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(words)


def _correct(page: Page, statement: str, reason: str) -> None:
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("Statement").fill(statement)
    dialog.get_by_label("Reason").fill(reason)
    dialog.get_by_role("button", name="Correct").click()


def test_two_people_correct_the_same_fact(site: Site, teas: Sequence[Fact]) -> None:
    site.refusals = True
    first = site.signed_in(site.member(Role.OPERATOR, "Omar").user)
    second = site.signed_in(site.member(Role.OPERATOR, "Olga").user)
    for page in (first, second):
        page.goto(f"/facts/{teas[0].public_id}")
        page.get_by_role("button", name="Correct").first.click()
    _correct(first, "Prefers sencha", "Asked her")
    _heading(first, "Prefers sencha")
    expect(first.get_by_text("Corrected. The old version stays in the history.")).to_be_visible()

    _correct(second, "Prefers matcha", "Saw it on the form")
    dialog = second.locator("dialog[open]")
    expect(dialog).to_contain_text("Omar changed this meanwhile.")
    expect(dialog).to_contain_text("Prefers sencha")
    expect(dialog.get_by_label("Statement")).to_have_value("Prefers matcha")
    dialog.get_by_role("button", name="Correct").click()
    _heading(second, "Prefers matcha")
    history = second.locator(".timeline")
    expect(history).to_contain_text("Corrected to version 3 by Olga")
    expect(history).to_contain_text("Corrected to version 2 by Omar")
    expect(history.locator("del").first).to_have_text("sencha")
    expect(history.locator("ins").first).to_have_text("matcha")


def test_a_purge_is_typed_and_leaves_a_blot(site: Site, teas: Sequence[Fact]) -> None:
    site.refusals = True
    page = site.at(Role.OPERATOR)
    page.goto("/facts/?q=black")
    page.get_by_role("link", name="Prefers black tea").click()
    turn = page.get_by_role("link", name="see in the conversation").get_attribute("href")
    page.get_by_role("button", name="Purge fact").first.click()
    final = page.locator("dialog").get_by_role("button", name="Purge fact")
    expect(final).to_be_disabled()
    page.get_by_label("Type purge to confirm").fill("purg")
    expect(final).to_be_disabled()
    page.get_by_label("Type purge to confirm").fill("purge")
    page.locator("dialog[open]").get_by_label("Reason").select_option("It should never have been stored")
    final.click()
    expect(page).to_have_url(re.compile(r"/facts/\?q=black$"))
    expect(page.get_by_text("Nothing matches")).to_be_visible()
    expect(page.get_by_text("It will not be learned again")).to_be_visible()
    page.goto(turn or "")
    expect(page.locator(".turn").nth(1)).to_contain_text("█████")
    assert "black tea" not in page.content()
    assert (page.goto(f"/facts/{teas[1].public_id}") or page).status == 404  # type: ignore[union-attr]


def test_the_list_is_walked_by_keys(site: Site, teas: Sequence[Fact]) -> None:
    page = site.at(Role.OPERATOR)
    page.goto("/chat/")
    page.get_by_label("Message").press_sequentially("gf?/jk")
    assert page.get_by_label("Message").input_value() == "gf?/jk", "letters in a field are letters"
    page.locator("h1").click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("g")
    page.keyboard.press("f")
    _heading(page, "Facts")
    page.keyboard.press("/")
    page.keyboard.type("tea")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("q=tea"))
    expect(page.locator("tbody tr")).to_have_count(3)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    _heading(page, "Prefers black tea")
    page.keyboard.press("j")
    _heading(page, "Prefers green tea")
    page.keyboard.press("k")
    _heading(page, "Prefers black tea")
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keyboard shortcuts")).to_be_visible()
    page.get_by_label("Turn single-key shortcuts off").check()
    page.keyboard.press("Escape")
    before = page.url
    page.keyboard.press("j")
    page.wait_for_timeout(200)
    assert page.url == before


def test_archiving_can_be_undone_where_it_is_said(site: Site, teas: Sequence[Fact]) -> None:
    page = site.at(Role.OPERATOR)
    page.goto(f"/facts/{teas[0].public_id}?q=tea")
    page.keyboard.press("a")
    toast = page.locator(".toast")
    expect(toast).to_contain_text("Archived: it is no longer recalled.")
    toast.get_by_role("button", name="Undo").click()
    expect(page.locator(".facts-line")).to_contain_text("active")
    page.get_by_role("link", name="Facts").last.click()
    expect(page).to_have_url(re.compile(r"/facts/\?q=tea$"))


def test_a_record_is_copied_as_a_command_and_read_as_json(site: Site, teas: Sequence[Fact]) -> None:
    page = site.at(Role.OPERATOR)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/facts/{teas[0].public_id}")
    page.get_by_role("button", name="Copy as curl").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"curl {site.product.base}/api/v1/facts/{teas[0].public_id}")
    page.get_by_role("link", name="View JSON").click()
    assert '"statement":"Prefers green tea"' in page.content().replace('": "', '":"')


def test_filters_stay_in_the_address(site: Site, teas: Sequence[Fact]) -> None:
    page = site.at(Role.OPERATOR)
    page.goto("/facts/")
    page.get_by_role("button", name="Kind").click()
    page.get_by_role("link", name="preference").click()
    expect(page).to_have_url(re.compile("kind=preference"))
    page.get_by_role("searchbox").fill("tea")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("q=tea.*kind=preference|kind=preference.*q=tea"))
    page.get_by_role("link", name="All", exact=True).click()
    expect(page.locator("tbody tr")).to_have_count(3)
    page.reload()
    expect(page.locator("tbody tr")).to_have_count(3)
    page.get_by_role("link", name="Prefers white tea").click()
    page.go_back()
    expect(page.locator("tbody tr")).to_have_count(3)
    page.get_by_role("link", name="Remove filter Kind preference").click()
    expect(page).not_to_have_url(re.compile("kind="))
    page.get_by_role("link", name="Clear").click()
    expect(page.locator("tbody tr")).to_have_count(4)
