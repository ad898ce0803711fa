"""Every act leaves an entry that says who and which, and none says what."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from memoryhub import clock, ids
from memoryhub.audit import trail
from memoryhub.memory import jobs, learning, threads
from memoryhub.memory.kinds import JobKind
from memoryhub.memory.models import Fact, Subject
from memoryhub.privacy import tasks
from memoryhub.privacy.models import PrivacyRequest
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant, User
from memoryhub.tenants.permissions import Role
from tests.api.conftest import Api, signed_in
from tests.api.world import PASSWORD, World, build
from tests.api.writes import WRITES
from tests.conftest import add_member, issue_key
from tests.tenants.conftest import inside
from tests.tenants.owner import everything, fingerprints

#: Words that are put into everything that a person or program can write.
CANARIES = ("zanzibar", "quetzalcoatl", "alice.smith", "lithium carbonate", "peanut")


# --- every write of the API ---------------------------------------------------------------------------------------


def test_every_write_leaves_an_entry_with_its_actor_and_request(world: World) -> None:
    callers = {
        "key": Api(world.secret),
        "session": signed_in(world.owner),
        "officer": signed_in(world.officer),
    }
    people = {"session": world.owner, "officer": world.officer}
    silent = []
    # The preview first, since it is what the approval rests on; what deletes last.
    order = sorted(
        WRITES, key=lambda w: (not w.pattern.endswith(("preview", "approve")), w.method == "DELETE")
    )
    for number, write in enumerate(order):
        body = (
            {**write.body, "preview_digest": digest(world)} if "preview_digest" in write.body else write.body
        )
        path = write.path(world).replace(
            world.ids["request_id"][0], world.ids["request_id"][3 if "refuse" in write.name else 0]
        )
        request_id = f"req_write_{number}"
        sent = None if write.method == "DELETE" else body
        answer = callers[write.by].send(write.method, path, sent, If_Match="*", X_Request_Id=request_id)
        assert answer.status_code in (200, 201, 202, 204), (write.name, answer.content)
        with scope.enter(world.tenant.id, scope.SYSTEM, "req_x"):
            events = trail.events(request_id=request_id)
        if not events:
            silent.append(write.name)
        for event in events:
            kind = "api_key" if write.by == "key" else "user"
            assert event.actor_kind == kind
            assert write.by == "key" or event.actor_id == str(people[write.by].pk)
    assert silent == [write.name for write in WRITES if not write.audited]


def digest(world: World) -> str:
    with scope.enter(world.tenant.id, scope.SYSTEM, "req_x"):
        request = PrivacyRequest.objects.get(id=ids.parse("preq", world.ids["request_id"][0]))
        return str(request.preview_digest)


@pytest.mark.django_db
def test_reading_leaves_no_entry(tenant: Tenant) -> None:
    api = Api(issue_key(tenant))
    api.post("facts", {"subject": "alice", "statement": "Likes tea"})
    before = fingerprint(tenant)
    for path in (
        "facts",
        "facts?subject=alice",
        "subjects",
        "threads",
        "jobs",
        "audit-events",
        "audit-events/verify",
    ):
        assert api.get(path).status_code == 200
    api.post("recall", {"subject": "alice", "query": "tea"})
    assert fingerprint(tenant) == before


def fingerprint(tenant: Tenant) -> trail.Head:
    with inside(tenant):
        return trail.head()


# --- a whole life without a word of it ------------------------------------------------------------------------------


@pytest.fixture
def people(tenant: Tenant) -> Iterator[dict[str, User]]:
    """An owner, an officer and a viewer, whose names are words to look for."""
    yield {
        role.value: add_member(tenant, f"alice.smith.{role.value}@zanzibar.example", role, PASSWORD).user
        for role in (Role.OWNER, Role.PRIVACY_OFFICER, Role.VIEWER)
    }


def live(tenant: Tenant, people: dict[str, User]) -> None:
    """A subject's life from the first word to the receipt, through the API, the pages and the worker."""
    owner, officer = signed_in(people["owner"]), signed_in(people["privacy_officer"])
    owner.post("api-keys", {"name": "Zanzibar shop", "scopes": ["memory:read"]})
    api = Api(issue_key(tenant))
    subject = "alice.smith@zanzibar.example"
    thread = api.post(
        "threads", {"subject": subject, "title": "Peanut worries", "metadata": {"note": "peanut"}}
    ).json()["id"]
    said = "I'm allergic to peanuts and I live in Zanzibar. I work at Quetzalcoatl Bakery."
    api.post(f"threads/{thread}/turns", {"turns": [{"role": "user", "content": said, "name": "Alice.Smith"}]})
    with inside(tenant):
        learning.learn_from(threads.get(ids.parse("thr", thread)), at=clock.now())
        job = jobs.claim(threads.get(ids.parse("thr", thread)), JobKind.LEARN, at=clock.now())
        assert job is not None
        job.attempts = 5
        jobs.fail(job, RuntimeError("peanut"), at=clock.now())
        job_id = job.public_id
    assert api.post(f"jobs/{job_id}/retry").status_code == 200
    api.send("PATCH", f"threads/{thread}", {"title": "Quetzalcoatl again"})
    curate(api, subject)
    for path in ("facts", "threads", "me/memory", "privacy"):
        owner.client.get(f"/{path}/?q=peanut")
    signed_in(people["viewer"]).post("subjects", {"external_id": "alice.smith-2"})
    api.post("subjects", {"external_id": "\x00peanut"})
    api.send("DELETE", f"threads/{thread}?forget=false")
    erase(api, officer, owner, subject)


def curate(api: Api, subject: str) -> None:
    """Every verb on facts with such words in them."""
    for number in range(3):
        body = {
            "subject": subject,
            "statement": f"Peanut number {number} in Zanzibar",
            "attribute": "peanut",
            "value": "peanut",
        }
        fact = api.post("facts", body).json()["id"]
        for verb, sent in (
            ("verify", {}),
            ("correct", {"statement": f"Quetzalcoatl {number}", "reason": "alice.smith said peanut"}),
            ("archive", {}),
            ("restore", {}),
        ):
            assert api.post(f"facts/{fact}/{verb}", sent, If_Match="*").status_code == 200
    assert api.send("DELETE", f"facts/{fact}?reason=sensitive", If_Match="*").status_code == 204


def erase(api: Api, officer: Api, owner: Api, subject: str) -> None:
    """Opened by one, approved by another, run by the worker's code."""
    opened = officer.post("privacy-requests", {"subject": subject}).json()["id"]
    seen = officer.post(f"privacy-requests/{opened}/preview").json()["preview_digest"]
    assert officer.post(f"privacy-requests/{opened}/approve", {"preview_digest": seen}).status_code == 403
    assert owner.post(f"privacy-requests/{opened}/approve", {"preview_digest": seen}).status_code == 200
    tasks.run_request.run(str(ids.parse("preq", opened)))


@pytest.mark.django_db(transaction=True)
def test_a_whole_life_leaves_no_word_in_the_trail(
    tenant: Tenant, people: dict[str, User], settings: Any, tmp_path: Any
) -> None:
    settings.MEMORYHUB_LEDGER = tmp_path / "erasures.jsonl"
    # The task is called as a worker would, in the scope of whoever approved.
    tasks_scope = scope.enter(tenant.id, scope.SYSTEM, "req_task")
    with tasks_scope:
        live(tenant, people)
        assert PrivacyRequest.objects.get().status == "completed"
        state = trail.verify()
        happened = {event.action for event in trail.events(limit=1000)}
    assert state.intact
    assert state.entries > 30
    with everything() as connection:
        rows = [row[0] for row in connection.execute("SELECT to_jsonb(e)::text FROM audit_event e")]
    hits = [row for row in rows for word in CANARIES if word in str(row).lower()]
    assert hits == []
    assert not any(re.search(r"[\w.]+@[\w.]+", str(row)) for row in rows)
    assert happened <= {action.value for action in trail.Action}
    assert len(happened) >= 20


@pytest.mark.django_db(transaction=True)
def test_a_tenant_full_of_everything_has_no_word_of_it_in_its_trail(settings: Any, tmp_path: Any) -> None:
    settings.MEMORYHUB_LEDGER = tmp_path / "erasures.jsonl"
    made = build("zanzibar-x")
    with scope.enter(made.tenant.id, scope.SYSTEM, "req_x"):
        assert trail.verify().intact
        assert Fact.objects.exists()
        assert Subject.objects.exists()
        for event in trail.events(limit=1000):
            shown = json.dumps(
                [event.action, event.object_kind, dict(event.detail), event.subject_ref, event.actor_id]
            )
            assert made.canary not in shown
    assert fingerprints(made.tenant.id)["audit_event"] != "0:"
