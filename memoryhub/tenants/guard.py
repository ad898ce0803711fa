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
        "Table {0} has a tenant, but row-level security is not enabled, not forced, or has no policy.",
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'"
        " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped"
        " LEFT JOIN pg_policy p ON p.polrelid = c.oid WHERE c.relkind IN ('r', 'p')"
        " GROUP BY c.relname, c.relrowsecurity, c.relforcerowsecurity"
        " HAVING NOT (c.relrowsecurity AND c.relforcerowsecurity AND count(p.*) > 0) ORDER BY 1",
    ),
    _Check(
        "Policy {0} does not call mh_tenant_required(), so it could match without a tenant.",
        "SELECT p.polname || ' on ' || c.relname FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid"
        " JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'"
        " WHERE pg_get_expr(p.polqual, p.polrelid) NOT LIKE '%%mh_tenant_required()%%'"
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
    _Check(
        "The application's role holds {0}, which it must not.",
        "SELECT privilege_type || ' on ' || table_name FROM information_schema.role_table_grants"
        " WHERE grantee = current_user AND (privilege_type IN ('TRUNCATE', 'REFERENCES', 'TRIGGER')"
        " OR (table_name LIKE 'audit%%' AND privilege_type IN ('UPDATE', 'DELETE'))) ORDER BY 1",
    ),
    _Check(
        "Foreign key {0} links two tenant tables by one column; it could point into another tenant.",
        "SELECT k.conname FROM pg_constraint k WHERE k.contype = 'f' AND array_length(k.conkey, 1) = 1"
        " AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attname = 'tenant_id')"
        " AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = k.confrelid AND a.attname = 'tenant_id')"
        " ORDER BY 1",
    ),
    _Check(
        "Unique index {0} spans tenants; it would tell one tenant what another has.",
        "SELECT i.indexrelid::regclass::text FROM pg_index i WHERE i.indisunique AND NOT i.indisprimary"
        " AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attname = 'tenant_id'"
        " AND NOT a.attnum = ANY(i.indkey)) ORDER BY 1",
    ),
)


def findings() -> list[str]:
    """Every hole in the catalogue as a sentence."""
    found = []
    with connection.cursor() as cursor:
        for check in _CHECKS:
            cursor.execute(check.sql, {"definers": sorted(DEFINER_FUNCTIONS)})
            found += [check.sentence.format(row[0]) for row in cursor.fetchall()]
    return found
