"""Shared fixtures. Tests run as the application's role, on a database that ``manage.py test`` has made."""

import os
from collections.abc import Iterator

import psycopg
import pytest
from django.conf import settings as django_settings
from django.test import TransactionTestCase

from memoryhub import clock
from memoryhub.accounts import keys, members
from memoryhub.memory import subjects, threads
from memoryhub.memory.models import Subject, Thread
from memoryhub.tenants import scope
from memoryhub.tenants.models import Membership, Tenant
from memoryhub.tenants.permissions import KEY_SCOPES, Role

ACTOR = scope.Actor(scope.ActorKind.SYSTEM, "tests", "cli")
_KEPT = ("django_migrations", "django_content_type", "auth_permission")


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: object) -> None:
    """The database is there already, migrated by its owner; pytest-django makes none of its own."""
    if "memoryhub" not in str(django_settings.DATABASES["default"]["NAME"]) and "mh" not in str(
        django_settings.DATABASES["default"]["NAME"]
    ):
        raise RuntimeError("Refusing to run on a database that is not a test database.")


def empty_database() -> None:
    """Empty every table as the owner: the application's role may not TRUNCATE."""
    with psycopg.connect(os.environ["MEMORYHUB_OWNER_DATABASE_URL"], autocommit=True) as owner:
        rows = owner.execute(
            "SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname = 'public' AND relkind = 'r' AND NOT relname = ANY(%s)",
            [list(_KEPT)],
        ).fetchall()
        tables = ", ".join(f'"{row[0]}"' for row in rows)
        owner.execute("ALTER TABLE audit_event DISABLE TRIGGER audit_no_truncate")
        owner.execute(f"TRUNCATE {tables} RESTART IDENTITY CASCADE")
        owner.execute("ALTER TABLE audit_event ENABLE TRIGGER audit_no_truncate")


def _teardown(self: TransactionTestCase) -> None:
    empty_database()


TransactionTestCase._fixture_teardown = _teardown  # type: ignore[method-assign]


@pytest.fixture
def tenant(db: None) -> Tenant:
    """A tenant; no scope is entered."""
    return members.found_tenant("Acme", "acme", at=clock.now())


@pytest.fixture
def other_tenant(db: None) -> Tenant:
    """Another tenant, with a name that begins like the first's."""
    return members.found_tenant("Acme Corp", "acme-corp", at=clock.now())


@pytest.fixture
def scoped(tenant: Tenant) -> Iterator[Tenant]:
    """The tenant with its scope entered for the whole test."""
    with scope.enter(tenant.id, ACTOR, "req_test"):
        yield tenant


@pytest.fixture
def alice(scoped: Tenant) -> Subject:
    """A subject of the entered tenant."""
    return subjects.ensure("alice", at=clock.now(), display_name="Alice")


@pytest.fixture
def thread(alice: Subject) -> Thread:
    """A thread of Alice's."""
    return threads.open_thread(alice, at=clock.now(), title="A thread")[0]


def add_member(tenant: Tenant, email: str, role: Role, password: str = "correct-horse-battery") -> Membership:
    """A member who can sign in."""
    with scope.enter(tenant.id, ACTOR, "req_test"):
        return members.add(email, role, at=clock.now(), name=email.split("@")[0].title(), password=password)


def issue_key(tenant: Tenant, *scopes: str) -> str:
    """The secret of a fresh key; with all scopes when none are named."""
    wanted = scopes or tuple(p.value for p in KEY_SCOPES)
    with scope.enter(tenant.id, ACTOR, "req_test"):
        return keys.issue("test", wanted, at=clock.now())[1]
