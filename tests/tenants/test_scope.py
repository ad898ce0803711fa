"""The scope: nothing without it, one tenant inside it, nothing left of it afterwards."""

import asyncio
import contextlib
import threading
import uuid
from collections.abc import Callable, Iterator

import pytest
from django.apps import apps
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from memoryhub import clock, ids
from memoryhub.memory import subjects, threads
from memoryhub.memory.models import Subject, Thread, Turn
from memoryhub.tenants import scope
from memoryhub.tenants.entrances import each_tenant
from memoryhub.tenants.models import Tenant, TenantModel
from memoryhub.tenants.scope import NoScope
from tests.conftest import ACTOR
from tests.tenants.conftest import inside
from tests.tenants.owner import fingerprints

pytestmark = pytest.mark.django_db
TENANT_MODELS = sorted((m for m in apps.get_models() if issubclass(m, TenantModel)), key=lambda m: m.__name__)
TABLES = sorted({m._meta.db_table for m in TENANT_MODELS} | {"tenant", "audit_head"})
committed = pytest.mark.django_db(transaction=True)


def people(tenant: Tenant) -> list[str]:
    with inside(tenant):
        return sorted(Subject.objects.values_list("external_id", flat=True))


# --- without a scope ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", TENANT_MODELS, ids=lambda m: m.__name__)
def test_the_orm_refuses_outside_a_scope(model: type[TenantModel]) -> None:
    acts: list[Callable[[], object]] = [
        lambda: list(model.objects.all()),
        lambda: model.objects.count(),
        lambda: model.objects.filter(id=uuid.uuid4()).exists(),
        lambda: model.objects.update(id=uuid.uuid4()),
        lambda: model.objects.all().delete(),
        lambda: model.objects.bulk_create([model()]),
        lambda: model._base_manager.count(),
        lambda: model().save(),
        lambda: model(id=uuid.uuid4()).delete(),
    ]
    for act in acts:
        with pytest.raises(NoScope):
            act()


@pytest.mark.parametrize("table", TABLES)
def test_the_database_takes_no_row_outside_a_scope(table: str) -> None:
    expected = r"tenant context missing|permission denied"
    with pytest.raises(DatabaseError, match=expected), transaction.atomic():
        connection.cursor().execute(f"INSERT INTO {table} DEFAULT VALUES")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("in_transaction", [True, False])
def test_the_database_shows_and_changes_nothing_outside_a_scope(
    two: tuple[Tenant, Tenant], in_transaction: bool
) -> None:
    before = [fingerprints(tenant.id) for tenant in two]
    for table in ("tenant", "subject", "audit_event", "audit_head"):
        for statement in (f"SELECT count(*) FROM {table}", f"DELETE FROM {table}", f"TABLE {table}"):
            with pytest.raises(DatabaseError, match=r"tenant context missing|permission denied"):
                _execute(statement, in_transaction)
    assert [fingerprints(tenant.id) for tenant in two] == before


def _execute(statement: str, in_transaction: bool) -> None:
    with transaction.atomic() if in_transaction else contextlib.nullcontext():
        connection.cursor().execute(statement)


def test_switching_row_security_off_is_an_error_not_a_way_round(two: tuple[Tenant, Tenant]) -> None:
    with inside(two[0]), pytest.raises(DatabaseError, match="row-level security"), transaction.atomic():
        cursor = connection.cursor()
        cursor.execute("SET LOCAL row_security = off")
        cursor.execute("SELECT count(*) FROM subject")
    assert people(two[0]) == ["alice", "same"]


def test_the_role_cannot_become_another(two: tuple[Tenant, Tenant]) -> None:
    for statement in ("SET ROLE mh_owner", "SET ROLE mh_backup", "SET SESSION AUTHORIZATION mh_owner"):
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            connection.cursor().execute(statement)


# --- inside one --------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("in_transaction", [True, False])
def test_a_forgotten_filter_sees_one_tenant(two: tuple[Tenant, Tenant], in_transaction: bool) -> None:
    def names() -> list[str]:
        cursor = connection.cursor()
        cursor.execute("SELECT external_id FROM subject ORDER BY 1")
        return [row[0] for row in cursor.fetchall()]

    for tenant, expected in zip(two, (["alice", "same"], ["malice", "same"]), strict=True):
        with inside(tenant):
            if in_transaction:
                with transaction.atomic():
                    assert names() == expected
            else:
                assert names() == expected
            assert [
                row.external_id for row in Subject.objects.raw("SELECT * FROM subject ORDER BY external_id")
            ] == expected
            assert list(Tenant.objects.values_list("id", flat=True)) == [tenant.id]


def test_a_switch_of_tenant_is_refused_and_the_outer_scope_stays(two: tuple[Tenant, Tenant]) -> None:
    first, second = two
    with inside(first):
        with pytest.raises(NoScope, match="switch"), inside(second):
            raise AssertionError("entered")
        assert scope.current().tenant_id == first.id
        assert Subject.objects.filter(external_id="alice").exists()


def test_entering_the_same_tenant_again_leaves_the_outer_scope_bound(two: tuple[Tenant, Tenant]) -> None:
    with inside(two[0]):
        with scope.enter(two[0].id, scope.SYSTEM, "req_inner"):
            assert scope.current().request_id == "req_inner"
        assert scope.current().request_id == "req_test"
        assert Subject.objects.count() == 2


def test_what_one_tenant_names_another_may_name_too(two: tuple[Tenant, Tenant]) -> None:
    made = []
    for tenant in two:
        with inside(tenant):
            subject = subjects.ensure("same", at=clock.now())
            made.append(threads.open_thread(subject, at=clock.now(), external_id="thread-1")[0].id)
    assert len(set(made)) == 2


@pytest.mark.parametrize("near", ["acme", "acme-corp", "ACME", "acm", "acme%", "a_me", "acme/"])
def test_names_that_begin_or_look_alike_are_not_the_same(two: tuple[Tenant, Tenant], near: str) -> None:
    with inside(two[0]):
        subjects.ensure("acme-corporation", at=clock.now())
        made = subjects.ensure(near, at=clock.now())
        assert made.external_id == near
        assert subjects.by_external_id(near).id == made.id


# --- writing into another tenant ---------------------------------------------------------------------------------


def test_a_row_of_another_tenant_is_not_written(two: tuple[Tenant, Tenant]) -> None:
    first, second = two
    with inside(second):
        theirs = Subject.objects.get(external_id="malice")
    with inside(first):
        theirs.display_name = "changed"
        forged = Subject(tenant_id=second.id, external_id="forged", external_ref="x")
        for act in (
            theirs.save,
            theirs.delete,
            forged.save,
            lambda: Subject.objects.bulk_create([forged]),
            lambda: Subject.objects.create(tenant=second, external_id="forged", external_ref="x"),
        ):
            with pytest.raises(NoScope):
                act()
        with pytest.raises(DatabaseError, match="row-level security"), transaction.atomic():
            Subject.objects.filter(external_id="alice").update(tenant=second)
        assert Subject.objects.filter(id=theirs.id).update(display_name="changed") == 0
        assert Subject.objects.bulk_update([theirs], ["display_name"]) == 0
    with inside(second):
        assert Subject.objects.get(id=theirs.id).display_name == ""
    assert people(first) == ["alice", "same"]
    assert people(second) == ["malice", "same"]


def test_raw_sql_writes_into_no_other_tenant(two: tuple[Tenant, Tenant]) -> None:
    first, second = two
    with inside(first):
        cursor = connection.cursor()
        with pytest.raises(DatabaseError, match="row-level security"), transaction.atomic():
            cursor.execute(
                "INSERT INTO agent (id, tenant_id, name, instructions, created_at) VALUES (%s, %s, 'x', '', now())",
                [ids.new(), second.id],
            )
        for statement in (
            "UPDATE subject SET display_name = 'x' WHERE tenant_id = %s",
            "DELETE FROM subject WHERE tenant_id = %s",
        ):
            cursor.execute(statement, [second.id])
            assert cursor.rowcount == 0
    assert people(second) == ["malice", "same"]


def _why_refused(turn: Turn) -> str:
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        turn.save(force_insert=True)
        connection.check_constraints()
    return str(caught.value).replace(turn.thread_id.hex, "…").replace(str(turn.thread_id), "…")


def test_a_link_into_another_tenant_fails_like_one_into_nowhere(two: tuple[Tenant, Tenant]) -> None:
    """PostgreSQL checks foreign keys without row-level security; only the composite key keeps them apart."""
    first, second = two
    with inside(second):
        theirs = threads.open_thread(Subject.objects.get(external_id="malice"), at=clock.now())[0]
    with inside(first):
        mine = Subject.objects.get(external_id="alice")
        foreign = Turn(thread_id=theirs.id, subject=mine, seq=1, role="user", content="x")
        nowhere = Turn(thread_id=ids.new(), subject=mine, seq=1, role="user", content="x")
        assert _why_refused(foreign) == _why_refused(nowhere)
        assert not Turn.objects.exists()
    with inside(second):
        assert not Turn.objects.exists()


def test_a_colliding_unique_value_of_another_tenant_is_no_collision(two: tuple[Tenant, Tenant]) -> None:
    first, second = two
    with inside(first):
        cursor = connection.cursor()
        cursor.execute(
            "INSERT INTO subject (id, tenant_id, external_id, external_ref, display_name, timezone, epoch, created_at)"
            " VALUES (%s, %s, 'malice', 'x', '', '', 0, now()) ON CONFLICT DO NOTHING",
            [ids.new(), first.id],
        )
        assert cursor.rowcount == 1
    assert people(second) == ["malice", "same"]


# --- afterwards --------------------------------------------------------------------------------------------------


def test_a_forgetful_query_after_a_scope_in_one_transaction_is_refused(two: tuple[Tenant, Tenant]) -> None:
    """A transaction-local setting outlives a savepoint, so leaving a scope has to take it back."""
    assert connection.in_atomic_block
    with inside(two[0]), transaction.atomic():
        assert Subject.objects.count() == 2
    with pytest.raises(DatabaseError, match="tenant context missing"), transaction.atomic():
        connection.cursor().execute("SELECT count(*) FROM subject")
    assert people(two[1]) == ["malice", "same"]


@committed
def test_a_used_connection_says_what_is_missing(two: tuple[Tenant, Tenant]) -> None:
    """After its first use the setting is an empty string, not null; that must not become a type error."""
    people(two[0])
    cursor = connection.cursor()
    cursor.execute("SELECT coalesce(current_setting('app.tenant_id', true), '')")
    assert cursor.fetchone() == ("",)
    with pytest.raises(DatabaseError, match="tenant context missing"):
        cursor.execute("SELECT count(*) FROM subject")


@committed
def test_a_lazy_query_that_outlives_its_scope_fails_loudly(two: tuple[Tenant, Tenant]) -> None:
    with inside(two[0]):
        lazy = Subject.objects.all()
    with pytest.raises(DatabaseError, match="tenant context missing"):
        list(lazy)
    with inside(two[1]):
        assert list(lazy) == []


@committed
def test_a_stream_that_outlives_the_request_fails_loudly(two: tuple[Tenant, Tenant]) -> None:
    def view(request: HttpRequest) -> HttpResponse:
        with inside(two[0]):
            rows = Subject.objects.all()
            return StreamingHttpResponse(row.external_id for row in rows.iterator())  # type: ignore[return-value]

    response = view(RequestFactory().get("/"))
    with pytest.raises(DatabaseError, match="tenant context missing"):
        list(response)


def test_no_request_runs_in_a_transaction_of_its_own() -> None:
    assert connection.settings_dict["ATOMIC_REQUESTS"] is False


def test_the_real_error_is_not_hidden_by_leaving_the_scope(two: tuple[Tenant, Tenant]) -> None:
    with pytest.raises(DatabaseError, match="division by zero"), transaction.atomic(), inside(two[0]):
        connection.cursor().execute("SELECT 1 / 0")
    assert people(two[0]) == ["alice", "same"]


@committed
def test_an_error_leaves_no_scope_and_no_tenant(two: tuple[Tenant, Tenant]) -> None:
    with pytest.raises(RuntimeError), inside(two[0]), transaction.atomic():
        Subject.objects.update(display_name="half written")
        raise RuntimeError
    assert scope.current_or_none() is None
    with inside(two[0]):
        assert not Subject.objects.exclude(display_name="").exists()
    with pytest.raises(DatabaseError, match="tenant context missing"), transaction.atomic():
        connection.cursor().execute("SELECT count(*) FROM subject")


@committed
def test_a_statement_outside_any_transaction_is_bound_and_committed(two: tuple[Tenant, Tenant]) -> None:
    assert connection.get_autocommit()
    with inside(two[0]):
        assert Subject.objects.filter(external_id="alice").update(display_name="Alice") == 1
        connection.cursor().executemany(
            "UPDATE subject SET timezone = %s WHERE external_id = %s", [("UTC", "alice"), ("UTC", "malice")]
        )
        connection.close()
        assert Subject.objects.get(external_id="alice").timezone == "UTC"
    with inside(two[1]):
        assert Subject.objects.get(external_id="malice").timezone == ""


@committed
def test_a_failed_statement_outside_any_transaction_leaves_the_connection_usable(
    two: tuple[Tenant, Tenant],
) -> None:
    with inside(two[0]):
        with pytest.raises(DatabaseError):
            connection.cursor().execute("SELECT 1 / 0")
        assert Subject.objects.count() == 2


# --- concurrency -------------------------------------------------------------------------------------------------


def test_a_new_thread_begins_without_a_scope(tenant: Tenant) -> None:
    seen: list[object] = []
    with inside(tenant):
        worker = threading.Thread(target=lambda: seen.append(scope.current_or_none()))
        worker.start()
        worker.join(10)
    assert seen == [None]


def test_tasks_of_an_event_loop_keep_their_own_scope() -> None:
    async def one(tenant_id: uuid.UUID) -> bool:
        with scope.enter(tenant_id, ACTOR, "req_async"):
            for _ in range(20):
                await asyncio.sleep(0)
                if scope.current().tenant_id != tenant_id:
                    return False
        return scope.current_or_none() is None

    async def many() -> list[bool]:
        return list(await asyncio.gather(*(one(uuid.uuid4()) for _ in range(20))))

    assert all(asyncio.run(many()))


# --- sweeps ------------------------------------------------------------------------------------------------------


def test_a_sweep_enters_each_tenant_in_turn(two: tuple[Tenant, Tenant]) -> None:
    seen = {
        entered.tenant_id: sorted(Subject.objects.values_list("external_id", flat=True))
        for entered in each_tenant()
    }
    assert seen == {two[0].id: ["alice", "same"], two[1].id: ["malice", "same"]}
    assert scope.current_or_none() is None


def _fail(rounds: Iterator[scope.Scope]) -> None:
    for _ in rounds:
        raise RuntimeError


def _stop(rounds: Iterator[scope.Scope]) -> None:
    for _ in rounds:
        return


def test_a_sweep_that_ends_early_leaves_no_scope(two: tuple[Tenant, Tenant]) -> None:
    with pytest.raises(RuntimeError):
        _fail(each_tenant())
    assert scope.current_or_none() is None
    _stop(each_tenant())
    assert scope.current_or_none() is None


def test_a_sweep_does_not_start_inside_a_tenant(two: tuple[Tenant, Tenant]) -> None:
    with inside(two[0]), pytest.raises(NoScope):
        list(each_tenant())


# --- what was said stays out of the server's view ------------------------------------------------------------------


@committed
def test_no_value_stands_in_the_servers_list_of_statements(two: tuple[Tenant, Tenant]) -> None:
    with inside(two[0]), transaction.atomic():
        Subject.objects.filter(external_id="canary-for-the-log").exists()
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            pid = cursor.fetchone()[0]
        Subject.objects.filter(display_name="canary-for-the-log").exists()
        seen: list[str] = []
        worker = threading.Thread(target=lambda: seen.append(_statement_of(pid)))
        worker.start()
        worker.join(10)
    assert "subject" in seen[0]
    assert "canary" not in seen[0]


def _statement_of(pid: int) -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT query FROM pg_stat_activity WHERE pid = %s", [pid])
            return str(cursor.fetchone()[0])
    finally:
        connection.close()


def test_threads_and_turns_of_others_are_not_there(two: tuple[Tenant, Tenant]) -> None:
    with inside(two[1]):
        theirs = threads.open_thread(Subject.objects.get(external_id="malice"), at=clock.now())[0]
    with inside(two[0]):
        assert not Thread.objects.filter(id=theirs.id).exists()
        with pytest.raises(Exception, match="nothing at this address"):
            threads.get(theirs.id)
