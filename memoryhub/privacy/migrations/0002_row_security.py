"""Row-level security and composite foreign keys for the privacy room."""

from django.db import migrations

from memoryhub.tenants.rls import TenantTable


class Migration(migrations.Migration):
    dependencies = [("privacy", "0001_initial"), ("memory", "0002_row_security")]

    operations = [
        TenantTable("privacy_request", {"subject_id": "subject"}),
        TenantTable("receipt", {"request_id": "privacy_request"}),
    ]
