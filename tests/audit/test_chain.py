"""Nobody changes the trail unnoticed: the application can not, and what the owner does shows."""

import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import DatabaseError, connection, transaction

from memoryhub import clock, ids
from memoryhub.audit import trail
from memoryhub.audit.models import AuditEvent
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant
from memoryhub.tenants.scope import NoScope
from tests.tenants.conftest import inside
from tests.tenants.owner import Connection, owner

pytestmark = pytest.mark.django_db(transaction=True)
ENTRIES = 10


@pytest.fixture
def written(tenant: Tenant) -> Tenant:
    """A tenant whose trail has ten entries."""
    with inside(tenant):
        while trail.head().seq < ENTRIES:
            note()
    return tenant


def note(action: trail.Action = trail.Action.FACT_ADD) -> None:
    with transaction.atomic():
        trail.record(
            action, "fact", ids.new(), at=clock.now(), subject_id=ids.new(), version=1, kind="profile"
        )


def broken(tenant: Tenant) -> int | None:
    with inside(tenant):
        state = trail.verify()
        assert state.intact is (state.broken_at is None)
        return state.broken_at


# --- the application can not ------------------------------------------------------------------------------------

FORBIDDEN = [
    "UPDATE audit_event SET action = 'fact.verify'",
    "UPDATE audit_event SET detail = '{}' WHERE seq = 3",
    "DELETE FROM audit_event",
    "DELETE FROM audit_event WHERE seq = 10",
    "TRUNCATE audit_event",
    "TRUNCATE audit_event, audit_head CASCADE",
    "UPDATE audit_head SET seq = 0",
    "DELETE FROM audit_head",
    "INSERT INTO audit_head (tenant_id, seq, hash) VALUES (gen_random_uuid(), 0, '')",
    "ALTER TABLE audit_event DISABLE TRIGGER ALL",
    "DROP TRIGGER audit_chain ON audit_event",
    "SET session_replication_role = replica",
    "SELECT mh_audit_chain()",
    "CREATE OR REPLACE FUNCTION mh_audit_hash(e audit_event) RETURNS bytea LANGUAGE sql AS $$ SELECT ''::bytea $$",
]


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_the_application_changes_no_entry(written: Tenant, statement: str) -> None:
    with inside(written):
        before = [(event.seq, event.action) for event in trail.events()]
        with pytest.raises(DatabaseError), transaction.atomic():
            connection.cursor().execute(statement)
        assert [(event.seq, event.action) for event in trail.events()] == before
    assert broken(written) is None


def test_the_orm_changes_no_entry(written: Tenant) -> None:
    with inside(written):
        entry = AuditEvent.objects.get(seq=5)
        entry.action = "fact.verify"
        acts: list[Callable[[], object]] = [
            entry.save,
            entry.delete,
            AuditEvent.objects.all().delete,
            lambda: AuditEvent.objects.update(action="fact.verify"),
        ]
        for act in acts:
            with pytest.raises(DatabaseError), transaction.atomic():
                act()
        assert AuditEvent.objects.count() == ENTRIES
    assert broken(written) is None


@pytest.mark.parametrize("statement", FORBIDDEN[:4])
def test_the_owner_changes_none_either_while_the_triggers_stand(written: Tenant, statement: str) -> None:
    with owner() as own:
        own.execute("SELECT set_config('app.tenant_id', %s, false)", [str(written.id)])
        with pytest.raises(Exception, match="append-only"):
            own.execute(statement)
    assert broken(written) is None


def test_numbers_and_hashes_of_the_callers_own_are_not_taken(written: Tenant) -> None:
    with inside(written), transaction.atomic():
        AuditEvent(
            seq=3, prev=b"x" * 32, hash=b"y" * 32, actor_kind="user", actor_id="x", via="ui", request_id="r",
            action="fact.add", object_kind="fact",
        ).save(force_insert=True)  # fmt: skip
    with inside(written):
        assert trail.events()[0].seq == ENTRIES + 1
    assert broken(written) is None


def test_an_entry_for_another_tenant_is_refused(written: Tenant, other_tenant: Tenant) -> None:
    columns = "(id, tenant_id, seq, at, actor_kind, actor_id, via, request_id, action, object_kind, subject_ref, detail, prev, hash)"
    with inside(written), pytest.raises(DatabaseError), transaction.atomic():
        connection.cursor().execute(
            f"INSERT INTO audit_event {columns} VALUES (%s, %s, 1, now(), 'user', 'x', 'ui', 'r', 'fact.add', 'fact', '', '{{}}', '', '')",
            [ids.new(), other_tenant.id],
        )
    with inside(other_tenant):
        assert [event.action for event in trail.events()] == ["tenant.create"]


# --- what the owner does with the triggers off shows ------------------------------------------------------------


@pytest.fixture
def tampering(written: Tenant) -> Iterator[Connection]:
    """The owner with the triggers off; they are on again afterwards."""
    with owner() as own:
        own.execute("ALTER TABLE audit_event DISABLE TRIGGER USER")
        own.execute("SELECT set_config('app.tenant_id', %s, false)", [str(written.id)])
        try:
            yield own
        finally:
            own.execute("ALTER TABLE audit_event ENABLE TRIGGER USER")


EDITS = {
    "id": "gen_random_uuid()",
    "at": "at + interval '1 microsecond'",
    "actor_kind": "'user'",
    "actor_id": "'somebody else'",
    "via": "'ui'",
    "request_id": "'req_other'",
    "action": "'fact.verify'",
    "object_kind": "'thread'",
    "object_id": "gen_random_uuid()",
    "subject_ref": "'x'",
    "detail": "jsonb_set(detail, '{version}', '2')",
    "prev": "sha256('x')",
    "hash": "sha256('x')",
    "seq": "seq + 100",
}


def test_every_column_is_in_the_list_of_edits() -> None:
    columns = {field.column for field in AuditEvent._meta.concrete_fields}
    assert columns == set(EDITS) | {"tenant_id"}


@pytest.mark.parametrize(
    ("column", "seq"),
    [*((column, 5) for column in EDITS), ("action", 1), ("action", ENTRIES), ("seq", ENTRIES)],
)
def test_an_edited_entry_is_found(written: Tenant, tampering: Connection, column: str, seq: int) -> None:
    changed = tampering.execute(f"UPDATE audit_event SET {column} = {EDITS[column]} WHERE seq = %s", [seq])
    assert changed.rowcount == 1
    found = broken(written)
    # A number that no longer fits is noticed where it has gone to, or where it is missing.
    assert found == seq or (column == "seq" and found in (seq + 1, seq + 100))


@pytest.mark.parametrize(
    ("gone", "found_at"),
    [
        ("seq = 1", 2),
        ("seq = 5", 6),
        ("seq BETWEEN 3 AND 7", 8),
        ("seq = 10", 10),
        ("seq > 4", 5),
        ("true", 1),
    ],
)
def test_a_removed_entry_is_found(written: Tenant, tampering: Connection, gone: str, found_at: int) -> None:
    tampering.execute(f"DELETE FROM audit_event WHERE {gone}")
    assert broken(written) == found_at


def test_two_entries_that_change_places_are_found(written: Tenant, tampering: Connection) -> None:
    tampering.execute("UPDATE audit_event SET seq = 1000 WHERE seq = 4")
    tampering.execute("UPDATE audit_event SET seq = 4 WHERE seq = 5")
    tampering.execute("UPDATE audit_event SET seq = 5 WHERE seq = 1000")
    assert broken(written) == 4


def test_an_entry_put_in_afterwards_is_found(written: Tenant, tampering: Connection) -> None:
    tampering.execute("DELETE FROM audit_event WHERE seq = 5")
    tampering.execute(
        "INSERT INTO audit_event SELECT (e).* FROM (SELECT jsonb_populate_record(a, jsonb_build_object("
        "'id', gen_random_uuid(), 'seq', 5, 'action', 'fact.verify')) AS e FROM audit_event a WHERE a.seq = 4) x"
    )
    tampering.execute("UPDATE audit_event e SET hash = mh_audit_hash(e) WHERE seq = 5")
    assert broken(written) == 5


def test_a_hash_made_to_fit_breaks_the_next_link(written: Tenant, tampering: Connection) -> None:
    tampering.execute("UPDATE audit_event SET action = 'fact.verify' WHERE seq = 5")
    tampering.execute("UPDATE audit_event e SET hash = mh_audit_hash(e) WHERE seq = 5")
    assert broken(written) == 6


def test_a_tail_cut_off_with_its_head_shows_against_a_head_noted_elsewhere(
    written: Tenant, tampering: Connection
) -> None:
    """The database alone can not tell: receipts carry the head so that something outside can."""
    with inside(written):
        noted = trail.head()
    tampering.execute("DELETE FROM audit_event WHERE seq > 6")
    tampering.execute(
        "UPDATE audit_head h SET seq = 6, hash = (SELECT e.hash FROM audit_event e WHERE e.seq = 6 AND e.tenant_id = h.tenant_id)"
    )
    assert broken(written) is None
    with inside(written):
        assert trail.head() != noted
        assert trail.head().seq < noted.seq


def test_tampering_with_one_tenant_says_nothing_of_another(
    written: Tenant, other_tenant: Tenant, tampering: Connection
) -> None:
    tampering.execute("UPDATE audit_event SET action = 'x' WHERE seq = 2")
    assert broken(written) == 2
    assert broken(other_tenant) is None


def test_writing_goes_on_after_tampering_and_it_stays_found(written: Tenant) -> None:
    with owner() as own:
        own.execute("SELECT set_config('app.tenant_id', %s, false)", [str(written.id)])
        own.execute("ALTER TABLE audit_event DISABLE TRIGGER USER")
        own.execute("DELETE FROM audit_event WHERE seq = 10")
        own.execute("ALTER TABLE audit_event ENABLE TRIGGER USER")
    with inside(written):
        note()
    assert broken(written) == 11


# --- writing ----------------------------------------------------------------------------------------------------


def test_an_entry_needs_a_scope_and_a_transaction(tenant: Tenant) -> None:
    with pytest.raises(NoScope), transaction.atomic():
        trail.record(trail.Action.FACT_ADD, "fact", None, at=clock.now())
    with inside(tenant):
        with pytest.raises(RuntimeError, match="transaction"):
            trail.record(trail.Action.FACT_ADD, "fact", None, at=clock.now())
        assert trail.head().seq == 1


def test_an_entry_goes_with_the_change_it_tells_of(tenant: Tenant) -> None:
    with inside(tenant):
        with pytest.raises(RuntimeError), transaction.atomic():
            trail.record(trail.Action.FACT_ADD, "fact", None, at=clock.now())
            raise RuntimeError
        assert [event.action for event in trail.events()] == ["tenant.create"]
        note()
        assert [event.seq for event in trail.events()] == [2, 1]
    assert broken(tenant) is None


def test_writers_at_once_leave_no_gap(tenant: Tenant, other_tenant: Tenant) -> None:
    writers, rounds = 6, 25
    start = threading.Barrier(writers)

    def write(number: int) -> int:
        kept = 0
        start.wait(20)
        try:
            for turn in range(rounds):
                with inside(tenant if number % 2 else other_tenant):
                    try:
                        with transaction.atomic():
                            trail.record(trail.Action.FACT_ADD, "fact", ids.new(), at=clock.now(), seq=turn)
                            if (number + turn) % 3 == 0:
                                raise RuntimeError
                        kept += 1
                    except RuntimeError:
                        pass
        finally:
            connection.close()
        return kept

    with ThreadPoolExecutor(writers) as workers:
        kept = list(workers.map(write, range(writers)))
    for tenant_of, share in ((other_tenant, kept[0::2]), (tenant, kept[1::2])):
        with inside(tenant_of):
            numbers = list(AuditEvent.objects.order_by("seq").values_list("seq", flat=True))
            assert numbers == list(range(1, sum(share) + 2))
        assert broken(tenant_of) is None


# --- what may be in it ------------------------------------------------------------------------------------------

REFUSED = {
    "an unknown name": {"comment": "fine"},
    "a sentence": {"reason_code": "because she asked"},
    "an address": {"reason_code": "alice@example.org"},
    "another script": {"reason_code": "аллергия"},
    "a line break": {"kind": "a\nb"},
    "too long": {"kind": "x" * 65},
    "a sentence in a list": {"scopes": ["memory:read", "takes lithium every morning"]},
    "a sentence in a mapping": {"counts": {"facts": "takes lithium"}},
    "a sentence as a name": {"counts": {"Alice takes lithium": 1}},
    "a sentence deep inside": {"counts": {"facts": [{"note": ["Alice Smith"]}]}},
    "bytes": {"kind": b"abc"},
    "an object": {"kind": object()},
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_detail_that_is_text_is_refused(tenant: Tenant, kind: str) -> None:
    with inside(tenant):
        with pytest.raises(trail.DetailRefused), transaction.atomic():
            trail.record(trail.Action.FACT_ADD, "fact", None, at=clock.now(), **REFUSED[kind])
        assert trail.head().seq == 1


def test_codes_counts_and_versions_are_taken(tenant: Tenant) -> None:
    detail = {
        "reason_code": "subject_asked", "counts": {"facts": 3, "fact_versions": 4}, "version": 2, "scopes": ["memory:read"],
        "route": "api/v1/facts/<str:fact_id>", "temporary": True, "replaced_by": ids.new().hex,
    }  # fmt: skip
    with inside(tenant):
        with transaction.atomic():
            trail.record(trail.Action.FACT_ADD, "fact", None, at=clock.now(), **detail)
        assert trail.events()[0].detail == detail


def test_a_subject_is_a_keyed_pseudonym(tenant: Tenant, settings: object) -> None:
    subject = uuid.UUID(int=7)
    first = trail.subject_ref(subject)
    assert subject.hex not in first
    assert first == trail.subject_ref(subject) != trail.subject_ref(uuid.UUID(int=8))
    settings.SECRET_KEY = "another" * 8  # type: ignore[attr-defined]
    assert trail.subject_ref(subject) != first


def test_entries_are_found_by_what_they_concern(tenant: Tenant) -> None:
    thing, person = ids.new(), ids.new()
    with scope.enter(tenant.id, scope.Actor(scope.ActorKind.USER, "u1", "ui"), "req_9"), transaction.atomic():
        trail.record(trail.Action.FACT_VERIFY, "fact", thing, at=clock.now(), subject_id=person)
        trail.record(trail.Action.FACT_ARCHIVE, "fact", thing, at=clock.now(), subject_id=person)
        note()
    with inside(tenant):
        assert [e.action for e in trail.history_of(thing)] == ["fact.verify", "fact.archive"]
        assert [e.action for e in trail.events(ref=trail.subject_ref(person))] == [
            "fact.archive",
            "fact.verify",
        ]
        assert len(trail.events(actor_id="u1")) == len(trail.events(request_id="req_9")) == 3
        assert [e.seq for e in trail.events(before_seq=3, limit=1)] == [2]
        assert trail.events(actor_id="nobody") == trail.events(object_id=ids.new()) == []
