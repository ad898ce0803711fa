"""``manage.py remove_user``: take a person's place away, and their account if it was the last."""

from typing import Any

from memoryhub import clock
from memoryhub.accounts import members
from memoryhub.tenants.entrances import ScopedCommand


class Command(ScopedCommand):
    """Removes a member. What is remembered about them is another matter: see privacy requests."""

    help = "Remove a member from a tenant."

    def add_arguments(self, parser: Any) -> None:
        super().add_arguments(parser)
        parser.add_argument("email")

    def handle_scoped(self, *args: Any, **options: Any) -> None:
        members.remove(options["email"], at=clock.now())
        self.stdout.write(f"{options['email']} is no member any more.")
