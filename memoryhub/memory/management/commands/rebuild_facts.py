"""``manage.py rebuild_facts``: derive facts anew from the transcript, for one subject or the whole tenant."""

from typing import Any

from memoryhub import clock
from memoryhub.memory import rebuilding, subjects
from memoryhub.memory.kinds import JobStatus
from memoryhub.memory.models import Rebuild, Subject
from memoryhub.tenants.entrances import ScopedCommand


class Command(ScopedCommand):
    """Says what would change; with ``--apply`` makes it so. Goes on where an interrupted run stopped."""

    help = "Derive facts anew from what was said, with the extractor as it is now."

    def add_arguments(self, parser: Any) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--subject", default="", help="the caller's id of one subject; everybody without it"
        )
        parser.add_argument(
            "--apply", action="store_true", help="change the facts instead of only saying what would"
        )

    def handle_scoped(self, *args: Any, **options: Any) -> None:
        wanted = Subject.objects.filter(erased_at__isnull=True).order_by("created_at")
        people = [subjects.by_external_id(options["subject"])] if options["subject"] else list(wanted)
        for number, person in enumerate(people, start=1):
            row = self._row(person, dry_run=not options["apply"])
            while rebuilding.read_next(row):
                self.stderr.write(
                    f"{number}/{len(people)} subjects, {row.done}/{row.total} turns", ending="\r"
                )
            self._report(person, rebuilding.conclude(row, at=clock.now()))

    def _row(self, person: Subject, *, dry_run: bool) -> Rebuild:
        """The interrupted run of the same sort, if there is one, else a new one."""
        left = Rebuild.objects.filter(
            subject=person, dry_run=dry_run, status__in=[JobStatus.RUNNING, JobStatus.FAILED]
        )
        found: Rebuild | None = left.order_by("-created_at").first()
        return found or rebuilding.begin(person, dry_run=dry_run, at=clock.now())

    def _report(self, person: Subject, row: Rebuild) -> None:
        verb = "would be" if row.dry_run else "were"
        counts = f"{row.counts.get('added', 0)} {verb} added, {row.counts.get('expired', 0)} {verb} expired"
        self.stdout.write(f"{person.public_id}: {counts}")
        for difference in row.differences:
            self.stdout.write(
                f"  {'+' if difference['change'] == 'added' else '-'} {difference['statement']}"
            )
