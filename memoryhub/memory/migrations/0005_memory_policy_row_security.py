"""Row-level security for the policy table."""

from django.db import migrations

from memoryhub.tenants.rls import TenantTable


class Migration(migrations.Migration):
    dependencies = [("memory", "0004_memory_policy")]

    operations = [TenantTable("memory_policy")]
