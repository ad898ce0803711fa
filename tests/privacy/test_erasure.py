"""Forgotten means everywhere: verified by another path, proven by a receipt, finished after any crash, for good."""

import base64
import copy
import importlib
import json
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.db import DatabaseError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryhub import clock
from memoryhub.audit import trail
from memoryhub.errors import Gone, NotFound
from memoryhub.memory import facts, learning, purge, recall, subjects, summaries, threads
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import Origin
from memoryhub.memory.models import Fact, Subject, Turn
from memoryhub.privacy import erasure, ledger, requests, signing, tasks
from memoryhub.privacy.models import PrivacyRequest, Receipt, Status
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant
from tests.api.conftest import Api, code_of
from tests.conftest import issue_key
from tests.privacy.life import APPROVER, WORDS, approved, erased, person, run
from tests.tenants.conftest import inside
from tests.tenants.owner import owner, search_everywhere

pytestmark = pytest.mark.django_db(transaction=True)
NEIGHBOURS = ("malice", "alice2", "Alice")


@pytest.fixture
def alice(tenant: Tenant) -> Subject:
    """Alice with something in every store."""
    with inside(tenant):
        return person("alice", "zanzibar")


@pytest.fixture
def beside(tenant: Tenant) -> dict[str, dict[str, int]]:
    """People whose names look like hers, and what is held of them."""
    with inside(tenant):
        for name in NEIGHBOURS:
            person(name, "montevideo")
    return neighbours(tenant)


def neighbours(tenant: Tenant) -> dict[str, dict[str, int]]:
    with inside(tenant):
        return {name: purge.counts_of(subjects.by_external_id(name).id) for name in NEIGHBOURS}


def words_left() -> list[str]:
    return search_everywhere(["zanzibar", "quetzalcoatl"])


# --- everywhere ---------------------------------------------------------------------------------------------------


def test_all_goes_and_nobody_else_is_touched(
    tenant: Tenant, alice: Subject, beside: dict[str, dict[str, int]]
) -> None:
    counted = _counts(tenant, alice)
    assert words_left()
    done = erased(tenant, alice)
    assert (done.status, done.left_over, done.removed) == (Status.COMPLETED, {}, counted)
    assert words_left() == []
    assert neighbours(tenant) == beside
    with inside(tenant):
        assert purge.residue(alice.id) == {}
        assert sum(_counts(tenant, alice).values()) == 0
        shell = subjects.get(alice.id)
        assert (shell.display_name, shell.timezone, shell.membership, shell.epoch) == ("", "", None, 1)
        assert shell.external_id == f"erased:{alice.id.hex}"
        assert trail.verify().intact


def _counts(tenant: Tenant, subject: Subject) -> dict[str, int]:
    with inside(tenant):
        return purge.counts_of(subject.id)


def test_250_facts_go_to_the_last_one(tenant: Tenant) -> None:
    with inside(tenant):
        alice, bob = (subjects.ensure(name, at=clock.now()) for name in ("alice", "bob"))
        for subject, number in ((alice, 250), (bob, 3)):
            rows = [
                Fact(
                    subject=subject, kind="profile", statement=f"zanzibar {n}", key=str(n), origin="imported",
                    observed_at=clock.now(),
                )
                for n in range(number)
            ]  # fmt: skip
            Fact.objects.bulk_create(rows)
    assert erased(tenant, alice).removed["facts"] == 250
    with inside(tenant):
        assert Fact.objects.filter(subject=alice).count() == 0
        assert Fact.objects.filter(subject=bob).count() == 3


def test_a_purged_fact_leaves_its_words_nowhere(tenant: Tenant) -> None:
    with inside(tenant):
        alice = person("alice", "montevideo")
        thread = alice.threads.get()
        threads.append_turn(
            thread, threads.NewTurn("user", "By the way, I come from zanzibar."), at=clock.now()
        )
        turn = Turn.objects.get(content__contains="zanzibar")
        new = NewFact("Comes from zanzibar", source_turn=turn.id, quote="I come from zanzibar")
        fact = facts.remember(alice, new, origin=Origin.SAID, human=False, at=clock.now())
        alice.rebuilds.update(
            differences=[{"statement": "Comes from zanzibar"}], found=[{"quote": "I come from zanzibar"}]
        )
        summary = summaries.current(thread)
        assert summary is not None
        type(summary).objects.filter(id=summary.id).update(
            content="From zanzibar.", turn_ids=[*summary.turn_ids, turn.id]
        )
        facts.purge_fact(fact, reason_code="subject_asked", at=clock.now())
    assert words_left() == []


# --- for good -----------------------------------------------------------------------------------------------------


def test_nothing_about_an_erased_subject_is_taken_again(tenant: Tenant, alice: Subject) -> None:
    api = Api(issue_key(tenant))
    thread = api.get("threads?subject=alice").json()["data"][0]["id"]
    fact = api.get("facts?subject=alice").json()["data"][0]["id"]
    erased(tenant, alice)
    gone = [
        api.post("subjects", {"external_id": "alice", "display_name": "zanzibar"}),
        api.post("threads", {"subject": "alice", "title": "zanzibar"}),
        api.post("facts", {"subject": "alice", "statement": "Comes from zanzibar"}),
        api.post("recall", {"subject": "alice", "query": "zanzibar"}),
        api.post("privacy-requests", {"subject": "alice"}),
        api.get("facts?subject=alice"),
        api.get("threads?subject=alice"),
    ]
    assert [(answer.status_code, code_of(answer)) for answer in gone] == [(410, "subject_erased")] * len(gone)
    turns = {"turns": [{"role": "user", "content": "zanzibar"}]}
    missing = [
        api.post(f"threads/{thread}/turns", turns),
        api.get(f"threads/{thread}/context?query=zanzibar"),
        api.get(f"facts/{fact}"),
        api.post(f"facts/{fact}/verify", {}, If_Match="*"),
    ]
    assert [answer.status_code for answer in missing] == [404] * len(missing)
    shown = api.get("subjects?limit=200").json()["data"]
    assert [row["display_name"] for row in shown if row["erased_at"]] == [""]
    assert words_left() == []


def test_work_that_began_before_writes_nothing_after(tenant: Tenant, alice: Subject) -> None:
    with inside(tenant):
        thread = threads.get(alice.threads.get().id)
        fact = facts.get(Fact.objects.filter(subject=alice).first().id)
    erased(tenant, alice)
    new = NewFact("Comes from zanzibar")
    acts: list[Callable[[], object]] = [
        lambda: threads.append_turn(thread, threads.NewTurn("user", "zanzibar"), at=clock.now()),
        lambda: threads.open_thread(alice, at=clock.now(), title="zanzibar"),
        lambda: facts.remember(alice, new, origin=Origin.SAID, human=True, at=clock.now()),
        lambda: facts.correct(fact, facts.Correction("zanzibar", "x"), facts.OPERATOR, at=clock.now()),
        lambda: threads.delete(thread, forget=True, at=clock.now()),
        lambda: subjects.ensure("alice", at=clock.now()),
    ]
    with inside(tenant):
        for act in acts:
            with pytest.raises((Gone, NotFound)):
                act()
        learning.learn_from(thread, at=clock.now())
        assert recall.recall(alice, "zanzibar", at=clock.now()).facts == []
        assert purge.residue(alice.id) == {}
    assert words_left() == []


def test_another_tenants_subject_of_the_same_name_stays(
    tenant: Tenant, other_tenant: Tenant, alice: Subject
) -> None:
    with inside(other_tenant):
        theirs = person("alice", "lima")
        before = purge.counts_of(theirs.id)
    erased(tenant, alice)
    with inside(other_tenant):
        assert purge.counts_of(theirs.id) == before
        assert subjects.by_external_id("alice").id == theirs.id


# --- the verification goes its own way ----------------------------------------------------------------------------


@pytest.fixture
def forgotten_table() -> Iterator[None]:
    """A table that nobody put on the list of stores."""
    with owner() as own:
        own.execute(
            "CREATE TABLE scratch_copy (id uuid PRIMARY KEY, tenant_id uuid NOT NULL, subject_id uuid NOT NULL, note text);"
            "ALTER TABLE scratch_copy ENABLE ROW LEVEL SECURITY; ALTER TABLE scratch_copy FORCE ROW LEVEL SECURITY;"
            "CREATE POLICY tenant_isolation ON scratch_copy USING (tenant_id = (SELECT mh_tenant_required()))"
            " WITH CHECK (tenant_id = (SELECT mh_tenant_required()));"
        )
    try:
        yield
    finally:
        with owner() as own:
            own.execute("DROP TABLE scratch_copy")


def _copy(tenant: Tenant, subject: Subject, statement: str) -> None:
    with owner() as own:
        own.execute("SELECT set_config('app.tenant_id', %s, false)", [str(tenant.id)])
        own.execute(statement, {"tenant": tenant.id, "subject": subject.id})


def test_a_table_that_nobody_listed_fails_the_verification(
    tenant: Tenant, alice: Subject, forgotten_table: None
) -> None:
    _copy(tenant, alice, "INSERT INTO scratch_copy VALUES (gen_random_uuid(), %(tenant)s, %(subject)s, 'x')")
    request = erased(tenant, alice)
    assert (request.status, request.left_over) == (Status.VERIFICATION_FAILED, {"scratch_copy": 1})
    with inside(tenant):
        with pytest.raises(NotFound):
            erasure.receipt_of(request)
        assert trail.history_of(request.id)[-1].action == "privacy.fail"
    _copy(tenant, alice, "DELETE FROM scratch_copy WHERE subject_id = %(subject)s")
    with scope.enter(tenant.id, APPROVER, "req_x"):
        requests.rerun(request, at=clock.now())
    again = run(tenant, request)
    assert (again.status, again.left_over, again.removed) == (Status.COMPLETED, {}, request.removed)


# --- a crash at any step ------------------------------------------------------------------------------------------


class Killed(BaseException):
    """The worker is gone: no handler of ours runs for it."""


SEAMS = [
    "memoryhub.memory.purge.purge_subject",
    "memoryhub.memory.purge.Subject.save",
    "memoryhub.privacy.ledger.append",
    "memoryhub.privacy.ledger.os.fsync",
    "memoryhub.memory.purge.residue",
    "memoryhub.privacy.erasure._complete",
    "memoryhub.privacy.erasure.receipt_body",
    "memoryhub.privacy.signing.sign",
    "memoryhub.privacy.erasure.Receipt.save",
]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("seam", SEAMS)
def test_a_crash_at_any_step_is_finished_by_the_next_run(
    tenant: Tenant, alice: Subject, seam: str, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = _counts(tenant, alice)
    request = approved(tenant, alice)
    with monkeypatch.context() as patching:
        _break(patching, seam, when)
        with pytest.raises(Killed):
            run(tenant, request)
    with inside(tenant):
        crashed = requests.get(request.id)
        assert crashed.status == Status.RUNNING
        assert not Receipt.objects.exists()
        left = purge.counts_of(alice.id)
        assert left == counted or sum(left.values()) == 0, "half erased"
    assert run(tenant, request).status == Status.RUNNING  # it may still be at work
    with time_machine.travel(clock.now() + timedelta(seconds=311), tick=True):
        done = run(tenant, request)
    assert (done.status, done.removed, done.attempts) == (Status.COMPLETED, counted, 2)
    assert words_left() == []
    with inside(tenant):
        receipt = erasure.receipt_of(done)
        assert receipt.body["rows_erased"] == counted
        assert signing.is_valid(receipt.body, receipt.signature)
        assert trail.verify().intact
    assert [stone.subject_id for stone in ledger.tombstones()] == [str(alice.id)]


def _break(patching: pytest.MonkeyPatch, seam: str, when: str) -> None:
    package, room, module, *inner, name = seam.split(".")
    holder: Any = importlib.import_module(f"{package}.{room}.{module}")
    for part in inner:
        holder = getattr(holder, part)
    real = getattr(holder, name)

    def broken(*args: Any, **kwargs: Any) -> Any:
        if when == "after":
            real(*args, **kwargs)
        raise Killed

    patching.setattr(holder, name, broken)


def test_two_workers_take_a_request_once(tenant: Tenant, alice: Subject) -> None:
    request = approved(tenant, alice)
    with inside(tenant):
        assert erasure.claim(request.id, at=clock.now()) is not None
        assert erasure.claim(request.id, at=clock.now()) is None
        with time_machine.travel(clock.now() + timedelta(seconds=311), tick=True):
            assert erasure.claim(request.id, at=clock.now()) is not None


def test_a_message_that_comes_twice_does_nothing_more(tenant: Tenant, alice: Subject) -> None:
    request = erased(tenant, alice)
    with inside(tenant):
        before = (trail.head(), erasure.receipt_of(request).signature)
    run(tenant, request)
    with inside(tenant):
        assert (trail.head(), erasure.receipt_of(request).signature) == before


def test_the_sweep_finds_what_a_lost_message_left(
    tenant: Tenant, other_tenant: Tenant, alice: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = approved(tenant, alice)
    sent: list[Any] = []
    monkeypatch.setattr(
        tasks.run_request, "apply_async", lambda args: sent.append((scope.current().tenant_id, *args))
    )
    tasks.sweep.run()
    with inside(tenant):
        erasure.claim(request.id, at=clock.now())
    tasks.sweep.run()
    assert sent == [(tenant.id, str(request.id))]
    with time_machine.travel(clock.now() + timedelta(seconds=311), tick=True):
        tasks.sweep.run()
    assert sent == [(tenant.id, str(request.id))] * 2


# --- the receipt --------------------------------------------------------------------------------------------------


@pytest.fixture
def receipt(tenant: Tenant, alice: Subject) -> Receipt:
    """The receipt of Alice's erasure."""
    request = erased(tenant, alice)
    with inside(tenant):
        return erasure.receipt_of(request)


def test_a_receipt_says_what_was_done_and_nothing_that_was_said(
    tenant: Tenant, alice: Subject, receipt: Receipt
) -> None:
    shown = json.dumps(receipt.body, ensure_ascii=False).lower()
    assert not any(word in shown for word in WORDS)
    assert str(alice.id) not in shown
    assert alice.id.hex not in shown
    body = receipt.body
    assert body["subject_pseudonym"] == trail.subject_ref(alice.id)
    assert (body["requested_by"], body["approved_by"]) == ("user:officer", "user:owner")
    assert set(body["rows_erased"]) == {store.name for store in purge.STORES}
    assert all(body["rows_erased"].values())
    assert body["rows_left"] == {}
    assert body["kept"]
    with inside(tenant):
        sealed = [event for event in trail.events() if event.seq == body["audit_head"]["seq"]]
        assert sealed[0].action == "privacy.complete"
    assert body["received_at"] <= body["approved_at"] <= body["erased_at"] <= body["verified_at"]
    assert body["gone_from_backups_by"] > body["verified_at"]


def test_anybody_with_the_public_key_can_check_it(receipt: Receipt) -> None:
    """As a third party does: from the served JSON alone."""
    served = json.loads(
        json.dumps({"body": receipt.body, "signature": receipt.signature, "key": signing.public_key()})
    )
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(served["key"]))
    canonical = json.dumps(served["body"], sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    key.verify(base64.b64decode(served["signature"]), canonical)
    with pytest.raises(InvalidSignature):
        key.verify(base64.b64decode(served["signature"]), canonical + b" ")


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for name, inner in items:
            yield from _leaves(inner, (*path, name))
        if not value:
            yield path
    else:
        yield path


def test_any_change_to_it_shows(receipt: Receipt) -> None:
    assert signing.is_valid(receipt.body, receipt.signature)
    for path in _leaves(receipt.body):
        changed = copy.deepcopy(receipt.body)
        holder = changed
        for step in path[:-1]:
            holder = holder[step]
        old = holder[path[-1]]
        holder[path[-1]] = old + 1 if isinstance(old, int) else f"{old}x"
        assert not signing.is_valid(changed, receipt.signature), path
        del holder[path[-1]]
        assert not signing.is_valid(changed, receipt.signature), path
    assert not signing.is_valid({**receipt.body, "more": 1}, receipt.signature)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(position=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_any_changed_bit_of_the_signature_shows(position: int, bit: int) -> None:
    body = {"rows_erased": {"facts": 3}, "reference": "PR-1"}
    raw = bytearray(base64.b64decode(signing.sign(body).value))
    raw[position % len(raw)] ^= 1 << bit
    assert not signing.is_valid(body, base64.b64encode(bytes(raw)).decode())


@pytest.mark.parametrize("signature", ["", "x", "====", "é", "A" * 88, "A" * 86 + "==", " " * 88])
def test_a_signature_that_is_none_is_no_error(signature: str) -> None:
    assert signing.is_valid({"a": 1}, signature) is False


def test_another_installation_can_not_sign_for_us(settings: Any) -> None:
    body = {"a": 1}
    ours, key = signing.sign(body), signing.key_id()
    settings.SECRET_KEY = "another" * 8
    assert signing.key_id() != key
    assert not signing.is_valid(body, ours.value)


def test_a_receipt_is_written_once(tenant: Tenant, receipt: Receipt) -> None:
    with inside(tenant), pytest.raises(DatabaseError):
        Receipt(request=receipt.request, body={}, signature="x", key_id="y").save()
    with inside(tenant):
        assert Receipt.objects.get().signature == receipt.signature


def test_erasing_takes_seconds_not_minutes(tenant: Tenant, alice: Subject) -> None:
    begun = time.monotonic()
    erased(tenant, alice)
    assert time.monotonic() - begun < 5
    with inside(tenant):
        assert PrivacyRequest.objects.get().attempts == 1
