"""Two tenants with data of the same shape."""

from contextlib import AbstractContextManager

import pytest

from memoryhub import clock
from memoryhub.memory import subjects
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant
from tests.conftest import ACTOR


def inside(tenant: Tenant) -> AbstractContextManager[scope.Scope]:
    """The tenant's scope."""
    return scope.enter(tenant.id, ACTOR, "req_test")


@pytest.fixture
def two(tenant: Tenant, other_tenant: Tenant) -> tuple[Tenant, Tenant]:
    """Two tenants with a subject each, under the same id and one of their own."""
    for name, owner in (("alice", tenant), ("malice", other_tenant)):
        with inside(owner):
            subjects.ensure(name, at=clock.now())
            subjects.ensure("same", at=clock.now())
    return tenant, other_tenant
