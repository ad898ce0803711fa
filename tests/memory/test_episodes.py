"""Past turns are found for a question: the right ones, of this subject alone, with what their score is made of."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from memoryhub import clock
from memoryhub.llm import get_embedder
from memoryhub.memory import episodes, passages, purge, subjects, threads
from memoryhub.memory.episodes import Episode, Filters
from memoryhub.memory.models import Passage, Subject, Thread, Turn
from memoryhub.memory.weights import TurnWeights
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant
from tests.conftest import ACTOR
from tests.memory.test_terms import ODD

TALK = (
    ("Anna", "Hello there, long time no see!"),
    ("Ben", "How was the flight to Lisbon?"),
    ("Anna", "Terrible, they lost my suitcase and I got ticket 55102 for it."),
    ("Ben", "Oh no. Did the airline call back?"),
    ("Anna", "Not yet. The red team at the counter was kind though."),
    ("Ben", "My cello lesson is on Tuesday, at the Café Ürümqi."),
    ("Anna", "我在北京大学读书"),
    ("Ben", "The printer at work shows E-4012 all day."),
    ("Anna", "Mine is fine since v1.2.3 came out."),
    ("Ben", "A team wore red at the match, ticket 55103 was cheap."),
)


def talk(
    subject: Subject, turns: Sequence[tuple[str, str]] = TALK, *, said_at: datetime | None = None
) -> Thread:
    thread, _ = threads.open_thread(subject, at=clock.now())
    news = [threads.NewTurn("user", text, name=name, said_at=said_at) for name, text in turns]
    threads.append_turns(thread, news, at=clock.now())
    while passages.index_thread(threads.get(thread.id)):
        pass
    return threads.get(thread.id)


def asked(subject: Subject, query: str, **options: Any) -> list[Episode]:
    embedder = get_embedder()
    vector = options.pop("vector", embedder.embed_query(query) if query.strip() else None)
    options = {"floor": embedder.relevance_floor, "embedder": embedder.name, "at": clock.now(), **options}
    return episodes.ranked(subject.id, query, vector, **options)


def texts(rows: Sequence[Episode]) -> list[str]:
    contents = dict(Turn.objects.values_list("id", "content"))
    return [contents[row.turn_id][row.start : row.end] for row in rows]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("ticket 55102", "suitcase"),
        ("ticket 55103", "match"),
        ("what about E-4012?", "printer"),
        ("v1.2.3", "Mine is fine"),
        ("cafe urumqi", "cello"),
        ("北京大学", "北京大学"),
        ("when is the cello lesson", "cello"),
        ('who was "red team"?', "counter"),
    ],
)
def test_what_is_asked_for_comes_first(alice: Subject, query: str, found: str) -> None:
    talk(alice)
    assert found in texts(asked(alice, query))[0]
    assert found in texts(asked(alice, query, vector=None))[0]


def test_an_answer_without_a_word_of_the_question_is_found_beside_it(alice: Subject) -> None:
    talk(alice)
    rows = asked(alice, "How was the flight to Lisbon?", vector=None)
    answer = next(row for row, text in zip(rows, texts(rows), strict=True) if "suitcase" in text)
    assert (answer.keyword, answer.context > 0.5, answer.relevant) == (0.0, True, False)
    assert rows.index(answer) <= 1


def test_the_speaker_whom_the_question_names_goes_first(alice: Subject) -> None:
    talk(alice, [("Anna", "I bought a red bicycle."), ("Ben", "I bought a red bicycle.")] * 2)
    first = asked(alice, "What did Ben buy, a red bicycle?")[0]
    assert (first.speaker, first.spoken) == ("Ben", True)
    assert asked(alice, "What did Anna buy, a red bicycle?")[0].speaker == "Anna"
    assert not any(row.spoken for row in asked(alice, "What did Anna and Ben buy, a red bicycle?"))


def test_quoted_words_are_looked_for_word_for_word(alice: Subject) -> None:
    talk(alice)
    rows = asked(alice, 'Something about the "red team"')
    assert [row.exact for row in rows][:2] == [True, False]
    assert not any(row.exact for row in asked(alice, "Something about the red team"))
    assert episodes.phrases('the "red team" and “blue”, « vert »') == ["red team", "blue", "vert"]


def test_nothing_relevant_is_a_result(alice: Subject) -> None:
    talk(alice)
    assert asked(alice, "quarterly depreciation schedule") == []
    assert asked(alice, "") == asked(alice, "  ") == []
    nobody = subjects.ensure("nobody", at=clock.now())
    assert asked(nobody, "ticket 55102") == []


def test_the_parts_make_the_score(alice: Subject) -> None:
    talk(alice, said_at=clock.now() - timedelta(days=180))
    weights = TurnWeights(recency=0.2)
    rows = asked(alice, 'Did Anna get ticket 55102 for the "suitcase"?', weights=weights)
    assert len(rows) > 3
    for row in rows:
        parts = (
            weights.keywords * (row.keyword + row.context) + weights.cosine * (row.cosine or 0)
            + weights.cosine_before * (row.cosine_before or 0) + weights.cosine_after * (row.cosine_after or 0)
            + weights.thread_words * row.thread_words + weights.thread_cosine * (row.thread_cosine or 0)
            + weights.speaker * row.spoken - weights.question * row.asks + weights.length * row.long
            + weights.recency * row.recency + weights.phrase * row.exact
        )  # fmt: skip
        assert row.score == pytest.approx(parts, abs=1e-9)
        assert row.recency == pytest.approx(0.5, abs=0.01)
    assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)
    best = max(rows, key=lambda row: row.cosine or 0)
    assert best.cosine_rank == 1
    assert max(rows, key=lambda row: row.keyword).keyword_rank == 1


def test_the_vector_of_another_embedder_is_not_compared(alice: Subject) -> None:
    talk(alice)
    rows = asked(alice, "ticket 55102", embedder="another", vector=[1.0, 0.0, 0.0])
    assert "suitcase" in texts(rows)[0]
    assert {row.cosine for row in rows} == {None}


def test_a_long_turn_counts_once_by_its_best_passage(alice: Subject) -> None:
    filler = "We talked about nothing in particular for a while then. " * 30
    talk(alice, [("Anna", f"{filler}My locker code is K-77-B now. {filler}")])
    assert Passage.objects.count() > 3
    (row,) = asked(alice, "locker code K-77-B")
    assert "K-77-B" in texts([row])[0]
    assert 200 < row.end - row.start < 1000


def test_filters_take_threads_times_and_what_stands_in_the_prompt(alice: Subject) -> None:
    old, new = datetime(2024, 5, 1, tzinfo=UTC), datetime(2025, 5, 1, tzinfo=UTC)
    first, second = talk(alice, said_at=old), talk(alice, said_at=new)

    def found(filters: Filters) -> list[tuple[Any, int]]:
        rows = asked(alice, "ticket 55102 suitcase", filters=filters, limit=2)
        return [(row.thread_id, row.seq) for row in rows if row.relevant]

    assert set(found(Filters())) == {(first.id, 3), (second.id, 3)}
    assert found(Filters(thread=first.id)) == [(first.id, 3)]
    assert found(Filters(since=new)) == [(second.id, 3)]
    assert found(Filters(until=new)) == [(first.id, 3)]
    assert found(Filters(open_thread=second.id, open_seq=3)) == [(first.id, 3)]
    assert set(found(Filters(open_thread=second.id, open_seq=4))) == {(first.id, 3), (second.id, 3)}


def opened(tenant: Tenant, name: str) -> Subject:
    with scope.enter(tenant.id, ACTOR, "req_test"):
        subject = subjects.ensure(name, at=clock.now())
        talk(subject)
        return subject


def test_nothing_of_another_tenant_or_subject_is_found(tenant: Tenant, other_tenant: Tenant) -> None:
    alice, theirs = opened(tenant, "alice"), opened(other_tenant, "alice")
    with scope.enter(tenant.id, ACTOR, "req_test"):
        assert asked(theirs, "ticket 55102") == []
        bob = subjects.ensure("bob", at=clock.now())
        talk(bob, [("Anna", "My ticket is 55102 as well.")])
        own = {row.turn_id for row in asked(alice, "ticket 55102", limit=100)}
        assert own <= set(Turn.objects.filter(subject=alice).values_list("id", flat=True))
        assert asked(alice, "ticket 55102")[0].considered == len(TALK)
    with scope.enter(other_tenant.id, ACTOR, "req_test"):
        assert asked(alice, "ticket 55102") == []


def test_nothing_of_an_erased_subject_is_found(alice: Subject) -> None:
    talk(alice)
    assert asked(alice, "ticket 55102")
    with transaction.atomic():
        purge.purge_subject(alice, at=clock.now())
    assert asked(alice, "ticket 55102") == []


@pytest.mark.django_db(transaction=True)
def test_the_fiftieth_call_on_a_connection_finds_what_the_first_did(tenant: Tenant) -> None:
    with scope.enter(tenant.id, ACTOR, "req_test"):
        alice = subjects.ensure("alice", at=clock.now())
        talk(alice, TALK * 8)
        queries = ["ticket 55102", "when is the cello lesson", 'a "red team"', "北京大学"]
        expected = {query: asked(alice, query, vector=None) for query in queries}
        assert all(expected.values())
        at = clock.now()
        with connection.cursor() as cursor:
            assert connection.connection.prepare_threshold is not None
            for number in range(50):
                query = queries[number % len(queries)]
                filters = Filters(since=at - timedelta(days=9)) if number % 3 else Filters()
                rows = asked(alice, query, vector=None, filters=filters, at=at)
                assert [row.turn_id for row in rows] == [row.turn_id for row in expected[query]]
            cursor.execute(
                "SELECT sum(generic_plans), sum(generic_plans + custom_plans) FROM pg_prepared_statements"
                " WHERE statement LIKE '%thread_cosine%'"
            )
            generic, runs = cursor.fetchone()
        assert generic > 20 and runs > 40


@pytest.mark.parametrize(
    "query", [*ODD, "a\x00b", "\ud800", "x" * 100_000, '"""', '"& | !"', '"the"', "“", '"']
)
def test_no_query_is_an_error(alice: Subject, query: str) -> None:
    talk(alice, TALK[:3])
    assert isinstance(asked(alice, query, vector=get_embedder().embed_query("x")), list)
