"""The front desk: who may do what to a request, in which state, and that nothing changes otherwise."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from memoryhub import clock
from memoryhub.accounts import keys
from memoryhub.audit import trail
from memoryhub.errors import Conflict, Forbidden, Invalid, NotFound
from memoryhub.memory import facts, subjects, threads
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import Origin
from memoryhub.memory.models import Subject
from memoryhub.privacy import deadlines, erasure, requests, tasks
from memoryhub.privacy.models import OPEN_STATUSES, TRANSITIONS, Identity, PrivacyRequest, Receipt, Status
from memoryhub.tenants import scope
from memoryhub.tenants.models import ApiKey, Tenant
from tests.privacy.life import APPROVER, OPENER, approved, erased, person, run
from tests.tenants.conftest import inside

pytestmark = pytest.mark.django_db


def opened(tenant: Tenant, name: str = "alice") -> PrivacyRequest:
    with scope.enter(tenant.id, OPENER, "req_open"):
        subject = subjects.ensure(name, at=clock.now())
        return requests.open_request(subject, identity=Identity.ATTESTED, at=clock.now())


def previewed(tenant: Tenant) -> tuple[PrivacyRequest, str]:
    request = opened(tenant)
    with scope.enter(tenant.id, OPENER, "req_open"):
        return request, requests.preview(request, at=clock.now()).digest


def state(tenant: Tenant) -> list[Any]:
    with inside(tenant):
        return [*PrivacyRequest.objects.order_by("id").values(), Receipt.objects.count(), trail.head()]


def test_a_request_is_received_with_its_deadline(tenant: Tenant) -> None:
    at = clock.now()
    request = opened(tenant)
    assert (request.status, request.requested_by) == (Status.RECEIVED, "user:officer")
    assert request.due_at == deadlines.due_at(at)
    assert request.reference.startswith("PR-")
    with inside(tenant):
        assert [e.action for e in trail.history_of(request.id)] == ["privacy.open"]


# --- the states ---------------------------------------------------------------------------------------------------

ACTS: dict[str, Callable[[PrivacyRequest], Any]] = {
    "preview": lambda r: requests.preview(r, at=clock.now()),
    "approve": lambda r: requests.approve(r, digest=r.preview_digest, at=clock.now()),
    "refuse": lambda r: requests.refuse(r, code="legal_claims", at=clock.now()),
    "withdraw": lambda r: requests.withdraw(r, at=clock.now()),
    "rerun": lambda r: requests.rerun(r, at=clock.now()),
}
ALLOWED = {
    ("preview", Status.RECEIVED), ("approve", Status.RECEIVED), ("refuse", Status.RECEIVED), ("withdraw", Status.RECEIVED),
    ("rerun", Status.VERIFICATION_FAILED),
}  # fmt: skip
FORBIDDEN = [(act, status) for act in ACTS for status in Status if (act, status) not in ALLOWED]


def put(tenant: Tenant, request: PrivacyRequest, status: Status) -> PrivacyRequest:
    unapproved = status in (Status.RECEIVED, Status.REFUSED, Status.WITHDRAWN)
    with inside(tenant):
        PrivacyRequest.objects.filter(id=request.id).update(
            status=status, approved_by=None if unapproved else "user:owner", started_at=clock.now()
        )
        return requests.get(request.id)


@pytest.mark.parametrize(("act", "status"), FORBIDDEN)
def test_what_may_not_follow_is_refused(tenant: Tenant, act: str, status: Status) -> None:
    request = put(tenant, previewed(tenant)[0], status)
    before = state(tenant)
    with scope.enter(tenant.id, APPROVER, "req_x"), pytest.raises(Conflict) as caught:
        ACTS[act](request)
    assert caught.value.code == "wrong_status"
    assert state(tenant) == before


@pytest.mark.parametrize(("act", "status"), sorted(ALLOWED))
def test_what_may_follow_does(tenant: Tenant, act: str, status: Status) -> None:
    request = put(tenant, previewed(tenant)[0], status)
    with scope.enter(tenant.id, APPROVER, "req_x"):
        ACTS[act](request)


@pytest.mark.parametrize(
    "status", [s for s in Status if s not in (Status.APPROVED, Status.VERIFICATION_FAILED)]
)
def test_the_worker_erases_nothing_that_is_not_approved(tenant: Tenant, status: Status) -> None:
    with inside(tenant):
        subject = person("alice", "zanzibar")
    request = put(tenant, opened(tenant), status)
    before = state(tenant)
    run(tenant, request)
    assert state(tenant) == before
    with inside(tenant):
        assert subjects.get(subject.id).erased_at is None


def test_the_worker_takes_an_unknown_id_for_nothing_to_do(tenant: Tenant, other_tenant: Tenant) -> None:
    request = opened(other_tenant)
    put(other_tenant, request, Status.APPROVED)
    with inside(tenant):
        tasks.run_request.run(str(request.id))
    with inside(other_tenant):
        assert requests.get(request.id).status == Status.APPROVED


def test_the_table_of_states_is_closed(tenant: Tenant) -> None:
    assert set(TRANSITIONS) == set(Status)
    assert {following for rule in TRANSITIONS.values() for following in rule} <= set(Status)
    assert set(OPEN_STATUSES) == {
        Status.RECEIVED,
        Status.APPROVED,
        Status.RUNNING,
        Status.VERIFICATION_FAILED,
    }


# --- two people ---------------------------------------------------------------------------------------------------


def test_whoever_opened_it_can_not_approve_it(tenant: Tenant) -> None:
    request, digest = previewed(tenant)
    before = state(tenant)
    with scope.enter(tenant.id, OPENER, "req_x"), pytest.raises(Forbidden) as caught:
        requests.approve(request, digest=digest, at=clock.now())
    assert caught.value.code == "second_person_needed"
    assert state(tenant) == before


def test_nor_can_whoever_issued_the_key_that_opened_it(tenant: Tenant) -> None:
    """A key acts for the one who made it: two hands of one person are not two people."""
    with scope.enter(tenant.id, APPROVER, "req_x"):
        key, _ = keys.issue("program", ["privacy:open"], at=clock.now())
    with scope.enter(tenant.id, scope.Actor(scope.ActorKind.API_KEY, str(key.id), "api"), "req_x"):
        subject = subjects.ensure("alice", at=clock.now())
        request = requests.open_request(subject, identity=Identity.ATTESTED, at=clock.now())
        digest = requests.preview(request, at=clock.now()).digest
    before = state(tenant)
    with scope.enter(tenant.id, APPROVER, "req_x"), pytest.raises(Forbidden) as caught:
        requests.approve(request, digest=digest, at=clock.now())
    assert caught.value.code == "second_person_needed"
    assert state(tenant) == before
    with scope.enter(tenant.id, OPENER, "req_x"):
        assert requests.approve(request, digest=digest, at=clock.now()).status == Status.APPROVED
        assert ApiKey.objects.get().created_by == APPROVER.id


@pytest.mark.parametrize(
    "change",
    [
        "approved_by = requested_by",
        "approved_by = requested_by, status = 'approved'",
        "status = 'approved'",
        "status = 'running'",
        "status = 'completed'",
        "status = 'verification_failed'",
        "status = 'nonsense', approved_by = 'user:x'",
        "approved_by = 'user:x', requested_by = 'user:x'",
    ],
)
def test_the_database_itself_refuses_what_one_person_could_do_alone(tenant: Tenant, change: str) -> None:
    previewed(tenant)
    before = state(tenant)
    with inside(tenant), pytest.raises(IntegrityError), transaction.atomic():
        connection.cursor().execute(f"UPDATE privacy_request SET {change}")
    assert state(tenant) == before


# --- the preview --------------------------------------------------------------------------------------------------


def test_nothing_is_approved_unseen(tenant: Tenant) -> None:
    request = opened(tenant)
    before = state(tenant)
    with scope.enter(tenant.id, APPROVER, "req_x"), pytest.raises(Conflict) as caught:
        requests.approve(request, digest="", at=clock.now())
    assert caught.value.code == "preview_missing"
    assert state(tenant) == before


CHANGES: dict[str, Callable[[Subject], Any]] = {
    "a fact": lambda s: facts.remember(
        s, NewFact("Likes tea"), origin=Origin.OPERATOR, human=True, at=clock.now()
    ),
    "a thread": lambda s: threads.open_thread(s, at=clock.now()),
    "a turn": lambda s: threads.append_turn(s.threads.get(), threads.NewTurn("user", "More"), at=clock.now()),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_has_changed_since_the_preview_has_to_be_seen(tenant: Tenant, change: str) -> None:
    with inside(tenant):
        subject = person("alice", "zanzibar")
    request, digest = previewed(tenant)
    with inside(tenant):
        CHANGES[change](subject)
    before = state(tenant)
    with scope.enter(tenant.id, APPROVER, "req_x"):
        for seen in (digest, requests.look(request, at=clock.now()).digest):
            with pytest.raises(Conflict) as caught:
                requests.approve(request, digest=seen, at=clock.now())
            assert caught.value.code == "preview_changed"
        assert state(tenant) == before
        again = requests.preview(request, at=clock.now()).digest
        assert again != digest
        assert requests.approve(request, digest=again, at=clock.now()).status == Status.APPROVED


def test_a_look_changes_nothing(tenant: Tenant) -> None:
    with inside(tenant):
        person("alice", "zanzibar")
    request = opened(tenant)
    before = state(tenant)
    with inside(tenant):
        seen = requests.look(request, at=clock.now())
        assert seen.total == sum(seen.counts.values()) > 10
        assert any("zanzibar" in line for lines in seen.samples.values() for line in lines)
    assert state(tenant) == before


# --- doubles, refusals --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", OPEN_STATUSES)
def test_a_second_request_while_one_is_open_is_refused(tenant: Tenant, status: Status) -> None:
    put(tenant, opened(tenant), status)
    before = state(tenant)
    with pytest.raises(Conflict) as caught:
        opened(tenant)
    assert caught.value.code == "request_open"
    assert state(tenant) == before
    opened(tenant, "bob")


@pytest.mark.parametrize("status", [Status.REFUSED, Status.WITHDRAWN])
def test_after_a_closed_one_another_may_be_opened(tenant: Tenant, status: Status) -> None:
    put(tenant, opened(tenant), status)
    assert opened(tenant).status == Status.RECEIVED


def test_nobody_is_erased_twice(tenant: Tenant) -> None:
    with inside(tenant):
        subject = person("alice", "zanzibar")
    erased(tenant, subject)
    before = state(tenant)
    with inside(tenant), pytest.raises(Conflict) as caught:
        requests.open_request(subjects.get(subject.id), identity=Identity.ATTESTED, at=clock.now())
    assert caught.value.code == "subject_erased"
    assert state(tenant) == before


@pytest.mark.parametrize("code", ["", "because", "legal claims", "LEGAL_CLAIMS", "\x00"])
def test_a_refusal_needs_a_reason_that_the_law_knows(tenant: Tenant, code: str) -> None:
    request, _ = previewed(tenant)
    before = state(tenant)
    with scope.enter(tenant.id, APPROVER, "req_x"), pytest.raises(Invalid):
        requests.refuse(request, code=code, at=clock.now())
    assert state(tenant) == before


def test_a_refusal_and_a_withdrawal_say_why_and_erase_nothing(tenant: Tenant) -> None:
    with inside(tenant):
        subject = person("alice", "zanzibar")
        before = erasure.purge.counts_of(subject.id)
    with scope.enter(tenant.id, APPROVER, "req_x"):
        refused = requests.refuse(previewed_in(tenant), code="legal_claims", at=clock.now())
        assert (refused.status, refused.refusal_code) == (Status.REFUSED, "legal_claims")
        assert trail.history_of(refused.id)[-1].detail == {"reason_code": "legal_claims"}
        with pytest.raises(NotFound):
            erasure.receipt_of(refused)
        assert erasure.purge.counts_of(subject.id) == before


def previewed_in(tenant: Tenant) -> PrivacyRequest:
    subject = subjects.by_external_id("alice")
    request = requests.open_request(subject, identity=Identity.ATTESTED, at=clock.now())
    requests.preview(request, at=clock.now())
    return request


@pytest.mark.parametrize("kind", ["", "access", "ERASURE", "*"])
def test_an_unknown_kind_of_request_is_refused(tenant: Tenant, kind: str) -> None:
    with inside(tenant):
        subject = subjects.ensure("alice", at=clock.now())
        with pytest.raises(Invalid):
            requests.open_request(subject, identity=Identity.ATTESTED, at=clock.now(), kind=kind)
        assert not PrivacyRequest.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_who_open_or_approve_at_once_do_it_once(tenant: Tenant) -> None:
    def at_once(act: Callable[[], Any]) -> list[str]:
        start = threading.Barrier(5)

        def one(_: int) -> str:
            try:
                start.wait(20)
                act()
                return "done"
            except Conflict as error:
                return error.code
            finally:
                connection.close()

        with ThreadPoolExecutor(5) as workers:
            return sorted(workers.map(one, range(5)))

    with inside(tenant):
        subjects.ensure("alice", at=clock.now())
    assert at_once(lambda: opened(tenant)) == ["done", *["request_open"] * 4]
    with inside(tenant):
        request = PrivacyRequest.objects.get()
    with scope.enter(tenant.id, OPENER, "req_x"):
        digest = requests.preview(request, at=clock.now()).digest

    def approve() -> None:
        with scope.enter(tenant.id, APPROVER, "req_x"):
            requests.approve(request, digest=digest, at=clock.now())

    assert at_once(approve) == ["done", *["wrong_status"] * 4]
    with inside(tenant):
        assert [e.action for e in trail.history_of(request.id)].count("privacy.approve") == 1


def test_an_approved_request_waits_for_the_worker_and_erases_nothing_by_itself(tenant: Tenant) -> None:
    with inside(tenant):
        subject = person("alice", "zanzibar")
        before = erasure.purge.counts_of(subject.id)
    request = approved(tenant, subject)
    with inside(tenant):
        assert request.status == Status.APPROVED
        assert erasure.purge.counts_of(subject.id) == before
