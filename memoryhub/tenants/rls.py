"""Migration operations that put a table under row-level security.

``TenantTable`` is run once for every model that derives from ``TenantModel``. The policy calls
``mh_tenant_required()``, which raises when no tenant is set: an export or an erasure that silently saw no rows
would report success.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import migrations

APP_ROLE = "mh_app"

REQUIRED_FUNCTION = """
CREATE OR REPLACE FUNCTION mh_tenant_required() RETURNS uuid LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog AS $$
DECLARE v text := current_setting('app.tenant_id', true);
BEGIN
  IF v IS NULL OR v = '' THEN
    RAISE EXCEPTION 'tenant context missing' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN v::uuid;
END $$;
GRANT EXECUTE ON FUNCTION mh_tenant_required() TO mh_app, mh_backup;
"""


class TenantTable(migrations.operations.base.Operation):
    """Row-level security (enabled, forced, loud), a ``(tenant_id, id)`` key and the composite foreign keys.

    ``links`` maps a link's column to the table it points at: ``{"thread_id": "thread"}``. ``tenant_column`` is
    ``id`` for the tenant table itself. ``owner_reads`` lets the owning role read the table: only for the three
    tables that a sign-in must read before the tenant is known, through functions made for that.
    """

    reversible = True

    def __init__(
        self,
        table: str,
        links: Mapping[str, str] | None = None,
        *,
        tenant_column: str = "tenant_id",
        owner_reads: bool = False,
        append_only: bool = False,
        has_id: bool = True,
    ) -> None:
        self.table = table
        self.links = dict(links or {})
        self.tenant_column = tenant_column
        self.owner_reads = owner_reads
        self.append_only = append_only
        self.has_id = has_id

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return (
            self.__class__.__qualname__,
            [self.table, self.links],
            {
                "tenant_column": self.tenant_column,
                "owner_reads": self.owner_reads,
                "append_only": self.append_only,
                "has_id": self.has_id,
            },
        )

    def state_forwards(self, app_label: str, state: Any) -> None:
        """The tables are the same to the ORM."""

    def describe(self) -> str:
        return f"Put {self.table} under row-level security"

    def _policy(self) -> str:
        table, column = self.table, self.tenant_column
        role = f"TO {APP_ROLE}" if self.owner_reads else ""
        owner = (
            f"CREATE POLICY owner_reads ON {table} FOR SELECT TO CURRENT_USER USING (true);"
            if self.owner_reads
            else ""
        )
        return f"""
            ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
            ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
            CREATE POLICY tenant_isolation ON {table} {role}
                USING ({column} = (SELECT mh_tenant_required()))
                WITH CHECK ({column} = (SELECT mh_tenant_required()));
            {owner}
            REVOKE ALL ON {table} FROM PUBLIC, {APP_ROLE};
            GRANT {"SELECT, INSERT" if self.append_only else "SELECT, INSERT, UPDATE, DELETE"} ON {table} TO {APP_ROLE};
            GRANT SELECT ON {table} TO mh_backup;
        """

    def _keys(self) -> Sequence[str]:
        if self.tenant_column != "tenant_id" or not self.has_id:
            return []
        unique = f"ALTER TABLE {self.table} ADD CONSTRAINT {self.table}_tenant_id_id UNIQUE (tenant_id, id)"
        return [unique, *(self._foreign_key(column, target) for column, target in self.links.items())]

    def _foreign_key(self, column: str, target: str) -> str:
        # The check of what is there already runs as the owner, whom FORCE would bind to one tenant.
        return f"""
            ALTER TABLE {self.table} NO FORCE ROW LEVEL SECURITY;
            ALTER TABLE {target} NO FORCE ROW LEVEL SECURITY;
            ALTER TABLE {self.table} ADD CONSTRAINT {self.table}_{column}_in_tenant
                FOREIGN KEY (tenant_id, {column}) REFERENCES {target} (tenant_id, id)
                DEFERRABLE INITIALLY DEFERRED;
            ALTER TABLE {target} FORCE ROW LEVEL SECURITY;
            ALTER TABLE {self.table} FORCE ROW LEVEL SECURITY;
        """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        # Foreign keys of this very migration may still wait; once the table is under FORCE, PostgreSQL's own check of
        # a new key is bound to a tenant and fails.
        waiting, schema_editor.deferred_sql[:] = list(schema_editor.deferred_sql), []
        for statement in waiting:
            schema_editor.execute(statement, None)
        schema_editor.execute(self._policy())
        for statement in self._keys():
            schema_editor.execute(statement)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        schema_editor.execute(f"DROP POLICY tenant_isolation ON {self.table}")
        schema_editor.execute(f"DROP POLICY IF EXISTS owner_reads ON {self.table}")
        schema_editor.execute(f"ALTER TABLE {self.table} NO FORCE ROW LEVEL SECURITY")
        schema_editor.execute(f"ALTER TABLE {self.table} DISABLE ROW LEVEL SECURITY")
        for column in self.links:
            schema_editor.execute(f"ALTER TABLE {self.table} DROP CONSTRAINT {self.table}_{column}_in_tenant")
        if self.tenant_column == "tenant_id" and self.has_id:
            schema_editor.execute(f"ALTER TABLE {self.table} DROP CONSTRAINT {self.table}_tenant_id_id")
