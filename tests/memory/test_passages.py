"""Turns cut into passages: where, once, without a copy, and gone with the words they were made from."""

import itertools
import re
import threading
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryhub import clock
from memoryhub.chat import conversation
from memoryhub.errors import Gone
from memoryhub.llm.backends import fake
from memoryhub.llm.errors import ModelUnavailable
from memoryhub.memory import embedders, embedding, facts, passages, purge, subjects, tasks, threads
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import Origin, TurnStatus
from memoryhub.memory.models import Passage, Subject, Thread, Turn
from memoryhub.memory.passages import split
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant
from tests.conftest import ACTOR
from tests.memory.helpers import say

# --- where a text is cut ------------------------------------------------------------------------------------------


def cut(text: str) -> list[str]:
    return [text[piece.start : piece.end] for piece in split(text)]


def test_a_short_turn_is_one_piece_without_the_blanks_around_it() -> None:
    assert cut("  I moved to Lisbon. It rains.\n") == ["I moved to Lisbon. It rains."]
    assert cut(" \n\t ") == cut("") == []


def test_a_long_turn_is_cut_at_sentences_into_about_eighty_words() -> None:
    text = " ".join(f"Sentence number {n} has exactly eight words here." for n in range(60))
    pieces = cut(text)
    assert " ".join(pieces) == text
    assert all(piece.startswith("Sentence") and piece.endswith("here.") for piece in pieces)
    assert all(60 <= len(piece.split()) <= 95 for piece in pieces)


def test_up_to_110_words_stay_together_and_more_are_shared_out() -> None:
    assert [len(piece.split()) for piece in cut("word " * 110)] == [110]
    assert [len(piece.split()) for piece in cut("word " * 112)] == [56, 56]


def test_text_without_blanks_is_cut_too() -> None:
    chinese = cut("我昨天在北京大学的图书馆里看书。" * 40)
    assert len(chinese) == 4 and all(piece.endswith("。") for piece in chinese)
    assert all(len(piece) <= 900 for piece in cut("x" * 5000))


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab .?!\n。中文🎉\"'…"), max_size=3000))
def test_nothing_but_blanks_is_lost(text: str) -> None:
    pieces = split(text)
    assert all(piece.end > piece.start for piece in pieces)
    assert all(a.end <= b.start for a, b in itertools.pairwise(pieces))
    assert re.sub(r"\s", "", "".join(cut(text))) == re.sub(r"\s", "", text)


# --- the job ------------------------------------------------------------------------------------------------------


def index(thread: Thread) -> None:
    for _ in range(20):
        if not passages.index_thread(threads.get(thread.id)):
            return
    raise AssertionError("indexing did not end")


def spans(thread: Thread) -> list[tuple[int, int, str]]:
    rows = Passage.objects.filter(thread=thread).select_related("turn").order_by("seq", "number")
    return [(row.seq, row.number, row.turn.content[row.start : row.end]) for row in rows]


def lexemes(thread: Thread) -> str:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(string_agg(words::text, ' '), '') FROM passage WHERE thread_id = %s", [thread.id]
        )
        return str(cursor.fetchone()[0])


def test_final_turns_of_both_are_indexed_and_nothing_else(thread: Thread) -> None:
    said = clock.now() - timedelta(days=3)
    threads.append_turn(
        thread, threads.NewTurn("user", "I moved to Zürich.", name="Anna", said_at=said), at=clock.now()
    )
    say(thread, "Did you like it?", role="assistant")
    say(thread, "a tool's answer", role="tool")
    say(thread, "rules", role="system")
    threads.append_turn(thread, threads.NewTurn("assistant", "", status=TurnStatus.PENDING), at=clock.now())
    index(thread)
    rows = list(Passage.objects.order_by("seq"))
    assert spans(thread) == [(1, 0, "I moved to Zürich."), (2, 0, "Did you like it?")]
    assert [(row.speaker, row.asks) for row in rows] == [("Anna", False), ("assistant", True)]
    assert rows[0].said_at == said
    assert all(row.embedding is not None and row.embedder for row in rows)
    assert "zurich" in lexemes(thread)
    assert threads.get(thread.id).indexed_seq == 5


def test_again_changes_nothing_and_goes_on_where_it_stopped(thread: Thread) -> None:
    for number in range(120):
        say(thread, f"turn {number}")
    index(thread)
    before = set(Passage.objects.values_list("id", flat=True))
    assert len(before) == 120
    Thread.objects.filter(id=thread.id).update(indexed_seq=0)
    index(thread)
    assert set(Passage.objects.values_list("id", flat=True)) == before
    say(thread, "one more")
    index(thread)
    assert Passage.objects.count() == 121


@pytest.mark.django_db(transaction=True)
def test_workers_at_once_make_each_passage_once(tenant: Tenant) -> None:
    with scope.enter(tenant.id, ACTOR, "req_test"):
        alice = subjects.ensure("alice", at=clock.now())
        thread = threads.open_thread(alice, at=clock.now())[0]
        for number in range(80):
            say(thread, f"turn {number}. " * 70)
        expected = sum(len(split(turn.content)) for turn in thread.turns.all())
    start, errors = threading.Barrier(4), []

    def work() -> None:
        try:
            with scope.enter(tenant.id, ACTOR, "req_test"):
                start.wait(10)
                index(thread)
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(4)]
    [worker.start() for worker in workers]
    [worker.join(60) for worker in workers]
    with scope.enter(tenant.id, ACTOR, "req_test"):
        assert errors == []
        assert Passage.objects.count() == expected > 80
        assert threads.get(thread.id).indexed_seq == 80


def test_an_answer_is_indexed_when_it_is_final_and_anew_when_it_is_tried_again(thread: Thread) -> None:
    posted = conversation.post_message(thread, "Where is the key?", at=clock.now())
    say(thread, "another word")
    index(thread)
    rows = Turn.objects.filter(id=posted.answer.id)
    rows.update(status=TurnStatus.STREAMING, content="Under the")
    rows.update(status=TurnStatus.PARTIAL, content="Under the mat")
    assert threads.get(thread.id).indexed_seq == 1
    index(thread)
    assert (2, 0, "Under the mat") in spans(thread)
    rows.update(status=TurnStatus.PENDING, content="")
    assert [span[0] for span in spans(thread)] == [1, 3]


def test_without_the_embedder_words_are_there_and_vectors_follow(
    thread: Thread, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(thread, "I moved to Lisbon")

    class Away(fake.FakeEmbedder):
        def embed_passages(self, texts: object) -> list[list[float]]:
            raise ModelUnavailable("away")

    with monkeypatch.context() as patch:
        patch.setattr(embedders, "get_embedder", lambda: Away(8))
        index(thread)
    row = Passage.objects.get()
    assert (row.embedding, row.embedder) == (None, "")
    assert "lisbon" in lexemes(thread)
    assert passages.fill_missing() == 1
    filled = Passage.objects.get()
    assert filled.embedding is not None and filled.embedder == embedders.get_embedder().name
    assert passages.fill_missing() == 0
    Passage.objects.update(embedder="another")
    assert passages.fill_missing() == 1


def test_the_sweep_finds_threads_that_are_not_indexed(thread: Thread) -> None:
    assert passages.unindexed(10) == []
    say(thread, "hello there")
    assert passages.unindexed(10) == [thread.id]
    tasks.index.run(str(thread.id))
    assert passages.unindexed(10) == []
    assert Passage.objects.count() == 1


# --- what goes ----------------------------------------------------------------------------------------------------


def test_a_blotted_turn_leaves_no_lexeme_and_no_vector(alice: Subject, thread: Thread) -> None:
    turn = say(thread, "I live in zanzibar and like tea")
    say(thread, "You said: I live in zanzibar.", role="assistant")
    index(thread)
    assert "zanzibar" in lexemes(thread)
    new = NewFact("Lives in zanzibar", source_turn=turn.id, quote="I live in zanzibar")
    fact = facts.remember(alice, new, origin=Origin.SAID, human=False, at=clock.now())
    old = set(Passage.objects.values_list("id", flat=True))
    facts.purge_fact(fact, reason_code="subject_asked", at=clock.now())
    assert "zanzibar" not in lexemes(thread)
    index(thread)
    assert "zanzibar" not in lexemes(thread) and "tea" in lexemes(thread)
    assert turn.id in set(Passage.objects.exclude(id__in=old).values_list("turn_id", flat=True))


def test_words_blotted_while_they_were_embedded_are_not_written(
    thread: Thread, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = say(thread, "I live in zanzibar")
    inner = embedding.embed

    def embed(texts: list[str]) -> embedding.Embedded:
        Turn.objects.filter(id=turn.id).update(content="I live in ████████")
        return inner(texts)

    with monkeypatch.context() as patch:
        patch.setattr(embedding, "embed", embed)
        passages.index_thread(threads.get(thread.id))
    assert (Passage.objects.count(), threads.get(thread.id).indexed_seq) == (0, 0)
    index(thread)
    assert "zanzibar" not in lexemes(thread) and "live" in lexemes(thread)


def test_a_deleted_thread_takes_its_passages_along(alice: Subject, thread: Thread) -> None:
    other, _ = threads.open_thread(alice, at=clock.now())
    for each in (thread, other):
        say(each, "hello there")
        index(each)
    threads.delete(thread, forget=False, at=clock.now())
    assert [row.thread_id for row in Passage.objects.all()] == [other.id]


def test_nothing_is_written_for_somebody_erased_meanwhile(
    alice: Subject, thread: Thread, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(thread, "I live in zanzibar")
    stale = threads.get(thread.id)
    inner = embedding.embed

    def embed(texts: list[str]) -> embedding.Embedded:
        with transaction.atomic():
            purge.purge_subject(alice, at=clock.now())
        return inner(texts)

    monkeypatch.setattr(embedding, "embed", embed)
    with pytest.raises(Gone):
        passages.index_thread(stale)
    assert Passage.objects.count() == 0
    tasks.index.run(str(thread.id))


def opened(tenant: Tenant, name: str) -> Thread:
    with scope.enter(tenant.id, ACTOR, "req_test"):
        return threads.open_thread(subjects.ensure(name, at=clock.now()), at=clock.now())[0]


def test_a_passage_can_not_point_into_another_tenant(tenant: Tenant, other_tenant: Tenant) -> None:
    theirs, own = opened(tenant, "alice"), opened(other_tenant, "bob")
    with scope.enter(tenant.id, ACTOR, "req_test"):
        turn = say(theirs, "hello there")
    with scope.enter(other_tenant.id, ACTOR, "req_test"):
        with pytest.raises(IntegrityError), transaction.atomic():
            Passage(
                turn_id=turn.id, thread=own, subject_id=own.subject_id, seq=1, number=0, start=0, end=3, speaker="user",
                asks=False, said_at=clock.now(), words="",
            ).save(force_insert=True)  # fmt: skip
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        assert Passage.objects.count() == 0
