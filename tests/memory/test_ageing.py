"""Facts grow old: marked, ranked lower, phrased with their date. Reading one never refreshes it."""

from datetime import timedelta

from memoryhub import clock
from memoryhub.memory import catalogue, context, facts, policies, recall, threads
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import Origin
from memoryhub.memory.models import Fact, Subject, Thread

AT = clock.now()


def told(subject: Subject, statement: str, *, days_ago: int, kind: str = "profile") -> Fact:
    observed = AT - timedelta(days=days_ago)
    new = NewFact(statement, kind=kind, observed_at=observed)
    return facts.remember(subject, new, origin=Origin.IMPORTED, human=False, at=observed)


def test_each_kind_has_its_age(alice: Subject) -> None:
    told(alice, "Is migrating the label service", days_ago=100, kind="project")
    told(alice, "Lives in Porto", days_ago=100)
    told(alice, "Went to Crete in May", days_ago=900, kind="event")
    stale = catalogue.matching(catalogue.Wanted(stale_at=AT))
    assert [fact.statement for fact in stale] == ["Is migrating the label service"]


def test_a_confirmation_makes_it_fresh_and_a_reading_does_not(alice: Subject, thread: Thread) -> None:
    fact = told(alice, "Lives in Porto", days_ago=500)
    for _ in range(3):
        context.build(thread, "Where do I live?", at=AT)
    assert policies.is_stale(facts.get(fact.id), policies.current(), AT)
    facts.reverify(fact, facts.SUBJECT, at=AT)
    assert not policies.is_stale(facts.get(fact.id), policies.current(), AT)


def test_a_stale_fact_is_phrased_with_its_date(alice: Subject, thread: Thread) -> None:
    fact = told(alice, "Lives in Porto", days_ago=500)
    built = context.build(threads.get(thread.id), "Where do I live?", at=AT)
    month = f"{fact.observed_at:%B %Y}"
    assert f'"as_of": "{month}"' in built.messages[-1].content
    assert "still holds" in built.messages[0].content


def test_a_fresh_fact_goes_before_a_stale_one(alice: Subject) -> None:
    told(alice, "Likes green tea in the morning", days_ago=800, kind="preference")
    told(alice, "Likes black tea in the evening", days_ago=3, kind="preference")
    found = recall.recall(alice, "Which tea do I like?", at=AT).facts
    assert [item.stale for item in found] == [False, True]


def test_a_tenant_sets_its_own_ages(alice: Subject) -> None:
    fact = told(alice, "Lives in Porto", days_ago=40)
    policies.change(stale_after={"profile": 30}, at=AT)
    assert policies.is_stale(fact, policies.current(), AT)
    policies.change(stale_after={"profile": None}, at=AT)
    assert not policies.is_stale(fact, policies.current(), AT)
