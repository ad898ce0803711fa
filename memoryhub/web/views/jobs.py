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
from memoryhub.web import pages
from memoryhub.web.pages import Page, Tab, page

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
    attempts: int
    max_attempts: int
    created_at: datetime
    heartbeat_at: datetime | None
    error: str
    can_retry: bool
    done: int | None = None
    total: int | None = None


@dataclass(frozen=True)
class Stat:
    """A number with its word."""

    label: str
    value: str
    note: str = ""


@page(Permission.READ_JOBS)
def index(request: Page) -> HttpResponse:
    """The jobs, newest first."""
    view = request.GET.get("view", "")
    counts = dict(Job.objects.values_list("status").annotate(n=Count("id")))
    rows = Job.objects.select_related("thread", "subject")
    if view in _STATUSES:
        rows = rows.filter(status=view)
    found = keyset.page(rows, _KEY, pages.PAGE_SIZE, **pages.cursors(request))
    may_retry = Permission.MANAGE_JOBS in request.identity.permissions
    context = {
        "stats": [Stat(label, str(counts.get(name, 0))) for name, label in _VIEWS.items() if name],
        "tabs": [
            Tab(label, f"?view={name}" if name else "?", name == view) for name, label in _VIEWS.items()
        ],
        "filters": pages.filters(request, {}),
        "jobs": [_row(job, may_retry) for job in found.rows],
        "page": pages.pager(request, found),
    }
    return render(request, "jobs/list.html", context)


def _row(job: Job, may_retry: bool) -> JobRow:
    states = {JobStatus.PARKED: "dead"}
    return JobRow(
        job.public_id, _NAMES[JobKind(job.kind)], job.thread.title or "Untitled",
        reverse("threads:detail", args=[job.thread.public_id]), states.get(JobStatus(job.status), job.status),
        job.attempts, jobs.MOST_ATTEMPTS, job.created_at, job.finished_at or job.started_at, job.error,
        may_retry and job.status in (JobStatus.FAILED, JobStatus.PARKED),
    )  # fmt: skip


@page(Permission.MANAGE_JOBS, "POST")
def retry(request: Page, job_id: str) -> HttpResponse:
    """Give a job five fresh attempts."""
    job = jobs.retry(jobs.get(ids.parse("job", job_id)), at=clock.now())
    tasks.wake(job)
    return pages.done(request, "Trying again.", "jobs:list")
