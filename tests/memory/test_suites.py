"""Recall suites: saving a question as a test, asking it again, and telling what has changed."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from memoryhub import clock
from memoryhub.errors import Conflict, Invalid
from memoryhub.memory import facts, policies, purge, seeding, subjects, suites
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import Origin
from memoryhub.memory.models import ExpectedFact, Fact, RecallCase, RecallRun, Subject
from memoryhub.memory.seeding import Script
from memoryhub.tenants.models import Tenant

pytestmark = pytest.mark.django_db


def known(subject: Subject, statement: str) -> Fact:
    """A fact that an operator states."""
    return facts.remember(subject, NewFact(statement), origin=Origin.OPERATOR, human=True, at=clock.now())


def asked(subject: Subject, *cases: tuple[str, list[Fact]]) -> RecallRun:
    """A suite of the cases, run once."""
    suite = suites.ensure("Onboarding", at=clock.now())
    for query, expected in cases:
        suites.add_case(suite, subject, query, [fact.id for fact in expected], at=clock.now())
    return suites.run(suites.begin(suite, at=clock.now()), at=clock.now())


def test_a_run_scores_hits_ranks_and_silence(alice: Subject) -> None:
    tea, kids = known(alice, "Likes green tea"), known(alice, "Has two kids")
    run = asked(
        alice,
        ("Which tea do I like?", [tea]),
        ("How many children do I have?", [tea, kids]),
        ("What is the boiling point of tungsten?", []),
    )
    assert [case["hit"] for case in run.cases] == [True, False, True]
    assert run.scores == {
        "hit_at_k": pytest.approx(2 / 3),
        "recall_at_k": pytest.approx((1 + 0.5 + 1) / 3),
        "mrr": pytest.approx(1.0),
    }
    assert run.made_with["weights"]["meaning"] == policies.current().weights.meaning


def test_a_change_of_weights_shows_as_won_or_lost(alice: Subject) -> None:
    fact = known(alice, "Likes green tea")
    first = asked(alice, ("Which tea do I like?", [fact]))
    facts.archive(Fact.objects.get(id=fact.id), at=clock.now())
    second = suites.run(suites.begin(first.suite, at=clock.now()), at=clock.now())
    assert suites.before(second) == first
    assert [(d["change"], d["was"], d["now"]) for d in suites.differences(first, second)] == [
        ("lost", 1, None)
    ]


def test_a_case_of_a_moment_asks_what_was_known_then(alice: Subject) -> None:
    tea = known(alice, "Likes green tea")
    suite, saved = suites.ensure("Then", at=clock.now()), clock.now()
    suites.add_case(suite, alice, "Which tea do I like?", [tea.id], as_of=saved, at=clock.now())
    facts.correct(
        Fact.objects.get(id=tea.id),
        facts.Correction("Likes black tea", "wrong"),
        facts.OPERATOR,
        at=clock.now(),
    )
    run = suites.run(suites.begin(suite, at=clock.now()), at=clock.now())
    assert run.scores["hit_at_k"] == 1.0


def test_bad_cases_are_refused_and_nothing_is_written(alice: Subject) -> None:
    suite, at = suites.ensure("Bad", at=clock.now()), clock.now()
    other = known(subjects.ensure("bob", at=at), "Likes cocoa")
    with pytest.raises(Invalid):
        suites.add_case(suite, alice, "Which cocoa?", [other.id], at=at)
    with pytest.raises(Invalid):
        suites.add_case(suite, alice, "   ", [], at=at)
    with pytest.raises(Invalid):
        suites.add_case(suite, alice, "Later?", [], as_of=at.replace(year=at.year + 1), at=at)
    with pytest.raises(Conflict):
        suites.begin(suite, at=at)
    assert not RecallCase.objects.exists()


def test_an_erasure_takes_its_cases_along(alice: Subject) -> None:
    run = asked(alice, ("Which tea do I like?", [known(alice, "Likes green tea")]))
    purge.purge_subject(alice, at=clock.now())
    assert not RecallCase.objects.exists()
    assert not ExpectedFact.objects.exists()
    assert "tea" not in str(RecallRun.objects.filter(id=run.id).values().get())


def test_the_command_tells_and_fails_below_what_is_asked_for(alice: Subject, settings: Any) -> None:
    asked(
        alice,
        ("Which tea do I like?", [known(alice, "Likes green tea")]),
        ("Where do I live?", [known(alice, "Owns a boat")]),
    )
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("recall_suite", "--least", "0.9", stdout=out)
    assert "hit@8 0.500" in out.getvalue()
    assert "before: hit@8 0.500" in out.getvalue()
    call_command("recall_suite", "--suite", "Onboarding", "--least", "0.5", stdout=StringIO())
    with pytest.raises(SystemExit):
        call_command("recall_suite", "--suite", "None such", stdout=StringIO())


def test_every_shipped_seed_is_remembered(scoped: Tenant) -> None:
    before = set(Subject.objects.filter(erased_at=None).values_list("id", flat=True))
    out = StringIO()
    call_command("recall_suite", "--seeds", stdout=out)
    assert f"{len(seeding.scripts())} of {len(seeding.scripts())} seeds remembered" in out.getvalue()
    assert set(Subject.objects.filter(erased_at=None).values_list("id", flat=True)) == before
    assert not Fact.objects.exists()


def test_a_seed_that_is_forgotten_fails(scoped: Tenant) -> None:
    outcome = seeding.play(Script(("I live in Lisbon.",), "Where do I live?", ("Porto",)), at=clock.now())
    assert not outcome.passed
    assert "Lisbon" in outcome.carried[0]
