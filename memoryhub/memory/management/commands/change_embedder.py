"""``manage.py change_embedder``: go over to the next embedder while recall goes on with the present one."""

from typing import Any

from memoryhub import clock
from memoryhub.errors import MemoryHubError
from memoryhub.memory import reembedding
from memoryhub.memory.models import EmbedderState
from memoryhub.tenants.entrances import ScopedCommand


class Command(ScopedCommand):
    """Says what it will take; with ``--apply`` makes the new vectors, switches, and drops the old ones."""

    help = "Embed all facts with the next embedder and switch to it at once."

    def add_arguments(self, parser: Any) -> None:
        super().add_arguments(parser)
        parser.add_argument("--apply", action="store_true", help="do it instead of only saying what it takes")

    def handle_scoped(self, *args: Any, **options: Any) -> None:
        try:
            ahead = reembedding.estimate()
            price = "price unknown" if ahead.price is None else f"{ahead.price:.4f} US dollars"
            self.stdout.write(
                f"{ahead.embedder} ({ahead.dimension} numbers): {ahead.facts} facts and {ahead.passages} passages of turns, about {ahead.tokens} tokens, {price}."
            )
            if options["apply"]:
                self._apply()
        except MemoryHubError as error:
            raise SystemExit(f"{error}") from None

    def _apply(self) -> None:
        row = reembedding.begin(at=clock.now())

        def tell() -> bool:
            row.refresh_from_db(fields=["done", "total"])
            self.stderr.write(f"{row.done}/{row.total} done", ending="\r")
            return True

        done: EmbedderState | None = reembedding.run(at=clock.now(), go_on=tell)
        self.stdout.write(f"{done.name if done else row.name} is in force.")
