"""The catalogue guard: what in the database would let a row escape its tenant, in sentences. Empty when sound.

Runs as the application's role, at start-up, in ``manage.py check_isolation`` and in the tests.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

#: Functions that run with the owner's rights; each answers one narrow question (see the migrations that make them).
DEFINER_FUNCTIONS = frozenset({"auth_places", "auth_lookup_key", "all_tenants", "mh_audit_chain"})


@dataclass(frozen=True)
class _Check:
    sentence: str
    sql: str


#: The one expression that a policy may have, as PostgreSQL prints it; ``tenant`` itself is known by its id.
_WALL = "= ( SELECT mh_tenant_required() AS mh_tenant_required))"

_CHECKS: Sequence[_Check] = (
    _Check(
        "The application's role {0} is a superuser or bypasses row-level security; use mh_app.",
        "SELECT rolname FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolbypassrls)",
    ),
    _Check(
        "The application's role owns {0}; only the owner role may own tables.",
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = 'public' AND c.relowner = current_user::regrole ORDER BY 1",
    ),
    _Check(
        "The application's role is a member of {0}, and could become it.",
        "SELECT r.rolname FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.roleid"
        " WHERE m.member = current_user::regrole ORDER BY 1",
    ),
    _Check(
        "Schema {0} is open to the application's role, and nothing here looks into it.",
        "SELECT nspname FROM pg_namespace WHERE nspname NOT IN ('public', 'pg_catalog', 'information_schema')"
        " AND nspname !~ '^pg_(temp|toast)' AND has_schema_privilege(current_user, oid, 'usage') ORDER BY 1",
    ),
    _Check(
        "Table {0} has a tenant, but row-level security is not enabled, not forced, or has no policy.",
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'"
        " WHERE c.relkind IN ('r', 'p') AND (c.relname = 'tenant' OR EXISTS (SELECT 1 FROM pg_attribute a"
        " WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped))"
        " AND NOT (c.relrowsecurity AND c.relforcerowsecurity"
        " AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid)) ORDER BY 1",
    ),
    _Check(
        "Policy {0} is not the tenant's and nothing else, so it could match without a tenant or beside it.",
        "SELECT p.polname || ' on ' || c.relname FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid"
        " JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public', LATERAL"
        " (SELECT '(' || CASE c.relname WHEN 'tenant' THEN 'id ' ELSE 'tenant_id ' END || %(wall)s AS wall) w"
        " WHERE (coalesce(pg_get_expr(p.polqual, p.polrelid), w.wall) <> w.wall"
        " OR coalesce(pg_get_expr(p.polwithcheck, p.polrelid), w.wall) <> w.wall)"
        " AND NOT (p.polname = 'owner_reads' AND c.relname IN ('tenant', 'membership', 'api_key')"
        " AND p.polroles = ARRAY[c.relowner] AND p.polcmd = 'r') ORDER BY 1",
    ),
    _Check(
        "View {0} reads with its owner's rights; make it security_invoker.",
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'"
        " WHERE c.relkind = 'v' AND NOT coalesce(c.reloptions::text ~ 'security_invoker=(true|on)', false)"
        " AND has_table_privilege(current_user, c.oid, 'select') ORDER BY 1",
    ),
    _Check(
        "Materialised view {0} is outside row-level security; drop it.",
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'"
        " WHERE c.relkind = 'm' AND has_table_privilege(current_user, c.oid, 'select') ORDER BY 1",
    ),
    _Check(
        "Function {0} runs with its owner's rights and is not on the list of those that may.",
        "SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace AND n.nspname = 'public'"
        " WHERE p.prosecdef AND NOT p.proname = ANY(%(definers)s) ORDER BY 1",
    ),
    # By what the role can do, so that a right given to everyone or to one column counts as well.
    _Check(
        "The application's role holds {0}, which it must not.",
        "SELECT g.act || ' on ' || c.relname FROM pg_class c"
        " JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public', LATERAL (VALUES"
        " ('TRUNCATE', has_table_privilege(current_user, c.oid, 'TRUNCATE')),"
        " ('TRIGGER', has_table_privilege(current_user, c.oid, 'TRIGGER')),"
        " ('REFERENCES', has_any_column_privilege(current_user, c.oid, 'REFERENCES')),"
        " ('UPDATE', c.relname LIKE 'audit%%' AND has_any_column_privilege(current_user, c.oid, 'UPDATE')),"
        " ('DELETE', c.relname LIKE 'audit%%' AND has_table_privilege(current_user, c.oid, 'DELETE'))"
        " ) g (act, held) WHERE c.relkind IN ('r', 'p') AND g.held ORDER BY 1",
    ),
    _Check(
        "Foreign key {0} links two tenant tables without the tenant; it could point into another tenant.",
        "SELECT k.conname FROM pg_constraint k WHERE k.contype = 'f'"
        " AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attname = 'tenant_id'"
        " AND NOT a.attnum = ANY(k.conkey))"
        " AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = k.confrelid AND a.attname = 'tenant_id')"
        " ORDER BY 1",
    ),
    _Check(
        "Unique index {0} spans tenants; it would tell one tenant what another has.",
        "SELECT i.indexrelid::regclass::text FROM pg_index i WHERE (i.indisunique OR i.indisexclusion)"
        " AND NOT i.indisprimary AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = i.indrelid"
        " AND a.attname = 'tenant_id' AND NOT a.attnum = ANY(i.indkey)) ORDER BY 1",
    ),
)


def findings() -> list[str]:
    """Every hole in the catalogue as a sentence."""
    found = []
    with connection.cursor() as cursor:
        for check in _CHECKS:
            cursor.execute(check.sql, {"definers": sorted(DEFINER_FUNCTIONS), "wall": _WALL})
            found += [check.sentence.format(row[0]) for row in cursor.fetchall()]
    return found
