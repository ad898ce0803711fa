"""The chat in a real browser: streamed, remembered, stopped, retried, resumed."""

import itertools
import time
from datetime import timedelta

import requests
from playwright.sync_api import Page, expect

from memoryhub import clock
from memoryhub.memory.models import Thread, Turn
from memoryhub.tenants import scope
from memoryhub.tenants.permissions import Role
from tests.browser.site import Site
from tests.llm.server import Rule

_REPLY = '"stream": true'


def _say(page: Page, text: str) -> None:
    """Write a message and send it; returns when its answer's place is there."""
    before = page.locator(".turn-assistant").count()
    page.get_by_label("Message").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator(".turn-assistant")).to_have_count(before + 1)


def _answer(page: Page) -> str:
    """The newest answer, when it is whole."""
    last = page.locator(".turn-assistant").last
    expect(last.locator("[data-foot]")).to_be_visible()
    return last.locator(".prose").inner_text()


def _words(count: int) -> str:
    return " ".join(f"word{n}" for n in range(count))


def test_what_is_said_is_remembered_and_used_later_with_its_words(site: Site) -> None:
    page = site.at(Role.MEMBER)
    page.goto("/")
    expect(page.get_by_role("heading", name="What is on your mind?")).to_be_visible()
    _say(page, "I live in Leipzig. I prefer tea over coffee.")
    assert _answer(page).startswith("You asked:")
    expect(page.get_by_text("0 memories used")).to_be_visible()
    remembered = page.locator(".remembered-item")
    expect(remembered.first).to_be_visible()
    assert "Leipzig" in " ".join(remembered.all_inner_texts())

    page.get_by_role("link", name="New chat").click()
    _say(page, "Where do I live, is it Leipzig?")
    _answer(page)
    expect(page.locator(".turn-assistant .recalled")).to_contain_text("used")
    card = page.locator("#memory-list .memory-card").filter(has_text="Leipzig").first
    expect(card.locator("mark")).to_contain_text("I live in Leipzig")
    expect(card).to_contain_text("claimed")
    live = [text.strip() for text in page.locator("#memory-list .memory-card").all_inner_texts()]
    page.reload()
    expect(page.locator("#memory-list .memory-card")).to_have_count(len(live))
    assert [text.strip() for text in page.locator("#memory-list .memory-card").all_inner_texts()] == live

    page.locator("#memory-list").get_by_role("link", name="Correct or forget").first.click()
    assert page.url.split("#")[0].endswith("/me/memory")
    expect(page.locator(f"[id='{page.url.split('#')[1]}']")).to_contain_text("Leipzig")


def test_undo_takes_back_what_was_remembered(site: Site) -> None:
    page = site.at(Role.MEMBER)
    page.goto("/chat/")
    _say(page, "I live in Dresden.")
    item = page.locator(".remembered-item").filter(has_text="Dresden")
    item.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Forgotten again")).to_be_visible()
    expect(item.get_by_role("button")).to_have_count(0)
    page.goto("/me/memory")
    expect(page.get_by_text("Nothing is remembered about you")).to_be_visible()


def test_an_answer_can_be_stopped_and_tried_again(site: Site) -> None:
    page = site.at(Role.MEMBER)
    page.goto("/chat/")
    site.product.provider.script([Rule(when=_REPLY, text=_words(400), pause=0.05, times=1)])
    _say(page, "Tell me a long story")
    last = page.locator(".turn-assistant").last
    expect(last.locator("[data-answer]")).to_contain_text("word5")
    page.get_by_role("button", name="Stop").click()
    assert 5 < len(_answer(page).split()) < 200
    expect(last.locator("[data-foot]")).to_contain_text("stopped")
    page.reload()
    expect(last.locator("[data-foot]")).to_contain_text("stopped")
    site.product.provider.script([Rule(when=_REPLY, text="Short and good.", times=1)])
    page.get_by_role("button", name="Retry").click()
    expect(page.locator("[data-answer]")).to_have_text("Short and good.")
    expect(page.get_by_role("button", name="Retry")).to_be_hidden()


def test_a_model_that_hangs_can_be_stopped_at_once(site: Site) -> None:
    page = site.at(Role.MEMBER)
    page.goto("/chat/")
    site.product.provider.script([Rule(when=_REPLY, text="Late", hang=8, times=1)])
    _say(page, "Are you there?")
    expect(page.locator(".turn-assistant .recalled")).to_be_visible()
    begun = time.monotonic()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("[data-foot]")).to_contain_text("stopped")
    assert time.monotonic() - begun < 4


def test_a_failed_model_keeps_the_question_and_offers_another_try(site: Site) -> None:
    page = site.at(Role.MEMBER)
    page.goto("/chat/")
    site.product.provider.down = True
    _say(page, "Will this work?")
    banner = page.locator(".turn-assistant .banner")
    expect(banner).to_contain_text("The language model can not be reached. Your message is kept")
    page.reload()
    expect(banner).to_contain_text("Your message is kept")
    expect(page.locator(".said")).to_have_text("Will this work?")
    site.product.provider.down = False
    banner.get_by_role("button", name="Retry").click()
    expect(page.locator("[data-answer]")).to_contain_text("You asked: Will this work?")


def test_a_slow_answer_goes_on_in_every_tab_and_after_a_reload(site: Site) -> None:
    page = site.at(Role.MEMBER)
    page.goto("/chat/")
    site.product.provider.script([Rule(when=_REPLY, text=_words(80), pause=0.05, times=1)])
    _say(page, "Slowly, please")
    expect(page.locator("[data-answer]")).to_contain_text("word10")
    second = page.context.new_page()
    second.goto(page.url)
    page.reload()
    expect(page.locator("[data-answer]")).to_contain_text("word20")
    for tab in (page, second):
        assert _answer(tab) == _words(80)
    asked = [p for p in site.product.provider.prompts if p["body"].get("stream")]
    assert len(asked) == 1, "the model is asked once, however many read"


def test_the_first_words_do_not_wait_for_the_last(site: Site) -> None:
    member = site.member(Role.MEMBER)
    page = site.signed_in(member.user)
    page.goto("/chat/")
    _say(page, "Hello")  # the embedder is loaded now
    _answer(page)
    site.product.provider.script([Rule(when=_REPLY, text=_words(40), pause=0.1, times=1)])
    page.route("**/stream/**", lambda route: route.abort())
    _say(page, "Slowly")
    source = page.locator("mh-stream").last.get_attribute("src")
    page.unroute("**/stream/**")
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    begun = time.monotonic()
    with requests.get(f"{site.product.base}{source}", cookies=cookies, stream=True, timeout=30) as stream:
        assert stream.headers["Content-Type"] == "text/event-stream"
        assert stream.headers["Cache-Control"] == "no-cache, no-transform"
        moments = [time.monotonic() - begun for _ in itertools.islice(stream.iter_content(None), 12)]
    assert moments[0] < 1.0, "the recall event comes first, before any word"
    assert moments[-1] - moments[0] > 0.5, "the words come one after another, not in one piece"
    site.restarts = True  # the page's own reading was cut off on purpose


def test_a_killed_web_process_leaves_an_answer_that_can_be_tried_again(site: Site) -> None:
    site.restarts = True
    page = site.at(Role.MEMBER)
    page.goto("/chat/")
    site.product.provider.script([Rule(when=_REPLY, text=_words(400), pause=0.05, times=1)])
    _say(page, "Tell me a long story")
    expect(page.locator("[data-answer]")).to_contain_text("word20")
    site.product.kill_web()
    expect(page.locator("[data-working]")).to_have_text("Reconnecting…")
    with scope.enter(site.tenant.id, scope.SYSTEM, "req_test"):
        # Its writer is silent from now on; make that a while ago, so that nobody has to wait.
        Turn.objects.filter(status="streaming").update(heartbeat_at=clock.now() - timedelta(minutes=1))
    site.product.start_web()
    page.reload()
    banner = page.locator(".turn-assistant .banner")
    expect(banner).to_contain_text("The answer was interrupted by a restart. Your message is kept")
    expect(page.locator(".turn-assistant .prose")).to_contain_text("word10")
    site.product.provider.script([Rule(when=_REPLY, text="Whole now.", times=1)])
    banner.get_by_role("button", name="Retry").click()
    expect(page.locator("[data-answer]")).to_have_text("Whole now.")


def test_an_answer_can_not_put_anything_into_the_page(site: Site) -> None:
    page = site.at(Role.MEMBER)
    page.goto("/chat/")
    text = (
        "**bold** <script>document.title='owned'</script> <img src=x onerror=\"document.title='owned'\">"
        " ![pixel](https://evil.example/p.png) [run](javascript:document.title='owned') [fine](https://fine.example/)"
    )
    site.product.provider.script([Rule(when=_REPLY, text=text, times=1)])
    _say(page, "Say something dangerous")
    _answer(page)
    prose = page.locator(".turn-assistant .prose")
    expect(prose.locator("strong")).to_have_text("bold")
    assert prose.locator("script, img").count() == 0
    assert prose.locator("a").all_inner_texts() == ["fine"]
    assert "owned" not in page.title()


def test_enter_sends_and_shift_enter_breaks_the_line(site: Site) -> None:
    page = site.at(Role.MEMBER)
    page.goto("/chat/")
    box = page.get_by_label("Message")
    box.press_sequentially("First")
    box.press("Shift+Enter")
    box.press_sequentially("second")
    assert box.input_value() == "First\nsecond"
    box.press("Enter")
    expect(page.locator(".said")).to_have_text("First\nsecond")
    _answer(page)
    box.press("Enter")  # nothing is written, nothing is sent
    _say(page, "Next")
    with scope.enter(site.tenant.id, scope.SYSTEM, "req_test"):
        assert Turn.objects.filter(role="user").count() == 2


def test_conversations_are_found_renamed_and_deleted(site: Site) -> None:
    page = site.at(Role.MEMBER)
    for text in ("About picnics", "About taxes"):
        page.goto("/chat/")
        _say(page, text)
        _answer(page)
    page.get_by_label("Search conversations").fill("picnic")
    expect(page.locator(".thread:visible")).to_have_count(1)
    page.get_by_role("button", name="More about About picnics").click()
    page.get_by_role("button", name="Rename").click()
    page.get_by_label("Title").fill("Summer picnic")
    page.get_by_role("button", name="Rename").last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Summer picnic")
    page.get_by_role("button", name="More about Summer picnic").click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_label("Delete the chat and what it taught").check()
    page.locator("#delete-thread").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Conversation deleted")).to_be_visible()
    with scope.enter(site.tenant.id, scope.SYSTEM, "req_test"):
        assert [thread.title for thread in Thread.objects.all()] == ["About taxes"]


def test_on_a_phone_the_panels_are_drawers(site: Site) -> None:
    page = site.at(Role.MEMBER, viewport={"width": 390, "height": 800})
    page.goto("/chat/")
    _say(page, "I live in Leipzig.")
    expect(page.locator(".remembered-item").first).to_be_visible()
    _say(page, "Do I live in Leipzig?")
    _answer(page)
    expect(page.locator("#memory")).to_be_hidden()
    page.get_by_role("button", name="Memory used", exact=True).click()
    expect(page.locator("#memory .memory-card").first).to_contain_text("Leipzig")
    page.keyboard.press("Escape")
    expect(page.locator("#memory")).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("link", name="My memory").first).to_be_visible()
