"""One fact, however it arrives: in parallel, doubled, shuffled, by any worker, the end is the same."""

import random
import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction

from memoryhub import clock
from memoryhub.memory import applying, facts, subjects
from memoryhub.memory.applying import Source
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import Origin
from memoryhub.memory.models import Evidence, Fact, Subject, Thread
from memoryhub.memory.types import ExtractedFact, Span
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant
from tests.conftest import ACTOR
from tests.memory.helpers import say

START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.django_db(transaction=True)
def test_twenty_parallel_adds_are_one_fact(tenant: Tenant) -> None:
    with scope.enter(tenant.id, ACTOR, "req_test"):
        alice = subjects.ensure("alice", at=clock.now())
    ids: list[object] = []

    def add() -> None:
        try:
            with scope.enter(tenant.id, ACTOR, "req_test"):
                ids.append(
                    facts.remember(
                        alice, NewFact("Likes tea"), origin=Origin.IMPORTED, human=False, at=clock.now()
                    ).id
                )
        finally:
            connection.close()

    workers = [threading.Thread(target=add) for _ in range(20)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    with scope.enter(tenant.id, ACTOR, "req_test"):
        assert (len(ids), len(set(ids)), Fact.objects.count()) == (20, 1, 1)


def _batch(thread: Thread) -> list[ExtractedFact]:
    made = []
    for number in range(40):
        attribute = ("plan", "city", "employer", "timezone")[number % 4]
        value = f"V{number // 8}"
        text = f"My {attribute} is {value}, number {number}"
        at = START + timedelta(days=number)
        turn = say(thread, text, at=at)
        quote = f"My {attribute} is {value}"
        made.append(
            ExtractedFact(
                "profile",
                f"{attribute.title()} is {value}",
                attribute,
                value,
                Span(turn.id, 0, len(quote)),
                quote,
                at,
                valid_at=at,
            )
        )
    return made


def _apply(subject: Subject, batch: list[ExtractedFact]) -> None:
    with transaction.atomic():
        locked = subjects.lock_for_writing(subject.id)
        applying.apply(locked, [(fact, None) for fact in batch], Source(Origin.SAID), at=clock.now())


def _state(subject: Subject) -> list[tuple[str, str]]:
    rows = Fact.objects.filter(subject=subject, status="active").order_by("attribute")
    return [(row.attribute, row.value) for row in rows]


def test_the_same_batch_a_hundred_times_is_the_batch_once(alice: Subject, thread: Thread) -> None:
    batch = _batch(thread)
    _apply(alice, batch)
    before = (Fact.objects.count(), Evidence.objects.count(), _state(alice))
    for _ in range(100):
        _apply(alice, batch)
    assert (Fact.objects.count(), Evidence.objects.count(), _state(alice)) == before
    assert Evidence.objects.count() == 40


@pytest.mark.parametrize("seed", range(6))
def test_shuffled_and_doubled_events_end_at_the_newest(alice: Subject, thread: Thread, seed: int) -> None:
    chance = random.Random(seed)
    batch = _batch(thread) * 2
    chance.shuffle(batch)
    while batch:
        size = chance.randint(1, 7)
        _apply(alice, batch[:size])
        batch = batch[size:]
    assert _state(alice) == [("city", "V4"), ("employer", "V4"), ("plan", "V4"), ("timezone", "V4")]
    assert Fact.objects.filter(subject=alice, status="active").count() == 4


@pytest.mark.django_db(transaction=True)
def test_shuffled_events_from_four_workers_end_at_the_newest(tenant: Tenant) -> None:
    from memoryhub.memory import threads

    with scope.enter(tenant.id, ACTOR, "req_test"):
        alice = subjects.ensure("alice", at=clock.now())
        thread, _ = threads.open_thread(alice, at=clock.now())
        batch = _batch(thread)
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        mine = list(batch)
        random.Random(seed).shuffle(mine)
        try:
            with scope.enter(tenant.id, ACTOR, "req_test"):
                for fact in mine:
                    _apply(alice, [fact])
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    with scope.enter(tenant.id, ACTOR, "req_test"):
        assert failures == []
        assert _state(alice) == [("city", "V4"), ("employer", "V4"), ("plan", "V4"), ("timezone", "V4")]
        assert Evidence.objects.count() == 40
