"""PostgreSQL backend that hands the scope's tenant to the database, for one transaction at a time.

At each BEGIN the tenant is bound with a transaction-local setting. A statement outside any transaction gets one
of its own when a scope is in force, since a local setting is void in autocommit; without a scope nothing is
bound and row-level security raises. No session-level setting exists, so a pooled connection carries nothing over.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from django.db.backends.postgresql import base
from django.db.backends.utils import CursorDebugWrapper, CursorWrapper

from memoryhub.tenants import scope


def _bind_statement(tenant_id: object) -> str:
    # A UUID object prints hex digits and dashes only. Sent together with BEGIN it costs no extra round trip.
    return f"SELECT set_config('app.tenant_id', '{tenant_id}', true)"


class _ScopedExecution:
    db: Any
    cursor: Any

    def _in_own_transaction(self) -> bool:
        return scope.current_or_none() is not None and self.db.get_autocommit()

    def _execute(self, sql: Any, params: Any, *ignored: Any) -> Any:
        if not self._in_own_transaction():
            return super()._execute(sql, params, *ignored)  # type: ignore[misc]
        with self.db.wrap_database_errors, self.db.own_transaction():
            return super()._execute(sql, params, *ignored)  # type: ignore[misc]

    def _executemany(self, sql: Any, param_list: Any, *ignored: Any) -> Any:
        if not self._in_own_transaction():
            return super()._executemany(sql, param_list, *ignored)  # type: ignore[misc]
        with self.db.wrap_database_errors, self.db.own_transaction():
            return super()._executemany(sql, param_list, *ignored)  # type: ignore[misc]


class ScopedCursor(_ScopedExecution, CursorWrapper):
    """A cursor that never runs a scoped statement unbound."""


class ScopedDebugCursor(_ScopedExecution, CursorDebugWrapper):
    """The same, recording queries."""


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's PostgreSQL backend plus the binding."""

    @contextlib.contextmanager
    def own_transaction(self) -> Iterator[None]:
        """A bound transaction for one statement."""
        with self.connection.transaction():
            self.bind_tenant()
            yield

    def bind_tenant(self) -> None:
        """Bind the scope's tenant to the transaction that is open on this connection."""
        current = scope.current_or_none()
        if current is not None:
            self.connection.execute(_bind_statement(current.tenant_id))

    def set_autocommit(
        self, autocommit: bool, force_begin_transaction_with_broken_autocommit: bool = False
    ) -> None:
        super().set_autocommit(autocommit, force_begin_transaction_with_broken_autocommit)
        if not autocommit:
            self.bind_tenant()

    def make_cursor(self, cursor: Any) -> CursorWrapper:
        return ScopedCursor(cursor, self)

    def make_debug_cursor(self, cursor: Any) -> CursorDebugWrapper:
        return ScopedDebugCursor(cursor, self)
