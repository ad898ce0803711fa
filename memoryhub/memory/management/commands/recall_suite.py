"""``manage.py recall_suite``: ask the questions whose answer is known, and say what has changed since last time."""

from typing import Any

from memoryhub import clock
from memoryhub.errors import MemoryHubError
from memoryhub.memory import seeding, suites
from memoryhub.memory.models import RecallRun, RecallSuite
from memoryhub.tenants.entrances import ScopedCommand


class Command(ScopedCommand):
    """Exit code 1 when a seed fails, or when fewer cases hit than ``--least`` asks for."""

    help = "Run recall suites: hit@k and MRR, and what changed since the run before."

    def add_arguments(self, parser: Any) -> None:
        super().add_arguments(parser)
        parser.add_argument("--suite", default="", help="one suite by its name; all without it")
        parser.add_argument("--k", type=int, default=8, help="facts that may come back for a case")
        parser.add_argument("--seeds", action="store_true", help="teach, ask in a fresh thread, and compare")
        parser.add_argument("--least", type=float, default=0.0, help="hit@k below which the command fails")

    def handle_scoped(self, *args: Any, **options: Any) -> None:
        if options["seeds"]:
            self._seeds()
            return
        rows = RecallSuite.objects.order_by("name")
        chosen = list(rows.filter(name=options["suite"]) if options["suite"] else rows)
        if not chosen:
            raise SystemExit("There is no such suite; save a question as a test first, or try --seeds.")
        try:
            ran = [self._run(suite, options["k"]) for suite in chosen]
        except MemoryHubError as error:
            raise SystemExit(f"{error}") from None
        if any(row.scores["hit_at_k"] < options["least"] for row in ran):
            raise SystemExit(1)

    def _run(self, suite: RecallSuite, k: int) -> RecallRun:
        row = suites.run(suites.begin(suite, k=k, at=clock.now()), at=clock.now())
        self.stdout.write(f"{suite.name}: {row.total} cases, {_shown(row)}")
        earlier = suites.before(row)
        if earlier is not None:
            self.stdout.write(f"  before: {_shown(earlier)}")
            for change in suites.differences(earlier, row):
                self.stdout.write(
                    f"  {change['change']:<5} {change['case']}  {change['was']} -> {change['now']}"
                )
        return row

    def _seeds(self) -> None:
        outcomes = [seeding.play(script, at=clock.now()) for script in seeding.scripts()]
        for outcome in outcomes:
            carried = "; ".join(outcome.carried) or "nothing"
            self.stdout.write(
                f"{'ok    ' if outcome.passed else 'FAILED'} {outcome.script.ask}  ->  {carried}"
            )
        failed = sum(not outcome.passed for outcome in outcomes)
        self.stdout.write(f"{len(outcomes) - failed} of {len(outcomes)} seeds remembered.")
        if failed:
            raise SystemExit(1)


def _shown(row: RecallRun) -> str:
    scores = row.scores
    return f"hit@{row.k} {scores['hit_at_k']:.3f}, recall@{row.k} {scores['recall_at_k']:.3f}, MRR {scores['mrr']:.3f}"
