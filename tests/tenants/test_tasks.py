"""A task runs in the scope in which it was enqueued, and in no other."""

import json
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from celery.contrib.testing.worker import start_worker
from django.core import signing
from django.db import transaction
from kombu.simple import SimpleQueue

from memoryhub import clock
from memoryhub.config.celery import app
from memoryhub.memory import subjects
from memoryhub.memory.models import Subject
from memoryhub.memory.tasks import learn
from memoryhub.privacy.tasks import run_request
from memoryhub.tenants import scope
from memoryhub.tenants.entrances import ScopedTask, TaskWithoutScope
from memoryhub.tenants.models import Tenant
from memoryhub.tenants.scope import Actor, ActorKind, NoScope
from tests.tenants.conftest import inside

pytestmark = pytest.mark.django_db(transaction=True)
_SALT = "memoryhub.task-scope"
_QUEUE = f"tests-{uuid.uuid4().hex}"
_ran: list[scope.Scope | None] = []


@app.task(base=ScopedTask, name="tests.probe")
def probe(note: str) -> None:
    """Note the scope that it runs in, and write a row there."""
    _ran.append(scope.current_or_none())
    subjects.ensure(note, at=clock.now())


@app.task(base=ScopedTask, tenant_free=True, name="tests.free_probe")
def free_probe() -> None:
    """Note that there is no scope."""
    _ran.append(scope.current_or_none())


@dataclass(frozen=True)
class Sent:
    """A message as it lies in the queue."""

    headers: dict[str, Any]
    body: Any


@pytest.fixture(autouse=True)
def queue() -> Iterator[SimpleQueue]:
    """The probes' own queue on the broker."""
    _ran.clear()
    _route({"tests.*": {"queue": _QUEUE}})
    with app.connection_for_read() as broker, SimpleQueue(broker, _QUEUE) as own:
        own.clear()
        yield own
        own.clear()
    _route({})


def _route(routes: dict[str, dict[str, str]]) -> None:
    """Where tasks are sent; Celery keeps what it has looked up before."""
    app.conf.task_routes = routes
    app.amqp.flush_routes()
    app.amqp.router = app.amqp.Router()


def waiting(queue: SimpleQueue) -> int:
    """How many messages lie in the queue; Redis has no queue without one."""
    return int(queue.channel.client.llen(_QUEUE))


def taken(queue: SimpleQueue) -> Sent:
    message = queue.get(timeout=5)
    message.ack()
    return Sent(message.headers, message.payload)


def names(tenant: Tenant) -> list[str]:
    with inside(tenant):
        return sorted(Subject.objects.values_list("external_id", flat=True))


def sealed(tenant: Tenant, key: str | None = None, salt: str = _SALT) -> str:
    return signing.dumps([str(tenant.id), "user", "someone", "req_1"], salt=salt, key=key)


def test_a_task_is_not_enqueued_outside_a_scope(tenant: Tenant, queue: SimpleQueue) -> None:
    for enqueue in (
        lambda: probe.apply_async(("x",)),
        lambda: probe.delay_on_commit("x"),
        lambda: probe.delay("x"),
    ):
        with pytest.raises(NoScope):
            enqueue()
    assert waiting(queue) == 0


def test_a_message_carries_its_scope_signed_and_ids_only(
    two: tuple[Tenant, Tenant], queue: SimpleQueue
) -> None:
    actor = Actor(ActorKind.USER, "u1", "ui")
    with scope.enter(two[0].id, actor, "req_of_the_click"):
        probe.apply_async(("x",))
    sent = taken(queue)
    assert signing.loads(sent.headers["memoryhub_scope"], salt=_SALT) == [
        str(two[0].id), "user", "u1", "req_of_the_click",
    ]  # fmt: skip
    assert "alice" not in json.dumps([sent.headers, sent.body])


def test_the_scope_is_that_of_the_call_not_of_the_commit(
    two: tuple[Tenant, Tenant], queue: SimpleQueue
) -> None:
    with transaction.atomic():
        with scope.enter(two[0].id, scope.SYSTEM, "req_call"):
            probe.delay_on_commit("x")
        assert waiting(queue) == 0
    assert signing.loads(taken(queue).headers["memoryhub_scope"], salt=_SALT)[0] == str(two[0].id)


def test_nothing_is_enqueued_by_a_transaction_that_fails(
    two: tuple[Tenant, Tenant], queue: SimpleQueue
) -> None:
    with pytest.raises(RuntimeError), inside(two[0]), transaction.atomic():
        probe.delay_on_commit("x")
        raise RuntimeError
    assert waiting(queue) == 0


@pytest.mark.parametrize("task", [probe, learn, run_request])
def test_a_task_without_a_scope_refuses(two: tuple[Tenant, Tenant], task: Any) -> None:
    for call in (lambda: task("x"), lambda: task.apply(args=("x",), throw=True)):
        with pytest.raises(TaskWithoutScope, match="without a scope"):
            call()
    assert _ran == []
    assert names(two[0]) == ["alice", "same"]


@pytest.mark.parametrize("kind", ["plain", "another key", "another salt", "changed", "empty list"])
def test_a_forged_scope_is_refused(two: tuple[Tenant, Tenant], kind: str) -> None:
    genuine = sealed(two[0])
    forged = {
        "plain": json.dumps([str(two[1].id), "user", "someone", "req_1"]),
        "another key": sealed(two[1], key="guessed" * 8),
        "another salt": sealed(two[1], salt="django.core.signing"),
        "changed": genuine[:5] + ("A" if genuine[5] != "A" else "B") + genuine[6:],
        "empty list": signing.dumps([], salt=_SALT, key="guessed" * 8),
    }[kind]
    with pytest.raises(TaskWithoutScope, match="did not sign"):
        probe.apply(args=("x",), headers={"memoryhub_scope": forged}, throw=True)
    assert _ran == []
    assert names(two[0]) == ["alice", "same"]
    assert names(two[1]) == ["malice", "same"]


def test_a_genuine_scope_runs_in_its_tenant_alone(two: tuple[Tenant, Tenant]) -> None:
    probe.apply(args=("x",), headers={"memoryhub_scope": sealed(two[1])}, throw=True)
    assert [(s.tenant_id, s.actor, s.request_id) for s in _ran if s] == [
        (two[1].id, Actor(ActorKind.USER, "someone", "job"), "req_1")
    ]
    assert names(two[0]) == ["alice", "same"]
    assert names(two[1]) == ["malice", "same", "x"]
    assert scope.current_or_none() is None


def test_a_task_for_every_tenant_gets_no_scope(two: tuple[Tenant, Tenant], queue: SimpleQueue) -> None:
    with inside(two[0]):
        free_probe.delay_on_commit()
    assert "memoryhub_scope" not in taken(queue).headers
    free_probe.apply(throw=True)
    assert _ran == [None]


def test_a_task_that_fails_leaves_no_scope(two: tuple[Tenant, Tenant]) -> None:
    with pytest.raises(Exception, match="empty"):
        probe.apply(args=("   ",), headers={"memoryhub_scope": sealed(two[0])}, throw=True)
    assert scope.current_or_none() is None


def test_a_worker_runs_each_message_in_its_own_tenant(two: tuple[Tenant, Tenant], queue: SimpleQueue) -> None:
    for number in range(6):
        with inside(two[number % 2]):
            probe.apply_async((f"n{number}",))
    forged = {"memoryhub_scope": sealed(two[1], key="guessed" * 8)}
    probe.apply_async(("forged",), headers=forged)
    with start_worker(app, pool="solo", queues=[_QUEUE], perform_ping_check=False, loglevel="CRITICAL"):
        _wait_until_empty(queue)
    assert names(two[0]) == ["alice", "n0", "n2", "n4", "same"]
    assert names(two[1]) == ["malice", "n1", "n3", "n5", "same"]


def _wait_until_empty(queue: SimpleQueue) -> None:
    deadline = time.monotonic() + 20
    while (waiting(queue) or len(_ran) < 6) and time.monotonic() < deadline:
        time.sleep(0.05)
