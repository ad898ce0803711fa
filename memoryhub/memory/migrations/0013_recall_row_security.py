"""Row-level security for what recall needs, and the index of large scopes with the trigger that keeps it.

``indexed_vector`` is partitioned by subject, so that a scan of one scope's graph meets few others. Each partition
has a graph for each usual dimension. The application has no rights on a partition: it reads through the parent.
"""

from django.db import migrations

from memoryhub.tenants.rls import TenantTable

PARTITIONS = 8
DIMENSIONS = (384, 768, 1024, 1536)
OF_FACT = {"subject_id": "subject", "fact_id": "fact"}

_LINKS = """
    FOREIGN KEY (tenant_id) REFERENCES tenant (id) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (tenant_id, subject_id) REFERENCES subject (tenant_id, id) ON DELETE CASCADE
        DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (tenant_id, fact_id) REFERENCES fact (tenant_id, id) ON DELETE CASCADE
        DEFERRABLE INITIALLY DEFERRED
"""

TABLES = f"""
CREATE TABLE indexed_vector (
    tenant_id uuid NOT NULL, subject_id uuid NOT NULL, fact_id uuid NOT NULL,
    embedder varchar(120) NOT NULL, dimension integer NOT NULL, embedding halfvec NOT NULL,
    PRIMARY KEY (tenant_id, subject_id, fact_id), {_LINKS}
) PARTITION BY HASH (subject_id);
CREATE INDEX indexed_vector_by_fact ON indexed_vector (tenant_id, fact_id);
CREATE TABLE indexed_word (
    tenant_id uuid NOT NULL, subject_id uuid NOT NULL, fact_id uuid NOT NULL, word text NOT NULL,
    PRIMARY KEY (tenant_id, subject_id, word, fact_id), {_LINKS}
);
CREATE INDEX indexed_word_by_fact ON indexed_word (tenant_id, fact_id);
"""

_WALL = "(tenant_id = (SELECT mh_tenant_required()))"


def _partition(number: int) -> str:
    name = f"indexed_vector_{number:02}"
    return f"""
CREATE TABLE {name} PARTITION OF indexed_vector FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number});
ALTER TABLE {name} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {name} FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON {name} USING {_WALL} WITH CHECK {_WALL};
REVOKE ALL ON {name} FROM PUBLIC, mh_app;
GRANT SELECT ON {name} TO mh_backup;
"""


def _graph(dimension: int) -> str:
    return f"""
CREATE INDEX indexed_vector_graph_{dimension} ON indexed_vector
    USING hnsw ((embedding::halfvec({dimension})) halfvec_cosine_ops) WHERE dimension = {dimension};
"""


TRIGGER = """
CREATE FUNCTION mh_index_fact() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_catalog AS $$
DECLARE place large_scope%ROWTYPE;
BEGIN
  SELECT * INTO place FROM large_scope WHERE tenant_id = NEW.tenant_id AND subject_id = NEW.subject_id;
  IF NOT FOUND THEN RETURN NULL; END IF;
  DELETE FROM indexed_vector
    WHERE tenant_id = NEW.tenant_id AND subject_id = NEW.subject_id AND fact_id = NEW.id;
  DELETE FROM indexed_word WHERE tenant_id = NEW.tenant_id AND fact_id = NEW.id;
  IF NEW.status = 'active' THEN
    INSERT INTO indexed_word (tenant_id, subject_id, fact_id, word)
      SELECT NEW.tenant_id, NEW.subject_id, NEW.id, word FROM unnest(tsvector_to_array(NEW.search)) AS word;
    INSERT INTO indexed_vector (tenant_id, subject_id, fact_id, embedder, dimension, embedding)
      SELECT NEW.tenant_id, NEW.subject_id, NEW.id, place.embedder, place.dimension, made.embedding
      FROM (VALUES (NEW.embedder, NEW.embedding), (NEW.next_embedder, NEW.next_embedding)) AS made (name, embedding)
      WHERE made.name = place.embedder AND made.embedding IS NOT NULL LIMIT 1;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER fact_indexed
  AFTER INSERT OR UPDATE OF status, statement, embedder, embedding, next_embedder, next_embedding ON fact
  FOR EACH ROW EXECUTE FUNCTION mh_index_fact();
"""

UNDO = """
DROP TRIGGER fact_indexed ON fact;
DROP FUNCTION mh_index_fact();
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0012_recall")]

    operations = [
        TenantTable("embedder"),
        TenantTable("recall_feedback", OF_FACT),
        TenantTable("fact_usage", OF_FACT),
        TenantTable("large_scope", {"subject_id": "subject"}),
        TenantTable("recall_suite"),
        TenantTable("recall_case", {"suite_id": "recall_suite", "subject_id": "subject"}),
        TenantTable("expected_fact", OF_FACT | {"case_id": "recall_case"}),
        TenantTable("recall_run", {"suite_id": "recall_suite"}),
        migrations.RunSQL(
            TABLES
            + "".join(_partition(number) for number in range(PARTITIONS))
            + "".join(_graph(dimension) for dimension in DIMENSIONS),
            "DROP TABLE indexed_word; DROP TABLE indexed_vector;",
        ),
        TenantTable("indexed_vector", has_id=False),
        TenantTable("indexed_word", has_id=False),
        migrations.RunSQL(TRIGGER, UNDO),
    ]
