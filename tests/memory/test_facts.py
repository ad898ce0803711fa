"""The auditor's verbs: versions stay, the trail has no content, a purge reaches everything."""

import pytest
from django.db import connection

from memoryhub import clock
from memoryhub.audit import trail
from memoryhub.errors import Conflict, Invalid, NotFound, Stale
from memoryhub.memory import catalogue, facts, purge, recall, summaries, threads
from memoryhub.memory.facts import Correction, NewFact
from memoryhub.memory.kinds import FactStatus, Origin
from memoryhub.memory.models import (
    Evidence,
    Fact,
    FactVersion,
    RecalledFact,
    Subject,
    Summary,
    Suppression,
    Thread,
    Turn,
)
from tests.memory.helpers import learn, say, statements


def remember(subject: Subject, statement: str, **kwargs: object) -> Fact:
    return facts.remember(
        subject, NewFact(statement, **kwargs), origin=Origin.OPERATOR, human=True, at=clock.now()
    )  # type: ignore[arg-type]


def test_a_correction_keeps_the_old_version(alice: Subject) -> None:
    fact = remember(alice, "Likes tea")
    facts.correct(
        fact,
        Correction("Likes green tea", "asked again"),
        facts.OPERATOR,
        at=clock.now(),
        etag=facts.get(fact.id).etag,
    )
    versions = catalogue.history(facts.get(fact.id))
    assert [(v.number, v.statement, v.expired_at is None) for v in versions] == [
        (2, "Likes green tea", True),
        (1, "Likes tea", False),
    ]
    assert [e.action for e in trail.history_of(fact.id)] == ["fact.add", "fact.correct"]


def test_a_corrected_fact_is_found_by_its_new_words(alice: Subject) -> None:
    fact = remember(alice, "Likes tea")
    facts.correct(fact, Correction("Plays the cello on Sundays", "other"), facts.OPERATOR, at=clock.now())
    assert [f.fact.id for f in recall.recall(alice, "Which instrument do I play?", at=clock.now()).facts] == [
        fact.id
    ]


def test_a_stale_correction_changes_nothing(alice: Subject) -> None:
    fact = remember(alice, "Likes tea")
    seen = facts.get(fact.id).etag
    facts.correct(fact, Correction("Likes coffee", "one"), facts.OPERATOR, at=clock.now(), etag=seen)
    with pytest.raises(Stale) as caught:
        facts.correct(fact, Correction("Likes cocoa", "two"), facts.OPERATOR, at=clock.now(), etag=seen)
    assert caught.value.etag == facts.get(fact.id).etag
    assert facts.get(fact.id).statement == "Likes coffee"


def test_a_correction_into_another_facts_words_is_a_conflict(alice: Subject) -> None:
    remember(alice, "Likes coffee")
    fact = remember(alice, "Likes tea")
    with pytest.raises(Conflict, match="already says"):
        facts.correct(fact, Correction("likes coffee", "x"), facts.OPERATOR, at=clock.now())
    assert facts.get(fact.id).statement == "Likes tea"


def test_verify_archive_restore(alice: Subject) -> None:
    fact = remember(alice, "Likes tea")
    assert facts.reverify(fact, facts.SUBJECT, at=clock.now()).verification == "confirmed"
    assert facts.archive(fact, at=clock.now()).status == FactStatus.ARCHIVED
    assert recall.recall(alice, "Likes tea", at=clock.now()).facts == []
    with pytest.raises(Conflict):
        facts.archive(fact, at=clock.now())
    assert facts.restore(fact, at=clock.now()).status == FactStatus.ACTIVE
    assert [e.action for e in trail.history_of(fact.id)][-3:] == [
        "fact.verify",
        "fact.archive",
        "fact.restore",
    ]


def test_restore_does_not_make_two_of_one(alice: Subject) -> None:
    old = remember(alice, "Is on the free plan", attribute="plan", value="free")
    facts.archive(old, at=clock.now())
    remember(alice, "Is on the pro plan", attribute="plan", value="pro")
    with pytest.raises(Conflict, match="plan"):
        facts.restore(old, at=clock.now())


def test_a_purge_reaches_every_table(thread: Thread, alice: Subject) -> None:
    say(thread, "Well. I prefer chartreuse curtains, sadly.")
    learn(thread)
    fact = Fact.objects.get(subject=alice)
    answer = say(thread, "Since you said “I prefer chartreuse curtains”, try these.", role="assistant")
    RecalledFact.objects.create(turn=answer, fact=fact, subject=alice, rank=1, score=1)
    turn_ids = [t.id for t in thread.turns.all()]
    Summary.objects.create(
        thread=thread,
        subject=alice,
        version=1,
        content="Prefers chartreuse curtains.",
        through_seq=2,
        turn_ids=turn_ids,
    )
    Thread.objects.filter(id=thread.id).update(summarised_seq=2)
    facts.purge_fact(fact, reason_code="subject_asked", at=clock.now())
    with connection.cursor() as cursor:
        for table in (
            "fact",
            "fact_version",
            "evidence",
            "turn",
            "summary",
            "recalled_fact",
            "suppression",
            "audit_event",
        ):
            cursor.execute(f"SELECT count(*) FROM {table} WHERE {table}::text ILIKE '%chartreuse%'")
            assert cursor.fetchone() == (0,), table
    assert threads.get(thread.id).summarised_seq == 0


def test_a_purged_fact_is_not_learned_again(thread: Thread, alice: Subject) -> None:
    say(thread, "I live in Porto")
    learn(thread)
    facts.purge_fact(Fact.objects.get(subject=alice), reason_code="wrong", at=clock.now())
    Thread.objects.filter(id=thread.id).update(learned_seq=0)
    learn(thread)
    assert statements(alice) == []
    say(thread, "I live in Porto")
    assert learn(thread) == {"suppressed": 1}


def test_another_fact_on_the_same_words_stays_without_its_source(thread: Thread, alice: Subject) -> None:
    turn = say(thread, "I bake bread at Acme")
    whole, part = (
        facts.remember(
            alice,
            NewFact(statement, source_turn=turn.id, quote=quote),
            origin=Origin.SAID,
            human=False,
            at=clock.now(),
        )
        for statement, quote in (("Works at Acme", "I bake bread at Acme"), ("Bakes bread", "bake bread"))
    )
    facts.purge_fact(part, reason_code="wrong", at=clock.now())
    link = Evidence.objects.get(fact=whole)
    assert (link.turn_id, link.source_erased_at is not None) == (None, True)
    assert Turn.objects.get(id=turn.id).content == "I ██████████ at Acme"


def test_a_withdrawn_fact_brings_back_what_it_ended(thread: Thread, alice: Subject) -> None:
    say(thread, "I'm on the free plan")
    learn(thread)
    say(thread, "I'm on the pro plan now")
    learn(thread)
    facts.withdraw(Fact.objects.get(subject=alice, value="pro"), at=clock.now())
    back = Fact.objects.get(subject=alice)
    assert (back.value, back.status, back.invalid_at) == ("free", FactStatus.ACTIVE, None)


def test_purge_needs_a_known_reason(alice: Subject) -> None:
    fact = remember(alice, "Likes tea")
    with pytest.raises(Invalid):
        facts.purge_fact(fact, reason_code="because I said so", at=clock.now())
    assert facts.get(fact.id).status == FactStatus.ACTIVE


def test_a_thread_deleted_with_what_it_taught(thread: Thread, alice: Subject) -> None:
    other, _ = threads.open_thread(alice, at=clock.now())
    say(thread, "I live in Porto. I'm on the free plan.")
    say(other, "Remember, I'm on the free plan.")
    learn(thread)
    learn(other)
    assert threads.delete(thread, forget=True, at=clock.now()) == 1
    assert statements(alice) == ["Is on the free plan"]
    assert Evidence.objects.get(turn__isnull=False).turn.thread_id == other.id


def test_a_thread_deleted_alone_keeps_its_facts(thread: Thread, alice: Subject) -> None:
    say(thread, "I live in Porto.")
    learn(thread)
    threads.delete(thread, forget=False, at=clock.now())
    assert statements(alice) == ["Lives in Porto"]
    assert Evidence.objects.get().source_erased_at is not None


def test_the_subject_forgotten_leaves_nothing(thread: Thread, alice: Subject) -> None:
    from django.db import transaction

    say(thread, "I live in Porto.")
    learn(thread)
    assert set(purge.counts_of(alice.id)) == {store.name for store in purge.STORES}
    with transaction.atomic():
        purge.purge_subject(alice, at=clock.now())
    assert purge.residue(alice.id) == {}
    assert not Fact.objects.exists()
    assert not FactVersion.objects.exists()
    assert not Suppression.objects.exists()
    with pytest.raises(NotFound):
        threads.get(thread.id)


def test_a_summary_made_meanwhile_is_not_saved(thread: Thread) -> None:
    assert summaries.limited("word " * 500).count(" ") < 199


def test_a_supersession_can_be_undone(thread: Thread, alice: Subject) -> None:
    say(thread, "I'm on the free plan")
    learn(thread)
    say(thread, "I'm on the pro plan now")
    learn(thread)
    wrong = Fact.objects.get(subject=alice, value="pro")
    facts.undo_supersession(wrong, at=clock.now())
    assert {f.value: str(f.status) for f in Fact.objects.filter(subject=alice)} == {
        "free": "active",
        "pro": "archived",
    }
    with pytest.raises(Conflict, match="ended no other"):
        facts.undo_supersession(Fact.objects.get(subject=alice, value="free"), at=clock.now())


def test_confirming_one_half_of_a_conflict_ends_the_other(alice: Subject) -> None:
    at = clock.now()
    for value in ("free", "enterprise"):
        new = NewFact(f"Is on the {value} plan", attribute="plan", value=value, observed_at=at, valid_at=at)
        facts.remember(alice, new, origin=Origin.IMPORTED, human=False, at=at)
    free, enterprise = (Fact.objects.get(subject=alice, value=value) for value in ("free", "enterprise"))
    assert (free.status, enterprise.status) == ("held", "held")
    facts.reverify(enterprise, facts.OPERATOR, at=clock.now())
    assert Fact.objects.get(id=enterprise.id).status == "active"
    assert Fact.objects.get(id=free.id).status == "superseded"
