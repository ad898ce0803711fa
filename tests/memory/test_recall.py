"""Recall: weights, moments, reasons, filters, feedback; and nothing that is out of use, on any path."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from memoryhub import clock
from memoryhub.errors import Conflict, Invalid
from memoryhub.llm.configuration import LlmSettings
from memoryhub.llm.errors import ModelUnavailable
from memoryhub.llm.types import ToolCall
from memoryhub.memory import (
    context,
    embedders,
    facts,
    judging,
    passages,
    policies,
    recall,
    subjects,
    threads,
    tools,
    usage,
    weights,
)
from memoryhub.memory.facts import Correction, NewFact
from memoryhub.memory.kinds import FactStatus, Origin
from memoryhub.memory.models import Fact, FactUsage, RecallFeedback, Subject, Thread
from memoryhub.memory.ranking import Wanted
from memoryhub.memory.recall import Moment
from tests.memory.helpers import say

pytestmark = pytest.mark.django_db
MARCH = datetime(2026, 3, 1, tzinfo=UTC)
JUNE = datetime(2026, 6, 1, tzinfo=UTC)


def known(subject: Subject, statement: str, *, at: datetime | None = None, **more: Any) -> Fact:
    """A fact that an operator states."""
    moment = at or clock.now()
    return facts.remember(subject, NewFact(statement, **more), origin=Origin.OPERATOR, human=True, at=moment)


def found(subject: Subject, query: str, **more: Any) -> list[str]:
    """The statements that come back, best first."""
    result = recall.recall(subject, query, at=more.pop("at", clock.now()), **more)
    return [item.fact.statement for item in result.facts]


def reasons(subject: Subject, query: str, **more: Any) -> dict[str, str]:
    """Why each of what was left out was left out."""
    result = recall.recall(subject, query, at=clock.now(), explain=True, **more)
    names = dict(Fact.objects.values_list("id", "statement"))
    return {names[item.fact_id]: item.reason for item in result.left_out}


# --- what was, and what was believed


@pytest.fixture
def moved(alice: Subject) -> Iterator[Subject]:
    """Alice was on the free plan in March, and went over to enterprise in June."""
    for statement, value, at in (
        ("Is on the free plan", "free", MARCH),
        ("Is on the enterprise plan", "enterprise", JUNE),
    ):
        new = NewFact(statement, attribute="plan", value=value, observed_at=at, valid_at=at)
        facts.remember(alice, new, origin=Origin.OPERATOR, human=True, at=at)
    yield alice


def test_the_present_knows_the_present_plan_only(moved: Subject) -> None:
    assert found(moved, "Which plan am I on?") == ["Is on the enterprise plan"]


def test_as_of_april_the_free_plan_was_believed_and_true(moved: Subject) -> None:
    april = MARCH + timedelta(days=40)
    assert found(moved, "Which plan am I on?", moment=Moment(april, april)) == ["Is on the free plan"]


def test_by_what_is_known_now_the_free_plan_was_true_in_april(moved: Subject) -> None:
    assert found(moved, "Which plan am I on?", moment=Moment(MARCH + timedelta(days=40))) == [
        "Is on the free plan"
    ]


def test_before_anything_was_said_nothing_was_known(moved: Subject) -> None:
    early = MARCH - timedelta(days=1)
    assert found(moved, "Which plan am I on?", moment=Moment(early, early)) == []


def test_what_a_correction_replaced_is_found_as_it_was_believed(alice: Subject) -> None:
    fact = known(alice, "Lives in Lisbon", at=MARCH)
    facts.correct(fact, Correction("Lives in Porto", "wrong town"), facts.OPERATOR, at=JUNE)
    april = MARCH + timedelta(days=40)
    result = recall.recall(alice, "Where do I live?", at=clock.now(), moment=Moment(april, april))
    assert [(item.fact.statement, item.fact.version) for item in result.facts] == [("Lives in Lisbon", 1)]
    assert result.facts[0].cosine is not None, "a version that ended keeps its vector"
    assert found(alice, "Where do I live?") == ["Lives in Porto"]


def test_archived_facts_do_not_come_back_from_the_past_either(moved: Subject) -> None:
    free = Fact.objects.get(value="free")
    Fact.objects.filter(id=free.id).update(status=FactStatus.ARCHIVED)
    april = MARCH + timedelta(days=40)
    assert found(moved, "Which plan am I on?", moment=Moment(april, april)) == []


# --- out of use, on every path


@pytest.mark.parametrize("status", [s for s in FactStatus if s != FactStatus.ACTIVE])
def test_what_is_out_of_use_never_comes_back(alice: Subject, thread: Thread, status: FactStatus) -> None:
    fact = known(alice, "Plays the cello in a community orchestra")
    rule = known(alice, "Always answer in French", kind="instruction")
    Fact.objects.filter(id__in=[fact.id, rule.id]).update(status=status)
    query = "Do I play the cello?"
    assert found(alice, query) == []
    assert found(alice, query, explain=True) == []
    assert found(alice, query, wanted=Wanted(instructions=True)) == []
    assert found(alice, query, turns=3) == []
    built = context.build(thread, query, at=clock.now())
    assert not built.facts
    assert not built.instructions
    assert tools._list(alice, "profile").count("cello") == 0
    assert reasons(alice, query)["Plays the cello in a community orchestra"] == status


def test_what_has_ended_is_not_recalled(alice: Subject) -> None:
    known(alice, "Is in Tokyo for a conference", kind="event", valid_at=MARCH, invalid_at=JUNE)
    assert found(alice, "Where am I travelling?") == []
    assert reasons(alice, "Where am I travelling?")["Is in Tokyo for a conference"] == "expired"


def test_a_restricted_fact_is_kept_and_not_used_until_it_is_restored(alice: Subject) -> None:
    fact = known(alice, "Owns a red bicycle")
    judging.restrict(fact, at=clock.now())
    assert found(alice, "Which bicycle do I own?") == []
    again = known(alice, "Owns a red bicycle")
    assert again.id == fact.id
    assert Fact.objects.get(id=fact.id).status == FactStatus.RESTRICTED, "said again, it stays restricted"
    facts.restore(Fact.objects.get(id=fact.id), at=clock.now())
    assert found(alice, "Which bicycle do I own?") == ["Owns a red bicycle"]


# --- reasons


def test_an_explanation_gives_parts_that_make_the_score(alice: Subject) -> None:
    for statement in ("Likes green tea", "Likes strong coffee", "Has two kids"):
        known(alice, statement)
    result = recall.recall(alice, "Which tea do I like?", at=clock.now(), explain=True)
    best, set_to = result.facts[0], policies.current().weights
    parts = (
        set_to.meaning * (best.cosine or 0)
        + set_to.keywords * best.keyword
        + set_to.exact * best.exact
        + set_to.recency * best.recency
        + set_to.trust * best.trust
        + set_to.pin * best.pinned
        - set_to.feedback * max(0, best.feedback)
    )
    assert best.score == pytest.approx(parts, abs=1e-9)
    assert best.ranks == {"meaning": 1, "keywords": 1, "recency": pytest.approx(2, abs=1)}
    assert reasons(alice, "Which tea do I like?")["Has two kids"] == "below_floor"


def test_the_reasons_for_what_was_left_out(alice: Subject) -> None:
    known(alice, "Likes green tea")
    known(alice, "Likes the green tea")
    known(alice, "Likes black tea from Assam in the morning")
    said = reasons(alice, "Which tea do I like?", limit=1)
    assert "duplicate_of" in said.values()
    assert "over_limit" in said.values()
    said = reasons(alice, "Which tea do I like?", token_budget=4)
    assert "over_budget" in said.values()


def test_a_denial_is_no_repetition(alice: Subject) -> None:
    known(alice, "Is on the free plan", kind="plan")
    known(alice, "Tom is not on the free plan")
    assert len(found(alice, "Who is on the free plan?")) == 2


def test_looking_changes_nothing(alice: Subject) -> None:
    known(alice, "Likes green tea")
    before = list(Fact.objects.values())
    recall.recall(alice, "Which tea do I like?", at=clock.now(), explain=True, turns=5)
    assert list(Fact.objects.values()) == before
    assert not FactUsage.objects.exists()


def test_usage_is_counted_apart_and_by_samples(alice: Subject) -> None:
    fact = known(alice, "Likes green tea")
    at = Fact.objects.get(id=fact.id).updated_at
    counted = sum(usage.note([fact.id], at=clock.now()) for _ in range(400))
    assert 10 < counted < 90
    assert FactUsage.objects.get(fact=fact).recalls == counted * usage.SAMPLE
    assert Fact.objects.get(id=fact.id).updated_at == at


# --- filters, weights, pins, feedback


def test_filters_keep_out_what_is_not_wanted(alice: Subject, thread: Thread) -> None:
    turn = say(thread, "I like green tea from Japan.")
    quoted = NewFact("Likes green tea from Japan", "preference", source_turn=turn.id, quote="green tea")
    facts.remember(alice, quoted, origin=Origin.SAID, human=False, at=MARCH)
    known(alice, "Likes black tea from Assam", kind="profile", at=JUNE)
    query = "Which tea do I like?"
    japan, assam = "Likes green tea from Japan", "Likes black tea from Assam"
    assert set(found(alice, query)) == {japan, assam}
    assert found(alice, query, wanted=Wanted(kinds=["preference"])) == [japan]
    assert found(alice, query, wanted=Wanted(trust=["verified"])) == [assam]
    assert found(alice, query, wanted=Wanted(origins=["said"])) == [japan]
    assert found(alice, query, wanted=Wanted(thread_id=thread.id)) == [japan]
    assert found(alice, query, wanted=Wanted(said_from=JUNE)) == [assam]
    assert found(alice, query, wanted=Wanted(said_before=JUNE)) == [japan]
    assert found(alice, query, wanted=Wanted(fresh=False), at=JUNE + timedelta(days=3000)) == [
        *found(alice, query, at=JUNE + timedelta(days=3000))
    ]
    assert reasons(alice, query, wanted=Wanted(kinds=["preference"]))[assam] == "filtered"


def test_weights_are_the_tenants_own_and_checked(alice: Subject) -> None:
    known(alice, "Likes green tea", at=MARCH)
    known(alice, "Likes black tea", at=JUNE)
    policies.change(recall_weights={"recency": 1.0, "half_life": 10}, at=clock.now())
    assert found(alice, "Which tea do I like?", at=JUNE)[0] == "Likes black tea"
    assert policies.current().weights.changed() == {"recency": 1.0, "half_life": 10.0}
    policies.change(recall_weights={}, at=clock.now())
    assert policies.current().weights == weights.DEFAULTS


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"speed": 1}, "unknown_weight"),
        ({"meaning": "much"}, "not_a_number"),
        ({"meaning": True}, "not_a_number"),
        ({"meaning": 7}, "out_of_range"),
        ({"half_life": 0}, "out_of_range"),
        ({"meaning": 0, "keywords": 0}, "nothing_to_rank_by"),
    ],
)
def test_weights_that_make_no_sense_are_refused(alice: Subject, values: Any, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        policies.change(recall_weights=values, at=clock.now())
    assert refused.value.fields[0].code == code
    assert policies.current().weights == weights.DEFAULTS


def test_a_pin_lifts_a_fact_among_its_like(alice: Subject) -> None:
    first, second = known(alice, "Likes tea with milk"), known(alice, "Likes tea with mint")
    order = found(alice, "Which tea do I like?")
    last = first if order[-1] == first.statement else second
    judging.pin(last, pinned=True, at=clock.now())
    policies.change(recall_weights={"pin": 1.0}, at=clock.now())
    assert found(alice, "Which tea do I like?")[0] == last.statement
    assert found(alice, "How many kids do I have?") == [], "a pin makes nothing relevant"


def test_not_relevant_here_is_heard_for_this_question_and_not_for_others(alice: Subject) -> None:
    fact = known(alice, "Likes green tea")
    judging.not_relevant(fact, "Which tea do I like?", at=clock.now())
    assert found(alice, "Which tea do I like?") == []
    assert reasons(alice, "Which tea do I like?")["Likes green tea"] == "not_relevant"
    assert found(alice, "Do I like green things to drink?") == ["Likes green tea"]
    assert "tea" not in json.dumps(list(RecallFeedback.objects.values("embedder")), default=str)
    judging.relevant_again(fact, at=clock.now())
    assert found(alice, "Which tea do I like?") == ["Likes green tea"]


def test_feedback_needs_the_embedder_and_a_fact_in_use(
    alice: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    fact = known(alice, "Likes green tea")
    facts.archive(fact, at=clock.now())
    with pytest.raises(Conflict):
        judging.not_relevant(fact, "Which tea?", at=clock.now())

    class Away:
        name, relevance_floor = "away", 0.3

        def embed_query(self, text: str) -> list[float]:
            raise ModelUnavailable("away")

    monkeypatch.setattr(embedders, "get_embedder", Away)
    with pytest.raises(ModelUnavailable):
        judging.not_relevant(fact, "Which tea?", at=clock.now())
    assert not RecallFeedback.objects.exists()


# --- turns beside facts, and prepared statements


def test_facts_and_turns_come_from_one_statement(
    alice: Subject, thread: Thread, django_assert_max_num_queries: Any
) -> None:
    say(thread, "We decided to retry E-4012 with at most 250 labels.")
    say(thread, "Noted.", role="assistant")
    passages.index_thread(threads.get(thread.id))
    known(alice, "Prints labels with a Zebra printer")
    result = recall.recall(alice, "What did we decide about E-4012?", at=clock.now(), turns=3)
    assert next(item.text for item in result.turns) == "We decided to retry E-4012 with at most 250 labels."
    assert result.turns[0].role == "user"
    assert result.turns[0].episode.score > 0
    with django_assert_max_num_queries(9):
        recall.recall(alice, "What did we decide about E-4012?", at=clock.now(), turns=3)


def test_the_same_turn_said_twice_comes_back_once_and_budgets_hold(alice: Subject, thread: Thread) -> None:
    for _ in range(3):
        say(thread, "The printer queue is called zebra-7.")
    passages.index_thread(threads.get(thread.id))
    result = recall.recall(alice, "What is the printer queue called?", at=clock.now(), turns=5)
    assert len(result.turns) == 1
    assert not recall.recall(
        alice, "What is the printer queue called?", at=clock.now(), turns=5, token_budget=3
    ).turns


def test_another_subjects_and_tenants_turns_stay_theirs(alice: Subject, thread: Thread) -> None:
    bob = subjects.ensure("bob", at=clock.now())
    say(thread, "My locker code word is marmalade.")
    passages.index_thread(threads.get(thread.id))
    known(alice, "The locker code word is marmalade")
    result = recall.recall(bob, "What is the locker code word?", at=clock.now(), turns=5, explain=True)
    assert (result.facts, result.turns, result.left_out) == ([], [], [])


@pytest.mark.parametrize("more", [{}, {"explain": True}, {"turns": 3}, {"wanted": Wanted(kinds=["profile"])}])
def test_fifty_calls_on_one_connection_give_the_same_rows(alice: Subject, more: Any) -> None:
    for number in range(30):
        known(alice, f"Owns bicycle number {number} in the garage")
    connection.ensure_connection()
    kept, connection.connection.prepare_threshold = connection.connection.prepare_threshold, 0
    try:
        rows = {tuple(found(alice, "Which bicycles do I own?", at=JUNE, **more)) for _ in range(50)}
    finally:
        connection.connection.prepare_threshold = kept
    assert len(rows) == 1
    assert len(next(iter(rows))) == 8


def test_a_slow_embedder_leaves_words(alice: Subject, settings: Any) -> None:
    known(alice, "Plays the cello")
    settings.MEMORYHUB_LLM = replace(
        LlmSettings(), embed_model="e1", embed_base_url="http://127.0.0.1:9/v1", embed_query_timeout=0.2
    )
    result = recall.recall(alice, "Do I play the cello?", at=clock.now())
    assert result.degraded
    assert [item.fact.statement for item in result.facts] == ["Plays the cello"]


def test_quoted_words_put_what_holds_them_first(alice: Subject) -> None:
    for statement in ("Is in the team that wears red", "Leads the red team on Mondays", "Has a red bicycle"):
        known(alice, statement)
    assert found(alice, 'Who is in the "red team"?')[0] == "Leads the red team on Mondays"
    assert found(alice, 'Who is in the "red team')


def test_half_a_character_from_a_model_is_no_error(alice: Subject) -> None:
    known(alice, "Likes green tea")
    call = ToolCall("call_1", "recall_memory", json.dumps({"query": "tea \ud83d \x00"}))
    assert "green tea" in tools.run(alice, call, at=clock.now())
