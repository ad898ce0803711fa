"""One installation and one model endpoint for all journeys; each journey has people of its own."""

import shutil
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.product import PASSWORD, Api, Person, Product
from tests.journeys.provider import RulesProvider

SCOPES = (
    "memory:read",
    "memory:write",
    "facts:curate",
    "facts:purge",
    "privacy:open",
    "privacy:read",
    "audit:read",
    "jobs:read",
    "jobs:manage",
)


@pytest.fixture(scope="package")
def provider() -> Iterator[RulesProvider]:
    with RulesProvider() as running:
        yield running


@pytest.fixture(scope="package")
def product(provider: RulesProvider) -> Iterator[Product]:
    # Not one of pytest's folders: they are closed to others, and PostgreSQL does not run as root.
    parent = Path(tempfile.mkdtemp(prefix="memoryhub-journeys-"))
    parent.chmod(0o755)
    running = Product(parent / "state", provider.url)
    try:
        running.start()
        yield running
        running.stop()
        assert running.pids() == [], "a process was left behind"
    finally:
        running.stop()
        shutil.rmtree(parent, ignore_errors=True)


@pytest.fixture(scope="package")
def key(product: Product) -> str:
    scopes = [word for scope in SCOPES for word in ("--scope", scope)]
    return product.command("issue_api_key", "journeys", *scopes).splitlines()[-1]


@pytest.fixture
def api(product: Product, key: str) -> Api:
    return Api(product.base, key)


@pytest.fixture
def member(product: Product) -> Person:
    """A fresh member, signed in."""
    email = f"{uuid.uuid4().hex[:8]}@example.com"
    product.command("create_user", email, "--role", "member", "--password", PASSWORD)
    return Person(product.base, email)


@pytest.fixture(autouse=True)
def _model_is_up(provider: RulesProvider) -> Iterator[None]:
    provider.down = False
    provider.reset()
    yield
    provider.down = False
