"""Tombstones outside the database: a restored backup brings nobody back."""

import contextlib
import io
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from psycopg import sql
from psycopg.types.json import Jsonb

from memoryhub import clock, ids
from memoryhub.audit import trail
from memoryhub.memory import purge, subjects
from memoryhub.privacy import ledger
from memoryhub.tenants.models import Tenant
from tests.conftest import empty_database
from tests.privacy.life import erased, person
from tests.tenants.conftest import inside
from tests.tenants.owner import everything, fingerprints, owner, search_everywhere, tables

pytestmark = pytest.mark.django_db(transaction=True)
Backup = dict[str, list[Any]]


def append(request: Any = None) -> None:
    ledger.append(ids.new(), ids.new(), request or ids.new(), at=clock.now())


def test_a_tombstone_is_written_once_per_request_and_holds_ids_only(ledger_file: Path) -> None:
    request = ids.new()
    for _ in range(3):
        append(request)
    append()
    lines = ledger_file.read_text().splitlines()
    assert len(lines) == 2
    assert [set(json.loads(line)) for line in lines] == [
        {"tenant_id", "subject_id", "request_id", "erased_at"}
    ] * 2
    assert next(ledger.tombstones()).request_id == str(request)


def test_no_ledger_is_an_empty_one(ledger_file: Path) -> None:
    assert list(ledger.tombstones()) == []
    assert not ledger_file.exists()


def test_writers_at_once_lose_nothing(ledger_file: Path) -> None:
    requests = [ids.new() for _ in range(40)]
    start = threading.Barrier(8)

    def write(number: int) -> None:
        start.wait(20)
        for request in requests[number % 4 :: 4]:
            append(request)

    with ThreadPoolExecutor(8) as workers:
        list(workers.map(write, range(8)))
    assert sorted(stone.request_id for stone in ledger.tombstones()) == sorted(
        str(request) for request in requests
    )


@pytest.mark.parametrize("torn", ['{"tenant_id": "01', "{", '{"a": 1}', "\x00\x00\x00", '"text"', "[1]"])
def test_a_line_that_a_crash_tore_stops_nobody_after_it(ledger_file: Path, torn: str) -> None:
    first, second = ids.new(), ids.new()
    append(first)
    with ledger_file.open("a") as file:
        file.write(torn)
    for request in (second, first, second):
        append(request)
    assert [stone.request_id for stone in ledger.tombstones()] == [str(first), str(second)]


# --- a restored backup --------------------------------------------------------------------------------------------


def back_up() -> Backup:
    """Every row of every table, as a dump holds it."""
    with everything() as connection:
        return {
            table: [
                row[0]
                for row in connection.execute(
                    sql.SQL("SELECT to_jsonb(t) FROM {} t").format(sql.Identifier(table))
                )
            ]
            for table in tables(connection)
        }


@contextlib.contextmanager
def unbound() -> Iterator[Any]:
    """A restore is a superuser's work, whom neither row-level security nor a trigger binds."""
    with owner() as own:
        secured = [sql.Identifier(table) for table in [*tables(own, "tenant_id"), "tenant"]]
        try:
            own.execute("ALTER TABLE audit_event DISABLE TRIGGER USER")
            for table in secured:
                own.execute(sql.SQL("ALTER TABLE {} NO FORCE ROW LEVEL SECURITY").format(table))
            with own.transaction():
                yield own
        finally:
            for table in secured:
                own.execute(sql.SQL("ALTER TABLE {} FORCE ROW LEVEL SECURITY").format(table))
            own.execute("ALTER TABLE audit_event ENABLE TRIGGER USER")


def restore(backup: Backup) -> None:
    """The database as it was; the ledger is outside of it and stays."""
    empty_database()
    with unbound() as own:
        for table, rows in backup.items():
            if rows and not table.startswith(("django_migrations", "django_content", "auth_permission")):
                _insert(own, table, rows)


def _insert(own: Any, table: str, rows: list[Any]) -> None:
    found = own.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
        " AND NOT attisdropped AND attgenerated = ''",
        [table],
    )
    columns = sql.SQL(", ").join(sql.Identifier(row[0]) for row in found.fetchall())
    statement = sql.SQL("INSERT INTO {0} ({1}) SELECT {1} FROM jsonb_populate_recordset(NULL::{0}, %s)")
    own.execute(statement.format(sql.Identifier(table), columns), [Jsonb(rows)])


def reapply() -> str:
    out = io.StringIO()
    call_command("reapply_erasures", stdout=out)
    return out.getvalue().strip()


def test_a_restore_and_the_ledger_leave_an_erased_person_erased(tenant: Tenant) -> None:
    with inside(tenant):
        alice, bob = person("alice", "zanzibar"), person("bob", "montevideo")
    backup = back_up()
    erased(tenant, alice)
    assert search_everywhere(["zanzibar"]) == []

    restore(backup)
    assert search_everywhere(["zanzibar"])
    with inside(tenant):
        assert trail.verify().intact
        assert subjects.by_external_id("alice").id == alice.id
        before = purge.counts_of(bob.id)

    assert reapply() == "1 erasures in the ledger; 1 had to be repeated."
    assert search_everywhere(["zanzibar"]) == []
    with inside(tenant):
        assert purge.residue(alice.id) == {}
        assert purge.counts_of(bob.id) == before
        assert subjects.get(alice.id).erased_at is not None
        assert trail.verify().intact
        assert trail.events(ref=trail.subject_ref(alice.id))[0].action == "subject.erase"


def test_replaying_again_changes_nothing(tenant: Tenant) -> None:
    with inside(tenant):
        alice = person("alice", "zanzibar")
    erased(tenant, alice)
    before = fingerprints(tenant.id)
    for _ in range(2):
        assert reapply() == "1 erasures in the ledger; 0 had to be repeated."
    assert fingerprints(tenant.id) == before


def test_a_backup_from_before_the_person_or_the_tenant_needs_nothing(tenant: Tenant) -> None:
    append()
    ledger.append(tenant.id, ids.new(), ids.new(), at=clock.now())
    before = fingerprints(tenant.id)
    assert reapply() == "1 erasures in the ledger; 0 had to be repeated."
    assert fingerprints(tenant.id) == before


def test_a_row_that_came_back_alone_is_forgotten_again(tenant: Tenant) -> None:
    """A partial restore, after which the subject is still marked as erased."""
    with inside(tenant):
        alice = person("alice", "zanzibar")
    backup = back_up()
    erased(tenant, alice)
    with unbound() as own:
        for table in ("thread", "turn", "fact", "fact_version"):
            _insert(own, table, backup[table])
    assert search_everywhere(["zanzibar"])
    assert reapply() == "1 erasures in the ledger; 1 had to be repeated."
    assert search_everywhere(["zanzibar"]) == []
