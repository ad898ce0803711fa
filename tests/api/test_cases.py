"""Faults that people met in other memory systems, each through the API, as its users would meet it."""

import json
import threading
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from memoryhub import clock
from memoryhub.llm.backends import fake
from memoryhub.llm.configuration import LlmSettings
from memoryhub.llm.types import Purpose
from memoryhub.memory import tasks
from memoryhub.memory.models import Job, Thread
from memoryhub.privacy import erasure, requests
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant
from tests.conftest import ACTOR, issue_key

pytestmark = pytest.mark.django_db(transaction=True)


class Caller:
    """A program with a key of every scope."""

    def __init__(self, tenant: Tenant) -> None:
        self.tenant = tenant
        self.client = Client(headers={"Authorization": f"Bearer {issue_key(tenant)}"})

    def post(self, path: str, body: Any, **headers: str) -> Any:
        return self.client.post(
            f"/api/v1{path}", json.dumps(body), content_type="application/json", headers=headers
        )

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/v1{path}").json()

    def thread(self, subject: str) -> str:
        return str(self.post("/threads", {"subject": subject}).json()["id"])

    def say(self, thread: str, *texts: str, role: str = "user", at: str | None = None) -> None:
        turns = [{"role": role, "content": text, **({"created_at": at} if at else {})} for text in texts]
        answer = self.post(f"/threads/{thread}/turns", {"turns": turns})
        assert answer.status_code == 201, answer.content

    def settle(self) -> None:
        """Let the workers' work be done, here and now."""
        with scope.enter(self.tenant.id, ACTOR, "req_test"):
            for thread in list(Thread.objects.all()):
                tasks.learn.run(str(thread.id))
                tasks.summarise.run(str(thread.id))

    def statements(self, subject: str, status: str = "active") -> list[str]:
        return [
            fact["statement"]
            for fact in self.get(f"/facts?subject={subject}&status={status}&limit=200")["data"]
        ]

    def recall(self, subject: str, query: str) -> list[str]:
        answer = self.post("/recall", {"subject": subject, "query": query})
        assert answer.status_code == 200, answer.content
        return [item["fact"]["statement"] for item in answer.json()["data"]]


@pytest.fixture
def api(tenant: Tenant) -> Iterator[Caller]:
    yield Caller(tenant)


@pytest.fixture
def model(settings: Any) -> Any:
    settings.MEMORYHUB_LLM = LlmSettings(backend="fake")
    fake.reset()
    return fake


def found(*facts: dict[str, Any]) -> str:
    return json.dumps({"facts": list(facts)})


def erase(api: Caller, subject: str) -> dict[str, int]:
    request = api.post("/privacy-requests", {"subject": subject}).json()
    seen = api.post(f"/privacy-requests/{request['id']}/preview", {}).json()
    officer = scope.Actor(scope.ActorKind.USER, "0" * 32, "ui")
    with scope.enter(api.tenant.id, officer, "req_test"):
        row = requests.approve(
            requests.get(_uuid(request["id"])), digest=seen["preview_digest"], at=clock.now()
        )
        claimed = erasure.claim(row.id, at=clock.now())
        return erasure.run(claimed, at=clock.now()).removed if claimed else _by_worker(row.id)


def _by_worker(request_id: Any) -> dict[str, int]:
    return dict(requests.get(request_id).removed)


def _uuid(public_id: str) -> Any:
    return uuid.UUID(public_id.split("_")[1])


def everywhere(words: str) -> list[str]:
    """Tables of the tenant that hold the words, as the application sees them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition"
        )
        tables = [row[0] for row in cursor.fetchall()]
        holding = []
        for table in tables:
            cursor.execute(f'SELECT count(*) FROM "{table}" t WHERE t::text ILIKE %s', [f"%{words}%"])
            if cursor.fetchone()[0]:
                holding.append(table)
    return holding


def test_an_erasure_does_not_stop_at_a_hundred(api: Caller) -> None:
    for number in range(250):
        assert api.post("/facts", {"subject": "alice", "statement": f"Owns kite {number}"}).status_code == 201
    for number in range(3):
        api.post("/facts", {"subject": "bob", "statement": f"Owns boat {number}"})
    assert erase(api, "alice")["facts"] == 250
    assert len(api.statements("bob")) == 3
    with scope.enter(api.tenant.id, ACTOR, "req_test"):
        assert everywhere("kite") == []


def test_erased_text_never_reaches_a_model_again(api: Caller, model: Any) -> None:
    thread = api.thread("alice")
    api.say(thread, "I take lithograph lessons")
    api.settle()
    erase(api, "alice")
    fake.reset()
    api.say(api.thread("alice-2"), "hello")
    api.settle()
    assert model.prompts()
    assert all("lithograph" not in prompt.text for prompt in model.prompts())


def test_a_purged_fact_does_not_live_on_in_a_summary(api: Caller, settings: Any) -> None:
    settings.MEMORYHUB_KEEP_RECENT = 2
    thread = api.thread("alice")
    api.say(
        thread, "I live in Zanzibar.", "We decided to use form B-12.", *(f"Question {n}?" for n in range(5))
    )
    api.settle()
    assert "Zanzibar" in api.get(f"/threads/{thread}/summary")["content"]
    fact = next(f for f in api.get("/facts?subject=alice")["data"] if "Zanzibar" in f["statement"])
    answer = api.client.delete(f"/api/v1/facts/{fact['id']}?reason=wrong", headers={"If-Match": "*"})
    assert answer.status_code == 204
    assert api.recall("alice", "Where do I live? Zanzibar?") == []
    api.settle()
    summary = api.get(f"/threads/{thread}/summary")["content"]
    assert "Zanzibar" not in summary
    assert "B-12" in summary
    with scope.enter(api.tenant.id, ACTOR, "req_test"):
        assert everywhere("Zanzibar") == []


def test_a_forgotten_fact_is_not_learned_again_and_the_admin_sees_it(api: Caller) -> None:
    thread = api.thread("alice")
    api.say(thread, "I live in Porto")
    api.settle()
    (fact,) = api.get("/facts?subject=alice")["data"]
    api.client.delete(f"/api/v1/facts/{fact['id']}?reason=subject_asked", headers={"If-Match": "*"})
    api.say(thread, "I live in Porto")
    api.settle()
    assert api.statements("alice") == []
    (job,) = api.get("/jobs")["data"]
    assert job["counts"] == {"suppressed": 1}


def test_twenty_parallel_adds_are_one_fact(api: Caller) -> None:
    answers: list[Any] = []

    def add() -> None:
        try:
            answers.append(api.post("/facts", {"subject": "alice", "statement": "Likes tea"}).status_code)
        finally:
            connection.close()

    api.post("/subjects", {"external_id": "alice"})
    workers = [threading.Thread(target=add) for _ in range(20)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert answers == [201] * 20
    assert api.statements("alice") == ["Likes tea"]


def test_the_same_batch_a_hundred_times_is_one_set_of_rows(api: Caller) -> None:
    thread = api.thread("alice")
    batch = {"turns": [{"role": "user", "content": f"Message {n}", "client_id": f"m{n}"} for n in range(5)]}
    ids = {
        tuple(t["id"] for t in api.post(f"/threads/{thread}/turns", batch).json()["data"]) for _ in range(100)
    }
    assert len(ids) == 1
    assert api.get(f"/threads/{thread}")["turns"] == 5
    batch["turns"][0]["content"] = "Another message"
    assert api.post(f"/threads/{thread}/turns", batch).status_code == 409


def test_a_negated_correction_is_no_duplicate(api: Caller, model: Any) -> None:
    thread = api.thread("alice")
    rule = {"kind": "constraint", "turn_seq": 1}
    api.say(thread, "Production deployment is allowed", at="2026-01-01T00:00:00Z")
    model.script(
        [
            found(
                {
                    **rule,
                    "statement": "Production deployment is allowed",
                    "quote": "Production deployment is allowed",
                }
            )
        ],
        purpose=Purpose.EXTRACT,
    )
    api.settle()
    api.say(thread, "Production deployment is not allowed", at="2026-02-01T00:00:00Z")
    model.script(
        [
            found(
                {
                    **rule,
                    "turn_seq": 2,
                    "statement": "Production deployment is not allowed",
                    "quote": "Production deployment is not allowed",
                }
            )
        ],
        purpose=Purpose.EXTRACT,
    )
    api.settle()
    assert api.statements("alice") == ["Production deployment is not allowed"]
    assert api.statements("alice", "superseded") == ["Production deployment is allowed"]


def test_an_additive_fact_retires_nothing(api: Caller, model: Any) -> None:
    thread = api.thread("alice")
    api.say(
        thread,
        "I work at X as CTO",
        "I run the GitHub organisation of X",
        "I moved from Whitefield to Electronic City",
    )
    model.script(
        [
            found(
                {
                    "kind": "profile",
                    "attribute": "employer",
                    "value": "X",
                    "statement": "Works at X as CTO",
                    "turn_seq": 1,
                    "quote": "I work at X as CTO",
                },
                {
                    "kind": "profile",
                    "statement": "Runs the GitHub organisation of X",
                    "turn_seq": 2,
                    "quote": "I run the GitHub organisation of X",
                },
                {
                    "kind": "profile",
                    "attribute": "city",
                    "value": "Electronic City",
                    "statement": "Lives in Electronic City",
                    "turn_seq": 3,
                    "quote": "I moved from Whitefield to Electronic City",
                },
            )
        ],
        purpose=Purpose.EXTRACT,
    )
    api.post(
        "/facts",
        {
            "subject": "alice",
            "statement": "Lives in Whitefield",
            "attribute": "city",
            "value": "Whitefield",
            "observed_at": "2025-01-01T00:00:00Z",
        },
    )
    api.settle()
    assert set(api.statements("alice")) == {
        "Works at X as CTO",
        "Runs the GitHub organisation of X",
        "Lives in Electronic City",
    }


def test_prompt_examples_never_become_facts(api: Caller, model: Any) -> None:
    thread = api.thread("alice")
    api.say(thread, "ok thanks")
    model.script(
        [
            found(
                {
                    "kind": "profile",
                    "statement": "Lives in Leipzig",
                    "turn_seq": 1,
                    "quote": "Lives in Leipzig",
                }
            )
        ],
        purpose=Purpose.EXTRACT,
    )
    api.settle()
    assert api.statements("alice") == []
    assert api.get("/jobs")["data"][0]["counts"] == {"dropped_quote_not_found": 1}


def test_what_the_assistant_said_is_nobodys_fact(api: Caller, model: Any) -> None:
    thread = api.thread("alice")
    api.say(thread, "Where am I?")
    api.say(thread, "You live in Oslo, on the free plan.", role="assistant")
    model.script(
        [
            found(
                {"kind": "profile", "statement": "Lives in Oslo", "turn_seq": 2, "quote": "You live in Oslo"}
            )
        ],
        purpose=Purpose.EXTRACT,
    )
    api.settle()
    assert api.statements("alice") == []


def test_a_friends_diet_is_held_for_review(api: Caller) -> None:
    api.say(api.thread("alice"), "My friend Tom is vegan.")
    api.settle()
    assert api.statements("alice") == []


def test_last_week_is_counted_from_the_turn(api: Caller, model: Any) -> None:
    thread = api.thread("alice")
    api.say(thread, "I went to Paris last week", at="2023-05-24T02:00:00Z")
    model.script(
        [
            found(
                {
                    "kind": "event",
                    "statement": "Went to Paris",
                    "turn_seq": 1,
                    "quote": "I went to Paris last week",
                }
            )
        ],
        purpose=Purpose.EXTRACT,
    )
    api.settle()
    (fact,) = api.get("/facts?subject=alice")["data"]
    assert fact["valid_at"].startswith("2023-05-15")
    assert fact["observed_at"] == "2023-05-24T02:00:00Z"
    assert fact["created_at"] > "2026"


def test_chinese_in_is_chinese_stored(api: Caller, model: Any) -> None:
    thread = api.thread("alice")
    api.say(thread, "我住在成都，喜欢喝茶。")
    model.script(
        [
            found(
                {
                    "kind": "profile",
                    "attribute": "city",
                    "value": "成都",
                    "statement": "住在成都",
                    "turn_seq": 1,
                    "quote": "我住在成都",
                }
            )
        ],
        purpose=Purpose.EXTRACT,
    )
    api.settle()
    assert api.statements("alice") == ["住在成都"]


@pytest.mark.parametrize(
    "answer",
    [
        "no json",
        '{"facts": [',
        '{"facts": 1}',
        '{"facts": [{"kind": "x"}]}',
        '{"facts": [{"statement": "\\q"}]}',
        "x" * 100_000,
    ],
)
def test_a_bad_answer_fails_the_job_and_loses_nothing(api: Caller, model: Any, answer: str) -> None:
    thread = api.thread("alice")
    api.say(thread, "I live in Oslo")
    model.script([answer, answer], purpose=Purpose.EXTRACT)
    api.settle()
    (job,) = api.get("/jobs?status=failed")["data"]
    assert job["error_code"] == "model_answer_invalid"
    assert api.get(f"/threads/{thread}")["learned_seq"] == 0
    with scope.enter(api.tenant.id, ACTOR, "req_test"):
        Job.objects.update(available_at=clock.now())
    model.script(
        [found({"kind": "profile", "statement": "Lives in Oslo", "turn_seq": 1, "quote": "I live in Oslo"})],
        purpose=Purpose.EXTRACT,
    )
    api.settle()
    assert api.statements("alice") == ["Lives in Oslo"]


def test_a_rebuild_keeps_a_manual_edit(api: Caller, model: Any) -> None:
    thread = api.thread("alice")
    api.say(thread, "I'm on the free plan")
    plan = found(
        {
            "kind": "profile",
            "attribute": "plan",
            "value": "free",
            "statement": "Is on the free plan",
            "turn_seq": 1,
            "quote": "I'm on the free plan",
        }
    )
    model.script([plan], purpose=Purpose.EXTRACT)
    api.settle()
    (fact,) = api.get("/facts?subject=alice")["data"]
    corrected = api.post(
        f"/facts/{fact['id']}/correct",
        {"statement": "Is on the team plan", "reason": "invoice", "value": "team"},
        **{"If-Match": fact["etag"]},
    )
    assert corrected.status_code == 200
    subject = api.get("/subjects?external_id=alice")["data"][0]["id"]
    model.script([plan], purpose=Purpose.EXTRACT)
    started = api.post(f"/subjects/{subject}/rebuild", {"dry_run": False})
    assert started.status_code == 202
    with scope.enter(api.tenant.id, ACTOR, "req_test"):
        tasks.rebuild.run(str(_uuid(started.json()["id"])))
    done = api.get(f"/rebuilds/{started.json()['id']}")
    assert (done["status"], done["differences"]) == ("done", [])
    assert api.statements("alice") == ["Is on the team plan"]
    assert api.statements("alice", "held") == []


@pytest.mark.parametrize(
    "query",
    ["What's Tom's dog's name?", "ratio > 1.001", '"unbalanced', "a & | !", "", "x" * 10_000, "%", "\\"],
)
def test_no_query_is_an_error(api: Caller, query: str) -> None:
    api.post("/facts", {"subject": "alice", "statement": "Likes tea"})
    api.recall("alice", query)


def test_identity_in_metadata_changes_nothing(api: Caller, other_tenant: Tenant) -> None:
    trap = {"user_id": "bob", "tenant_id": str(other_tenant.id), "subject": "bob"}
    thread = api.post("/threads", {"subject": "alice", "metadata": trap}).json()
    assert thread["subject"] == "alice"
    with scope.enter(other_tenant.id, ACTOR, "req_test"):
        assert not Thread.objects.exists()


def test_nothing_is_learned_from_a_summary(api: Caller, model: Any, settings: Any) -> None:
    settings.MEMORYHUB_KEEP_RECENT = 2
    thread = api.thread("alice")
    api.say(thread, *(f"Question {n}?" for n in range(8)))
    model.script(["They live in Oslo on the free plan."], purpose=Purpose.SUMMARISE)
    api.settle()
    assert api.get(f"/threads/{thread}/summary")["content"].startswith("They live in Oslo")
    assert api.statements("alice") == []
    assert all("Oslo" not in p.text for p in model.prompts() if p.purpose is Purpose.EXTRACT)
