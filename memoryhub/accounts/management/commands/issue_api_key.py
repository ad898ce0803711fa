"""``manage.py issue_api_key``: a key for a program."""

from typing import Any

from memoryhub import clock
from memoryhub.accounts import keys
from memoryhub.tenants.entrances import ScopedCommand


class Command(ScopedCommand):
    """Issues a key and prints its secret, once."""

    help = "Issue an API key."

    def add_arguments(self, parser: Any) -> None:
        super().add_arguments(parser)
        parser.add_argument("name")
        parser.add_argument("--scope", action="append", choices=keys.all_scopes(), help="may be repeated")

    def handle_scoped(self, *args: Any, **options: Any) -> None:
        _, secret = keys.issue(options["name"], options["scope"] or keys.default_scopes(), at=clock.now())
        self.stdout.write(secret)
