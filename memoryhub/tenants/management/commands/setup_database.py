"""Prepare a PostgreSQL server of one's own for MemoryHub: roles, database, extension, rights."""

from argparse import ArgumentParser
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError

from memoryhub.errors import MemoryHubError
from memoryhub.tenants import provision
from memoryhub.tenants.provision import RolePasswords, RoleUrls


class Command(BaseCommand):
    """Needs no configured database: it makes the one that will be configured."""

    help = (
        "Make the database and its three roles on a PostgreSQL server, and print the addresses to configure."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """An administrator's address, and the database's name."""
        parser.add_argument("--admin-url", required=True, help="postgresql://… of a superuser of the server")
        parser.add_argument(
            "--database", default="memoryhub", help="name of the database (default: %(default)s)"
        )
        parser.add_argument(
            "--new-passwords", action="store_true", help="replace the passwords of existing roles"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Safe to run again: it puts right what has drifted."""
        try:
            passwords = _passwords(options["admin_url"], replace=options["new_passwords"])
            urls = provision.provision(options["admin_url"], options["database"], passwords)
        except (MemoryHubError, psycopg.Error) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(_instructions(urls))
        if None in (passwords.owner, passwords.app, passwords.backup):
            self.stderr.write(
                "Roles that existed kept their passwords: put them into the addresses above after the role's name, "
                "or run this again with --new-passwords."
            )


def _passwords(admin_url: str, *, replace: bool) -> RolePasswords:
    fresh = RolePasswords.generate()
    new = provision.missing_roles(admin_url)
    return RolePasswords(
        owner=fresh.owner if replace or provision.OWNER in new else None,
        app=fresh.app if replace or provision.APP in new else None,
        backup=fresh.backup if replace or provision.BACKUP in new else None,
    )


def _instructions(urls: RoleUrls) -> str:
    return f"""# For the web processes and workers:
DATABASE_URL={urls.app}
# For migrations only:
MEMORYHUB_OWNER_DATABASE_URL={urls.owner}
# For backups only:
MEMORYHUB_BACKUP_DATABASE_URL={urls.backup}

# Next, with the first two set:
#   python3 manage.py migrate
#   python3 manage.py check_isolation"""
