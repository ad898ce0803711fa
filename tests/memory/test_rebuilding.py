"""Facts derived anew: what a person decided stands, what machines no longer find goes, and it says what changed."""

from typing import Any

import pytest
from django.core.management import call_command

from memoryhub import clock
from memoryhub.errors import Conflict
from memoryhub.llm.backends import fake
from memoryhub.llm.configuration import LlmSettings
from memoryhub.llm.errors import ModelUnavailable
from memoryhub.llm.types import Purpose
from memoryhub.memory import facts, rebuilding, threads
from memoryhub.memory.facts import Correction
from memoryhub.memory.models import Fact, Rebuild, Subject, Thread
from tests.memory.helpers import facts_json, learn, say, statements


@pytest.fixture
def talked(thread: Thread, alice: Subject, settings: Any) -> Thread:
    """Three facts found by an old extractor: one wrong, one right, one that a person corrected."""
    settings.MEMORYHUB_LLM = LlmSettings(backend="fake")
    fake.reset()
    say(thread, "I live in Porto. I'm on the free plan. My friend Tom is vegan.")
    fake.script([_answer("Lives in Porto", "Is on the free plan", "Is vegan")], purpose=Purpose.EXTRACT)
    learn(thread)
    plan = Fact.objects.get(subject=alice, statement="Is on the free plan")
    facts.correct(
        plan, Correction("Is on the team plan", "invoice", value="team"), facts.OPERATOR, at=clock.now()
    )
    return thread


QUOTES = {
    "Lives in Porto": "I live in Porto",
    "Is on the free plan": "I'm on the free plan",
    "Is vegan": "Tom is vegan",
    "Has a friend named Tom": "My friend Tom",
}
ATTRIBUTES = {"Is on the free plan": {"attribute": "plan", "value": "free"}}


def _answer(*wanted: str) -> str:
    return facts_json(
        *(
            {"kind": "profile", "statement": s, "turn_seq": 1, "quote": QUOTES[s], **ATTRIBUTES.get(s, {})}
            for s in wanted
        )
    )


def _rebuild(subject: Subject, *, dry_run: bool, answer: str) -> Rebuild:
    fake.script([answer], purpose=Purpose.EXTRACT)
    return rebuilding.run(rebuilding.begin(subject, dry_run=dry_run, at=clock.now()), at=clock.now())


def test_a_dry_run_says_and_changes_nothing(talked: Thread, alice: Subject) -> None:
    before = statements(alice)
    row = _rebuild(
        alice, dry_run=True, answer=_answer("Lives in Porto", "Is on the free plan", "Has a friend named Tom")
    )
    assert {(d["change"], d["statement"]) for d in row.differences} == {
        ("expired", "Is vegan"),
        ("added", "Has a friend named Tom"),
    }
    assert statements(alice) == before


def test_a_rebuild_keeps_what_a_person_decided(talked: Thread, alice: Subject) -> None:
    row = _rebuild(
        alice,
        dry_run=False,
        answer=_answer("Lives in Porto", "Is on the free plan", "Has a friend named Tom"),
    )
    assert set(statements(alice)) == {"Lives in Porto", "Is on the team plan", "Has a friend named Tom"}
    assert statements(alice, "expired") == ["Is vegan"]
    assert row.counts["expired"] == 1
    assert row.found == []


def test_an_archived_fact_stays_archived(talked: Thread, alice: Subject) -> None:
    facts.archive(Fact.objects.get(subject=alice, statement="Lives in Porto"), at=clock.now())
    _rebuild(alice, dry_run=False, answer=_answer("Lives in Porto", "Is on the free plan"))
    assert statements(alice, "archived") == ["Lives in Porto"]
    assert "Lives in Porto" not in statements(alice)


def test_a_purged_fact_does_not_come_back(talked: Thread, alice: Subject) -> None:
    facts.purge_fact(
        Fact.objects.get(subject=alice, statement="Lives in Porto"), reason_code="wrong", at=clock.now()
    )
    _rebuild(alice, dry_run=False, answer=_answer("Is on the free plan"))
    assert "Lives in Porto" not in statements(alice)


def test_an_interrupted_rebuild_goes_on(talked: Thread, alice: Subject) -> None:
    other, _ = threads.open_thread(alice, at=clock.now())
    for i in range(30):
        say(other, f"Message {i}")
    row = rebuilding.begin(alice, dry_run=False, at=clock.now())
    fake.script([_answer("Lives in Porto"), ModelUnavailable("down")], purpose=Purpose.EXTRACT)
    with pytest.raises(ModelUnavailable):
        rebuilding.run(row, at=clock.now())
    assert 0 < Rebuild.objects.get(id=row.id).done < row.total
    rebuilding.with_error(row, "model_unavailable")
    fake.script([facts_json()], purpose=Purpose.EXTRACT)
    done = rebuilding.run(rebuilding.resume(row, at=clock.now()), at=clock.now())
    assert done.done == done.total
    assert "Lives in Porto" in statements(alice)


def test_one_rebuild_at_a_time(talked: Thread, alice: Subject) -> None:
    rebuilding.begin(alice, dry_run=True, at=clock.now())
    with pytest.raises(Conflict):
        rebuilding.begin(alice, dry_run=True, at=clock.now())


def test_the_command_prints_what_would_change(
    talked: Thread, alice: Subject, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.script([_answer("Lives in Porto")], purpose=Purpose.EXTRACT)
    call_command("rebuild_facts", subject="alice")
    out = capsys.readouterr().out
    assert "1 would be expired" in out
    assert "- Is vegan" in out


def test_the_same_rebuild_twice_changes_nothing_more(talked: Thread, alice: Subject) -> None:
    answer = _answer("Lives in Porto", "Is on the free plan", "Has a friend named Tom")
    _rebuild(alice, dry_run=False, answer=answer)
    again = _rebuild(alice, dry_run=False, answer=answer)
    assert (again.counts["added"], again.counts["expired"], again.differences) == (0, 0, [])


def test_a_rebuild_whose_worker_died_is_taken_over_once(talked: Thread, alice: Subject) -> None:
    row = rebuilding.begin(alice, dry_run=True, at=clock.now())
    assert rebuilding.abandoned(at=clock.now()) == []
    Rebuild.objects.filter(id=row.id).update(updated_at=clock.now() - rebuilding.ABANDONED_AFTER * 2)
    assert rebuilding.abandoned(at=clock.now()) == [row.id]
    assert rebuilding.abandoned(at=clock.now()) == [], "the next sweep leaves it to the worker that was woken"
