"""From "Erase me" to the receipt: the person, two officers and the auditor, each at their own browser."""

import base64
import json
import re

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from playwright.sync_api import Page, expect

from memoryhub.memory.models import Fact, Thread, Turn
from memoryhub.tenants import scope
from memoryhub.tenants.permissions import Role
from tests.browser.site import Site, assert_sound


def _talk(page: Page) -> None:
    page.goto("/chat/")
    page.get_by_label("Message").fill("I live in Leipzig. I prefer tea over coffee.")
    page.keyboard.press("Enter")
    expect(page.locator(".remembered-item").first).to_be_visible()


def _approve(page: Page, url: str, name: str) -> None:
    page.goto(url)
    page.get_by_role("button", name="Approve…").click()
    final = page.get_by_role("button", name="Approve erasure")
    expect(final).to_be_disabled()
    page.get_by_label("Type").fill(name)
    final.click()


def test_a_person_asks_two_people_act_and_a_receipt_proves_it(site: Site) -> None:
    lena = site.member(Role.MEMBER, "Lena")
    person = site.signed_in(lena.user)
    _talk(person)
    person.goto("/me/memory")
    person.get_by_role("button", name="Erase me…").click()
    expect(person.get_by_role("button", name="Ask for erasure")).to_be_disabled()
    person.get_by_label("Type").fill(lena.user.email)
    person.get_by_role("button", name="Ask for erasure").click()
    expect(person.get_by_text("It is answered by")).to_be_visible()
    expect(person.locator(".card", has_text="Your requests")).to_contain_text("received")

    petra = site.signed_in(site.member(Role.PRIVACY_OFFICER, "Petra").user)
    petra.goto("/privacy/")
    expect(petra.locator(".nav-link", has_text="Privacy requests").locator(".count")).to_have_text("1")
    petra.get_by_role("link", name="Lena").click()
    petra.get_by_role("button", name="Preview", exact=True).click()
    affected = petra.get_by_role("region", name="Preview")
    expect(affected).to_contain_text("Facts with their vectors")
    expect(affected).to_contain_text(re.compile("“(Lives in Leipzig|Prefers tea)"))
    assert_sound(petra)
    _approve(petra, petra.url, "Lena")
    expect(petra.locator(".facts-line")).to_contain_text("completed", timeout=20_000)  # without a reload
    expect(petra.get_by_text("nothing left")).to_be_visible()
    assert "Leipzig" not in petra.content()
    assert_sound(petra)

    petra.get_by_role("link", name="Receipt").click()
    expect(petra.get_by_text("Erased, counted again, nothing left.")).to_be_visible()
    assert_sound(petra)
    with petra.expect_download() as waiting:
        petra.get_by_role("link", name="Signed JSON").click()
    receipt = json.loads(waiting.value.path().read_text())
    assert receipt["body"]["rows_left"] == {}
    assert receipt["body"]["rows_erased"]["turns"] >= 2
    assert "Lena" not in json.dumps(receipt)
    _verify(receipt)

    person.goto("/")
    expect(person.get_by_role("heading", name="Your memory has been erased")).to_be_visible()
    assert_sound(person)
    person.get_by_role("link", name="Receipt").click()
    expect(person.get_by_text("Erased, counted again, nothing left.")).to_be_visible()
    with scope.enter(site.tenant.id, scope.SYSTEM, "req_test"):
        assert (Fact.objects.count(), Turn.objects.count(), Thread.objects.count()) == (0, 0, 0)

    ada = site.at(Role.AUDITOR)
    ada.goto("/audit/")
    ada.get_by_role("button", name="Verify chain").click()
    expect(ada.get_by_text("The chain is whole")).to_be_visible()
    expect(ada.locator("table")).to_contain_text("privacy.complete")
    assert "Leipzig" not in ada.content()


def _verify(receipt: dict[str, object]) -> None:
    """As anybody can who holds the file: Ed25519 over the body as sorted JSON without spaces."""
    body = json.dumps(receipt["body"], sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(str(receipt["public_key"])))
    public.verify(base64.b64decode(str(receipt["signature"])), body)


def test_who_opened_a_request_can_not_approve_it(site: Site) -> None:
    person = site.at(Role.MEMBER)
    _talk(person)
    petra = site.signed_in(site.member(Role.OWNER, "Petra").user)
    petra.goto("/facts/")
    petra.get_by_role("link", name=re.compile("Leipzig")).first.click()
    json_url = petra.get_by_role("link", name="View JSON").get_attribute("href") or ""
    subject = petra.request.get(json_url).json()["subject"]
    petra.goto("/privacy/new")
    petra.get_by_label("Subject").fill(subject)
    petra.get_by_label("I have made sure").check()
    petra.get_by_role("button", name="Open request").click()
    petra.get_by_role("button", name="Preview", exact=True).click()
    expect(petra.get_by_text("You opened this request, so somebody else has to approve it.")).to_be_visible()
    expect(petra.get_by_role("button", name="Approve…")).to_have_count(0)
    assert_sound(petra)
    paul = site.signed_in(site.member(Role.PRIVACY_OFFICER, "Paul").user)
    _approve(paul, petra.url, "Member")
    expect(paul.locator(".facts-line")).to_contain_text("completed", timeout=20_000)


def test_a_fact_is_forgotten_by_the_person_it_is_about(site: Site) -> None:
    person = site.at(Role.MEMBER)
    _talk(person)
    thread = person.url
    person.goto("/me/memory")
    fact = person.locator(".memory-fact", has_text="Lives in Leipzig")
    fact.get_by_role("button", name="Forget").click()
    dialog = person.locator("dialog[open]")
    expect(dialog).to_contain_text("Lives in Leipzig")
    dialog.get_by_role("button", name="Forget").click()
    expect(person.get_by_text("Forgotten, with the words it came from.")).to_be_visible()
    assert "Leipzig" not in person.locator("main").inner_text()
    person.goto(thread)
    expect(person.locator(".said")).to_contain_text("█")
    assert "Leipzig" not in person.locator(".said").inner_text()
