"""A page asks the database as often for fifty rows as for five."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memoryhub import clock
from memoryhub.accounts import keys
from memoryhub.chat import conversation
from memoryhub.memory import facts, subjects, threads
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import FactStatus, JobKind, JobStatus, Origin, TurnStatus
from memoryhub.memory.models import Fact, Job, RecalledFact, Subject, Thread, Turn
from memoryhub.privacy import requests
from memoryhub.privacy.models import Identity
from memoryhub.tenants.models import Membership
from memoryhub.tenants.permissions import Role
from tests.conftest import add_member
from tests.web.conftest import acting

Filler = Callable[["Ground", int], None]


@dataclass(frozen=True)
class Ground:
    """Where rows are put: the owner, their own subject, and one conversation of theirs."""

    owner: Membership
    subject: Subject
    thread: Thread


@pytest.fixture
def ground(members: Mapping[Role, Membership]) -> Ground:
    member = members[Role.OWNER]
    with acting(member):
        subject = subjects.of_member(member.id, at=clock.now())
        return Ground(member, subject, threads.open_thread(subject, at=clock.now(), title="First")[0])


def _fact(ground: Ground, number: int) -> Fact:
    turn = threads.append_turn(
        ground.thread, threads.NewTurn("user", f"I like tea {number}."), at=clock.now()
    )
    new = NewFact(f"Likes tea {number}", kind="preference", source_turn=turn.id, quote="I like tea")
    return facts.remember(ground.subject, new, origin=Origin.SAID, human=False, at=clock.now())


def _exchange(ground: Ground, number: int) -> None:
    fact = _fact(ground, number)
    answer = conversation.post_message(ground.thread, f"Question {number}", at=clock.now()).answer
    Turn.objects.filter(id=answer.id).update(status=TurnStatus.COMPLETE, content="Yes.")
    RecalledFact(turn=answer, fact=fact, subject=ground.subject, rank=1, score=0.5).save()


def _thread(ground: Ground, number: int) -> None:
    threads.open_thread(ground.subject, at=clock.now(), title=f"Thread {number}")


def _job(ground: Ground, number: int) -> None:
    thread, _ = threads.open_thread(ground.subject, at=clock.now(), title=f"Thread {number}")
    Job(kind=JobKind.LEARN, thread=thread, subject=ground.subject, status=JobStatus.DONE).save()


def _request(ground: Ground, number: int) -> None:
    subject = subjects.ensure(f"person {number}", at=clock.now())
    requests.open_request(subject, identity=Identity.ATTESTED, at=clock.now())


def _own_request(ground: Ground, number: int) -> None:
    opened = requests.open_request(ground.subject, identity=Identity.SESSION, at=clock.now())
    requests.withdraw(opened, at=clock.now())


def _key(ground: Ground, number: int) -> None:
    keys.issue(f"key {number}", ["memory:read"], at=clock.now())


def _member(ground: Ground, number: int) -> None:
    add_member(ground.owner.tenant, f"more{number}@example.org", Role.MEMBER)


def _held(ground: Ground, number: int) -> None:
    fact = _fact(ground, number)
    Fact.objects.filter(id=fact.id).update(status=FactStatus.HELD, held_because="conflict", attribute="city")


PAGES: list[tuple[str, Filler]] = [
    ("/facts/", _fact),
    ("/facts/?view=all&q=tea", _fact),
    ("/review/", _held),
    ("/threads/", _thread),
    ("/threads/{thread}", _exchange),
    ("/chat/", _thread),
    ("/chat/{thread}", _exchange),
    ("/me/memory", _fact),
    ("/me/memory", _own_request),
    ("/jobs/", _job),
    ("/privacy/", _request),
    ("/audit/", _request),
    ("/keys/", _key),
    ("/members/", _member),
]


def _queries(browser: Client, address: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert browser.get(address).status_code == 200
    return len(captured)


@pytest.mark.parametrize(("address", "fill"), PAGES, ids=lambda value: getattr(value, "__name__", value))
def test_more_rows_cost_no_more_queries(owner: Client, ground: Ground, address: str, fill: Filler) -> None:
    address = address.format(thread=ground.thread.public_id)
    with acting(ground.owner):
        for number in range(5):
            fill(ground, number)
    owner.get(address)  # what is read once in a process is read here
    with_five = _queries(owner, address)
    with acting(ground.owner):
        for number in range(5, 50):
            fill(ground, number)
    assert _queries(owner, address) == with_five
    assert 3 < with_five < 40
