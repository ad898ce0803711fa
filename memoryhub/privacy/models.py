"""What a person has demanded, how far it is, and the proof that it was done."""

from collections.abc import Mapping

from django.db import models

from memoryhub import clock
from memoryhub.memory.models import Subject
from memoryhub.tenants.models import ScopedForeignKey, TenantModel


class Status(models.TextChoices):
    """Where a request stands."""

    RECEIVED = "received"
    APPROVED = "approved"
    RUNNING = "running"
    VERIFICATION_FAILED = "verification_failed", "Verification failed"
    COMPLETED = "completed"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


#: What may follow what; anything else is refused.
TRANSITIONS: Mapping[str, frozenset[str]] = {
    Status.RECEIVED: frozenset({Status.APPROVED, Status.REFUSED, Status.WITHDRAWN}),
    Status.APPROVED: frozenset({Status.RUNNING}),
    Status.RUNNING: frozenset({Status.RUNNING, Status.COMPLETED, Status.VERIFICATION_FAILED}),
    Status.VERIFICATION_FAILED: frozenset({Status.RUNNING}),
    Status.COMPLETED: frozenset(),
    Status.REFUSED: frozenset(),
    Status.WITHDRAWN: frozenset(),
}
OPEN_STATUSES = tuple(status for status, following in TRANSITIONS.items() if following)


class RequestKind(models.TextChoices):
    """What is demanded (GDPR Art. 17)."""

    ERASURE = "erasure"


class Identity(models.TextChoices):
    """How it is known that the request comes from the person."""

    SESSION = "session", "Signed in as the person"
    ATTESTED = "attested", "Attested by the officer"


class PrivacyRequest(TenantModel):
    """A demand of a subject. It outlives the erasure and then names nobody: ``subject`` is the empty fence row.

    ``requested_by`` and ``approved_by`` are actors (``user:<id>``); the database refuses one person for both.
    ``preview`` holds counts by store; ``preview_digest`` is what the approver looked at.
    """

    reference = models.CharField(max_length=20)
    kind = models.CharField(max_length=12, choices=RequestKind.choices, default=RequestKind.ERASURE)
    subject = ScopedForeignKey(Subject, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(max_length=20, choices=Status.choices, default=Status.RECEIVED)
    identity = models.CharField(max_length=10, choices=Identity.choices)
    requested_by = models.CharField(max_length=64)
    approved_by = models.CharField(max_length=64, null=True, blank=True)
    received_at = models.DateTimeField(default=clock.now)
    due_at = models.DateTimeField()
    preview = models.JSONField(default=dict)
    preview_digest = models.CharField(max_length=64, blank=True)
    previewed_at = models.DateTimeField(null=True, blank=True)
    approved_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    removed = models.JSONField(default=dict)
    left_over = models.JSONField(default=dict)
    attempts = models.PositiveSmallIntegerField(default=0)
    refusal_code = models.CharField(max_length=40, blank=True)

    public_prefix = "preq"

    class Meta(TenantModel.Meta):
        db_table = "privacy_request"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "reference"], name="privacy_request_reference_once"),
            models.UniqueConstraint(
                fields=["tenant", "subject", "kind"],
                condition=models.Q(status__in=["received", "approved", "running", "verification_failed"]),
                name="privacy_request_one_open",
            ),
            models.CheckConstraint(
                condition=models.Q(approved_by__isnull=True)
                | ~models.Q(approved_by=models.F("requested_by")),
                name="privacy_request_two_people",
            ),
            models.CheckConstraint(
                condition=models.Q(approved_by__isnull=False)
                | models.Q(status__in=["received", "refused", "withdrawn"]),
                name="privacy_request_approved_first",
            ),
            models.CheckConstraint(
                condition=models.Q(status__in=Status.values), name="privacy_request_status_known"
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "due_at", "id"], name="privacy_request_by_due"),
            models.Index(fields=["tenant", "subject"], name="privacy_request_by_subject"),
        ]

    @property
    def is_open(self) -> bool:
        """Whether something is still to be done."""
        return self.status in OPEN_STATUSES


class Receipt(TenantModel):
    """The signed proof of a completed request. ``body`` holds counts, times and codes, nothing that was said."""

    request = ScopedForeignKey(PrivacyRequest, on_delete=models.PROTECT, related_name="receipts")
    body = models.JSONField()
    signature = models.CharField(max_length=128)
    key_id = models.CharField(max_length=16)
    created_at = models.DateTimeField(default=clock.now)

    public_prefix = "rcpt"

    class Meta(TenantModel.Meta):
        db_table = "receipt"
        constraints = [models.UniqueConstraint(fields=["tenant", "request"], name="receipt_once")]
