"""Who may open what: every page for every role, by the one table that joins roles and permissions."""

from typing import Any

import pytest
from django.test import Client

from memoryhub.audit import trail
from memoryhub.tenants import scope
from memoryhub.tenants.models import Membership
from memoryhub.tenants.permissions import PERMISSIONS, Permission, Role
from tests.api.routes import Route
from tests.api.world import World
from tests.conftest import add_member
from tests.web.conftest import signed_in
from tests.web.pages import page_routes

CASES = [
    pytest.param(route, method, id=f"{method} {route.pattern or '/'}")
    for route in page_routes()
    for method in route.methods
]


@pytest.fixture(scope="module")
def browsers(world: World) -> dict[Role, Client]:
    """A browser for each role."""
    return {role: signed_in(_member(world, role), raise_request_exception=False) for role in Role}


def _member(filled: World, role: Role) -> Membership:
    return add_member(filled.tenant, f"{role.value}@roles.example.org", role)


def _ask(browser: Client, route: Route, method: str, filled: World) -> Any:
    address = route.address(**{name: filled.ids[name][-1] for name in route.parameters})
    return browser.post(address, {}) if method == "POST" else browser.get(address)


@pytest.mark.parametrize(("route", "method"), CASES)
def test_a_page_opens_for_exactly_the_roles_that_have_its_permission(
    world: World,
    browsers: dict[Role, Client],
    route: Route,
    method: str,
) -> None:
    permission = route.methods[method]
    assert isinstance(permission, Permission), "every page names a permission"
    for role, browser in browsers.items():
        status = _ask(browser, route, method, world).status_code
        allowed = permission in PERMISSIONS[role]
        assert (status != 403) is allowed, f"{role}: {status}"
        assert status < 500


@pytest.mark.parametrize(("route", "method"), CASES)
def test_nobody_is_sent_to_the_sign_in(world: World, route: Route, method: str) -> None:
    answer = _ask(Client(), route, method, world)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")


def test_a_refusal_is_entered_in_the_trail_and_says_what_is_missing(
    world: World,
    browsers: dict[Role, Client],
) -> None:
    answer = browsers[Role.MEMBER].get("/facts/")
    assert answer.status_code == 403
    assert "Your role does not include memory:read" in answer.content.decode()
    with scope.enter(world.tenant.id, scope.SYSTEM, "req_test"):
        entry = trail.events(limit=1, action="authz.denied")[0]
    assert entry.detail == {"permission": "memory:read", "route": "facts/"}


PLACES = {
    Role.MEMBER: ["Chat", "My memory"],
    Role.VIEWER: ["Chat", "My memory", "Facts", "Review", "Threads", "Jobs", "Developers"],
    Role.OPERATOR: ["Chat", "My memory", "Facts", "Review", "Threads", "Jobs", "Developers"],
    Role.PRIVACY_OFFICER: [
        "Chat", "My memory", "Facts", "Review", "Threads", "Jobs", "Privacy requests", "Audit", "Developers",
    ],
    Role.AUDITOR: ["My memory", "Privacy requests", "Audit"],
    Role.OWNER: [
        "Chat", "My memory", "Facts", "Review", "Threads", "Jobs", "Privacy requests", "Audit", "API keys", "Members", "Memory policy", "Developers",
    ],
}  # fmt: skip


@pytest.mark.parametrize("role", Role)
def test_the_navigation_leads_only_where_the_role_may_go(browsers: dict[Role, Client], role: Role) -> None:
    browser = browsers[role]
    nav = browser.get("/me/memory").context["nav"]
    assert [item.label for item in nav] == PLACES[role]
    for item in nav:
        assert browser.get(item.url).status_code == 200


@pytest.mark.parametrize("role", Role)
def test_the_start_leads_to_a_place_that_opens(browsers: dict[Role, Client], role: Role) -> None:
    answer = browsers[role].get("/", follow=True)
    assert answer.status_code == 200
    assert answer.redirect_chain[-1][0] == ("/audit/" if role is Role.AUDITOR else "/chat/")
