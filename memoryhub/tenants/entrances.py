"""The only places a scope is entered: a request, a task, a command."""

import logging
import re
import secrets
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from celery import Task
from django.core import signing
from django.core.management.base import BaseCommand
from django.db import InterfaceError, OperationalError, connection, transaction
from django.http import HttpRequest, HttpResponse

from memoryhub import clock
from memoryhub.errors import MemoryHubError, Unauthenticated, Unavailable
from memoryhub.tenants import scope
from memoryhub.tenants.identity import Identity, identify, note_use
from memoryhub.tenants.scope import Actor, ActorKind, Scope

logger = logging.getLogger(__name__)

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_SALT = "memoryhub.task-scope"


def new_request_id() -> str:
    """A fresh request id."""
    return "req_" + secrets.token_hex(8)


class RequestIdMiddleware:
    """Takes the caller's ``X-Request-Id`` when it is well formed, else makes one; answers with it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-Id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else new_request_id()
        request.request_id = request_id  # type: ignore[attr-defined]
        response = self.get_response(request)
        response["X-Request-Id"] = request_id
        return response


class ScopeMiddleware:
    """Identifies the caller and runs the rest of the request in their scope.

    A bad key does not end here: ``request.identity_error`` lets each door answer in its own form. Nor does, for
    programs, a database that does not answer.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        identity: Identity | None = None
        error: MemoryHubError | None = None
        try:
            identity = identify(request)
        except Unauthenticated as failure:
            error = failure
        except (OperationalError, InterfaceError):
            if not request.path.startswith("/api/"):
                raise
            logger.exception("database unavailable")
            error = Unavailable("The database does not answer; try again.", code="database_unavailable")
        request.identity = identity  # type: ignore[attr-defined]
        request.identity_error = error  # type: ignore[attr-defined]
        if identity is None:
            return self.get_response(request)
        with scope.enter(identity.tenant_id, identity.actor, request.request_id):  # type: ignore[attr-defined]
            note_use(identity, at=clock.now())
            return self.get_response(request)


def _seal(current: Scope) -> str:
    return signing.dumps(
        [str(current.tenant_id), current.actor.kind.value, current.actor.id, current.request_id], salt=_SALT
    )


def _open_seal(sealed: str) -> Scope:
    tenant_id, kind, actor_id, request_id = signing.loads(sealed, salt=_SALT)
    return Scope(uuid.UUID(tenant_id), Actor(ActorKind(kind), actor_id, "job"), request_id)


class TaskWithoutScope(RuntimeError):
    """A task came without a scope, or with one that we did not sign."""


class ScopedTask(Task):  # type: ignore[misc]
    """A task that runs in the scope in which it was enqueued.

    The scope travels signed in the headers: someone with access to the broker can not choose a tenant.
    ``tenant_free`` tasks (sweeps) get none and enter each tenant themselves with ``each_tenant``.
    """

    abstract = True
    tenant_free = False

    def apply_async(self, args: Any = None, kwargs: Any = None, **options: Any) -> Any:
        if not self.tenant_free and "memoryhub_scope" not in (options.get("headers") or {}):
            headers = {**(options.pop("headers", None) or {}), "memoryhub_scope": _seal(scope.current())}
            options["headers"] = headers
        return super().apply_async(args, kwargs, **options)

    def delay_on_commit(self, *args: Any) -> None:
        """Enqueue after the open transaction commits, with the scope as it is now.

        A broker that is down is not an error here: the sweep finds the work by its state in the database.
        """
        headers = {} if self.tenant_free else {"memoryhub_scope": _seal(scope.current())}
        transaction.on_commit(lambda: self.apply_async(args, headers=headers), robust=True)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.tenant_free:
            return super().__call__(*args, **kwargs)
        sealed = (self.request.headers or {}).get("memoryhub_scope") or self.request.get("memoryhub_scope")
        if not sealed:
            raise TaskWithoutScope(f"{self.name} came without a scope.")
        try:
            opened = _open_seal(sealed)
        except signing.BadSignature as error:
            raise TaskWithoutScope(f"{self.name} came with a scope that we did not sign.") from error
        with scope.enter(opened.tenant_id, opened.actor, opened.request_id):
            return super().__call__(*args, **kwargs)


def tenant_ids() -> list[uuid.UUID]:
    """All tenants, oldest first; for sweeps and commands."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id FROM all_tenants()")
        return [row[0] for row in cursor.fetchall()]


def each_tenant(actor: Actor = scope.SYSTEM) -> Iterator[Scope]:
    """Enter every tenant in turn; the block of each ``for`` round runs in that tenant's scope."""
    for tenant_id in tenant_ids():
        with scope.enter(tenant_id, actor, new_request_id()) as entered:
            yield entered


class ScopedCommand(BaseCommand):
    """A command for one tenant, named by ``--tenant`` (its slug); may be left out when there is only one."""

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--tenant", default="", help="the tenant's slug; optional when there is only one")

    def handle(self, *args: Any, **options: Any) -> None:
        tenant_id = self._tenant(options.pop("tenant"))
        actor = Actor(ActorKind.SYSTEM, "command", "cli")
        with scope.enter(tenant_id, actor, new_request_id()):
            self.handle_scoped(*args, **options)

    def handle_scoped(self, *args: Any, **options: Any) -> None:
        """What the command does, inside the scope."""
        raise NotImplementedError

    def _tenant(self, slug: str) -> uuid.UUID:
        with connection.cursor() as cursor:
            cursor.execute("SELECT tenant_id, slug FROM all_tenants()")
            rows = cursor.fetchall()
        found = [row[0] for row in rows if row[1] == slug] if slug else [row[0] for row in rows]
        if len(found) == 1:
            return found[0]  # type: ignore[no-any-return]
        names = ", ".join(row[1] for row in rows) or "none yet; run 'manage.py bootstrap'"
        raise SystemExit(f"Name one tenant with --tenant SLUG. Tenants: {names}.")
