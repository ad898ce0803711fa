"""Roles and rights of the database, as the roles themselves find them. A real server."""

from collections.abc import Iterator

import psycopg
import pytest

from memoryhub.errors import Unavailable
from memoryhub.local.cluster import Cluster
from memoryhub.tenants import provision
from memoryhub.tenants.provision import RolePasswords, RoleUrls

PASSWORDS = RolePasswords("own er/@:", "app%20", "back?up#")


@pytest.fixture
def urls(shared: Cluster) -> RoleUrls:
    return provision.provision(shared.url, "hub-1", PASSWORDS)


@pytest.fixture
def admin(shared: Cluster, urls: RoleUrls) -> Iterator[psycopg.Connection]:
    with psycopg.connect(shared.url, autocommit=True) as connection:
        yield connection


def as_role(url: str) -> psycopg.Connection:
    return psycopg.connect(url, autocommit=True)


def test_every_address_signs_in_as_its_role(urls: RoleUrls) -> None:
    for url, role in ((urls.owner, "mh_owner"), (urls.app, "mh_app"), (urls.backup, "mh_backup")):
        with as_role(url) as connection:
            assert connection.execute("SELECT current_user, current_database()").fetchone() == (role, "hub-1")


def test_a_second_run_changes_nothing_and_a_drifted_role_is_put_right(
    shared: Cluster, urls: RoleUrls, admin: psycopg.Connection
) -> None:
    query = "SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolinherit, rolcanlogin FROM pg_roles ORDER BY 1"
    before = admin.execute(query).fetchall()
    assert provision.provision(shared.url, "hub-1", PASSWORDS) == urls
    assert admin.execute(query).fetchall() == before
    admin.execute("ALTER ROLE mh_app SUPERUSER BYPASSRLS")
    provision.provision(shared.url, "hub-1", PASSWORDS)
    assert admin.execute(query).fetchall() == before


def test_the_application_owns_nothing_and_is_bound(urls: RoleUrls, admin: psycopg.Connection) -> None:
    row = admin.execute(
        "SELECT rolsuper, rolbypassrls, rolcreatedb FROM pg_roles WHERE rolname = 'mh_app'"
    ).fetchone()
    assert row == (False, False, False)
    with as_role(urls.app) as app:
        for statement in ("CREATE TABLE x (n int)", "CREATE TEMP TABLE x (n int)", "CREATE SCHEMA x"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                app.execute(statement)
        limits = [app.execute(f"SHOW {name}").fetchone() for name in provision._APP_SETTINGS]
    assert limits == [("15s",), ("5s",), ("30s",)]


def test_what_the_owner_makes_later_is_born_with_the_right_rights(urls: RoleUrls) -> None:
    with as_role(urls.owner) as owner:
        owner.execute("CREATE TABLE later (id bigserial PRIMARY KEY, embedding vector(2))")
        owner.execute("CREATE FUNCTION secret() RETURNS int LANGUAGE sql AS 'SELECT 1'")
    with as_role(urls.app) as app:
        app.execute("INSERT INTO later (embedding) VALUES ('[1,2]')")
        app.execute("UPDATE later SET embedding = '[1,3]'")
        app.execute("DELETE FROM later")
        for statement in ("TRUNCATE later", "SELECT secret()", "DROP TABLE later"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                app.execute(statement)


def test_the_backup_role_reads_past_row_level_security_and_writes_nothing(urls: RoleUrls) -> None:
    with as_role(urls.owner) as owner:
        owner.execute("CREATE TABLE walled (n int)")
        owner.execute("INSERT INTO walled VALUES (1)")
        owner.execute("ALTER TABLE walled ENABLE ROW LEVEL SECURITY")
        owner.execute("ALTER TABLE walled FORCE ROW LEVEL SECURITY")
    with as_role(urls.app) as app:
        assert app.execute("SELECT n FROM walled").fetchall() == []
    with as_role(urls.backup) as backup:
        assert backup.execute("SELECT n FROM walled").fetchall() == [(1,)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            backup.execute("INSERT INTO walled VALUES (2)")


def test_a_stranger_may_not_even_connect(shared: Cluster, urls: RoleUrls, admin: psycopg.Connection) -> None:
    admin.execute("CREATE ROLE stranger LOGIN PASSWORD 'x'")
    url = shared.url.replace("postgres:superuser-password", "stranger:x").replace("/postgres", "/hub-1")
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        as_role(url)


def test_a_password_left_out_stays_as_it_is(shared: Cluster, urls: RoleUrls) -> None:
    again = provision.provision(shared.url, "hub-1", RolePasswords(None, "fresh", None))
    assert "mh_owner@" in again.owner
    with as_role(urls.owner), as_role(again.app):
        pass
    with pytest.raises(psycopg.OperationalError):
        as_role(urls.app)


def test_missing_roles_are_listed(served: Cluster) -> None:
    assert provision.missing_roles(served.url) == {"mh_owner", "mh_app", "mh_backup"}
    provision.provision(served.url, "hub-1", PASSWORDS)
    assert provision.missing_roles(served.url) == frozenset()


def test_an_administrator_without_superuser_rights_needs_one_only_for_the_extension(served: Cluster) -> None:
    with psycopg.connect(served.url, autocommit=True) as connection:
        connection.execute("CREATE ROLE landlord LOGIN CREATEROLE CREATEDB BYPASSRLS PASSWORD 'x'")
        connection.execute("GRANT pg_read_all_data TO landlord WITH ADMIN OPTION")
    landlord = served.url.replace("postgres:superuser-password", "landlord:x")
    with pytest.raises(Unavailable, match="CREATE EXTENSION vector in rented"):
        provision.provision(landlord, "rented", PASSWORDS)
    with psycopg.connect(served.url, dbname="rented", autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
    urls = provision.provision(landlord, "rented", PASSWORDS)
    with as_role(urls.owner) as owner:
        owner.execute("CREATE TABLE later (embedding vector(2))")
    with as_role(urls.app) as app:
        assert app.execute("SELECT count(*) FROM later").fetchone() == (0,)


@pytest.mark.parametrize(
    ("admin_url", "expected"),
    [
        (
            "postgresql://root:pw@db.example:6000/postgres?sslmode=require",
            "postgresql://r:p%2F@db.example:6000/hub?sslmode=require",
        ),
        ("host=db.example user=root", "postgresql://r:p%2F@db.example:5432/hub"),
        ("postgresql://root@[2001:db8::1]/postgres", "postgresql://r:p%2F@[2001:db8::1]:5432/hub"),
        (
            "postgresql:///postgres?host=/var/run/postgresql",
            "postgresql://r:p%2F@%2Fvar%2Frun%2Fpostgresql:5432/hub",
        ),
    ],
)
def test_a_roles_address_keeps_the_servers(admin_url: str, expected: str) -> None:
    assert provision._url(admin_url, "hub", "r", "p/") == expected
