"""Row-level security for the tenants room, and the functions that a sign-in needs before a tenant is known.

The functions run as the owning role (SECURITY DEFINER), answer one narrow question each, and only the
application may call them; ``manage.py check_isolation`` knows them by name and refuses any other.
"""

from django.db import migrations

from memoryhub.tenants.rls import REQUIRED_FUNCTION, TenantTable

AUTH_FUNCTIONS = """
CREATE FUNCTION auth_places(wanted uuid)
RETURNS TABLE (tenant_id uuid, tenant_name varchar, membership_id uuid, role varchar)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT t.id, t.name, m.id, m.role FROM membership m JOIN tenant t ON t.id = m.tenant_id
  WHERE m.user_id = wanted ORDER BY m.created_at, m.id
$$;
CREATE FUNCTION auth_lookup_key(wanted varchar)
RETURNS TABLE (tenant_id uuid, tenant_name varchar, key_id uuid, secret_hash bytea, scopes varchar[],
               expires_at timestamptz, revoked_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT k.tenant_id, t.name, k.id, k.secret_hash, k.scopes, k.expires_at, k.revoked_at
  FROM api_key k JOIN tenant t ON t.id = k.tenant_id WHERE k.prefix = wanted
$$;
CREATE FUNCTION all_tenants() RETURNS TABLE (tenant_id uuid, slug varchar)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT id, slug FROM tenant ORDER BY created_at, id
$$;
REVOKE ALL ON FUNCTION auth_places(uuid), auth_lookup_key(varchar), all_tenants() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth_places(uuid), auth_lookup_key(varchar), all_tenants() TO mh_app;
CREATE INDEX api_key_by_prefix ON api_key (prefix);
CREATE INDEX membership_by_user ON membership (user_id);
"""

DROP_FUNCTIONS = """
DROP INDEX membership_by_user; DROP INDEX api_key_by_prefix;
DROP FUNCTION all_tenants(); DROP FUNCTION auth_lookup_key(varchar); DROP FUNCTION auth_places(uuid);
"""


class Migration(migrations.Migration):
    dependencies = [("tenants", "0001_initial")]

    operations = [
        migrations.RunSQL(REQUIRED_FUNCTION, "DROP FUNCTION mh_tenant_required()"),
        TenantTable("tenant", tenant_column="id", owner_reads=True),
        TenantTable("membership", owner_reads=True),
        TenantTable("agent"),
        TenantTable("api_key", owner_reads=True),
        migrations.RunSQL(AUTH_FUNCTIONS, DROP_FUNCTIONS),
    ]
