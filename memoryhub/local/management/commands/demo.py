"""``manage.py demo``: two tenants with believable threads and facts."""

import secrets
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from memoryhub import clock
from memoryhub.local import demo
from memoryhub.tenants.entrances import tenant_ids


class Command(BaseCommand):
    """Fills an installation for a look around; does nothing when it has been filled already."""

    help = "Fill two tenants with believable threads and facts."

    def handle(self, *args: Any, **options: Any) -> None:
        if not tenant_ids():
            raise CommandError("There is no tenant yet; run 'manage.py bootstrap' first.")
        password = settings.MEMORYHUB_ADMIN_PASSWORD or secrets.token_urlsafe(12)
        if not demo.fill(password, at=clock.now()):
            return
        self.stdout.write(f"Demonstration data is in. These can sign in too, with the password {password}")
        for email, name, role in demo.MEMBERS:
            self.stdout.write(f"  {email}  {name}, {role.label.lower()}")
