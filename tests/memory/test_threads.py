"""Turns are written through: numbered without a gap, once per client id, all of a batch or none."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction

from memoryhub import clock
from memoryhub.errors import Conflict, Gone, Invalid, NotFound, TooLarge
from memoryhub.memory import purge, subjects, threads
from memoryhub.memory.models import Subject, Thread, Turn
from memoryhub.memory.threads import NewTurn
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant
from tests.conftest import ACTOR
from tests.memory.helpers import say


def test_seq_runs_from_one_without_a_gap(thread: Thread) -> None:
    assert [say(thread, f"turn {i}").seq for i in range(5)] == [1, 2, 3, 4, 5]


def test_a_retry_with_the_same_client_id_is_one_turn(thread: Thread) -> None:
    new = NewTurn("user", "hello", client_id="c-1")
    first = threads.append_turn(thread, new, at=clock.now())
    for _ in range(20):
        assert threads.append_turn(thread, new, at=clock.now()).id == first.id
    assert [t.seq for t in thread.turns.all()] == [1]
    assert say(thread, "next").seq == 2


def test_a_client_id_with_other_content_is_a_conflict(thread: Thread) -> None:
    threads.append_turn(thread, NewTurn("user", "hello", client_id="c-1"), at=clock.now())
    with pytest.raises(Conflict, match="client_id"):
        threads.append_turn(thread, NewTurn("user", "bye", client_id="c-1"), at=clock.now())
    assert thread.turns.count() == 1


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "blank"),
        ("   \n", "blank"),
        ("\u200b", "blank"),
        ("a\x00b", "nul_character"),
        ("a\ud800b", "lone_surrogate"),
        ("x" * 100_001, "too_long"),
    ],
)
def test_bad_content_is_refused_whole(thread: Thread, content: str, code: str) -> None:
    with pytest.raises(Invalid) as caught:
        threads.append_turns(thread, [NewTurn("user", "fine"), NewTurn("user", content)], at=clock.now())
    assert (caught.value.code, caught.value.fields[0].pointer) == (code, "/turns/1/content")
    assert not thread.turns.exists()
    assert say(thread, "next").seq == 1


def test_too_long_is_told_as_such(thread: Thread) -> None:
    with pytest.raises(Invalid) as caught:
        say(thread, "x" * 100_001)
    assert not isinstance(caught.value, TooLarge) or caught.value.code == "too_long"


def test_text_comes_back_exactly(thread: Thread) -> None:
    text = "👩‍👩‍👧 café — שלום 你好 می‌خواهم"
    assert Turn.objects.get(id=say(thread, text).id).content == text


def test_the_time_said_is_not_the_time_of_writing(thread: Thread) -> None:
    said = datetime(2023, 5, 24, 2, 0, tzinfo=UTC)
    turn = Turn.objects.get(id=say(thread, "I went to Paris last week", at=said).id)
    assert turn.said_at == said
    assert turn.created_at > said + timedelta(days=365)


def test_a_turn_from_the_future_is_refused(thread: Thread) -> None:
    with pytest.raises(Invalid, match="future"):
        say(thread, "hello", at=clock.now() + timedelta(hours=1))


def test_a_deleted_thread_takes_no_turn(thread: Thread) -> None:
    threads.delete(thread, forget=False, at=clock.now())
    with pytest.raises(NotFound):
        say(thread, "hello")


def test_an_erased_subject_takes_no_turn(thread: Thread, alice: Subject) -> None:
    with transaction.atomic():
        purge.purge_subject(alice, at=clock.now())
    with pytest.raises(Gone):
        say(thread, "hello")
    with pytest.raises(Gone):
        subjects.ensure("alice", at=clock.now())


def test_an_external_id_resumes_the_thread(alice: Subject) -> None:
    first, new = threads.open_thread(alice, at=clock.now(), external_id="chat-1")
    again, new_again = threads.open_thread(alice, at=clock.now(), external_id="chat-1")
    assert (new, new_again, again.id) == (True, False, first.id)


def test_an_external_id_is_never_another_subjects(alice: Subject) -> None:
    threads.open_thread(alice, at=clock.now(), external_id="chat-1")
    malice = subjects.ensure("malice", at=clock.now())
    with pytest.raises(Conflict):
        threads.open_thread(malice, at=clock.now(), external_id="chat-1")


@pytest.mark.parametrize("name", ["", "  ", "*", "null", "\u200b", "ALL"])
def test_no_id_means_everyone(scoped: Tenant, name: str) -> None:
    with pytest.raises(Invalid):
        subjects.ensure(name, at=clock.now())
    assert not Subject.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_parallel_appends_are_gapless(tenant: Tenant) -> None:
    with scope.enter(tenant.id, ACTOR, "req_test"):
        alice = subjects.ensure("alice", at=clock.now())
        thread, _ = threads.open_thread(alice, at=clock.now())

    def work(worker: int) -> None:
        try:
            with scope.enter(tenant.id, ACTOR, "req_test"):
                for i in range(10):
                    # Every tenth is sent twice, as a client does that lost the answer.
                    new = NewTurn("user", f"{worker}/{i}", client_id=f"{worker}/{i}")
                    threads.append_turn(thread, new, at=clock.now())
                    if i % 10 == 0:
                        threads.append_turn(thread, new, at=clock.now())
        finally:
            connection.close()

    workers = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    with scope.enter(tenant.id, ACTOR, "req_test"):
        assert list(thread.turns.order_by("seq").values_list("seq", flat=True)) == list(range(1, 61))


@pytest.mark.django_db(transaction=True)
def test_twins_with_one_client_id_are_one_turn(tenant: Tenant) -> None:
    with scope.enter(tenant.id, ACTOR, "req_test"):
        thread, _ = threads.open_thread(subjects.ensure("alice", at=clock.now()), at=clock.now())
    seen: list[object] = []

    def work() -> None:
        try:
            with scope.enter(tenant.id, ACTOR, "req_test"):
                seen.append(
                    threads.append_turn(thread, NewTurn("user", "hi", client_id="one"), at=clock.now()).id
                )
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
    with scope.enter(tenant.id, ACTOR, "req_test"):
        assert len(seen) == 8
        assert len(set(seen)) == 1
        assert [t.seq for t in thread.turns.all()] == [1]
        assert say(thread, "next").seq == 2
