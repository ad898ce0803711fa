"""Finding by the API: any moment, with reasons; suites, the embedder, and what a person says of what was found."""

from typing import Any

import pytest

from memoryhub.memory import passages, tasks, threads
from memoryhub.memory.models import EmbedderState, RecallRun, Thread
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant
from tests.api.conftest import Api, code_of
from tests.conftest import ACTOR

pytestmark = pytest.mark.django_db(transaction=True)
TEA = "Which tea do I like?"


def state(api: Api, statement: str, **more: Any) -> dict[str, Any]:
    """A fact about Alice."""
    answer = api.post("facts", {"subject": "alice", "statement": statement, **more})
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def ask(api: Api, query: str, **more: Any) -> dict[str, Any]:
    """A recall about Alice."""
    answer = api.post("recall", {"subject": "alice", "query": query, **more})
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def said(found: dict[str, Any]) -> list[str]:
    """The statements that came back."""
    return [item["fact"]["statement"] for item in found["data"]]


def test_the_plan_of_march_as_of_march(api: Api) -> None:
    for value, at in (("free", "2026-03-01T00:00:00Z"), ("enterprise", "2026-06-01T00:00:00Z")):
        state(
            api,
            f"Is on the {value} plan",
            attribute="plan",
            value=value,
            kind="profile",
            valid_at=at,
            observed_at=at,
        )
    query = "Which plan am I on?"
    assert said(ask(api, query)) == ["Is on the enterprise plan"]
    assert said(ask(api, query, true_at="2026-04-01T00:00:00Z")) == ["Is on the free plan"]
    assert said(ask(api, query, as_of="2026-04-01T00:00:00Z")) == [], "nothing had been recorded then"
    assert code_of(
        api.post("recall", {"subject": "alice", "query": query, "as_of": "2199-01-01T00:00:00Z"})
    ) == ("in_the_future")


def test_an_explanation_says_why_and_why_not(api: Api) -> None:
    state(api, "Likes green tea")
    resting = state(api, "Likes black tea")
    assert api.post(f"facts/{resting['id']}/archive", {}, If_Match="*").status_code == 200
    state(api, "Has two kids")
    found = ask(api, TEA, explain=True)
    assert said(found) == ["Likes green tea"]
    parts = found["data"][0]["score_parts"]
    assert set(parts) == {
        "cosine", "keyword", "exact", "recency", "trust", "pinned", "feedback", "stale",
    }  # fmt: skip
    assert found["data"][0]["ranks"]["meaning"] == 1
    reasons = {item["fact"]: item["reason"] for item in found["explanation"]["left_out"]}
    assert reasons[resting["id"]] == "archived"
    assert sorted(reasons.values()) == ["archived", "below_floor"]
    assert "explanation" not in ask(api, TEA)


@pytest.mark.parametrize(
    ("filters", "pointer"),
    [
        ({"kinds": ["opinion"]}, "/filters/kinds"),
        ({"status": "superseded"}, "/filters/status"),
        ({"status": "archived"}, "/filters/status"),
        ({"trust": ["very"]}, "/filters/trust"),
        ({"source": ["rumour"]}, "/filters/source"),
        ({"thread": "thr_0000"}, "/filters/thread"),
    ],
)
def test_a_filter_that_makes_no_sense_is_named(api: Api, filters: Any, pointer: str) -> None:
    state(api, "Likes green tea")
    answer = api.post("recall", {"subject": "alice", "query": TEA, "filters": filters})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"].startswith(pointer)


def test_turns_come_beside_facts(api: Api, tenant: Tenant) -> None:
    made = api.post("threads", {"subject": "alice"}).json()
    turns = [{"role": "user", "content": "We decided to retry E-4012 on Friday."}]
    api.post(f"threads/{made['id']}/turns", {"turns": turns})
    with scope.enter(tenant.id, ACTOR, "req_test"):
        passages.index_thread(threads.get(Thread.objects.get().id))
    found = ask(api, "What did we decide about E-4012?", turns=3)
    assert [turn["text"] for turn in found["turns"]] == ["We decided to retry E-4012 on Friday."]
    assert found["turns"][0]["thread"] == made["id"]


def test_not_relevant_and_back(api: Api) -> None:
    fact = state(api, "Likes green tea")
    assert api.post(f"facts/{fact['id']}/not-relevant", {"query": TEA}).status_code == 201
    assert said(ask(api, TEA)) == []
    assert api.send("DELETE", f"facts/{fact['id']}/not-relevant").status_code == 204
    assert said(ask(api, TEA)) == ["Likes green tea"]


def test_a_restricted_fact_is_on_no_path_until_restored(api: Api) -> None:
    fact = state(api, "Likes green tea")
    restricted = api.post(f"facts/{fact['id']}/restrict", {}, If_Match=fact["etag"]).json()
    assert restricted["status"] == "restricted"
    assert said(ask(api, TEA)) == []
    made = api.post("threads", {"subject": "alice"}).json()
    assert api.get(f"threads/{made['id']}/context?query=Which+tea+do+I+like%3F").json()["facts"] == []
    assert (
        api.post(f"facts/{fact['id']}/restore", {}, If_Match=restricted["etag"]).json()["status"] == "active"
    )
    assert said(ask(api, TEA)) == ["Likes green tea"]


def test_a_question_is_saved_as_a_test_and_run_by_the_worker(api: Api, tenant: Tenant) -> None:
    fact = state(api, "Likes green tea")
    suite = api.post("recall-suites", {"name": "Tea"}).json()
    assert api.post("recall-suites", {"name": "Tea"}).json()["id"] == suite["id"]
    assert code_of(api.post(f"recall-suites/{suite['id']}/runs", {})) == "suite_empty"
    case = api.post(
        f"recall-suites/{suite['id']}/cases", {"subject": "alice", "query": TEA, "expected": [fact["id"]]}
    ).json()
    assert case["expected"] == [fact["id"]]
    started = api.post(f"recall-suites/{suite['id']}/runs", {"k": 3})
    assert (started.status_code, started.json()["status"]) == (202, "running")
    with scope.enter(tenant.id, ACTOR, "req_test"):
        tasks.run_suite.run(str(RecallRun.objects.get().id))
    done = api.get(started["Location"]).json()
    assert done["status"] == "done"
    assert done["scores"] == {"hit_at_k": 1.0, "recall_at_k": 1.0, "mrr": 1.0}
    assert done["before"] is None
    assert api.send("DELETE", f"recall-cases/{case['id']}").status_code == 204


def test_the_embedder_and_a_change_of_it(api: Api, tenant: Tenant) -> None:
    state(api, "Likes green tea")
    shown = api.get("embedder").json()
    assert shown["dimension"] == 384
    assert shown["next"] == {"name": "next/384", "dimension": 384}
    ahead = api.get("embedder/change").json()
    assert (ahead["facts"], ahead["passages"], ahead["price_usd"]) == (1, 0, None)
    begun = api.post("embedder/change", {})
    assert begun.status_code == 202
    assert begun.json()["change"]["to"] == "next/384"
    with scope.enter(tenant.id, ACTOR, "req_test"):
        tasks.change_embedder.run()
        assert EmbedderState.objects.get(name="next/384").error_code, "nobody answers there"
    assert said(ask(api, TEA)) == ["Likes green tea"], "recall goes on with the present one"


def test_weights_are_the_owners_to_set(api: Api) -> None:
    assert api.get("memory-policy").json()["recall_weights"]["meaning"] == 0.62
    assert api.send("PATCH", "memory-policy", {"recall_weights": {"recency": 0.2}}).status_code == 403
