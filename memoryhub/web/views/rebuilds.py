"""Rebuilding a subject's facts: said first, then done."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from memoryhub import clock, ids
from memoryhub.errors import Conflict, Invalid
from memoryhub.memory import rebuilding, subjects, tasks
from memoryhub.memory.kinds import JobStatus
from memoryhub.memory.models import Rebuild, Subject
from memoryhub.tenants.permissions import Permission
from memoryhub.web import lists, pages
from memoryhub.web.forms import RebuildForm
from memoryhub.web.pages import Page, page


@dataclass(frozen=True)
class Difference:
    """A fact that comes or goes; ``url`` leads to one that goes."""

    added: bool
    statement: str
    url: str


@dataclass(frozen=True)
class RebuildPage:
    """A rebuild on its page. ``added`` and ``expired`` are None while they are not known."""

    public_id: str
    subject_label: str
    facts_url: str
    dry_run: bool
    status: str
    done: int
    total: int
    added: int | None
    expired: int | None
    differences: Sequence[Difference]
    unlisted: int
    extractor: str
    error_code: str
    created_at: datetime
    finished_at: datetime | None


@page(Permission.READ_MEMORY)
def detail(request: Page, rebuild_id: str) -> HttpResponse:
    """How far it is, and at the end what changed or would change."""
    row = _rebuild(rebuild_id)
    curate = Permission.CURATE_FACTS in request.identity.permissions
    path = f"/api/v1/rebuilds/{row.public_id}"
    context = {
        "rebuild": _shown(row),
        "can_apply": curate and row.dry_run and row.status == JobStatus.DONE and bool(row.differences),
        "can_resume": curate and row.status == JobStatus.FAILED,
        "refresh": row.status == JobStatus.RUNNING,
        "curl": lists.curl(request, path),
        "json_url": path,
    }
    return render(request, "rebuilds/detail.html", context)


def _rebuild(rebuild_id: str) -> Rebuild:
    return rebuilding.get(ids.parse("rbd", rebuild_id))


def _shown(row: Rebuild) -> RebuildPage:
    added, expired = row.counts.get("added"), row.counts.get("expired")
    listed = [_difference(known) for known in row.differences]
    return RebuildPage(
        public_id=row.public_id, subject_label=row.subject.label,
        facts_url=lists.searching("facts:list", "subject", row.subject.external_id), dry_run=row.dry_run,
        status=row.status, done=row.done, total=row.total, added=added, expired=expired, differences=listed,
        unlisted=max(0, (added or 0) + (expired or 0) - len(listed)), extractor=row.extractor,
        error_code=row.error_code, created_at=row.created_at, finished_at=row.finished_at,
    )  # fmt: skip


def _difference(known: dict[str, str]) -> Difference:
    fact_id = known.get("fact_id", "")
    url = reverse("facts:detail", args=[fact_id]) if fact_id else ""
    return Difference(known.get("change") == "added", known["statement"], url)


def _begun(subject: Subject, *, dry_run: bool) -> Rebuild:
    with transaction.atomic():
        row = rebuilding.begin(subject, dry_run=dry_run, at=clock.now())
        tasks.rebuild.delay_on_commit(str(row.id))
    return row


@page(Permission.CURATE_FACTS, "POST")
def begin(request: Page, subject_id: str) -> HttpResponse:
    """Begin a rebuild; it changes nothing unless the form says so."""
    form = RebuildForm({"mode": "dry", **request.POST.dict()})
    subject = subjects.get(ids.parse("subj", subject_id))
    if not form.is_valid():
        raise Invalid("Choose one of the two.", code="unknown_value")
    row = _begun(subject, dry_run=form.cleaned_data["mode"] != "real")
    return pages.done(request, "Reading what was said.", "rebuilds:detail", row.public_id)


@page(Permission.CURATE_FACTS, "POST")
def apply(request: Page, rebuild_id: str) -> HttpResponse:
    """Do what a dry run said; everything is read anew, so that what was said meanwhile counts."""
    row = _rebuild(rebuild_id)
    if not row.dry_run or row.status != JobStatus.DONE:
        raise Conflict("Only a finished dry run can be made so.", code="wrong_status")
    row = _begun(row.subject, dry_run=False)
    return pages.done(request, "Changing the facts.", "rebuilds:detail", row.public_id)


@page(Permission.CURATE_FACTS, "POST")
def resume(request: Page, rebuild_id: str) -> HttpResponse:
    """Let a failed rebuild go on where it stopped."""
    row = _rebuild(rebuild_id)
    with transaction.atomic():
        row = rebuilding.resume(row, at=clock.now())
        tasks.rebuild.delay_on_commit(str(row.id))
    return pages.done(request, "Going on where it stopped.", "rebuilds:detail", row.public_id)
