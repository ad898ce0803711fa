"""Lists: every row once, however they are walked and whatever is written meanwhile, in a constant number of queries."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub import clock
from memoryhub.accounts import keys
from memoryhub.audit import trail
from memoryhub.memory import applying, facts, subjects, threads
from memoryhub.memory.kinds import JobKind, JobStatus, Origin
from memoryhub.memory.models import Fact, Job, Subject, Thread, Turn
from memoryhub.memory.types import ExtractedFact, Span
from memoryhub.privacy import requests
from memoryhub.privacy.models import Identity
from memoryhub.tenants.models import Tenant
from memoryhub.tenants.permissions import Role
from tests.api.conftest import Api, signed_in
from tests.conftest import add_member
from tests.tenants.conftest import inside

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(tenant: Tenant) -> Any:
    """The owner's membership."""
    return add_member(tenant, "ann@example.org", Role.OWNER)


@pytest.fixture
def session(owner: Any) -> Api:
    """The owner, signed in."""
    return signed_in(owner.user)


def _subjects(tenant: Tenant, owner: Any, number: int, at: datetime) -> None:
    subjects.ensure(f"person {number}", at=at)


def _thread(subject: Subject, at: datetime) -> Thread:
    return threads.open_thread(subject, at=at)[0]


def _threads(tenant: Tenant, owner: Any, number: int, at: datetime) -> None:
    _thread(subjects.ensure(f"person {number % 7}", at=at), at)


def _fact(subject: Subject, number: int, at: datetime) -> Fact:
    """With evidence, and without asking a model."""
    thread = _thread(subject, at)
    turn = threads.append_turn(thread, threads.NewTurn("user", f"I like tea number {number}"), at=at)
    said = f"Likes tea number {number}"
    span = Span(turn.id, 0, len(turn.content))
    found = ExtractedFact("preference", said, "", "", span, turn.content, observed_at=at)
    return applying.create(subject, found, None, applying.Source(Origin.SAID), at)


def _facts(tenant: Tenant, owner: Any, number: int, at: datetime) -> None:
    _fact(subjects.ensure(f"person {number % 7}", at=at), number, at)


def _mine(tenant: Tenant, owner: Any, number: int, at: datetime) -> None:
    _fact(subjects.of_member(owner.id, at=at), number, at)


def _turns(tenant: Tenant, owner: Any, number: int, at: datetime) -> None:
    subject = subjects.ensure("alice", at=at)
    thread = Thread.objects.filter(subject=subject).first() or _thread(subject, at)
    threads.append_turn(thread, threads.NewTurn("user", f"number {number}"), at=at)


def _jobs(tenant: Tenant, owner: Any, number: int, at: datetime) -> None:
    subject = subjects.ensure("alice", at=at)
    Job(
        kind=JobKind.LEARN, thread=_thread(subject, at), subject=subject, status=JobStatus.DONE, created_at=at
    ).save()


def _demands(tenant: Tenant, owner: Any, number: int, at: datetime) -> None:
    requests.open_request(subjects.ensure(f"person {number}", at=at), identity=Identity.ATTESTED, at=at)


def _my_demands(tenant: Tenant, owner: Any, number: int, at: datetime) -> None:
    own = subjects.of_member(owner.id, at=at)
    requests.withdraw(requests.open_request(own, identity=Identity.SESSION, at=at), at=at)


def _keys(tenant: Tenant, owner: Any, number: int, at: datetime) -> None:
    keys.issue(f"key {number}", ["memory:read"], at=at)


def _events(tenant: Tenant, owner: Any, number: int, at: datetime) -> None:
    trail.denied("memory:read", "api/v1/facts", at=at)


Maker = Callable[[Tenant, Any, int, datetime], None]
LISTS: dict[str, Maker] = {
    "subjects": _subjects,
    "threads": _threads,
    "facts": _facts,
    "threads/{thread}/turns": _turns,
    "jobs": _jobs,
    "privacy-requests": _demands,
    "audit-events": _events,
    "me/facts": _mine,
    "me/privacy-requests": _my_demands,
}
UNPAGED: dict[str, Maker] = {"api-keys": _keys}
WRITTEN = {"facts": Fact, "subjects": Subject, "threads": Thread, "threads/{thread}/turns": Turn}


def fill(tenant: Tenant, owner: Any, make: Maker, first: int, last: int) -> None:
    """Rows ``first`` to ``last``; three at a time share their moment, so that the id has to break the tie."""
    begun = clock.now() - timedelta(hours=1)
    with inside(tenant):
        for number in range(first, last):
            make(tenant, owner, number, begun + timedelta(seconds=number // 3))


def address(tenant: Tenant, path: str) -> str:
    if "{thread}" not in path:
        return path
    with inside(tenant):
        return path.format(thread=Thread.objects.get().public_id)


def walk(api: Api, path: str, limit: int, between: Callable[[], None] = lambda: None) -> list[str]:
    """The ids of a list, page by page, as a caller would."""
    found: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = api.get(
            f"{path}{'&' if '?' in path else '?'}limit={limit}" + (f"&cursor={cursor}" if cursor else "")
        ).json()
        assert page["has_more"] is (page["next_cursor"] is not None)
        assert len(page["data"]) <= limit
        found += [row["id"] for row in page["data"]]
        cursor = page["next_cursor"]
        between()
    return found


@pytest.mark.parametrize("path", LISTS)
def test_every_row_comes_once(tenant: Tenant, owner: Any, session: Api, path: str) -> None:
    fill(tenant, owner, LISTS[path], 0, 61)
    where = address(tenant, path)
    walked = walk(session, where, 7)
    assert len(walked) == len(set(walked)) >= 61
    assert walked == walk(session, where, 200)


@pytest.mark.parametrize("path", ["facts", "threads/{thread}/turns", "subjects"])
def test_250_rows_come_once_while_others_are_written(
    tenant: Tenant, owner: Any, session: Api, path: str
) -> None:
    fill(tenant, owner, LISTS[path], 0, 250)
    where = address(tenant, path)
    before = set(walk(session, where, 200))
    written = iter(range(1000, 2000))

    def write() -> None:
        number = next(written)
        fill(tenant, owner, LISTS[path], number, number + 1)

    walked = walk(session, where, 20, between=write)
    assert len(walked) == len(set(walked))
    assert before <= set(walked)
    assert len(before) == 250


@pytest.mark.parametrize("path", [path for path in LISTS if path != "audit-events"])
def test_the_order_can_be_turned_round(tenant: Tenant, owner: Any, session: Api, path: str) -> None:
    fill(tenant, owner, LISTS[path], 0, 20)
    where = address(tenant, path)
    column = {"threads": "last_turn_at", "threads/{thread}/turns": "seq"}.get(path, "created_at")
    column = "due_at" if path.endswith("privacy-requests") else column
    up, down = walk(session, f"{where}?order={column}", 3), walk(session, f"{where}?order=-{column}", 3)
    assert up == down[::-1]
    assert len(up) >= 20


def test_rows_that_go_meanwhile_hide_no_others(tenant: Tenant, owner: Any, session: Api) -> None:
    fill(tenant, owner, _facts, 0, 40)
    everything = walk(session, "facts", 200)
    gone: list[str] = []

    def purge() -> None:
        with inside(tenant):
            newest = Fact.objects.order_by("-created_at", "-id").first()
            if newest is not None and len(gone) < 5:
                gone.append(newest.public_id)
                facts.purge_fact(newest, reason_code="wrong", at=clock.now())

    walked = walk(session, "facts", 10, between=purge)
    assert set(everything) - set(walked) <= set(gone)
    assert len(walked) == len(set(walked))


def queries(session: Api, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        answer = session.get(path)
    assert answer.status_code == 200
    return len(captured)


@pytest.mark.parametrize("path", [*LISTS, *UNPAGED])
def test_fifty_rows_cost_as_many_queries_as_five(tenant: Tenant, owner: Any, session: Api, path: str) -> None:
    make = {**LISTS, **UNPAGED}[path]
    fill(tenant, owner, make, 0, 5)
    where = address(tenant, path)
    session.get(where)  # a member's own subject is made at first use
    few = queries(session, where)
    fill(tenant, owner, make, 5, 50)
    assert len(session.get(where).json()["data"]) >= 50
    assert queries(session, where) == few


def test_a_recall_and_a_prompt_cost_as_many_queries_for_many_facts(
    tenant: Tenant, owner: Any, api: Api
) -> None:
    def ask() -> list[int]:
        counts = []
        for send in (
            lambda: api.post("recall", {"subject": "alice", "query": "Which tea?", "k": 100}),
            lambda: api.get(f"threads/{thread.public_id}/context?query=Which+tea"),
        ):
            with CaptureQueriesContext(connection) as captured:
                assert send().status_code == 200
            counts.append(len(captured))
        return counts

    with inside(tenant):
        alice = subjects.ensure("alice", at=clock.now())
        thread = _thread(alice, clock.now())
        _fact(alice, 0, clock.now())
    ask()
    few = ask()
    with inside(tenant):
        for number in range(1, 40):
            _fact(alice, number, clock.now())
    assert ask() == few


def test_a_filter_keeps_what_it_names(tenant: Tenant, owner: Any, api: Api) -> None:
    fill(tenant, owner, _facts, 0, 30)
    with inside(tenant):
        for row in Fact.objects.order_by("created_at")[:4]:
            facts.archive(row, at=clock.now())
        moment = Fact.objects.order_by("created_at", "id")[15].created_at
        later = Fact.objects.filter(created_at__gte=moment).count()
    assert len(walk(api, "facts?status=archived", 3)) == 4
    assert len(walk(api, "facts?status=archived,active", 50)) == 30
    assert len(walk(api, "facts?kind=plan", 50)) == 0
    assert len(walk(api, "facts?q=number+17", 50)) == 1
    since = moment.isoformat().replace("+", "%2B")
    assert len(walk(api, f"facts?created_at[gte]={since}", 4)) == later
    assert len(walk(api, f"facts?created_at[lt]={since}", 4)) == 30 - later
    assert len(walk(api, "facts?subject=person 1", 2)) == 5
    assert api.get("facts?subject=nobody").status_code == 404


def test_an_empty_list_is_a_list(api: Api) -> None:
    for path in ("subjects", "threads", "facts", "jobs", "privacy-requests"):
        assert api.get(path).json() == {"data": [], "next_cursor": None, "has_more": False}
