"""Large scopes: the index finds what an exact scan finds, is kept by the database, and goes when it is not needed."""

import math
import random
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import connection

from memoryhub import clock
from memoryhub.memory import facts, policies, purge, recall, scaling, subjects
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import Origin
from memoryhub.memory.models import Fact, IndexedVector, IndexedWord, LargeScope, Subject
from memoryhub.memory.ranking import Asked, Question, ranked
from memoryhub.memory.reconciliation import key_of
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant
from tests.conftest import ACTOR
from tests.memory import crowd

pytestmark = pytest.mark.django_db
DIMENSION, NAME = 384, "test-vectors"


def direction(chance: random.Random, near: Sequence[float] | None = None) -> list[float]:
    """A unit vector, at random or in a cloud around another: real vectors lie in clouds."""
    values = [chance.gauss(0, 1) for _ in range(DIMENSION)]
    if near is not None:
        values = [0.05 * value + 1.0 * centre for value, centre in zip(values, near, strict=True)]
    length = math.hypot(*values)
    return [value / length for value in values]


def fill(subject: Subject, count: int, seed: int = 1) -> list[list[float]]:
    """Facts with vectors in forty clouds; the clouds' centres."""
    chance, at = random.Random(seed), clock.now()
    centres = [direction(chance) for _ in range(40)]
    rows = []
    for number in range(count):
        statement = f"Owns item {seed}-{number} of sort s{number % 40}"
        rows.append(
            Fact(
                subject=subject, kind="profile", statement=statement, key=key_of(statement), origin=Origin.SAID,
                observed_at=at, embedding=direction(chance, centres[number % 40]), embedder=NAME,
            )
        )  # fmt: skip
    Fact.objects.bulk_create(rows, batch_size=500)
    return centres


def ids_of(
    subject: Subject, vector: Sequence[float], text: str = "", *, source: Any, limit: int = 10
) -> list[uuid.UUID]:
    """The best facts, straight from the ranking."""
    place = LargeScope.objects.filter(subject=subject).first()
    question = Question(
        subject.id, text, Asked(vector, -1.0, NAME), clock.now(), policies.current().weights, limit=limit,
        scope_dimension=DIMENSION,
    )  # fmt: skip
    return [row.id for row in ranked(question, source, scope_facts=place.facts if place else 0).rows]


@pytest.fixture
def large(alice: Subject, settings: Any) -> Iterator[tuple[Subject, list[list[float]]]]:
    """Alice with 3,000 facts and an index of them, among others' facts in the same partitions."""
    for number in range(8):
        fill(subjects.ensure(f"other-{number}", at=clock.now()), 100, seed=10 + number)
    centres = fill(alice, 3000)
    assert scaling.build(alice.id, NAME, DIMENSION, 3000, at=clock.now())
    yield alice, centres


def test_the_index_finds_what_the_exact_scan_finds_past_the_tenth_call(
    large: tuple[Subject, list[list[float]]],
) -> None:
    subject, centres = large
    chance = random.Random(5)
    kept, connection.connection.prepare_threshold = connection.connection.prepare_threshold, 0
    try:
        shares = []
        for number in range(50):
            vector = direction(chance, centres[number % 40])
            exact = ids_of(subject, vector, source="exact")
            near = ids_of(subject, vector, source="indexed")
            assert len(near) == 10
            shares.append(len(set(exact) & set(near)) / 10)
    finally:
        connection.connection.prepare_threshold = kept
    assert sum(shares) / len(shares) >= 0.98


def test_exact_words_are_found_among_thousands(large: tuple[Subject, list[list[float]]]) -> None:
    subject, centres = large
    wanted = Fact.objects.get(subject=subject, statement__startswith="Owns item 1-2718 ")
    assert ids_of(subject, centres[0], "item 1-2718", source="indexed")[0] == wanted.id
    assert ids_of(subject, centres[0], "item 1-2718", source="exact")[0] == wanted.id


def test_recall_goes_by_the_index_and_by_the_facts_where_it_must(
    large: tuple[Subject, list[list[float]]],
) -> None:
    subject, centres = large
    asked, rules = Asked(centres[3], 0.3, NAME), policies.current(subject.id)
    found = recall.recall(subject, "sort s3", at=clock.now(), asked=asked, policy=rules)
    assert (found.source, len(found.facts)) == ("indexed", 8)
    for more in ({"explain": True}, {"wanted": recall.Wanted(kinds=["profile"])}):
        assert (
            recall.recall(subject, "sort s3", at=clock.now(), asked=asked, policy=rules, **more).source
            == "exact"
        )


def test_what_is_written_after_the_build_is_in_the_index(large: tuple[Subject, list[list[float]]]) -> None:
    subject, _ = large
    at = clock.now()
    fact = facts.remember(
        subject, NewFact("Keeps a heron called Percival"), origin=Origin.OPERATOR, human=True, at=at
    )
    Fact.objects.filter(id=fact.id).update(embedding=[1.0] + [0.0] * (DIMENSION - 1), embedder=NAME)
    probe = [1.0] + [0.0] * (DIMENSION - 1)
    assert ids_of(subject, probe, source="indexed")[0] == fact.id
    assert ids_of(subject, direction(random.Random(3)), "heron Percival", source="indexed")[0] == fact.id
    facts.correct(fact, facts.Correction("Keeps a stork called Galahad", "wrong bird"), facts.OPERATOR, at=at)
    assert not IndexedWord.objects.filter(fact=fact, word__startswith="heron").exists()
    assert IndexedWord.objects.filter(fact=fact, word="galahad").exists()
    facts.archive(Fact.objects.get(id=fact.id), at=at)
    assert not IndexedVector.objects.filter(fact=fact).exists()
    assert not IndexedWord.objects.filter(fact=fact).exists()
    facts.restore(Fact.objects.get(id=fact.id), at=at)
    assert IndexedWord.objects.filter(fact=fact).exists()


def test_a_purge_and_an_erasure_leave_nothing_in_the_index(large: tuple[Subject, list[list[float]]]) -> None:
    subject, _ = large
    fact = Fact.objects.filter(subject=subject).first()
    assert fact is not None
    facts.purge_fact(fact, reason_code="wrong", at=clock.now())
    assert not IndexedVector.objects.filter(fact_id=fact.id).exists()
    purge.purge_subject(subject, at=clock.now())
    assert purge.residue(subject.id) == {}
    assert not scaling.build(subject.id, NAME, DIMENSION, 3000, at=clock.now()), (
        "an erased subject stays erased"
    )


def test_indexes_come_and_go_with_the_sizes_observed(alice: Subject, settings: Any) -> None:
    settings.MEMORYHUB_LARGE_SCOPE = 50
    at = clock.now()
    for number in range(60):
        facts.remember(alice, NewFact(f"Owns book {number}"), origin=Origin.OPERATOR, human=True, at=at)
    assert scaling.tend(at=at) == {"built": 1, "dropped": 0}
    assert scaling.tend(at=at) == {"built": 0, "dropped": 0}
    assert recall.recall(alice, "Which book 17 do I own?", at=at).source == "indexed"
    assert IndexedVector.objects.filter(subject=alice).count() == 60
    Fact.objects.filter(subject=alice, id__in=Fact.objects.values("id")[:15]).delete()
    assert scaling.tend(at=at) == {"built": 0, "dropped": 0}, "a scope at the border keeps its index"
    Fact.objects.filter(subject=alice, id__in=Fact.objects.values("id")[:30]).delete()
    assert scaling.tend(at=at) == {"built": 0, "dropped": 1}
    assert not IndexedWord.objects.exists()
    assert recall.recall(alice, "Which books do I own?", at=at).source == "exact"


def test_nobody_reads_a_partition_past_the_wall(scoped: Tenant) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_class WHERE relispartition AND relkind = 'r'"
            " AND (has_table_privilege(current_user, oid, 'select') OR NOT relrowsecurity OR NOT relforcerowsecurity)"
        )
        assert cursor.fetchone() == (0,)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.django_db(transaction=True)
def test_nothing_is_lost_at_any_size_with_a_thousand_tenants_around(tenant: Tenant) -> None:
    """The trap of other systems: past the tenth call of a prepared statement rows go missing."""
    crowd.others(1000, 20)
    with scope.enter(tenant.id, ACTOR, "req_test"):
        for size in (100, 5_000, 100_000):
            subject = subjects.ensure(f"person-{size}", at=clock.now())
            vectors = crowd.fill(subject, size)
            if size >= django_settings.MEMORYHUB_LARGE_SCOPE:
                assert scaling.build(subject.id, crowd.NAME, crowd.DIMENSION, size, at=clock.now())
            counts, shares = _asked_fifty_times(subject, vectors, size)
            assert counts == {10}, size
            assert sum(shares) / len(shares) >= 0.98, (size, sum(shares) / len(shares))


def _asked_fifty_times(subject: Subject, vectors: Any, size: int) -> tuple[set[int], list[float]]:
    """How many rows each call gave, and the share of the true ten nearest in it."""
    rows = Fact.objects.filter(subject=subject).values_list("id", "statement")
    numbers = {fact_id: int(words.split("-")[1].split()[0]) for fact_id, words in rows}
    counts, shares = set(), []
    connection.ensure_connection()
    kept, connection.connection.prepare_threshold = connection.connection.prepare_threshold, 0
    try:
        for number, probe in enumerate(crowd.clouds(50, 77)):
            probe = vectors[(number * 7919) % size] * 0.8 + probe * 0.2
            asked, policy = Asked(probe.tolist(), 0.0, crowd.NAME), policies.current(subject.id)
            found = recall.recall(
                subject, "of which sort", at=clock.now(), limit=10, asked=asked, policy=policy
            )
            assert found.source == ("indexed" if size >= django_settings.MEMORYHUB_LARGE_SCOPE else "exact")
            counts.add(len(found.facts))
            best = {numbers[item.fact.id] for item in found.facts}
            shares.append(len(best & crowd.nearest(vectors, probe)) / 10)
    finally:
        connection.connection.prepare_threshold = kept
    return counts, shares
