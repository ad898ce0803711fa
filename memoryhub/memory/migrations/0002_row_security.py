"""Row-level security and composite foreign keys for the memory room."""

from django.db import migrations

from memoryhub.tenants.rls import TenantTable

OF_SUBJECT = {"subject_id": "subject"}


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_initial"), ("tenants", "0002_row_security")]

    operations = [
        TenantTable("subject", {"membership_id": "membership"}),
        TenantTable("thread", OF_SUBJECT | {"agent_id": "agent"}),
        TenantTable("turn", OF_SUBJECT | {"thread_id": "thread"}),
        TenantTable("summary", OF_SUBJECT | {"thread_id": "thread"}),
        TenantTable("fact", OF_SUBJECT | {"supersedes_id": "fact"}),
        TenantTable("fact_version", OF_SUBJECT | {"fact_id": "fact"}),
        TenantTable("evidence", OF_SUBJECT | {"fact_id": "fact", "turn_id": "turn"}),
        TenantTable("recalled_fact", OF_SUBJECT | {"fact_id": "fact", "turn_id": "turn"}),
        TenantTable("suppression", OF_SUBJECT),
        TenantTable("memory_job", OF_SUBJECT | {"thread_id": "thread"}),
        TenantTable("idempotent_answer", OF_SUBJECT),
    ]
