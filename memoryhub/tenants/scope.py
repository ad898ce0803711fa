"""The one ambient fact: on whose behalf this code runs.

A scope is entered at an entrance (``entrances.py``) and nowhere else. Managers filter by it and refuse without
it; the database backend (``postgresql/base.py``) hands its tenant to PostgreSQL, transaction by transaction.
"""

import contextlib
import contextvars
import enum
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection
from psycopg.pq import TransactionStatus

from memoryhub.errors import MemoryHubError


class NoScope(MemoryHubError):
    """Code touched tenant data outside a scope. A programming error, never an empty result."""

    code = "no_scope"


class ActorKind(enum.StrEnum):
    """What sort of actor acts."""

    USER = "user"
    API_KEY = "api_key"
    SYSTEM = "system"


@dataclass(frozen=True)
class Actor:
    """Who acts: a kind, the id of the user or key, and how they came in (``ui``, ``api``, ``job``, ``cli``)."""

    kind: ActorKind
    id: str
    via: str


SYSTEM = Actor(ActorKind.SYSTEM, "memoryhub", "job")


@dataclass(frozen=True)
class Scope:
    """Tenant, actor and request id: what every query, audit entry and queued task carries."""

    tenant_id: uuid.UUID
    actor: Actor
    request_id: str


_current: contextvars.ContextVar[Scope | None] = contextvars.ContextVar("memoryhub_scope", default=None)


def current() -> Scope:
    """The scope in force. Raises ``NoScope`` outside one."""
    scope = _current.get()
    if scope is None:
        raise NoScope("This touches tenant data, and no scope has been entered.")
    return scope


def current_or_none() -> Scope | None:
    """The scope in force, or None; only for the entrances, the backend and the logs."""
    return _current.get()


def _bind(tenant_id: uuid.UUID | None) -> None:
    """Tell a transaction that is already open; others are told at their BEGIN by the backend.

    An aborted transaction is left alone: its rollback reverts the setting, and SQL here would hide the real error.
    """
    if not connection.in_atomic_block or connection.connection is None:
        return
    if connection.connection.info.transaction_status in (
        TransactionStatus.INERROR,
        TransactionStatus.UNKNOWN,
    ):
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('app.tenant_id', %s, true)", [str(tenant_id or "")])


@contextlib.contextmanager
def enter(tenant_id: uuid.UUID, actor: Actor, request_id: str) -> Iterator[Scope]:
    """Run a block for one tenant. Raises ``NoScope`` when another tenant's scope is already in force."""
    outer = _current.get()
    if outer is not None and outer.tenant_id != tenant_id:
        raise NoScope("Refusing to switch tenant inside a scope.")
    scope = Scope(tenant_id, actor, request_id)
    token = _current.set(scope)
    try:
        if outer is None:
            _bind(tenant_id)
        yield scope
    finally:
        _current.reset(token)
        if outer is None:
            _bind(None)
