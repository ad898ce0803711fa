"""Who may call: keys, sessions, scopes, and what they are told otherwise."""

import json
import logging
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from memoryhub import clock
from memoryhub.audit import trail
from memoryhub.memory.models import Subject
from memoryhub.tenants.models import ApiKey, Tenant
from memoryhub.tenants.permissions import PERMISSIONS, Permission, Role
from tests.api.conftest import API, Api, code_of, signed_in
from tests.api.routes import Route, all_routes
from tests.conftest import add_member, issue_key
from tests.tenants.conftest import inside

pytestmark = pytest.mark.django_db
ROUTES = [route for route in all_routes() if route.is_api and any(route.methods.values())]
CALLS = [(route, method) for route in ROUTES for method in route.methods]
EACH = pytest.mark.parametrize(
    ("route", "method"), CALLS, ids=lambda v: v if isinstance(v, str) else v.pattern
)


def call(api: Api, route: Route, method: str) -> Any:
    address = route.address(**dict.fromkeys(route.parameters, "x"))
    return api.send(method, address, {} if method in ("POST", "PATCH") else None)


@EACH
def test_nobody_gets_in(tenant: Tenant, route: Route, method: str) -> None:
    answer = call(Api(), route, method)
    assert answer.status_code == 401
    assert code_of(answer) == "unauthenticated"
    assert answer["WWW-Authenticate"] == "Bearer"


WRONG_KEYS = {
    "empty": "Bearer ",
    "no kind": "mh_live_12345678_" + "x" * 43,
    "another kind": "Basic bWU6cGFzcw==",
    "nonsense": "Bearer nonsense",
    "unknown": "Bearer mh_live_12345678_" + "x" * 43,
    "the prefix alone": "Bearer mh_live_12345678",
    "NUL": "Bearer mh_live_\x00",
    "NUL in the secret": "Bearer mh_live_12345678_" + "x" * 42 + "\x00",
    "a wildcard": "Bearer mh_live_%_%",
    "SQL": "Bearer ' OR 1=1 --",
    "beyond ASCII": "Bearer mh_live_ÿÿÿÿÿÿÿÿ_" + "x" * 43,
    "very long": "Bearer mh_live_" + "1" * 20_000,
    "two": "Bearer a, Bearer b",
}


@pytest.mark.parametrize("kind", WRONG_KEYS)
def test_a_wrong_key_is_a_401_whatever_it_is(tenant: Tenant, kind: str) -> None:
    issue_key(tenant)
    answer = Api().send("GET", "facts", Authorization=WRONG_KEYS[kind])
    assert answer.status_code == 401
    assert code_of(answer) == "invalid_key"


def test_every_wrong_key_is_told_the_same(tenant: Tenant) -> None:
    """Nothing tells a key whose prefix exists from one whose prefix does not."""
    secret = issue_key(tenant)
    wrong = [secret[:-1] + ("a" if secret[-1] != "a" else "b"), "mh_live_00000000_" + "x" * 43]
    answers = [Api(text).get("facts", X_Request_Id="req_1") for text in wrong]
    assert answers[0].content == answers[1].content


@pytest.mark.parametrize("state", ["revoked", "expired"])
def test_an_ended_key_is_told_so_and_only_to_its_holder(tenant: Tenant, state: str) -> None:
    secret = issue_key(tenant)
    past = clock.now() - timedelta(seconds=1)
    with inside(tenant):
        ApiKey.objects.update(**{"revoked_at" if state == "revoked" else "expires_at": past})
    assert code_of(Api(secret).get("facts")) == f"{state}_key"
    assert code_of(Api(secret[:-1] + "_").get("facts")) == "invalid_key"


def test_a_bad_key_never_falls_back_to_the_session(tenant: Tenant) -> None:
    owner = add_member(tenant, "ann@example.org", Role.OWNER).user
    session = signed_in(owner)
    assert session.get("facts").status_code == 200
    assert session.get("facts", Authorization="Bearer nonsense").status_code == 401


@pytest.mark.parametrize(
    "name", ["api_key", "key", "token", "access_token", "authorization", "Authorization"]
)
def test_a_key_in_the_address_opens_nothing_and_is_not_logged(
    tenant: Tenant, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    secret = issue_key(tenant)
    with caplog.at_level(logging.DEBUG):
        assert Api().get(f"facts?{name}={secret}").status_code == 401
        assert Api(secret).get(f"facts?{name}={secret}").status_code == 400
    assert secret not in caplog.text


def test_a_key_in_the_body_opens_nothing(tenant: Tenant) -> None:
    secret = issue_key(tenant)
    assert Api().post("subjects", {"external_id": "x", "api_key": secret}).status_code == 401
    with inside(tenant):
        assert not Subject.objects.exists()


@EACH
def test_a_key_without_the_scope_is_told_which_and_it_is_noted(
    tenant: Tenant, route: Route, method: str
) -> None:
    needed = route.methods[method]
    assert needed is not None
    other = next(p for p in (Permission.READ_USAGE, Permission.READ_JOBS) if p is not needed)
    answer = call(Api(issue_key(tenant, other.value)), route, method)
    assert answer.status_code == 403
    assert code_of(answer) == "missing_scope"
    assert needed.value in answer.json()["detail"]
    with inside(tenant):
        (noted,) = [event for event in trail.events() if event.action == "authz.denied"]
    assert noted.detail == {"permission": needed.value, "route": route.pattern.replace(" ", "")}
    assert (noted.actor_kind, noted.request_id) == ("api_key", answer["X-Request-Id"])


@EACH
def test_a_person_without_the_permission_is_told_so(tenant: Tenant, route: Route, method: str) -> None:
    needed = route.methods[method]
    assert needed is not None
    for role in Role:
        member = add_member(tenant, f"{role.value}@example.org", role)
        allowed = needed in PERMISSIONS[role]
        answer = call(signed_in(member.user), route, method)
        assert (answer.status_code != 403) is allowed, role
        if not allowed:
            assert code_of(answer) == "missing_permission"


def test_a_session_needs_the_token_against_forged_requests(tenant: Tenant) -> None:
    owner = add_member(tenant, "ann@example.org", Role.OWNER).user
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.force_login(owner)
    session = Api(client=client)
    assert session.get("subjects").status_code == 200
    refused = session.post("subjects", {"external_id": "x"})
    assert refused.status_code == 403
    assert code_of(refused) == "forbidden"
    assert "CSRF" in refused.json()["detail"]
    with inside(tenant):
        assert not Subject.objects.exists()
    client.get("/me/memory")
    token = client.cookies["memoryhub-csrf"].value
    assert session.post("subjects", {"external_id": "x"}, X_CSRFToken="wrong").status_code == 403
    assert session.post("subjects", {"external_id": "x"}, X_CSRFToken=token).status_code == 201


def test_a_key_needs_no_token(tenant: Tenant) -> None:
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    assert Api(issue_key(tenant), client).post("subjects", {"external_id": "x"}).status_code == 201


def test_a_person_without_a_place_is_nobody(db: None, tenant: Tenant, other_tenant: Tenant) -> None:
    member = add_member(tenant, "ann@example.org", Role.OWNER)
    with inside(tenant):
        type(member).objects.filter(id=member.id).delete()
    assert signed_in(member.user).get("facts").status_code == 401


def test_a_key_is_nobodys_own_memory(tenant: Tenant) -> None:
    for path in ("me/facts", "me/privacy-requests"):
        assert Api(issue_key(tenant)).get(path).status_code == 403


# --- methods and addresses ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("route", ROUTES, ids=lambda r: r.pattern)
def test_a_method_that_is_not_there_is_a_405_that_names_those_that_are(api: Api, route: Route) -> None:
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"} - set(route.methods):
        answer = call(api, route, method)
        assert answer.status_code == 405, method
        assert code_of(answer) == "method_not_allowed"
        assert set(route.methods) <= {m.strip() for m in answer["Allow"].split(",")}


@pytest.mark.parametrize("path", ["subjects", "facts", "audit-events/verify"])
def test_head_is_get_without_the_body(api: Api, path: str) -> None:
    get, head = api.get(path), api.send("HEAD", path)
    assert (head.status_code, head.content) == (200, b"")
    assert head["Content-Type"] == get["Content-Type"]


def test_head_needs_what_get_needs(tenant: Tenant) -> None:
    assert Api(issue_key(tenant, "jobs:read")).send("HEAD", "facts").status_code == 403


@pytest.mark.parametrize(
    "path", ["", "nothing", "facts/", "facts/x/y", "FACTS", "v2", "facts//", "%2e%2e/healthz", "facts.json"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_an_address_that_is_none(api: Api, path: str, method: str) -> None:
    for caller in (api, Api()):
        answer = caller.send(method, f"{API}/{path}", {} if method == "POST" else None)
        assert answer.status_code == 404
        assert code_of(answer) == "not_found"


def test_only_json_is_spoken(api: Api) -> None:
    answer = api.get("facts", Accept="application/xml")
    assert answer.status_code == 406
    assert code_of(answer) == "not_acceptable"
    for accepted in ("*/*", "application/json", "text/html,*/*;q=0.8"):
        assert api.get("facts", Accept=accepted)["Content-Type"] == "application/json"


# --- the shape of every answer --------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", ["req_mine", "0f8fad5b-d9cb-469f-a165-70867728950e", "a.b-c_D9", "x" * 64])
def test_a_request_id_is_taken_over(api: Api, given: str) -> None:
    for path in ("facts", "nothing", "facts/x"):
        answer = api.get(path, X_Request_Id=given)
        assert answer["X-Request-Id"] == given
        if answer.status_code == 404:
            assert answer.json()["request_id"] == given


@pytest.mark.parametrize("given", ["", "a b", "x" * 65, "<script>", "a\tb", "é", "a;b", "%0a"])
def test_a_request_id_that_is_none_is_replaced(api: Api, given: str) -> None:
    answer = api.get("facts/x", X_Request_Id=given)
    assert answer["X-Request-Id"].startswith("req_")
    assert answer.json()["request_id"] == answer["X-Request-Id"]


def test_the_trail_and_the_turns_know_the_request(api: Api, tenant: Tenant) -> None:
    api.post("subjects", {"external_id": "alice"}, X_Request_Id="req_of_mine")
    with inside(tenant):
        (event,) = trail.events(request_id="req_of_mine")
    assert event.action == "subject.create"


def test_no_answer_is_kept_by_a_proxy(api: Api) -> None:
    for path in ("facts", "subjects", "audit-events"):
        assert api.get(path)["Cache-Control"] == "no-store"
    assert Api().get("facts")["Cache-Control"] == "no-store"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("by", ["key", "session"])
def test_a_database_that_is_away_is_a_503_that_says_when_to_try_again(tenant: Tenant, by: str) -> None:
    owner = add_member(tenant, "ann@example.org", Role.OWNER).user
    caller = Api(issue_key(tenant)) if by == "key" else signed_in(owner)
    port = connection.settings_dict["PORT"]
    connection.close()
    connection.settings_dict["PORT"] = 1
    try:
        answer = caller.get("facts")
    finally:
        connection.settings_dict["PORT"] = port
    assert answer.status_code == 503
    assert code_of(answer) == "database_unavailable"
    assert int(answer["Retry-After"]) > 0
    assert caller.get("facts").status_code == 200


def test_an_error_we_did_not_expect_tells_nothing_of_itself(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("alice@example.org said something")

    monkeypatch.setattr("memoryhub.api.presenting.subject", fail)
    answer = api.post("subjects", {"external_id": "alice"})
    assert answer.status_code == 500
    assert code_of(answer) == "internal"
    assert "alice" not in answer.content.decode()


def test_bodies_of_refusals_hold_what_rfc_9457_asks_for(api: Api) -> None:
    answer = api.post("subjects", {"external_id": ""})
    body = json.loads(answer.content)
    assert body["type"] == "/developers/errors#blank"
    assert (body["status"], body["code"], body["instance"]) == (400, "blank", f"{API}/subjects")
    assert body["errors"] == [
        {"pointer": "/external_id", "code": "blank", "detail": body["errors"][0]["detail"]}
    ]
