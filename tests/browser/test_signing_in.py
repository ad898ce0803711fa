"""Getting in, and where each role may go."""

import base64
import hashlib
import hmac
import re
import struct

import pytest
from playwright.sync_api import Page, expect

from memoryhub import clock
from memoryhub.tenants.models import User
from memoryhub.tenants.permissions import Role
from tests.browser.site import Site, assert_sound
from tests.web.test_permissions import PLACES

PASSWORD = "correct-horse-battery"


def _sign_in(page: Page, email: str, password: str = PASSWORD) -> None:
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def _code(secret: str, at: float) -> str:
    """The six digits of an authenticator app (RFC 6238)."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(at) // 30), hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start : start + 4])[0] & 0x7FFFFFFF) % 10**6:06d}"


def test_a_wrong_password_says_so_and_the_right_one_goes_where_one_wanted(site: Site) -> None:
    member = site.member(Role.VIEWER)
    page = site.stranger()
    page.goto("/facts/?view=all")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    _sign_in(page, member.user.email, "wrong")
    expect(page.get_by_role("alert")).to_contain_text("not correct")
    assert_sound(page)
    _sign_in(page, member.user.email)
    expect(page).to_have_url(re.compile(r"/facts/\?view=all$"))


def test_a_member_lands_in_the_chat_and_signs_out(site: Site) -> None:
    page = site.stranger()
    page.goto("/")
    _sign_in(page, site.member(Role.MEMBER).user.email)
    expect(page).to_have_url(re.compile("/chat/$"))
    page.locator(".account").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.goto("/chat/")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


@pytest.mark.parametrize("role", Role)
def test_the_navigation_of_each_role(site: Site, role: Role) -> None:
    page = site.at(role)
    page.goto("/")
    shown = page.locator(".nav-link > span:not(.count)").all_inner_texts()
    assert shown == PLACES[role]


def test_who_may_not_is_told_what_is_missing(site: Site) -> None:
    site.refusals = True
    page = site.at(Role.MEMBER)
    page.goto("/audit/")
    expect(page.get_by_role("heading", name="You may not do that here")).to_be_visible()
    expect(page.get_by_text("Your role does not include audit:read")).to_be_visible()
    assert_sound(page)


def test_somebody_without_an_organisation_can_sign_in_and_out(site: Site) -> None:
    site.refusals = True
    User.objects.create_user(f"lost@{site.tenant.slug}.example.org", PASSWORD)
    page = site.stranger()
    page.goto("/")
    _sign_in(page, f"lost@{site.tenant.slug}.example.org")
    expect(page.get_by_role("heading", name="You belong to no organisation yet")).to_be_visible()
    assert_sound(page)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_password_is_changed(site: Site) -> None:
    page = site.stranger()
    page.goto("/")
    email = site.member(Role.MEMBER).user.email
    _sign_in(page, email)
    page.locator(".account").click()
    page.get_by_role("link", name="Change password").click()
    for new in ("short", "a-new-horse-battery"):
        page.get_by_label("Current Password").fill(PASSWORD)
        page.get_by_label("New Password", exact=True).fill(new)
        page.get_by_label("New Password (again)").fill(new)
        page.get_by_role("button", name="Change password").click()
        if new == "short":
            expect(page.get_by_text("This password is too short")).to_be_visible()
            assert_sound(page)
    expect(page.get_by_text("Password successfully changed")).to_be_visible()
    again = site.stranger()
    again.goto("/")
    _sign_in(again, email, "a-new-horse-battery")
    expect(again).to_have_url(re.compile("/chat/$"))


def test_a_second_factor_is_set_up_and_asked_for(site: Site) -> None:
    page = site.stranger()
    page.goto("/")
    email = site.member(Role.MEMBER).user.email
    _sign_in(page, email)
    page.locator(".account").click()
    page.get_by_role("link", name="Two-factor sign-in").click()
    assert_sound(page)
    page.get_by_role("link", name="Activate").click()
    assert_sound(page)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    assert_sound(page)
    secret = page.get_by_label("Authenticator secret").input_value()
    page.get_by_label("Authenticator code").fill(_code(secret, clock.now().timestamp()))
    page.get_by_role("button", name="Activate").click()
    expect(page.get_by_text("Authenticator app activated")).to_be_visible()
    recovery = page.get_by_label("Unused codes").input_value().split()
    other = site.stranger()
    other.goto("/")
    _sign_in(other, email)
    expect(other.get_by_role("heading", name="Two-Factor Authentication")).to_be_visible()
    assert_sound(other)
    other.get_by_label("Code").fill(recovery[0])  # the app's own code is used up for this half minute
    other.get_by_role("button", name="Sign In").click()
    expect(other).to_have_url(re.compile("/chat/$"))
