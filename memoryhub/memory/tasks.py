"""The conveyor belt: doors for the worker. Each loads by id, returns if there is nothing to do, calls one function."""

import logging
import time
import uuid
from datetime import timedelta

from celery import shared_task
from django.db.models import F

from memoryhub import clock
from memoryhub.errors import Gone
from memoryhub.llm.errors import ModelError
from memoryhub.memory import (
    embedding,
    jobs,
    learning,
    passages,
    rebuilding,
    reembedding,
    scaling,
    suites,
    summaries,
)
from memoryhub.memory.kinds import JobKind, JobStatus
from memoryhub.memory.models import IdempotentAnswer, Job, Rebuild, RecallRun, Thread
from memoryhub.tenants.entrances import ScopedTask, each_tenant

logger = logging.getLogger(__name__)

_SWEEP_LIMIT = 200
_EMBED_BATCHES = 10
_MOST_ROUNDS = 20
#: A change of embedder works this long at a time; a task is cut off at 240 seconds.
_FILLING_SECONDS = 120
_ANSWERS_KEPT = timedelta(hours=24)


@shared_task(base=ScopedTask, name="memory.learn")
def learn(thread_id: str) -> None:
    """Read what is new in a thread, until nothing is left."""
    for _ in range(_MOST_ROUNDS):
        thread = _thread(thread_id)
        if thread is None or thread.learned_seq >= thread.last_seq or not _learn_once(thread):
            return


def _learn_once(thread: Thread) -> bool:
    job = jobs.claim(thread, JobKind.LEARN, at=clock.now())
    if job is None:
        return False
    try:
        learned = learning.learn_from(thread, at=clock.now())
    except Gone:
        return False
    except Exception as error:
        logger.warning("learning failed thread=%s", thread.id, exc_info=not hasattr(error, "code"))
        jobs.fail(job, error, at=clock.now())
        return False
    jobs.finish(job, learned.counts, at=clock.now())
    return True


@shared_task(base=ScopedTask, name="memory.summarise")
def summarise(thread_id: str) -> None:
    """Compact a thread's older turns, when there are enough of them."""
    thread = _thread(thread_id)
    if thread is None or not summaries.is_due(thread):
        return
    job = jobs.claim(thread, JobKind.SUMMARISE, at=clock.now())
    if job is None:
        return
    try:
        made = summaries.summarise(thread, at=clock.now())
    except Gone:
        return
    except Exception as error:
        logger.warning("summarising failed thread=%s", thread.id, exc_info=not hasattr(error, "code"))
        jobs.fail(job, error, at=clock.now())
        return
    jobs.finish(job, {"versions": int(made)}, at=clock.now())


@shared_task(base=ScopedTask, name="memory.index")
def index(thread_id: str) -> None:
    """Cut what is new in a thread into passages, until nothing is left. What fails here the sweep finds again."""
    thread = _thread(thread_id)
    for _ in range(_MOST_ROUNDS):
        try:
            if thread is None or not passages.index_thread(thread):
                return
        except (Gone, Thread.DoesNotExist):
            return


def wake(job: Job) -> None:
    """Run a job's work soon; called after a person asked for another try."""
    task = learn if job.kind == JobKind.LEARN else summarise
    task.delay_on_commit(str(job.thread_id))


def _thread(thread_id: str) -> Thread | None:
    found: Thread | None = Thread.objects.select_related("subject").filter(id=uuid.UUID(thread_id)).first()
    return found if found is not None and found.subject.erased_at is None else None


@shared_task(base=ScopedTask, name="memory.rebuild")
def rebuild(rebuild_id: str) -> None:
    """Derive a subject's facts anew; a failure is noted and can be resumed."""
    row = (
        Rebuild.objects.select_related("subject")
        .filter(id=uuid.UUID(rebuild_id), status=JobStatus.RUNNING)
        .first()
    )
    if row is None:
        return
    try:
        rebuilding.run(row, at=clock.now())
    except Gone:
        return
    except Exception as error:
        logger.warning("rebuild failed rebuild=%s", row.id, exc_info=not hasattr(error, "code"))
        rebuilding.with_error(row, getattr(error, "code", "internal"))


@shared_task(base=ScopedTask, name="memory.change_embedder")
def change_embedder() -> None:
    """Make vectors of the next embedder for a while; the sweep wakes it again until the switch is done."""
    ends = time.monotonic() + _FILLING_SECONDS
    try:
        reembedding.run(at=clock.now(), go_on=lambda: time.monotonic() < ends)
    except ModelError as error:
        logger.warning("change of embedder waits code=%s", error.code)


@shared_task(base=ScopedTask, name="memory.run_suite")
def run_suite(run_id: str) -> None:
    """Ask a recall suite's cases; a failure is noted with its code."""
    row = RecallRun.objects.filter(id=uuid.UUID(run_id), status=JobStatus.RUNNING).first()
    if row is None:
        return
    try:
        suites.run(row, at=clock.now())
    except Exception as error:
        logger.warning("recall suite failed run=%s", row.id, exc_info=not hasattr(error, "code"))
        RecallRun.objects.filter(id=row.id).update(
            status=JobStatus.FAILED, error_code=getattr(error, "code", "internal"), finished_at=clock.now()
        )


@shared_task(base=ScopedTask, tenant_free=True, name="memory.tend_indexes")
def tend_indexes() -> None:
    """Build and drop the indexes of large scopes, from the sizes observed, in every tenant."""
    for _ in each_tenant():
        done = scaling.tend(at=clock.now())
        if any(done.values()):
            logger.info("indexes tended built=%d dropped=%d", done["built"], done["dropped"])


@shared_task(base=ScopedTask, tenant_free=True, name="memory.sweep")
def sweep() -> None:
    """Find what a lost message left undone, in every tenant: unread turns, due summaries, missing passages
    and vectors."""
    for _ in each_tenant():
        for thread_id in _unlearned():
            learn.apply_async((str(thread_id),))
        for thread_id in summaries.due_threads(_SWEEP_LIMIT):
            summarise.apply_async((str(thread_id),))
        for rebuild_id in rebuilding.abandoned(at=clock.now()):
            rebuild.apply_async((str(rebuild_id),))
        for thread_id in passages.unindexed(_SWEEP_LIMIT):
            index.apply_async((str(thread_id),))
        for fill in (embedding.fill_missing, passages.fill_missing):
            for _batch in range(_EMBED_BATCHES):
                if not fill():
                    break
        if reembedding.under_way():
            change_embedder.apply_async(())
        IdempotentAnswer.objects.filter(created_at__lt=clock.now() - _ANSWERS_KEPT).delete()


def _unlearned() -> list[uuid.UUID]:
    blocked = Job.objects.filter(kind=JobKind.LEARN, status__in=[JobStatus.PARKED]).values("thread_id")
    waiting = Job.objects.filter(kind=JobKind.LEARN, available_at__gt=clock.now()).values("thread_id")
    rows = Thread.objects.filter(learned_seq__lt=F("next_seq") - 1, subject__erased_at__isnull=True)
    return list(
        rows.exclude(id__in=blocked).exclude(id__in=waiting).values_list("id", flat=True)[:_SWEEP_LIMIT]
    )
