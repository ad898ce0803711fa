"""Somebody else's ids look like ids of nothing: to the byte, on every route, for every method and kind of caller."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, unquote

import pytest
from django.db import DatabaseError, connection
from django.test import Client

from memoryhub import ids
from memoryhub.memory import facts
from memoryhub.tenants import scope
from memoryhub.tenants.permissions import KEY_SCOPES
from tests.api.conftest import API, Api, signed_in
from tests.api.routes import PREFIXES, Route, routes_with_ids
from tests.api.world import World
from tests.tenants.owner import fingerprints

Worlds = tuple[World, World]

#: A body that would be good for one's own; GET and DELETE need none.
BODIES: dict[str, dict[str, Any]] = {
    "api/v1/threads/<str:thread_id>": {"title": "Renamed"},
    "api/v1/threads/<str:thread_id>/turns": {"turns": [{"role": "user", "content": "Hello"}]},
    "api/v1/facts/<str:fact_id>/correct": {"statement": "Likes rooibos", "reason": "asked"},
    "api/v1/privacy-requests/<str:request_id>/approve": {"preview_digest": "x" * 64},
    "api/v1/privacy-requests/<str:request_id>/refuse": {"reason": "legal_claims"},
    "api/v1/subjects/<str:subject_id>/instructions": {"order": []},
    "chat/<str:thread_id>": {"text": "Hello"},
    "chat/<str:thread_id>/rename": {"title": "Renamed"},
    "chat/<str:thread_id>/delete": {"scope": "taught"},
    "facts/<str:fact_id>/correct": {"statement": "Likes rooibos", "reason": "asked"},
    "facts/<str:fact_id>/purge": {"reason": "wrong", "typed": "purge"},
    "me/memory/<str:fact_id>/correct": {"statement": "Likes rooibos"},
    "privacy/<str:request_id>/approve": {"digest": "x" * 64, "typed": "Alice canary-bb"},
    "privacy/<str:request_id>/refuse": {"reason": "legal_claims"},
    "members/<str:membership_id>/role": {"role": "viewer"},
}
_QUERIES = {
    "DELETE api/v1/facts/<str:fact_id>": "?reason=wrong",
    "DELETE api/v1/threads/<str:thread_id>": "?forget=true",
}
_TOKEN = re.compile(rb'(csrf[-\w]*"?[^>]{0,20}(?:value|content)="|"X-CSRFToken": ?")[A-Za-z0-9]{64}')
CALLS = [(route, method) for route in routes_with_ids() for method in route.methods]


def _callers(route: Route) -> list[str]:
    return ["key", "session"] if route.is_api else ["session"]


CASES = [
    pytest.param(route, method, caller, id=f"{method} {route.pattern} by {caller}")
    for route, method in CALLS
    for caller in _callers(route)
]


@pytest.fixture(scope="module")
def callers(worlds: Worlds) -> dict[str, Api]:
    """The first tenant's owner, signed in, and a key of theirs with all scopes."""
    session = signed_in(worlds[0].owner)
    session.client.get("/me/memory")
    return {"key": Api(worlds[0].secret), "session": session}


def ask(caller: Api, route: Route, method: str, **values: str) -> Any:
    address = route.address(**values) + _QUERIES.get(f"{method} {route.pattern}", "")
    headers = {"X_Request_Id": "req_fixed", "If_Match": "*"}
    body = BODIES.get(route.pattern, {})
    if route.is_api or method == "GET":
        return caller.send(method, address, body if method in ("POST", "PATCH", "PUT") else None, **headers)
    return caller.client.post(address, body, headers={"X-Request-Id": "req_fixed"})


def seen(answer: Any, sent: dict[str, str] | None = None) -> tuple[int, list[tuple[str, str]], bytes]:
    """All that the caller gets, but for the token against forged forms, which is masked anew each time.

    A refusal that comes before any looking up (401, 403, the way to the sign-in) may repeat the address.
    """
    headers = sorted((name, value) for name, value in answer.items() if name != "Date")
    content = _TOKEN.sub(rb"\1", b"".join(answer) if answer.streaming else answer.content)
    cookies = [(name, morsel.value) for name, morsel in sorted(answer.cookies.items()) if "csrf" not in name]
    if sent and answer.status_code != 404:
        headers = [
            (n, quote(unquote(v)).replace(_quoted(sent), "…")) for n, v in headers if n != "Content-Length"
        ]
        content = quote(unquote(content.decode())).replace(_quoted(sent), "…").encode()
    return answer.status_code, headers + cookies, content


def _quoted(sent: dict[str, str]) -> str:
    return quote(unquote(next(iter(sent.values()))))


def one_each(route: Route, world: World) -> Iterator[dict[str, str]]:
    assert len(route.parameters) == 1, "say how to fill an address with several ids"
    (name,) = route.parameters
    known = world.ids[name]
    for public_id in [*known[:3], *known[3:][-1:]]:
        yield {name: public_id}


def refusal(route: Route, method: str, caller: str) -> int:
    """404; a key is told first what it may never do, whosever the id is."""
    return 403 if caller == "key" and route.methods[method] not in KEY_SCOPES else 404


def nobodys(route: Route) -> dict[str, str]:
    return {name: ids.public(PREFIXES[name], ids.new()) for name in route.parameters}


@pytest.mark.parametrize(("route", "method", "caller"), CASES)
def test_another_tenants_id_is_an_id_of_nothing(
    worlds: Worlds, callers: dict[str, Api], route: Route, method: str, caller: str
) -> None:
    second = worlds[1]
    before = fingerprints(second.tenant.id)
    nobody = nobodys(route)
    nothing = seen(ask(callers[caller], route, method, **nobody), nobody)
    assert nothing[0] == refusal(route, method, caller)
    for values in one_each(route, second):
        answer = seen(ask(callers[caller], route, method, **values), values)
        assert answer == nothing
        assert second.canary.encode() not in answer[2]
    assert fingerprints(second.tenant.id) == before


def _malformed(prefix: str, good: str) -> list[str]:
    tail = good.partition("_")[2]
    return [
        "x", "*", "%25", f"{prefix}_", f"{prefix}_{tail[:-1]}", f"{prefix}_{tail}0", tail, f"{prefix.upper()}_{tail}",
        f"other_{tail}", f"{prefix}_{tail[:8]}-{tail[9:]}", f"{prefix}_{'g' * 32}", f"{prefix}_{tail}%0A", f"{prefix}_{tail}%00",
        f"{prefix}_{'٣' * 32}", "' OR 1=1 --", "%ED%A0%80", "a" * 3000, "..%5c",
    ]  # fmt: skip


@pytest.mark.parametrize(("route", "method", "caller"), CASES)
def test_a_malformed_id_is_an_id_of_nothing(
    worlds: Worlds, callers: dict[str, Api], route: Route, method: str, caller: str
) -> None:
    (name,) = route.parameters
    own = worlds[0].ids[name][0]
    before = fingerprints(worlds[1].tenant.id)
    nobody = nobodys(route)
    nothing = seen(ask(callers[caller], route, method, **nobody), nobody)
    for bad in _malformed(PREFIXES[name], own):
        answer = seen(ask(callers[caller], route, method, **{name: bad}), {name: bad})
        assert answer[0] == refusal(route, method, caller), bad
        if route.is_api and answer[0] == 404:
            assert answer == nothing, bad
    assert fingerprints(worlds[1].tenant.id) == before


def test_nobody_signed_in_learns_of_no_id(worlds: Worlds) -> None:
    nobody = Api()
    before = [fingerprints(world.tenant.id) for world in worlds]
    for route, method in CALLS:
        theirs = next(one_each(route, worlds[1]))
        told = [seen(ask(nobody, route, method, **values), values) for values in (theirs, nobodys(route))]
        assert told[0] == told[1]
        assert told[0][0] == 401 if route.is_api or route.pattern.startswith("stream") else 302
    assert [fingerprints(world.tenant.id) for world in worlds] == before


# --- ids and names in bodies, filters and cursors -------------------------------------------------------------------


@pytest.fixture
def unchanged(worlds: Worlds) -> Iterator[None]:
    """Nothing of the second tenant has changed when the test is done."""
    before = fingerprints(worlds[1].tenant.id)
    yield
    assert fingerprints(worlds[1].tenant.id) == before


def same(caller: Api, method: str, one: tuple[str, Any], other: tuple[str, Any], expected: int) -> None:
    """Both requests get the same answer."""
    answers = [caller.send(method, path, body, X_Request_Id="req_fixed") for path, body in (one, other)]
    assert answers[0].status_code == expected, answers[0].content
    assert seen(answers[0]) == seen(answers[1])


def test_a_foreign_turn_is_no_evidence(worlds: Worlds, callers: dict[str, Api], unchanged: None) -> None:
    first, second = worlds
    before = fingerprints(first.tenant.id)
    for subject in ("alice", "somebody new"):
        bodies = [
            {"subject": subject, "statement": "Lives there", "turn": turn, "quote": second.quote}
            for turn in (second.quoted_turn, ids.public("turn", ids.new()))
        ]
        for caller in callers.values():
            same(caller, "POST", ("facts", bodies[0]), ("facts", bodies[1]), 400)
    assert fingerprints(first.tenant.id) == before


def test_a_foreign_instruction_is_none(worlds: Worlds, callers: dict[str, Api], unchanged: None) -> None:
    first, second = worlds
    own = f"{API}/subjects/{first.ids['subject_id'][0]}/instructions"
    for theirs in second.ids["fact_id"]:
        for caller in callers.values():
            bodies = [{"order": [fact]} for fact in (theirs, ids.public("fact", ids.new()))]
            same(caller, "PUT", (own, bodies[0]), (own, bodies[1]), 400)


@pytest.mark.parametrize("path", ["facts?subject=", "threads?subject=", "subjects?external_id="])
def test_a_filter_by_a_foreign_subject_finds_nobody(
    worlds: Worlds, callers: dict[str, Api], path: str, unchanged: None
) -> None:
    with scope.enter(worlds[1].tenant.id, scope.SYSTEM, "req_x"):
        theirs = facts.get(ids.parse("fact", worlds[1].ids["fact_id"][0])).subject.external_id
    for caller in callers.values():
        found = [caller.get(path + name, X_Request_Id="req_fixed") for name in (theirs, "nobody-at-all")]
        assert seen(found[0]) == seen(found[1])


def test_a_filter_by_a_foreign_id_in_the_trail_finds_nothing(
    worlds: Worlds, callers: dict[str, Api], unchanged: None
) -> None:
    theirs = worlds[1].ids["subject_id"][0]
    for caller in callers.values():
        same(
            caller,
            "GET",
            (f"audit-events?subject={theirs}", None),
            (f"audit-events?subject={ids.public('subj', ids.new())}", None),
            200,
        )
        assert caller.get(f"audit-events?subject={theirs}").json()["data"] == []


def test_a_name_that_both_tenants_know_leads_to_ones_own(
    worlds: Worlds, callers: dict[str, Api], unchanged: None
) -> None:
    first, second = worlds
    for caller in callers.values():
        for path in ("facts?subject=alice&limit=200", "threads?subject=alice", "subjects?external_id=alice"):
            answer = caller.get(path)
            assert answer.status_code == 200
            assert first.canary in answer.content.decode()
            assert second.canary not in answer.content.decode()
        found = caller.post("recall", {"subject": "alice", "query": f"{second.canary} town", "k": 100})
        assert found.status_code == 200
        assert second.canary not in found.content.decode()
        assert [row["fact"]["subject"] for row in found.json()["data"]].count("alice") == len(
            found.json()["data"]
        )


@pytest.mark.parametrize("path", ["facts", "threads", "subjects", "jobs", "privacy-requests", "audit-events"])
def test_a_cursor_of_another_tenant_pages_through_ones_own(
    worlds: Worlds, callers: dict[str, Api], path: str, unchanged: None
) -> None:
    cursor = Api(worlds[1].secret).get(f"{path}?limit=1").json()["next_cursor"]
    for caller in callers.values():
        answer = caller.get(f"{path}?limit=200" + (f"&cursor={cursor}" if cursor else ""))
        assert answer.status_code == 200
        assert worlds[1].canary not in answer.content.decode()
        theirs = [public_id for values in worlds[1].ids.values() for public_id in values]
        assert not any(public_id in answer.content.decode() for public_id in theirs)


@pytest.mark.parametrize("path", ["facts", "threads", "subjects", "jobs", "privacy-requests", "audit-events"])
def test_lists_hold_nothing_of_another_tenant(
    worlds: Worlds, callers: dict[str, Api], path: str, unchanged: None
) -> None:
    answers = [caller.get(f"{path}?limit=200") for caller in (callers["key"], Api(worlds[1].secret))]
    own, theirs = ({row["id"] for row in answer.json()["data"]} for answer in answers)
    assert own
    assert theirs
    assert not own & theirs


def test_one_thread_name_in_two_tenants_is_two_threads(
    worlds: Worlds, callers: dict[str, Api], unchanged: None
) -> None:
    answer = callers["key"].post("threads", {"subject": "alice", "external_id": "thread-1"})
    assert answer.json()["id"] == worlds[0].ids["thread_id"][1]


def test_one_idempotency_key_in_two_tenants_is_two_keys(worlds: Worlds) -> None:
    body = {"external_id": "erin", "display_name": "The first's Erin"}
    made = [Api(world.secret).post("subjects", body, Idempotency_Key="shared") for world in worlds]
    assert [answer.status_code for answer in made] == [201, 201]
    assert not any(answer.has_header("Idempotent-Replayed") for answer in made)
    assert made[0].json()["id"] != made[1].json()["id"]


def test_a_key_of_one_tenant_opens_no_other(worlds: Worlds) -> None:
    """A session never lends its tenant to a key, nor a key to a session."""
    client = Client(raise_request_exception=False)
    client.force_login(worlds[0].owner)
    both = Api(worlds[1].secret, client)
    assert worlds[0].canary not in both.get("facts?limit=200").content.decode()
    assert worlds[1].canary in both.get("facts?limit=200").content.decode()
    bad = Api(worlds[1].secret[:-1] + "x", client)
    assert bad.get("facts").status_code == 401


@pytest.mark.parametrize("chosen", ["another tenant", "nonsense"])
def test_a_session_can_not_choose_a_tenant_it_has_no_place_in(worlds: Worlds, chosen: str) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(worlds[0].owner)
    session = client.session
    session["tenant"] = str(worlds[1].tenant.id) if chosen == "another tenant" else "'; DROP TABLE tenant; --"
    session.save()
    answer = client.get(f"{API}/facts?limit=200")
    assert worlds[0].canary in answer.content.decode()
    assert worlds[1].canary not in answer.content.decode()


# --- the tests' own ground ------------------------------------------------------------------------------------------


def test_every_table_of_the_second_tenant_holds_something(worlds: Worlds) -> None:
    empty = [table for table, state in fingerprints(worlds[1].tenant.id).items() if state.startswith("0:")]
    assert empty == []


def test_no_table_that_holds_something_opens_without_a_scope(worlds: Worlds) -> None:
    for table in fingerprints(worlds[1].tenant.id):
        with pytest.raises(DatabaseError, match="tenant context missing"):
            connection.cursor().execute(f"SELECT count(*) FROM {table}")


def _order(case: Any) -> tuple[bool, bool]:
    route, method = case
    destructive = method == "DELETE" or route.pattern.endswith(
        ("purge", "forget", "delete", "undo", "revoke", "role")
    )
    return destructive, method != "GET"


def test_ones_own_ids_are_found_by_the_same_requests(worlds: Worlds, callers: dict[str, Api]) -> None:
    """Without this, a wrong address or body would make every test above pass. It changes the first tenant; so it is last."""
    unfound = []
    for route, method in sorted(CALLS, key=_order):
        caller = callers["session"]
        (name,) = route.parameters
        answers = (ask(caller, route, method, **{name: known}) for known in worlds[0].ids[name])
        if all(answer.status_code == 404 for answer in answers):
            unfound.append(f"{method} {route.pattern}")
    assert unfound == []
