"""Members and API keys: what is shown once, and who keeps the house."""

import re
from collections.abc import Callable, Mapping
from datetime import timedelta

import pytest
from django.test import Client

from memoryhub import clock
from memoryhub.tenants.models import ApiKey, Membership, Tenant, User
from memoryhub.tenants.permissions import Role
from tests.conftest import add_member
from tests.web.conftest import acting


def test_a_new_members_password_is_shown_once_and_works(owner: Client) -> None:
    form = {"email": "Nora@Example.org", "name": "Nora Lund", "role": "viewer"}
    page = owner.post("/members/add", form)
    assert page["Cache-Control"] == "no-store"
    password = page.context["password"]
    assert password in page.content.decode()
    assert password not in owner.get("/members/").content.decode()
    browser = Client()
    answer = browser.post("/accounts/login/", {"login": "nora@example.org", "password": password})
    assert answer["Location"] == "/"
    assert browser.get("/facts/").status_code == 200


def test_somebody_with_an_account_keeps_their_password(owner: Client) -> None:
    account = User.objects.create_user("nora@example.org", "correct-horse-battery")
    answer = owner.post("/members/add", {"email": "nora@example.org", "role": "viewer"}, follow=True)
    assert "nora@example.org is a member now" in answer.content.decode()
    account.refresh_from_db()
    assert account.check_password("correct-horse-battery")


@pytest.mark.parametrize(
    ("form", "status", "words"),
    [
        ({"email": "no address", "role": "viewer"}, 422, "Enter a valid email address"),
        ({"email": "x@example.org", "role": "emperor"}, 422, "Select a valid choice"),
        ({"email": "owner@example.org", "role": "viewer"}, 409, "This person is a member already"),
    ],
)
def test_a_member_that_can_not_be_added_comes_back_to_the_form(
    owner: Client, form: dict[str, str], status: int, words: str
) -> None:
    answer = owner.post("/members/add", form)
    assert (answer.status_code, answer.context["open_dialog"]) == (status, "add-member")
    assert words in answer.content.decode()


def test_a_role_changes_at_once(
    owner: Client, as_role: Callable[[Role], Client], members: Mapping[Role, Membership]
) -> None:
    viewer = as_role(Role.VIEWER)
    assert viewer.get("/privacy/").status_code == 403
    owner.post(f"/members/{members[Role.VIEWER].public_id}/role", {"role": "privacy_officer"})
    assert viewer.get("/privacy/").status_code == 200


def test_the_last_owner_stays(owner: Client, members: Mapping[Role, Membership], tenant: Tenant) -> None:
    url = f"/members/{members[Role.OWNER].public_id}/role"
    answer = owner.post(
        url, {"role": "member"}, follow=True, headers={"Referer": "http://testserver/members/"}
    )
    assert "A tenant needs an owner" in answer.content.decode()
    assert owner.get("/members/").status_code == 200
    add_member(tenant, "second@example.org", Role.OWNER)
    assert owner.post(url, {"role": "member"})["Location"] == "/"
    assert owner.get("/members/").status_code == 403


def test_a_keys_secret_is_shown_once_and_works(owner: Client) -> None:
    page = owner.post("/keys/new", {"name": "Bot", "scopes": ["memory:read"], "expires": "30"})
    secret = page.context["secret"]
    assert page["Cache-Control"] == "no-store"
    assert re.fullmatch(r"mh_live_[0-9a-f]{8}_[\w-]{43}", secret)
    listed = owner.get("/keys/")
    assert secret not in listed.content.decode()
    assert secret[:16] in listed.context["keys"][0].masked
    assert listed.context["keys"][0].expires_at - clock.now() > timedelta(days=29)

    def call() -> int:
        return Client().get("/api/v1/facts", headers={"Authorization": f"Bearer {secret}"}).status_code

    assert call() == 200
    owner.post(f"/keys/{listed.context['keys'][0].public_id}/revoke")
    assert call() == 401
    assert owner.get("/keys/").context["keys"][0].status == "revoked"


@pytest.mark.parametrize(
    "form",
    [
        {"name": "", "scopes": ["memory:read"]},
        {"name": "Bot"},
        {"name": "Bot", "scopes": ["privacy:approve"]},
        {"name": "Bot", "scopes": ["memory:read"], "expires": "9999999999999"},
        {"name": "x" * 81, "scopes": ["memory:read"]},
    ],
)
def test_a_key_that_can_not_be_made_comes_back_to_the_form(
    owner: Client, members: Mapping[Role, Membership], form: dict[str, object]
) -> None:
    answer = owner.post("/keys/new", form)
    assert (answer.status_code, answer.context["open_dialog"]) == (422, "new-key")
    with acting(members[Role.OWNER]):
        assert ApiKey.objects.count() == 0


def test_what_each_role_may_do_is_said_for_every_role(owner: Client) -> None:
    assert {role.value for role in owner.get("/members/").context["roles"]} == {role.value for role in Role}
