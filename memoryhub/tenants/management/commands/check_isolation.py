"""``manage.py check_isolation``: refuse to go on when a tenant's wall has a hole."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryhub.tenants import guard


class Command(BaseCommand):
    """Prints each hole as a sentence and fails; silent success is one line."""

    help = "Check that the database itself keeps tenants apart."

    def handle(self, *args: Any, **options: Any) -> None:
        holes = guard.findings()
        for hole in holes:
            self.stderr.write(hole)
        if holes:
            raise CommandError(f"Isolation is broken in {len(holes)} place(s).")
        self.stdout.write("Isolation holds: the database keeps tenants apart.")
