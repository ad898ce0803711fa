"""The life of a fact against a simple model: whatever is done in whatever order, the same rules hold."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from memoryhub import clock
from memoryhub.audit import trail
from memoryhub.errors import Conflict, NotFound
from memoryhub.memory import catalogue, facts, subjects
from memoryhub.memory.facts import Correction, NewFact
from memoryhub.memory.kinds import FactStatus, Origin
from memoryhub.memory.models import Fact, FactVersion, Subject
from memoryhub.tenants.models import Tenant

PLANS = ["free", "pro", "team", "enterprise"]
HOBBIES = ["Plays the cello", "Paints tiles", "Bakes bread", "Sails"]


class FactLife(RuleBasedStateMachine):
    """Facts of one subject. The model: what each known fact says, its status, and how many versions it has had."""

    made = Bundle("made")
    person: Subject

    @initialize()
    def begin(self) -> None:
        self.clock = datetime(2026, 1, 1, tzinfo=UTC)
        self.person = subjects.ensure(f"p{clock.now().timestamp()}", at=self.clock)
        self.says: dict[Any, str] = {}
        self.status: dict[Any, str] = {}
        self.versions: dict[Any, int] = {}
        self.plans: set[Any] = set()

    def tick(self) -> datetime:
        self.clock += timedelta(hours=1)
        return self.clock

    def know(self, fact: Fact) -> Any:
        if fact.id not in self.says:
            self.versions[fact.id] = 1
        self.says[fact.id], self.status[fact.id] = fact.statement, str(fact.status)
        return fact.id

    @rule(target=made, plan=st.sampled_from(PLANS))
    def tell_plan(self, plan: str) -> Any:
        at = self.tick()
        before = {i for i, s in self.status.items() if s == "active" and i in self.plans}
        fact = facts.remember(
            self.person,
            NewFact(f"Is on the {plan} plan", attribute="plan", value=plan, observed_at=at),
            origin=Origin.OPERATOR,
            human=True,
            at=at,
        )
        for other in before - {fact.id}:
            if fact.status == FactStatus.ACTIVE:
                self.status[other] = "superseded"
        self.plans.add(fact.id)
        return self.know(fact)

    @rule(target=made, hobby=st.sampled_from(HOBBIES))
    def tell_hobby(self, hobby: str) -> Any:
        at = self.tick()
        return self.know(
            facts.remember(
                self.person,
                NewFact(hobby, kind="preference", observed_at=at),
                origin=Origin.OPERATOR,
                human=True,
                at=at,
            )
        )

    @rule(fact_id=made)
    @precondition(lambda self: self.says)
    def archive(self, fact_id: Any) -> None:
        if fact_id not in self.says:
            return
        if self.status[fact_id] in ("active", "held"):
            facts.archive(facts.get(fact_id), at=self.tick())
            self.status[fact_id] = "archived"
        else:
            with pytest.raises(Conflict):
                facts.archive(facts.get(fact_id), at=self.tick())

    @rule(fact_id=made)
    def restore(self, fact_id: Any) -> None:
        if fact_id not in self.says:
            return
        try:
            facts.restore(facts.get(fact_id), at=self.tick())
        except Conflict:
            return
        assert self.status[fact_id] in ("archived", "superseded")
        self.status[fact_id] = "active"

    @rule(fact_id=made, words=st.sampled_from(["Says something else", "Says more", "Says less"]))
    def correct(self, fact_id: Any, words: str) -> None:
        if fact_id not in self.says:
            return
        try:
            facts.correct(facts.get(fact_id), Correction(words, "because"), facts.OPERATOR, at=self.tick())
        except Conflict:
            return
        assert self.status[fact_id] in ("active", "held")
        self.says[fact_id], self.status[fact_id] = words, "active"
        self.versions[fact_id] += 1

    @rule(fact_id=consumes(made))
    def purge(self, fact_id: Any) -> None:
        if fact_id not in self.says:
            return
        facts.purge_fact(facts.get(fact_id), reason_code="wrong", at=self.tick())
        for table in (self.says, self.status, self.versions):
            table.pop(fact_id)
        with pytest.raises(NotFound):
            facts.get(fact_id)

    @invariant()
    def the_tables_say_what_the_model_says(self) -> None:
        rows = {row.id: row for row in Fact.objects.filter(subject=self.person)}
        assert {i: row.statement for i, row in rows.items()} == self.says
        assert {i: str(row.status) for i, row in rows.items()} == self.status

    @invariant()
    def every_version_is_kept_until_it_is_purged(self) -> None:
        for fact_id, number in self.versions.items():
            kept = FactVersion.objects.filter(fact_id=fact_id).order_by("number")
            assert [v.number for v in kept] == list(range(1, number + 1))
            assert all(v.expired_at is not None for v in list(kept)[:-1])
        assert FactVersion.objects.filter(subject=self.person).count() == sum(self.versions.values())

    @invariant()
    def one_plan_at_a_time_and_no_statement_twice(self) -> None:
        active = Fact.objects.filter(subject=self.person, status="active")
        assert active.filter(attribute="plan").exclude(value="").count() <= 1
        keys = list(active.values_list("key", flat=True))
        assert len(keys) == len(set(keys))

    @invariant()
    def histories_can_be_read_and_the_trail_is_whole(self) -> None:
        for fact in list(Fact.objects.filter(subject=self.person))[:3]:
            assert catalogue.history(fact)

    def teardown(self) -> None:
        if getattr(self, "says", None) is not None:
            assert trail.verify().intact


def test_the_life_of_a_fact(scoped: Tenant) -> None:
    run_state_machine_as_test(
        FactLife,
        settings=settings(
            max_examples=12, stateful_step_count=18, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
