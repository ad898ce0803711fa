"""Work beside the conversation: what runs, what failed, what is parked."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from memoryhub import clock, ids, keyset
from memoryhub.memory import jobs, tasks
from memoryhub.memory.kinds import JobKind, JobStatus
from memoryhub.memory.models import Job
from memoryhub.tenants.permissions import Permission
from memoryhub.web import lists, pages
from memoryhub.web.pages import Page, page

_STATUSES = {value: str(label).lower() for value, label in JobStatus.choices}
_VIEWS = {"": "All", "failed": "Failed", "parked": "Parked", "running": "Running", "done": "Done"}
_NAMES = {JobKind.LEARN: "Learn from a thread", JobKind.SUMMARISE: "Summarise a thread"}
_KEY = keyset.Key("created_at")


@dataclass(frozen=True)
class JobRow:
    """A job in the list."""

    public_id: str
    name: str
    about_label: str
    about_url: str
    state: str
    outcome: str
    attempts: int
    max_attempts: int
    last_run_at: datetime | None
    error: str
    can_retry: bool
    next_at: datetime | None


@page(Permission.READ_JOBS)
def index(request: Page) -> HttpResponse:
    """The jobs, newest first."""
    view = lists.chosen(request, "view", _VIEWS)
    counts = dict(Job.objects.values_list("status").annotate(n=Count("id")))
    rows = Job.objects.select_related("thread", "subject")
    if view in _STATUSES:
        rows = rows.filter(status=view)
    found = keyset.page(rows, _KEY, lists.PAGE_SIZE, **lists.cursors(request))
    may_retry = Permission.MANAGE_JOBS in request.identity.permissions
    context = {
        "tabs": lists.tabs(request, _VIEWS, {name: counts.get(name, 0) for name in _VIEWS if name}),
        "view": view,
        "jobs": [_row(job, may_retry) for job in found.rows],
        "page": lists.pager(request, found),
    }
    return render(request, "jobs/list.html", context)


def _row(job: Job, may_retry: bool) -> JobRow:
    waits = job.status in (JobStatus.FAILED, JobStatus.PARKED)
    return JobRow(
        job.public_id, _NAMES[JobKind(job.kind)], job.thread.title or "Untitled",
        reverse("threads:detail", args=[job.thread.public_id]), job.status, _outcome(job), job.attempts,
        jobs.MOST_ATTEMPTS, job.finished_at or job.started_at, job.error if waits else "", may_retry and waits,
        job.available_at if job.status == JobStatus.FAILED else None,
    )  # fmt: skip


#: What may become of a candidate, in words; of what is dropped, why.
_OUTCOMES = {
    "added": "added", "confirmed": "confirmed", "superseded": "took an older one's place",
    "outdated": "older than what is known", "conflicts": "in conflict", "held": "held for review",
    "unchanged": "known already", "suppressed": "purged before, not learned", "versions": "summary written",
}  # fmt: skip
_DROPPED = {
    "malformed": "malformed", "no_such_turn": "quoting no turn", "not_by_subject": "not the subject's words",
    "quote_not_found": "without their quote",
}  # fmt: skip


def _outcome(job: Job) -> str:
    """What the last run came to: "2 added, 1 held for review, 3 dropped (2 without their quote, 1 special category:
    health)"; empty while nothing is known."""
    if job.status != JobStatus.DONE:
        return ""
    counts = {name: count for name, count in job.counts.items() if count}
    dropped = {name: count for name, count in counts.items() if name.startswith("dropped_")}
    kept = [
        name for name in (*_OUTCOMES, *sorted(counts.keys() - _OUTCOMES)) if name in counts.keys() - dropped
    ]
    said = [f"{counts[name]} {_OUTCOMES.get(name, _plain(name))}" for name in kept]
    if dropped:
        listed = sorted(dropped.items(), key=lambda pair: (-pair[1], pair[0]))
        why = ", ".join(f"{n} {_why(name.removeprefix('dropped_'))}" for name, n in listed)
        said.append(f"{sum(dropped.values())} dropped ({why})")
    return ", ".join(said) or "nothing new"


def _why(code: str) -> str:
    if code.startswith("special_"):
        return f"special category: {_plain(code.removeprefix('special_'))}"
    return _DROPPED.get(code, _plain(code))


def _plain(code: str) -> str:
    return code.replace("_", " ")


@page(Permission.MANAGE_JOBS, "POST")
def retry(request: Page, job_id: str) -> HttpResponse:
    """Give a job five fresh attempts."""
    job = jobs.retry(jobs.get(ids.parse("job", job_id)), at=clock.now())
    tasks.wake(job)
    return pages.done(request, "Trying again.", "jobs:list")
