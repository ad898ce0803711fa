"""The embedder in force: its floor, and going over to another one while recall goes on."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from memoryhub import clock
from memoryhub.config import startup
from memoryhub.errors import Conflict, Invalid
from memoryhub.llm import get_embedder, get_next_embedder
from memoryhub.llm.backends.fake import FakeEmbedder
from memoryhub.llm.configuration import LlmSettings
from memoryhub.llm.errors import ModelUnavailable
from memoryhub.memory import (
    calibration,
    embedders,
    embedding,
    facts,
    judging,
    passages,
    policies,
    recall,
    reembedding,
    subjects,
    tasks,
    threads,
)
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import Origin
from memoryhub.memory.models import EmbedderState, Fact, Passage, RecallFeedback, Subject, Thread
from memoryhub.memory.recall import Moment
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant
from tests.conftest import ACTOR
from tests.llm.server import LocalProvider, Rule
from tests.memory.helpers import say

pytestmark = pytest.mark.django_db
OLD = LlmSettings(backend="fake", embed_dimension=384)
BOTH = replace(OLD, next_embed_model="words", next_embed_dimension=96)
NEW = replace(OLD, embed_dimension=96)
QUERY = "which tea do I like"


def known(subject: Subject, count: int) -> None:
    """Facts about tea."""
    for number in range(count):
        new = NewFact(f"I like tea number {number}")
        facts.remember(subject, new, origin=Origin.OPERATOR, human=True, at=clock.now())


def recalled(subject: Subject) -> tuple[int, bool]:
    """How many facts come back by meaning, and whether recall is degraded."""
    result = recall.recall(subject, QUERY, at=clock.now(), limit=100)
    return sum(item.cosine is not None for item in result.facts), result.degraded


def floor_asked() -> float:
    """The floor by which a question is answered."""
    asked = recall.embedded(QUERY)
    return embedders.floor(policies.current(), asked.embedder, asked.floor)


@pytest.fixture
def taught(alice: Subject, thread: Thread, settings: Any) -> Iterator[Subject]:
    """Alice with seventy facts and two passages by the old embedder; the next one is configured beside it."""
    settings.MEMORYHUB_LLM = BOTH
    known(alice, 70)
    say(thread, "I like green tea.")
    say(thread, "So you do.", role="assistant")
    passages.index_thread(threads.get(thread.id))
    yield alice


def test_recall_works_at_every_step_of_a_change(taught: Subject) -> None:
    assert recalled(taught) == (70, False)
    ahead = reembedding.estimate()
    assert (ahead.embedder, ahead.dimension, ahead.facts, ahead.passages) == ("fake-words-96", 96, 70, 2)
    assert ahead.tokens > 70
    row = reembedding.begin(at=clock.now())
    seen = []

    def step() -> bool:
        seen.append((recalled(taught), EmbedderState.objects.get(id=row.id).done))
        return True

    done = reembedding.run(at=clock.now(), go_on=step)
    assert done is not None
    assert done.status == "in_force"
    assert {counts for counts, _ in seen} == {(70, False)}, "recall by meaning goes on throughout"
    assert [progress for _, progress in seen] == [64, 70, 72]
    assert recalled(taught) == (70, False)
    assert set(Fact.objects.values_list("embedder", "next_embedder")) == {("fake-words-96", "")}
    assert set(Passage.objects.values_list("embedder", "next_embedder")) == {("fake-words-96", "")}
    assert {len(vector) for vector in Fact.objects.values_list("embedding", flat=True)} == {96}


def test_an_interrupted_change_goes_on_where_it_was(taught: Subject) -> None:
    reembedding.begin(at=clock.now())
    reembedding.run(at=clock.now(), go_on=lambda: False)
    assert EmbedderState.objects.get(name="fake-words-96").done == 64
    assert reembedding.under_way()
    assert recalled(taught) == (70, False)
    tasks.change_embedder.run()
    assert not reembedding.under_way()
    assert policies.current().embedder == "fake-words-96"


def test_what_is_written_meanwhile_is_there_before_and_after(taught: Subject) -> None:
    reembedding.begin(at=clock.now())
    reembedding.run(at=clock.now(), go_on=lambda: False)
    known(taught, 75)
    assert recalled(taught) == (75, False)
    reembedding.run(at=clock.now())
    assert recalled(taught) == (75, False)


def test_an_embedder_that_fails_half_way_changes_nothing(
    taught: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    reembedding.begin(at=clock.now())

    def away(self: Any, texts: Any) -> Any:
        raise ModelUnavailable("away")

    with monkeypatch.context() as patch:
        patch.setattr(FakeEmbedder, "embed_passages", away)
        tasks.change_embedder.run()
        assert EmbedderState.objects.get(name="fake-words-96").error_code == "model_unavailable"
    assert recalled(taught) == (70, False)
    tasks.change_embedder.run()
    assert policies.current().embedder == "fake-words-96"


def test_a_correction_during_the_change_keeps_its_own_words(taught: Subject) -> None:
    reembedding.begin(at=clock.now())
    reembedding.run(at=clock.now(), go_on=lambda: False)
    fact = Fact.objects.exclude(next_embedder="").first()
    assert fact is not None
    facts.correct(fact, facts.Correction("I loathe coffee", "wrong"), facts.OPERATOR, at=clock.now())
    assert Fact.objects.get(id=fact.id).next_embedder == ""
    reembedding.run(at=clock.now())
    moved = Fact.objects.get(id=fact.id)
    expected = FakeEmbedder(96).embed_passages(["I loathe coffee"])[0]
    assert list(moved.embedding.to_list() if hasattr(moved.embedding, "to_list") else moved.embedding) == (
        pytest.approx(expected, abs=1e-3)
    )


def test_after_the_change_the_settings_may_follow(taught: Subject, settings: Any) -> None:
    reembedding.begin(at=clock.now())
    reembedding.run(at=clock.now())
    settings.MEMORYHUB_LLM = NEW
    assert recalled(taught) == (70, False)
    known(taught, 71)
    assert recalled(taught) == (71, False)


def test_feedback_of_the_old_embedder_goes_with_it(taught: Subject) -> None:
    fact = Fact.objects.first()
    assert fact is not None
    judging.not_relevant(fact, QUERY, at=clock.now())
    reembedding.begin(at=clock.now())
    reembedding.run(at=clock.now())
    assert not RecallFeedback.objects.exists()


def test_a_change_needs_somewhere_to_go(alice: Subject, settings: Any) -> None:
    settings.MEMORYHUB_LLM = OLD
    with pytest.raises(Invalid):
        reembedding.begin(at=clock.now())
    settings.MEMORYHUB_LLM = replace(OLD, next_embed_model="words")
    with pytest.raises(Conflict):
        reembedding.begin(at=clock.now())
    assert not EmbedderState.objects.exists()


def test_settings_changed_without_the_job_are_named_with_both_sizes(taught: Subject, settings: Any) -> None:
    assert embedders.mismatches() == []
    settings.MEMORYHUB_LLM = NEW
    sentence = embedders.mismatches()[0].sentence
    assert "384" in sentence
    assert "96" in sentence
    assert "change_embedder" in sentence
    counted, degraded = recalled(taught)
    assert (counted, degraded) == (0, False), "vectors of two embedders are never compared"
    assert recall.recall(taught, QUERY, at=clock.now(), limit=100).facts, "words go on"
    while embedding.fill_missing():
        pass
    assert recalled(taught) == (70, False)


def test_facts_written_while_the_embedder_was_away_are_embedded_later(
    alice: Subject, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMORYHUB_LLM = OLD

    def away(self: Any, texts: Any) -> Any:
        raise ModelUnavailable("away")

    with monkeypatch.context() as patch:
        patch.setattr(FakeEmbedder, "embed_passages", away)
        patch.setattr(FakeEmbedder, "embed_query", away)
        known(alice, 3)
        assert recalled(alice) == (0, True)
        assert len(recall.recall(alice, QUERY, at=clock.now()).facts) == 3
    assert embedding.fill_missing() == 3
    assert recalled(alice) == (3, False)


def test_a_slow_embedder_is_not_waited_for(alice: Subject, settings: Any) -> None:
    settings.MEMORYHUB_LLM = OLD
    known(alice, 1)
    with LocalProvider() as provider:
        provider.script([Rule(hang=5)])
        settings.MEMORYHUB_LLM = LlmSettings(
            base_url=provider.url, model="m", embed_model="e", embed_query_timeout=0.3
        )
        begun = time.monotonic()
        result = recall.recall(alice, QUERY, at=clock.now())
        assert time.monotonic() - begun < 3
    assert result.degraded
    assert len(result.facts) == 1


def test_the_start_says_so_for_every_tenant(tenant: Tenant, settings: Any) -> None:
    settings.MEMORYHUB_LLM = OLD
    with scope.enter(tenant.id, ACTOR, "req_test"):
        known(subjects.ensure("alice", at=clock.now()), 1)
    assert startup.warn_of_mismatches() == []
    settings.MEMORYHUB_LLM = NEW
    assert len(startup.warn_of_mismatches()) == 1


# --- the floor


def test_the_shipped_set_gives_the_shipped_floor(scoped: Tenant) -> None:
    found = calibration.measure(get_embedder(), calibration.read(calibration.SHIPPED))
    assert found.kept >= 0.95
    assert found.refused >= 0.95
    assert abs(found.floor - get_embedder().relevance_floor) < 0.01


def test_a_calibrated_floor_is_what_recall_goes_by(alice: Subject, settings: Any) -> None:
    settings.MEMORYHUB_LLM = OLD
    known(alice, 1)
    assert recall.embedded(QUERY).floor == 0.2
    out = StringIO()
    call_command("calibrate_floor", stdout=out)
    assert "questions with their fact" in out.getvalue()
    row = embedders.in_force()
    assert row is not None
    assert floor_asked() == row.floor
    EmbedderState.objects.filter(id=row.id).update(floor=1.1)
    assert recall.recall(alice, "coffee", at=clock.now()).facts == []
    EmbedderState.objects.filter(id=row.id).update(floor=-1)
    assert len(recall.recall(alice, "coffee", at=clock.now()).facts) == 1
    assert row.calibration["pairs"] == 40


def test_a_floor_of_another_embedder_is_not_taken(alice: Subject, settings: Any) -> None:
    settings.MEMORYHUB_LLM = OLD
    call_command("calibrate_floor", stdout=StringIO())
    settings.MEMORYHUB_LLM = NEW
    assert floor_asked() == 0.2


def test_a_dry_run_stores_nothing_and_the_next_one_can_be_calibrated(scoped: Tenant, settings: Any) -> None:
    settings.MEMORYHUB_LLM = BOTH
    call_command("calibrate_floor", "--dry-run", stdout=StringIO())
    assert not EmbedderState.objects.exists()
    call_command("calibrate_floor", stdout=StringIO())
    call_command("calibrate_floor", "--next", stdout=StringIO())
    following = get_next_embedder()
    assert following is not None
    assert EmbedderState.objects.get(name=following.name).status == "retired"
    assert policies.current().embedder == get_embedder().name


@pytest.mark.parametrize(
    "lines",
    ["", "no json", '{"question": "a"}', "[1]", json.dumps({"question": "a", "fact": "b"})],
)
def test_a_set_that_can_not_be_read_is_refused(scoped: Tenant, tmp_path: Path, lines: str) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(lines)
    with pytest.raises(Invalid):
        calibration.read(path)
    with pytest.raises(SystemExit):
        call_command("calibrate_floor", "--set", str(path), stdout=StringIO())


def test_a_moment_in_the_past_is_asked_by_the_new_embedder_too(taught: Subject) -> None:
    reembedding.begin(at=clock.now())
    reembedding.run(at=clock.now())
    now = clock.now()
    result = recall.recall(taught, QUERY, at=now, moment=Moment(now, now), limit=100)
    assert sum(item.cosine is not None for item in result.facts) == 70
