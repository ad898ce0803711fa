"""Every door is closed by default: a route names what its caller needs, or stands on a short public list."""

import inspect
from typing import Any

import pytest
from django.urls import resolve

from memoryhub.api.resource import Resource
from memoryhub.tenants.permissions import KEY_SCOPES, PERMISSIONS, Permission, Role
from tests.api.routes import PREFIXES, Route, all_routes

#: What anybody may ask for, and why.
PUBLIC = {
    "healthz": "says that the process answers, and nothing else",
    "api/v1/openapi.json": "the document that the API's clients are made from",
    "api/v1/^.*$": "the 404 of the API",
}
#: The sign-in's own, made by allauth; they hold nobody's memory.
SIGN_IN = "accounts/"
ROUTES = all_routes()
OURS = [route for route in ROUTES if route.pattern not in PUBLIC and not route.pattern.startswith(SIGN_IN)]
RESOURCES = {route.view.view_class for route in ROUTES if route.is_api and hasattr(route.view, "view_class")}
_METHODS = ("get", "post", "put", "patch", "delete")


@pytest.mark.parametrize("route", OURS, ids=lambda r: r.pattern)
def test_every_method_of_every_route_names_a_permission(route: Route) -> None:
    assert route.methods
    for method, permission in route.methods.items():
        assert isinstance(permission, Permission), f"{method} {route.pattern}"


def test_the_public_list_is_not_longer_than_the_routes() -> None:
    assert set(PUBLIC) <= {route.pattern for route in ROUTES}


@pytest.mark.parametrize("kind", sorted(RESOURCES, key=lambda k: k.__name__), ids=lambda k: k.__name__)
def test_a_resource_names_exactly_the_methods_it_has(kind: Any) -> None:
    if not issubclass(kind, Resource):
        assert kind.__name__ == "SpectacularJSONAPIView"
        return
    assert {name.upper() for name in _METHODS if hasattr(kind, name)} == set(kind.permissions)
    assert "permission_classes" not in vars(kind), "a view of its own rule"
    assert "authentication_classes" not in vars(kind)


def test_a_page_that_takes_a_post_never_acts_on_a_get() -> None:
    """An act that a link could trigger needs no forged form."""
    acts = [r for r in OURS if not r.is_api and r.pattern.rpartition("/")[2] in _ACTS]
    assert acts
    for route in acts:
        assert set(route.methods) == {"POST"}, route.pattern


_ACTS = {
    "undo", "stop", "retry", "rename", "delete", "correct", "verify", "archive", "restore", "purge", "forget",
    "confirm", "erase", "preview", "approve", "refuse", "rerun", "revoke", "role", "withdraw", "add", "password",
}  # fmt: skip


def test_every_id_in_an_address_is_known_by_what_it_is() -> None:
    """The suite of foreign ids makes ids for every address; it has to know their form."""
    assert {name for route in OURS for name in route.parameters} == set(PREFIXES)


def test_every_address_leads_to_its_own_view() -> None:
    """None is hidden by one above it."""
    for route in OURS:
        example = route.address(**dict.fromkeys(route.parameters, "x"))
        assert resolve(example).func == route.view, route.pattern


def test_every_permission_opens_something_or_waits_for_its_page() -> None:
    used = {permission for route in ROUTES for permission in route.methods.values()}
    assert set(Permission) - used <= {Permission.READ_USAGE}
    assert set().union(*PERMISSIONS.values()) == set(Permission)
    assert set(PERMISSIONS) == set(Role)
    assert set(Permission) >= KEY_SCOPES


def test_no_view_takes_its_permission_from_elsewhere() -> None:
    for kind in RESOURCES:
        if issubclass(kind, Resource):
            assert "get_permissions" not in inspect.getsource(kind)
