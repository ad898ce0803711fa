"""``manage.py bootstrap``: the first tenant and its owner, once."""

import secrets
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from memoryhub import clock
from memoryhub.accounts import members
from memoryhub.tenants import scope
from memoryhub.tenants.entrances import new_request_id, tenant_ids
from memoryhub.tenants.permissions import Role


class Command(BaseCommand):
    """Creates the first tenant and owner if there is none; prints how to sign in. Safe to run at each start."""

    help = "Create the first tenant and its owner, if there is no tenant yet."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--name", default="My team", help="the tenant's name")
        parser.add_argument("--slug", default="main", help="the tenant's short name")

    def handle(self, *args: Any, **options: Any) -> None:
        if tenant_ids():
            return
        password = settings.MEMORYHUB_ADMIN_PASSWORD or secrets.token_urlsafe(12)
        tenant = members.found_tenant(options["name"], options["slug"], at=clock.now())
        actor = scope.Actor(scope.ActorKind.SYSTEM, "command", "cli")
        with scope.enter(tenant.id, actor, new_request_id()):
            members.add(settings.MEMORYHUB_ADMIN_EMAIL, Role.OWNER, at=clock.now(), password=password)
        self.stdout.write(f"Sign in as {settings.MEMORYHUB_ADMIN_EMAIL}")
        if not settings.MEMORYHUB_ADMIN_PASSWORD:
            self.stdout.write(f"with the password {password}  (shown this once; change it under Account)")
