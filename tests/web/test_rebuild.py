"""Rebuilding a subject's facts: begun from a list or a fact, said first, then made so."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memoryhub import clock, ids
from memoryhub.audit import trail
from memoryhub.memory import rebuilding, tasks, threads
from memoryhub.memory.kinds import FactStatus, JobStatus, Origin
from memoryhub.memory.models import Fact, Rebuild, Subject
from memoryhub.tenants.models import Membership
from memoryhub.tenants.permissions import Role
from tests.web.conftest import acting, know

Members = Mapping[Role, Membership]


@pytest.fixture
def operator(as_role: Callable[[Role], Client]) -> Client:
    return as_role(Role.OPERATOR)


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rebuilds that a worker was asked for."""
    asked: list[str] = []
    monkeypatch.setattr(tasks.rebuild, "delay_on_commit", asked.append)
    return asked


@pytest.fixture
def old(members: Members, mira: Subject) -> Fact:
    """What a machine once made of a turn, and would not any more."""
    with acting(members[Role.OPERATOR]):
        thread, _ = threads.open_thread(mira, at=clock.now(), title="Home")
        turn = threads.append_turn(thread, threads.NewTurn("user", "I live in Leipzig."), at=clock.now())
        fact = know(mira, "Has seen Leipzig", kind="event", source_turn=turn.id, quote="Leipzig")
        Fact.objects.filter(id=fact.id).update(origin=Origin.SAID)
        return fact


def _begun(operator: Client, mira: Subject, **form: str) -> str:
    answer = operator.post(f"/subjects/{mira.public_id}/rebuild", form)
    assert answer.status_code == 302
    return str(answer["Location"])


def _run(members: Members, rebuild_id: str) -> None:
    with acting(members[Role.OPERATOR]):
        rebuilding.run(rebuilding.get(_uuid(rebuild_id)), at=clock.now())


def _uuid(address: str) -> Any:
    return ids.parse("rbd", address.rstrip("/").rpartition("/")[2])


def test_it_is_begun_where_one_subject_is_in_view(operator: Client, mira: Subject, old: Fact) -> None:
    form = f'action="/subjects/{mira.public_id}/rebuild"'
    for address in ("/facts/?q=subject:mira", f"/facts/{old.public_id}"):
        assert form in operator.get(address).content.decode()
    for address in ("/facts/", "/facts/?q=subject:nobody", "/facts/?q=mira"):
        assert form not in operator.get(address).content.decode()


def test_a_dry_run_says_what_would_change_and_changes_nothing(
    operator: Client, mira: Subject, old: Fact, members: Members, woken: list[str]
) -> None:
    here = _begun(operator, mira)
    assert woken == [str(_uuid(here))]
    running = operator.get(here)
    assert 'hx-trigger="every 2s"' in running.content.decode()
    assert (running.context["rebuild"].added, running.context["can_apply"]) == (None, False)
    _run(members, here)
    page = operator.get(here)
    assert "every 2s" not in page.content.decode()
    shown = page.context["rebuild"]
    assert [(d.added, d.statement) for d in shown.differences] == [
        (False, "Has seen Leipzig"),
        (True, "Lives in Leipzig"),
    ]
    assert (shown.added, shown.expired, shown.differences[0].url) == (1, 1, f"/facts/{old.public_id}")
    with acting(members[Role.OPERATOR]):
        assert Fact.objects.get().status == FactStatus.ACTIVE


def test_a_dry_run_is_made_so(
    operator: Client, mira: Subject, old: Fact, members: Members, woken: list[str]
) -> None:
    dry = _begun(operator, mira, mode="dry")
    _run(members, dry)
    real = operator.post(f"{dry}/apply")["Location"]
    assert real != dry
    _run(members, real)
    page = operator.get(real)
    assert page.context["can_apply"] is False
    assert not page.context["rebuild"].dry_run
    with acting(members[Role.OPERATOR]):
        states = dict(Fact.objects.values_list("statement", "status"))
        assert states == {"Has seen Leipzig": FactStatus.EXPIRED, "Lives in Leipzig": FactStatus.ACTIVE}
        actions = [event.action for event in trail.events(limit=20)]
    assert actions.count(trail.Action.FACTS_REBUILD) == 2
    assert len(woken) == 2


def test_only_a_finished_dry_run_is_made_so(
    operator: Client, mira: Subject, old: Fact, members: Members, woken: list[str]
) -> None:
    here = _begun(operator, mira, mode="real")
    answer = operator.post(f"{here}/apply", follow=True)
    assert "Only a finished dry run can be made so." in answer.content.decode()
    answer = operator.post(f"/subjects/{mira.public_id}/rebuild", {}, follow=True)
    assert "under way already" in answer.content.decode()
    with acting(members[Role.OPERATOR]):
        assert Rebuild.objects.count() == 1


def test_a_failed_one_says_why_and_goes_on(
    operator: Client, mira: Subject, old: Fact, members: Members, woken: list[str]
) -> None:
    here = _begun(operator, mira)
    with acting(members[Role.OPERATOR]):
        rebuilding.with_error(rebuilding.get(_uuid(here)), "model_timeout")
    page = operator.get(here)
    assert "model_timeout" in page.content.decode()
    assert page.context["can_resume"]
    assert operator.post(f"{here}/resume").status_code == 302
    assert len(woken) == 2
    with acting(members[Role.OPERATOR]):
        assert rebuilding.get(_uuid(here)).status == JobStatus.RUNNING
    answer = operator.post(f"{here}/resume", follow=True)
    assert "Only a failed rebuild can go on." in answer.content.decode()


@pytest.mark.parametrize("role", [Role.VIEWER, Role.PRIVACY_OFFICER, Role.AUDITOR, Role.MEMBER])
def test_who_may_not_curate_begins_nothing(
    as_role: Callable[[Role], Client],
    operator: Client,
    mira: Subject,
    old: Fact,
    members: Members,
    role: Role,
) -> None:
    browser, reads = as_role(role), role in (Role.VIEWER, Role.PRIVACY_OFFICER)
    assert browser.post(f"/subjects/{mira.public_id}/rebuild", {}).status_code == 403
    with acting(members[Role.OPERATOR]):
        row = rebuilding.begin(mira, dry_run=True, at=clock.now())
        rebuilding.run(row, at=clock.now())
    page = browser.get(f"/rebuilds/{row.public_id}")
    assert page.status_code == (200 if reads else 403)
    assert "Make it so" not in page.content.decode()
    for act in ("apply", "resume"):
        assert browser.post(f"/rebuilds/{row.public_id}/{act}").status_code == 403
    assert "Rebuild facts" not in browser.get("/facts/?q=subject:mira").content.decode()


def test_more_differences_cost_no_more_queries(operator: Client, mira: Subject, members: Members) -> None:
    counts = []
    for number in (1, 400):
        found = [{"change": "added", "statement": f"Likes {n}", "fact_id": ""} for n in range(number)]
        with acting(members[Role.OPERATOR]):
            row = Rebuild(subject=mira, status=JobStatus.DONE, differences=found, counts={"added": 900})
            row.save()
        with CaptureQueriesContext(connection) as captured:
            page = operator.get(f"/rebuilds/{row.public_id}")
        counts.append(len(captured))
    assert counts[0] == counts[1]
    assert page.context["rebuild"].unlisted == 500
