"""ETag, If-Match and If-None-Match: nobody overwrites what they have not seen."""

from typing import Any

import pytest

from memoryhub.audit import trail
from memoryhub.memory.models import Fact, FactVersion
from memoryhub.tenants.models import Tenant
from tests.api.conftest import API, Api, code_of
from tests.tenants.conftest import inside

pytestmark = pytest.mark.django_db
BODIES: dict[str, dict[str, Any]] = {
    "correct": {"statement": "Likes rooibos", "reason": "asked"},
    "verify": {},
    "archive": {},
    "restore": {},
}
VERBS = [*BODIES, "purge"]


@pytest.fixture
def fact(api: Api) -> dict[str, Any]:
    """A fact as the API gives it."""
    made = api.post("facts", {"subject": "alice", "statement": "Likes tea"})
    assert made["ETag"] == made.json()["etag"]
    return dict(made.json())


def act(api: Api, fact: dict[str, Any], verb: str, **headers: str) -> Any:
    path = f"{API}/facts/{fact['id']}"
    if verb == "purge":
        return api.send("DELETE", f"{path}?reason=wrong", **headers)
    return api.send("POST", f"{path}/{verb}", BODIES[verb], **headers)


def state(tenant: Tenant) -> list[Any]:
    with inside(tenant):
        rows = Fact.objects.values_list("statement", "status", "version", "updated_at", "verification")
        return [*rows, FactVersion.objects.count(), trail.head()]


@pytest.mark.parametrize("verb", VERBS)
def test_an_act_without_if_match_is_a_428(api: Api, tenant: Tenant, fact: dict[str, Any], verb: str) -> None:
    before = state(tenant)
    for headers in ({}, {"If_Match": ""}, {"If_Match": "  "}):
        answer = act(api, fact, verb, **headers)
        assert answer.status_code == 428
        assert code_of(answer) == "precondition_required"
    assert state(tenant) == before


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("given", ['"x"', "x", "W/{etag}", "{etag}x", '"*"', "{other}"])
def test_an_act_on_another_version_is_a_412_with_the_present_one(
    api: Api, tenant: Tenant, fact: dict[str, Any], verb: str, given: str
) -> None:
    if verb == "restore":
        fact = act(api, fact, "archive", If_Match="*").json()
    etag = fact["etag"]
    other = etag[:-2] + ("1" if etag[-2] != "1" else "2") + '"'
    before = state(tenant)
    answer = act(api, fact, verb, If_Match=given.format(etag=etag, other=other))
    assert answer.status_code == 412
    assert code_of(answer) == "stale"
    assert answer["ETag"] == etag
    assert state(tenant) == before


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("given", ["{etag}", "*"])
def test_an_act_on_the_present_version_is_done_and_gives_the_next(
    api: Api, fact: dict[str, Any], verb: str, given: str
) -> None:
    if verb == "restore":
        fact = act(api, fact, "archive", If_Match="*").json()
    answer = act(api, fact, verb, If_Match=given.format(etag=fact["etag"]))
    assert answer.status_code == (204 if verb == "purge" else 200)
    if verb != "purge":
        assert answer["ETag"] == answer.json()["etag"] != fact["etag"]
        assert api.get(f"facts/{fact['id']}")["ETag"] == answer["ETag"]
        assert act(api, fact, verb, If_Match=fact["etag"]).status_code == 412


@pytest.mark.parametrize("given", ["{etag}", "W/{etag}", '"a", {etag}', "*", '"a",W/{etag} , "b"'])
def test_what_the_caller_has_already_is_a_304(api: Api, fact: dict[str, Any], given: str) -> None:
    answer = api.get(f"facts/{fact['id']}", If_None_Match=given.format(etag=fact["etag"]))
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer["ETag"] == fact["etag"]


@pytest.mark.parametrize("given", ["", '"x"', "x", "{bare}", '"a", "b"'])
def test_what_the_caller_has_not_is_sent(api: Api, fact: dict[str, Any], given: str) -> None:
    answer = api.get(f"facts/{fact['id']}", If_None_Match=given.format(bare=fact["etag"].strip('"')))
    assert answer.status_code == 200
    assert answer.json() == fact


def test_the_version_changes_with_every_change_and_with_no_reading(api: Api, fact: dict[str, Any]) -> None:
    seen = [fact["etag"]]
    for verb in ("verify", "correct", "archive", "restore"):
        seen.append(act(api, fact, verb, If_Match=seen[-1]).json()["etag"])
        api.get(f"facts/{fact['id']}")
        api.post("recall", {"subject": "alice", "query": "rooibos"})
    assert len(set(seen)) == 5
    assert api.get(f"facts/{fact['id']}")["ETag"] == seen[-1]
