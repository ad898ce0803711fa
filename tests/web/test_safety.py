"""Forged forms, ways out to other sites, and what the answers' headers promise."""

from collections.abc import Mapping

import pytest
from django.test import Client

from memoryhub.audit import trail
from memoryhub.memory.models import Fact, Subject
from memoryhub.tenants.models import Membership, User
from memoryhub.tenants.permissions import Role
from tests.api.routes import Route
from tests.api.world import World
from tests.conftest import add_member
from tests.web.conftest import acting, know, signed_in
from tests.web.pages import addresses, page_routes

POSTS = [pytest.param(route, id=route.pattern or "/") for route in page_routes() if "POST" in route.methods]


@pytest.mark.parametrize("route", POSTS)
def test_a_forged_form_changes_nothing(world: World, route: Route) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(world.owner)
    address = route.address(**{name: world.ids[name][0] for name in route.parameters})
    with acting(_owner(world)):
        before = trail.head()
    answer = browser.post(address, {"typed": "purge", "reason": "wrong", "text": "x", "title": "x"})
    assert answer.status_code == 403
    assert "This form is no longer valid" in answer.content.decode()
    with acting(_owner(world)):
        assert trail.head() == before


def _owner(filled: World) -> Membership:
    return Membership(tenant=filled.tenant, user=filled.owner)


@pytest.mark.parametrize(
    ("referer", "target"),
    [
        ("http://testserver/facts/?view=all", "/facts/?view=all"),
        ("https://evil.example/facts/", "/"),
        ("http://testserver//evil.example/", "/"),
        ("http://testserver/\\evil.example", "/"),
        ("http://testserver@evil.example/", "/"),
        ("http://testserver.evil.example/facts/", "/"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
        ("http://testserver/no/such/page", "/"),
        ("http://testserver/facts/fact_1/correct", "/facts/fact_1"),
        ("http://testserver/keys/new", "/keys"),
    ],
)
def test_a_refused_form_returns_to_where_it_stood_and_never_elsewhere(
    owner: Client, mira: Subject, members: Mapping[Role, Membership], referer: str, target: str
) -> None:
    with acting(members[Role.OPERATOR]):
        fact = know(mira, "Prefers tea")
    owner.post(f"/facts/{fact.public_id}/archive")
    answer = owner.post(f"/facts/{fact.public_id}/archive", headers={"Referer": referer})
    assert (answer.status_code, answer["Location"]) == (302, target)


@pytest.mark.parametrize(
    "beyond", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
def test_signing_in_leads_to_no_other_site(members: Mapping[Role, Membership], beyond: str) -> None:
    answer = Client().post(
        "/accounts/login/",
        {"login": members[Role.MEMBER].user.email, "password": "correct-horse-battery", "next": beyond},
    )
    assert (answer.status_code, answer["Location"]) == (302, "/")


def test_signing_out_takes_a_form(owner: Client) -> None:
    assert owner.get("/accounts/logout/").status_code == 200
    assert owner.get("/me/memory").status_code == 200
    assert owner.post("/accounts/logout/")["Location"] == "/accounts/login/"
    assert owner.get("/me/memory").status_code == 302


def test_a_wrong_password_and_an_unknown_address_look_the_same(members: Mapping[Role, Membership]) -> None:
    def shown(email: str) -> str:
        answer = Client().post("/accounts/login/", {"login": email, "password": "wrong"})
        assert answer.status_code == 200
        return " ".join(map(str, answer.context["form"].non_field_errors()))

    assert shown(members[Role.MEMBER].user.email) == shown("nobody@example.org") != ""


def test_an_expired_session_comes_back_to_the_form_and_not_to_its_act(owner: Client) -> None:
    answer = Client().post("/keys/new", {"name": "x"}, headers={"Referer": "http://testserver/keys/"})
    assert answer["Location"] == "/accounts/login/?next=/keys/"


def test_somebody_without_an_organisation_is_told_so(db: None) -> None:
    browser = Client()
    browser.force_login(User.objects.create_user("lost@example.org", "correct-horse-battery"))
    for address in ("/", "/chat/", "/facts/"):
        answer = browser.get(address)
        assert answer.status_code == 403
        assert "You belong to no organisation yet" in answer.content.decode()
    assert browser.get("/accounts/password/change/").status_code == 200


def test_a_person_of_two_organisations_sees_one_of_them(
    tenant: object, other_tenant: object, members: Mapping[Role, Membership], mira: Subject
) -> None:
    member = members[Role.OWNER]
    with acting(member):
        know(mira, "Prefers tea")
    stranger = add_member(other_tenant, "stranger@example.org", Role.OWNER)  # type: ignore[arg-type]
    answer = signed_in(stranger).get("/facts/?view=all")
    assert "Prefers tea" not in answer.content.decode()
    with acting(member):
        assert Fact.objects.count() == 1


def test_every_page_forbids_what_it_does_not_need(world: World) -> None:
    browser = signed_in(_owner(world))
    for _, address in addresses(world):
        answer = browser.get(address)
        assert "default-src 'none'" in answer["Content-Security-Policy"]
        assert "unsafe" not in answer["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Referrer-Policy"] == "same-origin"
        assert answer["Cache-Control"] == "no-store", address
