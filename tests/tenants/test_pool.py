"""Pooled connections carry nothing from one tenant to the next."""

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.test import Client

from memoryhub import clock
from memoryhub.memory import facts, subjects
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import Origin
from memoryhub.memory.models import Fact
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant
from tests.conftest import issue_key
from tests.tenants.conftest import inside

pytestmark = pytest.mark.django_db(transaction=True)
_WORKERS, _ROUNDS = 6, 80
Pair = tuple[Tenant, Tenant]


@pytest.fixture
def pool() -> Iterator[None]:
    """A pool of two connections, as the product has one; it is gone afterwards."""
    options = settings.DATABASES["default"]["OPTIONS"]
    connection.close()
    options["pool"] = {"min_size": 2, "max_size": 2, "timeout": 20}
    try:
        yield
    finally:
        connection.close()
        connection.close_pool()
        del options["pool"]


@pytest.fixture
def canaries(tenant: Tenant, other_tenant: Tenant) -> Pair:
    """Two tenants, each with ten facts that name it."""
    for owner in (tenant, other_tenant):
        with inside(owner):
            subject = subjects.ensure("same", at=clock.now())
            for number in range(10):
                new = NewFact(f"canary-{owner.slug}. number {number}")
                facts.remember(subject, new, origin=Origin.IMPORTED, human=False, at=clock.now())
    return tenant, other_tenant


def _all_statements() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM fact")
        return [row[0] for row in cursor.fetchall()]


def _read_in_autocommit(tenant: Tenant) -> list[str]:
    with inside(tenant):
        return _all_statements()


def _read_in_transaction(tenant: Tenant) -> list[str]:
    with inside(tenant), transaction.atomic():
        return _all_statements()


def _fail_in_python(tenant: Tenant) -> list[str]:
    with pytest.raises(RuntimeError), inside(tenant), transaction.atomic():
        assert _all_statements()
        raise RuntimeError
    return []


def _fail_in_sql(tenant: Tenant) -> list[str]:
    with pytest.raises(DatabaseError), inside(tenant), transaction.atomic():
        connection.cursor().execute("SELECT 1 / 0")
    return []


def _lose_the_connection(tenant: Tenant) -> list[str]:
    with pytest.raises((DatabaseError, InterfaceError)), inside(tenant), transaction.atomic():
        connection.connection.close()
        _all_statements()
    return []


def _forget_the_scope(tenant: Tenant) -> list[str]:
    with pytest.raises(DatabaseError, match="tenant context missing"):
        _all_statements()
    return []


def _forget_it_in_a_transaction(tenant: Tenant) -> list[str]:
    with pytest.raises(DatabaseError, match="tenant context missing"), transaction.atomic():
        with inside(tenant):
            assert _all_statements()
        _all_statements()
    return []


_ACTS = (
    _read_in_autocommit,
    _read_in_transaction,
    _fail_in_python,
    _fail_in_sql,
    _lose_the_connection,
    _forget_the_scope,
    _forget_it_in_a_transaction,
)


def _worker(seed: int, pair: Pair, start: threading.Barrier) -> int:
    chance, reads = random.Random(seed), 0
    start.wait(20)
    for _ in range(_ROUNDS):
        tenant = chance.choice(pair)
        seen = chance.choice(_ACTS)(tenant)
        assert all(statement.startswith(f"canary-{tenant.slug}.") for statement in seen)
        assert scope.current_or_none() is None
        reads += len(seen)
        if chance.random() < 0.7:
            connection.close()
    connection.close()
    return reads


@pytest.mark.parametrize("seed", [1, 2])
def test_no_row_crosses_between_tenants_that_share_connections(pool: None, canaries: Pair, seed: int) -> None:
    connection.close()
    start = threading.Barrier(_WORKERS)
    with ThreadPoolExecutor(_WORKERS) as workers:
        running = [workers.submit(_worker, seed * 100 + n, canaries, start) for n in range(_WORKERS)]
        reads = [future.result(60) for future in running]
    assert all(count > 0 for count in reads)
    for tenant in canaries:
        with inside(tenant):
            assert Fact.objects.count() == 10


def test_a_connection_given_back_has_no_tenant(pool: None, canaries: Pair) -> None:
    for tenant in canaries * 4:
        assert len(_read_in_transaction(tenant)) == 10
        connection.close()
        for _ in range(2):  # the pool hands out its two connections in turn
            with connection.cursor() as cursor:
                cursor.execute("SELECT coalesce(current_setting('app.tenant_id', true), '')")
                assert cursor.fetchone() == ("",)
            connection.close()


def _asking(seed: int, keys: dict[str, str], start: threading.Barrier) -> None:
    chance, client = random.Random(seed), Client()
    start.wait(20)
    for _ in range(15):
        slug, secret = chance.choice(list(keys.items()))
        address = chance.choice(
            ["/api/v1/facts", "/api/v1/facts?subject=same&limit=3", "/api/v1/facts?q=number"]
        )
        answer = client.get(address, headers={"Authorization": f"Bearer {secret}"})
        connection.close()  # as the end of a request does; the test client leaves it out
        statements = [row["statement"] for row in answer.json()["data"]]
        assert statements
        assert all(statement.startswith(f"canary-{slug}.") for statement in statements)
        refused = client.get("/api/v1/facts", headers={"Authorization": f"Bearer {secret}x"})
        assert refused.status_code == 401
        assert "canary" not in refused.content.decode()
        connection.close()


def test_no_answer_crosses_between_tenants_that_ask_at_once(pool: None, canaries: Pair) -> None:
    keys = {tenant.slug: issue_key(tenant) for tenant in canaries}
    connection.close()
    start = threading.Barrier(4)
    with ThreadPoolExecutor(4) as workers:
        for future in [workers.submit(_asking, n, keys, start) for n in range(4)]:
            future.result(60)
