"""Looking at the database from outside the application's role."""

import contextlib
import os
from collections.abc import Iterator, Sequence

import psycopg
from psycopg import sql

Connection = psycopg.Connection[tuple[object, ...]]


@contextlib.contextmanager
def owner() -> Iterator[Connection]:
    """A connection as the role that owns the tables; row-level security binds it too."""
    with psycopg.connect(os.environ["MEMORYHUB_OWNER_DATABASE_URL"], autocommit=True) as connection:
        yield connection


@contextlib.contextmanager
def everything() -> Iterator[Connection]:
    """A connection as the role that backs up: it reads every row of every tenant."""
    with psycopg.connect(os.environ["MEMORYHUB_BACKUP_DATABASE_URL"], autocommit=True) as connection:
        yield connection


def tables(connection: Connection, column: str = "") -> list[str]:
    """Every table of ours, or those with the column."""
    rows = connection.execute(
        "SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition AND c.relkind IN ('r', 'p')"
        " AND (%(column)s = '' OR EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid"
        " AND a.attname = %(column)s AND NOT a.attisdropped)) ORDER BY 1",
        {"column": column},
    )
    return [str(row[0]) for row in rows]


def fingerprints(tenant_id: object) -> dict[str, str]:
    """Rows and a hash of them, by table, of a tenant: equal before and after means that nothing has changed.

    When a key was last used is left out: asking is enough to change it.
    """
    with everything() as connection:
        parts = [_hashed(name, "tenant_id") for name in tables(connection, "tenant_id")]
        statement = sql.SQL(" UNION ALL ").join([*parts, _hashed("tenant", "id")])
        rows = connection.execute(statement, {"tenant": tenant_id}).fetchall()
        return {str(name): f"{count}:{digest}" for name, count, digest in rows}


def _hashed(table: str, column: str) -> sql.Composed:
    return sql.SQL(
        "SELECT {}, count(*), md5(string_agg(r.shown, '~' ORDER BY r.shown)) FROM {} t,"
        " LATERAL (SELECT (to_jsonb(t) - 'last_used_at')::text AS shown) r WHERE {} = %(tenant)s"
    ).format(sql.Literal(table), sql.Identifier(table), sql.Identifier(column))


def search_everywhere(words: Sequence[str]) -> list[str]:
    """Where any of the words stands in the database: ``table: row`` for each row that holds one."""
    with everything() as connection:
        hits = []
        for name in tables(connection):
            statement = sql.SQL("SELECT t::text FROM {} t WHERE t::text ILIKE ANY(%s)").format(
                sql.Identifier(name)
            )
            rows = connection.execute(statement, [[f"%{word}%" for word in words]]).fetchall()
            hits += [f"{name}: {row[0]}"[:300] for row in rows]
        return hits
