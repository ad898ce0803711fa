"""The database, its three roles and their rights. psycopg only: it runs before Django and before any table.

``mh_owner`` owns the tables and runs migrations. ``mh_app`` is the running product: it owns nothing and row-level
security binds it. ``mh_backup`` reads everything, for dumps only: a dump by any other role would be empty.
Everything here may run again: it puts right what has drifted.
"""

import secrets
from dataclasses import dataclass
from urllib.parse import quote, urlencode

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow

from memoryhub.errors import Unavailable

Connection = psycopg.Connection[TupleRow]
OWNER, APP, BACKUP = "mh_owner", "mh_app", "mh_backup"
_OLDEST_SERVER = 150_000
_OLDEST_VECTOR = (0, 8)
#: (role, attributes, whether it bypasses row-level security)
_ROLES = (
    (OWNER, "NOBYPASSRLS", False),
    (APP, "NOINHERIT NOBYPASSRLS", False),
    (BACKUP, "BYPASSRLS", True),
)
_APP_SETTINGS = {
    "statement_timeout": "15s",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "30s",
}
_RIGHTS = (
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    "GRANT USAGE, CREATE ON SCHEMA public TO mh_owner",
    "GRANT USAGE ON SCHEMA public TO mh_app, mh_backup",
    # What later migrations make is born with these rights, so no table is forgotten and none is open to everyone.
    "ALTER DEFAULT PRIVILEGES FOR ROLE mh_owner IN SCHEMA public"
    " GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO mh_app",
    "ALTER DEFAULT PRIVILEGES FOR ROLE mh_owner IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO mh_app",
    "ALTER DEFAULT PRIVILEGES FOR ROLE mh_owner IN SCHEMA public GRANT SELECT ON TABLES TO mh_backup",
    "ALTER DEFAULT PRIVILEGES FOR ROLE mh_owner IN SCHEMA public GRANT SELECT ON SEQUENCES TO mh_backup",
    # PUBLIC's right to execute can only be taken away for all schemas together.
    "ALTER DEFAULT PRIVILEGES FOR ROLE mh_owner REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC",
)


@dataclass(frozen=True)
class RolePasswords:
    """One password a role. None leaves an existing role's password as it is."""

    owner: str | None
    app: str | None
    backup: str | None

    @classmethod
    def generate(cls) -> "RolePasswords":
        """Three fresh ones of 192 bits."""
        return cls(*(secrets.token_urlsafe(24) for _ in range(3)))


@dataclass(frozen=True)
class RoleUrls:
    """Where each role signs in."""

    owner: str
    app: str
    backup: str


def provision(admin_url: str, database: str, passwords: RolePasswords) -> RoleUrls:
    """Make ``database`` with its roles and rights on the server of ``admin_url``, or put them right.

    ``admin_url`` signs in as a superuser, or as a role that may create roles, databases and the extension.
    Raises ``Unavailable`` when the server or its pgvector is too old or missing, ``psycopg.Error`` otherwise.
    """
    with _connect(admin_url) as server:
        if server.info.server_version < _OLDEST_SERVER:
            version = server.info.server_version // 10_000
            raise Unavailable(f"PostgreSQL 15 or newer is needed; this is {version}.")
        for (role, attributes, bypass), password in zip(_ROLES, _in_order(passwords), strict=True):
            _ensure_role(server, role, attributes, bypass)
            if password is not None:
                _set_password(server, role, password)
        _join_owner(server)
        server.execute("GRANT pg_read_all_data TO mh_backup")
        _set_limits(server)
        _ensure_database(server, database)
    with _connect(admin_url, database) as inside:
        _ensure_vector(inside)
        for statement in _RIGHTS:
            inside.execute(statement)
    return RoleUrls(
        owner=_url(admin_url, database, OWNER, passwords.owner),
        app=_url(admin_url, database, APP, passwords.app),
        backup=_url(admin_url, database, BACKUP, passwords.backup),
    )


def missing_roles(admin_url: str) -> frozenset[str]:
    """Which of the three roles the server does not have yet."""
    with _connect(admin_url) as server:
        known = server.execute("SELECT rolname FROM pg_roles WHERE rolname = ANY(%s)", [[OWNER, APP, BACKUP]])
        return frozenset({OWNER, APP, BACKUP} - {row[0] for row in known})


def _connect(admin_url: str, database: str | None = None) -> Connection:
    conninfo = make_conninfo(admin_url, dbname=database) if database else admin_url
    return psycopg.connect(conninfo, autocommit=True, connect_timeout=10)


def _in_order(passwords: RolePasswords) -> tuple[str | None, ...]:
    return passwords.owner, passwords.app, passwords.backup


def _ensure_role(server: Connection, role: str, attributes: str, bypass: bool) -> None:
    name = sql.Identifier(role)
    found = server.execute(
        "SELECT rolcanlogin AND NOT rolsuper AND NOT rolcreaterole AND NOT rolcreatedb AND rolbypassrls = %s"
        " FROM pg_roles WHERE rolname = %s",
        [bypass, role],
    ).fetchone()
    if found is None:
        server.execute(sql.SQL(f"CREATE ROLE {{}} LOGIN {attributes}").format(name))
    elif not found[0]:
        statement = f"ALTER ROLE {{}} LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB {attributes}"
        server.execute(sql.SQL(statement).format(name))


def _set_password(server: Connection, role: str, password: str) -> None:
    """The server gets the verifier only, so the password stands in no log of it."""
    verifier = server.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
    server.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(role), sql.Literal(verifier)))


def _join_owner(server: Connection) -> None:
    """Only a superuser may act for a role that it is no member of."""
    member = server.execute("SELECT pg_has_role(current_user, 'mh_owner', 'USAGE')").fetchone()
    if member and not member[0]:
        server.execute("GRANT mh_owner TO CURRENT_USER")


def _set_limits(server: Connection) -> None:
    for setting, value in _APP_SETTINGS.items():
        server.execute(
            sql.SQL("ALTER ROLE mh_app SET {} = {}").format(sql.Identifier(setting), sql.Literal(value))
        )


def _ensure_database(server: Connection, database: str) -> None:
    name = sql.Identifier(database)
    if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone():
        server.execute(
            sql.SQL("CREATE DATABASE {} OWNER mh_owner TEMPLATE template0 ENCODING 'UTF8'").format(name)
        )
    server.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(name))
    server.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO mh_app, mh_backup").format(name))


def _ensure_vector(inside: Connection) -> None:
    available = inside.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'").fetchone()
    if not available:
        raise Unavailable("The server has no pgvector: install version 0.8 or newer, then run this again.")
    try:
        inside.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except psycopg.errors.InsufficientPrivilege as error:
        raise Unavailable(
            f"Only a superuser may add pgvector here: have one run CREATE EXTENSION vector in {inside.info.dbname}, "
            "then run this again."
        ) from error
    row = inside.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    version = str(row[0]) if row else "0"
    if tuple(int(part) for part in version.split(".")[:2]) < _OLDEST_VECTOR:
        raise Unavailable(
            f"pgvector 0.8 or newer is needed; this database has {version}: update it, then run this again."
        )


def _url(admin_url: str, database: str, role: str, password: str | None) -> str:
    parts = conninfo_to_dict(admin_url)
    host = str(parts.pop("host", "") or "localhost")
    port = parts.pop("port", "") or 5432
    secret = f":{quote(password, safe='')}" if password else ""
    rest = {name: str(value) for name, value in parts.items() if name not in ("user", "password", "dbname")}
    address = f"[{host}]" if ":" in host else quote(host, safe="")
    query = f"?{urlencode(rest)}" if rest else ""
    return f"postgresql://{role}{secret}@{address}:{port}/{quote(database, safe='')}{query}"
