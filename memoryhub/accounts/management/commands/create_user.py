"""``manage.py create_user``: a member with a role."""

import secrets
from typing import Any

from memoryhub import clock
from memoryhub.accounts import members
from memoryhub.tenants.entrances import ScopedCommand
from memoryhub.tenants.permissions import Role


class Command(ScopedCommand):
    """Adds a member; prints a random password unless one is given."""

    help = "Add a member to a tenant."

    def add_arguments(self, parser: Any) -> None:
        super().add_arguments(parser)
        parser.add_argument("email")
        parser.add_argument("--role", default=Role.MEMBER.value, choices=[role.value for role in Role])
        parser.add_argument("--name", default="")
        parser.add_argument("--password", default="")

    def handle_scoped(self, *args: Any, **options: Any) -> None:
        password = options["password"] or secrets.token_urlsafe(12)
        members.add(
            options["email"], Role(options["role"]), at=clock.now(), name=options["name"], password=password
        )
        self.stdout.write(f"{options['email']} is now {options['role']}.")
        if not options["password"]:
            self.stdout.write(f"Password, shown this once, if the account is new: {password}")
