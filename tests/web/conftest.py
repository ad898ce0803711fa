"""The pages as people with each role meet them, by Django's client."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from django.test import Client

from memoryhub import clock
from memoryhub.memory import facts, subjects
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import Origin
from memoryhub.memory.models import Fact, Subject
from memoryhub.tenants import scope
from memoryhub.tenants.models import Membership, Tenant
from memoryhub.tenants.permissions import Role
from tests.api.conftest import world  # noqa: F401 - a fixture: one tenant with something of everything
from tests.conftest import add_member


def actor(member: Membership) -> scope.Actor:
    """The member as the scope knows them."""
    return scope.Actor(scope.ActorKind.USER, str(member.user_id), "ui")


@contextlib.contextmanager
def acting(member: Membership) -> Iterator[None]:
    """What is done in the block, the member does."""
    with scope.enter(member.tenant_id, actor(member), "req_test"):
        yield


def signed_in(member: Membership, **options: Any) -> Client:
    """A browser of the member's, signed in."""
    client = Client(**options)
    client.force_login(member.user)
    return client


@pytest.fixture
def members(tenant: Tenant) -> Mapping[Role, Membership]:
    """One member for each role."""
    return {role: add_member(tenant, f"{role.value}@example.org", role) for role in Role}


@pytest.fixture
def as_role(members: Mapping[Role, Membership]) -> Callable[[Role], Client]:
    """A signed-in browser for a role."""
    return lambda role: signed_in(members[role])


@pytest.fixture
def owner(as_role: Callable[[Role], Client]) -> Client:
    """The owner's browser."""
    return as_role(Role.OWNER)


@pytest.fixture
def mira(members: Mapping[Role, Membership]) -> Subject:
    """A subject that a program knows."""
    with acting(members[Role.OPERATOR]):
        return subjects.ensure("mira", at=clock.now(), display_name="Mira Okonkwo")


def know(subject: Subject, statement: str, **more: Any) -> Fact:
    """A fact as an import brings it; the caller has entered the scope."""
    new = NewFact(statement, **{"kind": "preference", **more})
    return facts.remember(subject, new, origin=Origin.IMPORTED, human=False, at=clock.now())
