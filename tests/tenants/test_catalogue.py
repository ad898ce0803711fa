"""The catalogue guard: silent on our schema, and a sentence for each kind of hole."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import connection, models

from memoryhub.tenants import guard
from memoryhub.tenants.models import ScopedForeignKey, TenantModel
from tests.tenants.owner import owner

pytestmark = pytest.mark.django_db
TENANT_MODELS = sorted((m for m in apps.get_models() if issubclass(m, TenantModel)), key=lambda m: m.__name__)

_TABLE = "CREATE TABLE scratch_hole (id uuid PRIMARY KEY, tenant_id uuid NOT NULL, other uuid, n int);"
_SECURE = (
    "ALTER TABLE scratch_hole ENABLE ROW LEVEL SECURITY; ALTER TABLE scratch_hole FORCE ROW LEVEL SECURITY;"
)
_POLICY = (
    "CREATE POLICY tenant_isolation ON scratch_hole USING (tenant_id = (SELECT mh_tenant_required()))"
    " WITH CHECK (tenant_id = (SELECT mh_tenant_required()));"
)
_SOUND = _TABLE + _SECURE + _POLICY

#: What is planted, and what the guard's sentence must name.
HOLES = {
    "no row security": (_TABLE + _POLICY, "scratch_hole has a tenant"),
    "row security not forced": (
        _TABLE + "ALTER TABLE scratch_hole ENABLE ROW LEVEL SECURITY;" + _POLICY,
        "scratch_hole has a tenant",
    ),
    "no policy": (_TABLE + _SECURE, "scratch_hole has a tenant"),
    "a policy that lets all read": (
        _TABLE + _SECURE + "CREATE POLICY open ON scratch_hole USING (true);",
        "open on scratch_hole",
    ),
    "a second policy beside the right one": (
        _SOUND + "CREATE POLICY more ON scratch_hole FOR SELECT USING (n > 0);",
        "more on scratch_hole",
    ),
    "a policy that lets all write": (
        _TABLE
        + _SECURE
        + "CREATE POLICY half ON scratch_hole USING (tenant_id = (SELECT mh_tenant_required())) WITH CHECK (true);",
        "half on scratch_hole",
    ),
    "a policy with a way round": (
        _TABLE
        + _SECURE
        + "CREATE POLICY round ON scratch_hole USING (tenant_id = (SELECT mh_tenant_required()) OR n = 1);",
        "round on scratch_hole",
    ),
    "a policy for writing only, that lets all write": (
        _SOUND + "CREATE POLICY pour ON scratch_hole FOR INSERT WITH CHECK (true);",
        "pour on scratch_hole",
    ),
    "the owner reads another table": (
        _SOUND + "CREATE POLICY owner_reads ON scratch_hole FOR SELECT TO CURRENT_USER USING (true);",
        "owner_reads on scratch_hole",
    ),
    "a view with its owner's rights": ("CREATE VIEW scratch_view AS SELECT id FROM fact;", "scratch_view"),
    "a materialised view": (
        "CREATE MATERIALIZED VIEW scratch_copy AS SELECT 1 AS n; GRANT SELECT ON scratch_copy TO mh_app;",
        "scratch_copy",
    ),
    "a function with its owner's rights": (
        "CREATE FUNCTION scratch_reads() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT 1::bigint';",
        "scratch_reads",
    ),
    "TRUNCATE": (_SOUND + "GRANT TRUNCATE ON scratch_hole TO mh_app;", "TRUNCATE on scratch_hole"),
    "TRUNCATE for everyone": (
        _SOUND + "GRANT TRUNCATE ON scratch_hole TO PUBLIC;",
        "TRUNCATE on scratch_hole",
    ),
    "REFERENCES": (_SOUND + "GRANT REFERENCES (id) ON scratch_hole TO mh_app;", "REFERENCES on scratch_hole"),
    "TRIGGER": (_SOUND + "GRANT TRIGGER ON scratch_hole TO mh_app;", "TRIGGER on scratch_hole"),
    "a link by one column": (
        _SOUND
        + "ALTER TABLE scratch_hole ADD CONSTRAINT scratch_link FOREIGN KEY (other) REFERENCES fact (id);",
        "scratch_link",
    ),
    "a link by two columns without the tenant": (
        _SOUND
        + "ALTER TABLE scratch_hole ADD UNIQUE (tenant_id, other, n);"
        + "CREATE TABLE scratch_more (tenant_id uuid, a uuid, b int);"
        + "CREATE UNIQUE INDEX scratch_pair ON scratch_hole (other, n);"
        + "ALTER TABLE scratch_more ADD CONSTRAINT scratch_two FOREIGN KEY (a, b) REFERENCES scratch_hole (other, n);",
        "scratch_two",
    ),
    "a unique index over all tenants": (
        _SOUND + "CREATE UNIQUE INDEX scratch_once ON scratch_hole (other);",
        "scratch_once",
    ),
    "a unique index over an expression": (
        _SOUND + "CREATE UNIQUE INDEX scratch_lower ON scratch_hole (lower(other::text));",
        "scratch_lower",
    ),
    "a schema that is not looked at": (
        "CREATE SCHEMA scratch_room; GRANT USAGE ON SCHEMA scratch_room TO mh_app;",
        "scratch_room",
    ),
    "UPDATE of the audit trail": ("GRANT UPDATE (detail) ON audit_event TO mh_app;", "UPDATE on audit_event"),
    "DELETE of the audit trail": ("GRANT DELETE ON audit_event TO mh_app;", "DELETE on audit_event"),
    "UPDATE of the audit trail's head": ("GRANT UPDATE ON audit_head TO mh_app;", "UPDATE on audit_head"),
    "the table of tenants without row security": (
        "ALTER TABLE tenant DISABLE ROW LEVEL SECURITY;",
        "tenant has a tenant",
    ),
}
_CLEAN = """
DROP TABLE IF EXISTS scratch_more; DROP VIEW IF EXISTS scratch_view; DROP MATERIALIZED VIEW IF EXISTS scratch_copy;
DROP TABLE IF EXISTS scratch_hole; DROP FUNCTION IF EXISTS scratch_reads(); DROP SCHEMA IF EXISTS scratch_room;
REVOKE UPDATE (detail), DELETE ON audit_event FROM mh_app; REVOKE UPDATE ON audit_head FROM mh_app;
ALTER TABLE tenant ENABLE ROW LEVEL SECURITY;
"""


@pytest.fixture
def planting() -> Iterator[None]:
    """Whatever a test plants is gone after it."""
    try:
        yield
    finally:
        with owner() as own:
            own.execute(_CLEAN)


def test_our_schema_has_no_hole() -> None:
    assert guard.findings() == []


@pytest.mark.parametrize("name", HOLES)
def test_a_hole_is_reported(planting: None, name: str) -> None:
    planted, expected = HOLES[name]
    with owner() as own:
        own.execute(planted)
    assert any(expected in sentence for sentence in guard.findings()), guard.findings()


@pytest.mark.parametrize(
    "name", ["no row security", "a view with its owner's rights", "a unique index over all tenants"]
)
def test_a_hole_that_is_mended_is_reported_no_more(planting: None, name: str) -> None:
    with owner() as own:
        own.execute(HOLES[name][0])
        assert guard.findings()
        own.execute(_CLEAN)
    assert guard.findings() == []


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("MEMORYHUB_OWNER_DATABASE_URL", "owns fact"),
        ("MEMORYHUB_BACKUP_DATABASE_URL", "mh_backup is a superuser or bypasses row-level security"),
    ],
)
def test_the_product_refuses_any_other_role(url: str, sentence: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "django", "check_isolation"],
        env={**os.environ, "DATABASE_URL": os.environ[url]},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 1
    assert sentence in ran.stderr


def test_the_tests_run_as_the_product_does() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_user, rolsuper, rolbypassrls, rolinherit FROM pg_roles WHERE rolname = current_user"
        )
        assert cursor.fetchone() == ("mh_app", False, False, False)


@pytest.mark.parametrize("model", TENANT_MODELS, ids=lambda m: m.__name__)
def test_every_tenant_table_is_walled_in(model: type[TenantModel]) -> None:
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = %s::regclass", [table]
        )
        assert cursor.fetchone() == (True, True)
        # Rows of an index are addressed by nobody, and nothing points at them.
        assert not model._meta.managed or ("tenant_id", "id") in _unique_keys(cursor, table)
        links = _foreign_keys(cursor, table)
    for field in model._meta.concrete_fields:
        if isinstance(field, models.ForeignKey) and issubclass(field.related_model, TenantModel):
            assert isinstance(field, ScopedForeignKey), f"{field} is no ScopedForeignKey"
            assert (
                ("tenant_id", field.column),
                field.related_model._meta.db_table,
                ("tenant_id", "id"),
            ) in links


def test_every_table_with_a_tenant_has_a_model() -> None:
    known = {m._meta.db_table for m in TENANT_MODELS} | {"audit_head"}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'"
            " WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace"
        )
        assert {row[0] for row in cursor.fetchall()} == known


_COLUMNS = "(SELECT array_agg(a.attname ORDER BY k.n) FROM unnest({keys}) WITH ORDINALITY k(num, n) JOIN pg_attribute a ON a.attrelid = {table} AND a.attnum = k.num)"


def _unique_keys(cursor: object, table: str) -> set[tuple[str, ...]]:
    columns = _COLUMNS.format(keys="c.conkey", table="c.conrelid")
    cursor.execute(  # type: ignore[attr-defined]
        f"SELECT {columns}::text[] FROM pg_constraint c WHERE c.contype = 'u' AND c.conrelid = %s::regclass",
        [table],
    )
    return {tuple(row[0]) for row in cursor.fetchall()}  # type: ignore[attr-defined]


def _foreign_keys(cursor: object, table: str) -> set[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    ours = _COLUMNS.format(keys="c.conkey", table="c.conrelid")
    theirs = _COLUMNS.format(keys="c.confkey", table="c.confrelid")
    cursor.execute(  # type: ignore[attr-defined]
        f"SELECT {ours}::text[], c.confrelid::regclass::text, {theirs}::text[]"
        " FROM pg_constraint c WHERE c.contype = 'f' AND c.conrelid = %s::regclass",
        [table],
    )
    return {(tuple(row[0]), row[1], tuple(row[2])) for row in cursor.fetchall()}  # type: ignore[attr-defined]
