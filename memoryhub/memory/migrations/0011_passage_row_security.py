"""Row-level security for passages, and the trigger by which no passage outlives the words it was made from."""

from django.db import migrations

from memoryhub.tenants.rls import TenantTable

# Runs with the rights of whoever changes the turn, so row-level security binds it. An answer that grows while it is
# written has no passages and wakes nothing; from the moment it is final its thread has it to index.
_TRIGGER = """
CREATE FUNCTION mh_forget_passages() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
  DELETE FROM passage WHERE tenant_id = NEW.tenant_id AND turn_id = NEW.id;
  UPDATE thread SET indexed_seq = NEW.seq - 1
  WHERE tenant_id = NEW.tenant_id AND id = NEW.thread_id AND indexed_seq >= NEW.seq;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION mh_forget_passages() FROM PUBLIC;
CREATE TRIGGER turn_forget_passages AFTER UPDATE OF content, status ON turn FOR EACH ROW
  WHEN ((OLD.status NOT IN ('pending', 'streaming') OR NEW.status NOT IN ('pending', 'streaming'))
    AND (OLD.content IS DISTINCT FROM NEW.content OR OLD.status IS DISTINCT FROM NEW.status))
  EXECUTE FUNCTION mh_forget_passages();
"""
_NO_TRIGGER = """
DROP TRIGGER turn_forget_passages ON turn;
DROP FUNCTION mh_forget_passages();
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0010_passage")]

    operations = [
        TenantTable("passage", {"turn_id": "turn", "thread_id": "thread", "subject_id": "subject"}),
        migrations.RunSQL(_TRIGGER, _NO_TRIGGER),
    ]
