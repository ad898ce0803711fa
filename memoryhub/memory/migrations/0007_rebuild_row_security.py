"""Row-level security for the rebuilds."""

from django.db import migrations

from memoryhub.tenants.rls import TenantTable


class Migration(migrations.Migration):
    dependencies = [("memory", "0006_rebuild")]

    operations = [TenantTable("rebuild", {"subject_id": "subject"})]
