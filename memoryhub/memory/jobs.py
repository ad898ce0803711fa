"""The state of work beside the conversation: claimed before it is done, retried, parked after five attempts."""

import logging
import uuid
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F, Q

from memoryhub.audit import trail
from memoryhub.errors import Conflict, MemoryHubError, NotFound
from memoryhub.memory.kinds import JobKind, JobStatus
from memoryhub.memory.models import Job, Thread

logger = logging.getLogger(__name__)

MOST_ATTEMPTS = 5
#: A job that has run longer than the task limit lost its worker.
ABANDONED_AFTER = timedelta(seconds=310)


def claim(thread: Thread, kind: JobKind, *, at: datetime) -> Job | None:
    """Take the work, counting the attempt before it begins, so that work which kills its worker is counted too.

    None when it is being done, waits for its next attempt, or is parked.
    """
    job = _ensure(thread, kind, at)
    free = ~Q(status=JobStatus.RUNNING) | Q(started_at__lt=at - ABANDONED_AFTER)
    rows = Job.objects.filter(free, id=job.id, available_at__lte=at).exclude(status=JobStatus.PARKED)
    taken = rows.update(status=JobStatus.RUNNING, attempts=F("attempts") + 1, started_at=at, finished_at=None)
    if not taken:
        return None
    job.refresh_from_db()
    if job.attempts > MOST_ATTEMPTS:
        _park(job, at)
        return None
    return job


def _ensure(thread: Thread, kind: JobKind, at: datetime) -> Job:
    found: Job | None = Job.objects.filter(thread=thread, kind=kind).first()
    if found is not None:
        return found
    try:
        with transaction.atomic():
            job = Job(
                thread=thread, subject_id=thread.subject_id, kind=kind, status=JobStatus.DONE, available_at=at,
                created_at=at,
            )  # fmt: skip
            job.save(force_insert=True)
            return job
    except IntegrityError:
        twin: Job = Job.objects.get(thread=thread, kind=kind)
        return twin


def finish(job: Job, counts: dict[str, int], *, at: datetime) -> None:
    """The work is done; the attempts start again at zero."""
    Job.objects.filter(id=job.id).update(
        status=JobStatus.DONE,
        attempts=0,
        error_code="",
        error="",
        counts=counts,
        finished_at=at,
        available_at=at,
    )


def fail(job: Job, error: Exception, *, at: datetime) -> None:
    """Note why it failed and when it is tried again; the fifth failure parks it until a person retries it.

    Only our own sentences are kept: another library's message may quote what was said.
    """
    known = isinstance(error, MemoryHubError)
    job.error_code = getattr(error, "code", "") if known else "internal"
    job.error = (
        str(error)[:300] if known else f"An unexpected {type(error).__name__}; the worker's log has more."
    )
    job.finished_at = at
    if job.attempts >= MOST_ATTEMPTS:
        _park(job, at)
        return
    job.status = JobStatus.FAILED
    job.available_at = at + timedelta(seconds=5 * job.attempts**2)
    job.save(update_fields=["error_code", "error", "finished_at", "status", "available_at"])
    logger.warning(
        "job failed kind=%s job=%s code=%s attempts=%d", job.kind, job.id, job.error_code, job.attempts
    )


def _park(job: Job, at: datetime) -> None:
    with transaction.atomic():
        job.status = JobStatus.PARKED
        job.finished_at = at
        job.save(update_fields=["error_code", "error", "finished_at", "status"])
        trail.record(
            trail.Action.JOB_PARK, "job", job.id, at=at, subject_id=job.subject_id, kind=job.kind,
            attempts=job.attempts, error_code=job.error_code,
        )  # fmt: skip
    logger.error("job parked kind=%s job=%s code=%s", job.kind, job.id, job.error_code)


def get(job_id: uuid.UUID) -> Job:
    """The job. Raises ``NotFound``."""
    found: Job | None = Job.objects.select_related("thread", "subject").filter(id=job_id).first()
    if found is None:
        raise NotFound
    return found


def retry(job: Job, *, at: datetime) -> Job:
    """Give a failed or parked job five fresh attempts. Raises ``Conflict`` when it is neither."""
    with transaction.atomic():
        again = Job.objects.filter(id=job.id, status__in=[JobStatus.PARKED, JobStatus.FAILED]).update(
            status=JobStatus.FAILED, attempts=0, available_at=at
        )
        if not again:
            raise Conflict("Only a failed or parked job can be tried again.", code="job_not_failed")
        trail.record(trail.Action.JOB_RETRY, "job", job.id, at=at, subject_id=job.subject_id, kind=job.kind)
    return get(job.id)
