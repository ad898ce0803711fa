"""``manage.py calibrate_floor``: find the cosine below which a fact does not answer, for the embedder in use."""

from pathlib import Path
from typing import Any

from memoryhub import clock
from memoryhub.errors import Invalid
from memoryhub.llm import get_next_embedder
from memoryhub.memory import calibration, embedders, policies
from memoryhub.tenants.entrances import ScopedCommand


class Command(ScopedCommand):
    """Embeds a labelled set, prints what a floor would keep and refuse, and stores it with the embedder."""

    help = "Calibrate the relevance floor of the embedder on questions whose answer is known."

    def add_arguments(self, parser: Any) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--set",
            default="",
            help='a file with {"question": …, "fact": …} a line; the set that ships without it',
        )
        parser.add_argument(
            "--keep",
            type=float,
            default=calibration.KEEP,
            help="share of questions that must keep their fact",
        )
        parser.add_argument(
            "--next", action="store_true", help="calibrate the embedder that a change goes to"
        )
        parser.add_argument("--dry-run", action="store_true", help="only say what the floor would be")

    def handle_scoped(self, *args: Any, **options: Any) -> None:
        embedder = get_next_embedder() if options["next"] else embedders.chosen(policies.current())
        if embedder is None:
            raise SystemExit("No next embedder is configured; set MEMORYHUB_LLM_NEXT_EMBED_MODEL.")
        try:
            pairs = calibration.read(Path(options["set"]) if options["set"] else calibration.SHIPPED)
            found = calibration.measure(embedder, pairs, keep=options["keep"])
        except (Invalid, OSError) as error:
            raise SystemExit(f"{error}") from None
        self.stdout.write(
            f"{found.embedder}: floor {found.floor:.3f} keeps {found.kept:.1%} of {found.pairs} questions with their "
            f"fact and refuses {found.refused:.1%} of foreign pairs."
        )
        if options["dry_run"]:
            return
        calibration.keep(found, at=clock.now())
        self.stdout.write("Stored; recall takes it from the next question on.")
