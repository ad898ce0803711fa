"""The JSON door as its callers see it."""

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from memoryhub.tenants.models import Tenant, User
from tests.api.world import World, build
from tests.conftest import empty_database, issue_key

API = "/api/v1"


class Api:
    """A program with a key."""

    def __init__(self, secret: str = "", client: Client | None = None) -> None:
        self.client = client or Client(raise_request_exception=False)
        self.headers = {"Authorization": f"Bearer {secret}"} if secret else {}

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """One request; ``body`` is sent as JSON, bytes as they are. Headers by keyword: ``If_Match``."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {
            "content_type": named.pop("Content-Type", "application/json"),
            "headers": {**self.headers, **named},
        }
        if body is not None:
            sent["data"] = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.generic(method, path if path.startswith("/") else f"{API}/{path}", **sent)

    def get(self, path: str, **headers: str) -> Any:
        """GET."""
        return self.send("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        """POST."""
        return self.send("POST", path, {} if body is None else body, **headers)


def code_of(answer: HttpResponse) -> str:
    """The code of a problem, after a look at its shape."""
    assert answer["Content-Type"] == "application/problem+json", answer.content[:300]
    body = json.loads(answer.content)
    assert body["status"] == answer.status_code
    assert body["request_id"] == answer["X-Request-Id"]
    assert {"type", "title", "detail", "code"} <= set(body)
    return str(body["code"])


@pytest.fixture
def api(tenant: Tenant) -> Api:
    """A program with every scope a key can have."""
    return Api(issue_key(tenant))


@pytest.fixture(scope="module")
def world(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    """One tenant with something of everything, for a whole module; committed, and gone after it."""
    with _committed(django_db_blocker, tmp_path_factory.mktemp("ledger")):
        yield build("aa")


@pytest.fixture(scope="module")
def callers(world: World) -> Mapping[str, Api]:
    """Who may write: a key with all scopes, the owner and the privacy officer, signed in."""
    return {"key": Api(world.secret), "session": signed_in(world.owner), "officer": signed_in(world.officer)}


def signed_in(user: User) -> Api:
    """The API as a page of ours would use it."""
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return Api(client=client)


@pytest.fixture(scope="module")
def worlds(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[World, World]]:
    """Two tenants of the same shape, for a whole module; committed, and gone after it."""
    with _committed(django_db_blocker, tmp_path_factory.mktemp("ledger")):
        yield build("aa"), build("bb")


@contextlib.contextmanager
def _committed(blocker: Any, folder: Path) -> Iterator[None]:
    kept, settings.MEMORYHUB_LEDGER = settings.MEMORYHUB_LEDGER, folder / "erasures.jsonl"
    with blocker.unblock():
        empty_database()
        try:
            yield
        finally:
            settings.MEMORYHUB_LEDGER = kept
            empty_database()
