"""What runs beside the conversation: jobs, rebuilds, and answers kept for a retry."""

from django.db import models

from memoryhub import clock
from memoryhub.memory.kinds import JobKind, JobStatus
from memoryhub.memory.models.base import one_of
from memoryhub.memory.models.conversation import Subject, Thread
from memoryhub.tenants.models import ScopedForeignKey, TenantModel


class Job(TenantModel):
    """Work beside the conversation: what runs, what failed and why, what is parked. Carries no content."""

    kind = models.CharField(max_length=12, choices=JobKind.choices)
    thread = ScopedForeignKey(Thread, on_delete=models.CASCADE, related_name="jobs")
    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    status = models.CharField(max_length=12, choices=JobStatus.choices)
    attempts = models.PositiveSmallIntegerField(default=0)
    error_code = models.CharField(max_length=48, blank=True)
    error = models.CharField(max_length=300, blank=True)
    counts = models.JSONField(default=dict)
    available_at = models.DateTimeField(default=clock.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    public_prefix = "job"

    class Meta(TenantModel.Meta):
        db_table = "memory_job"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "thread", "kind"], name="memory_job_once"),
            one_of("kind", JobKind),
            one_of("status", JobStatus),
        ]
        indexes = [
            models.Index(fields=["tenant", "status", "-created_at"], name="memory_job_by_status"),
            models.Index(fields=["tenant", "subject"], name="memory_job_by_subject"),
        ]


class Rebuild(TenantModel):
    """A subject's facts derived anew. ``updated_at`` is when it last got further; ``found`` holds what has been read so far and is emptied at the end;
    ``differences`` says what changed, or what a dry run would change."""

    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="rebuilds")
    dry_run = models.BooleanField(default=True)
    status = models.CharField(max_length=12, choices=JobStatus.choices)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    found = models.JSONField(default=list)
    differences = models.JSONField(default=list)
    counts = models.JSONField(default=dict)
    extractor = models.CharField(max_length=120, blank=True)
    error_code = models.CharField(max_length=48, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    public_prefix = "rbd"

    class Meta(TenantModel.Meta):
        db_table = "rebuild"
        constraints = [one_of("status", JobStatus)]
        indexes = [
            models.Index(fields=["tenant", "subject", "-created_at"], name="rebuild_by_subject"),
            models.Index(fields=["tenant", "-created_at", "-id"], name="rebuild_newest"),
        ]


class IdempotentAnswer(TenantModel):
    """The answer given to a write with an ``Idempotency-Key``, kept a day. The body is encrypted.

    ``subject`` is set when the write concerned one, so that the body goes when they are erased.
    """

    actor_id = models.CharField(max_length=64)
    key = models.CharField(max_length=255)
    route = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64)
    subject = ScopedForeignKey(Subject, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict)
    body = models.BinaryField(default=b"")
    created_at = models.DateTimeField(default=clock.now)

    class Meta(TenantModel.Meta):
        db_table = "idempotent_answer"
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "actor_id", "key", "route"], name="idempotent_answer_once"
            )
        ]
        indexes = [
            models.Index(fields=["tenant", "created_at"], name="idempotent_answer_age"),
            models.Index(fields=["tenant", "subject"], name="idempotent_answer_by_subject"),
        ]
