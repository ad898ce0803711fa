"""The audit trail: row-level security, no change or removal, and a hash chain that the database itself keeps."""

from django.db import migrations

from memoryhub.tenants.rls import TenantTable

CHAIN = """
CREATE FUNCTION mh_audit_hash(e audit_event) RETURNS bytea LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public AS $$
  SELECT sha256(e.prev || convert_to(concat_ws('|', e.tenant_id, e.id, e.seq, extract(epoch FROM e.at)::numeric(20, 6),
    e.actor_kind, e.actor_id, e.via, e.request_id, e.action, e.object_kind, coalesce(e.object_id::text, ''),
    e.subject_ref, e.detail::text), 'UTF8'))
$$;
-- Runs as the owner: the application may not touch audit_head. Row-level security still binds it to the tenant.
CREATE FUNCTION mh_audit_chain() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
DECLARE head audit_head;
BEGIN
  IF NEW.tenant_id <> mh_tenant_required() THEN
    RAISE EXCEPTION 'audit entry of another tenant' USING ERRCODE = 'insufficient_privilege';
  END IF;
  INSERT INTO audit_head (tenant_id, seq, hash) VALUES (NEW.tenant_id, 0, ''::bytea) ON CONFLICT DO NOTHING;
  SELECT * INTO head FROM audit_head WHERE tenant_id = NEW.tenant_id FOR UPDATE;
  NEW.seq := head.seq + 1;
  NEW.prev := head.hash;
  NEW.hash := mh_audit_hash(NEW);
  UPDATE audit_head SET seq = NEW.seq, hash = NEW.hash WHERE tenant_id = NEW.tenant_id;
  RETURN NEW;
END $$;
CREATE FUNCTION mh_audit_refuse() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
REVOKE ALL ON FUNCTION mh_audit_hash(audit_event), mh_audit_chain(), mh_audit_refuse() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mh_audit_hash(audit_event) TO mh_app;
CREATE TRIGGER audit_chain BEFORE INSERT ON audit_event FOR EACH ROW EXECUTE FUNCTION mh_audit_chain();
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit_event
  FOR EACH ROW EXECUTE FUNCTION mh_audit_refuse();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION mh_audit_refuse();
REVOKE ALL ON audit_head FROM mh_app;
GRANT SELECT ON audit_head TO mh_app;
"""

UNCHAIN = """
DROP TRIGGER audit_no_truncate ON audit_event; DROP TRIGGER audit_append_only ON audit_event;
DROP TRIGGER audit_chain ON audit_event;
DROP FUNCTION mh_audit_refuse(); DROP FUNCTION mh_audit_chain(); DROP FUNCTION mh_audit_hash(audit_event);
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial"), ("tenants", "0002_row_security")]

    operations = [
        TenantTable("audit_event", append_only=True),
        TenantTable("audit_head", has_id=False),
        migrations.RunSQL(CHAIN, UNCHAIN),
    ]
