"""The audit trail's table: ids and codes, never content."""

from django.db import models

from memoryhub import clock
from memoryhub.tenants.models import TenantModel


class AuditEvent(TenantModel):
    """One act. Append-only; a trigger assigns ``seq``, ``prev`` and ``hash``, chained per tenant.

    ``detail`` holds allow-listed codes and counts (``trail.DETAIL_KEYS``), so that nothing that was said can
    enter a record that no erasure may touch.
    """

    seq = models.BigIntegerField(editable=False, default=0)
    at = models.DateTimeField(default=clock.now)
    actor_kind = models.CharField(max_length=12)
    actor_id = models.CharField(max_length=64)
    via = models.CharField(max_length=8)
    request_id = models.CharField(max_length=64)
    action = models.CharField(max_length=48)
    object_kind = models.CharField(max_length=24)
    object_id = models.UUIDField(null=True)
    subject_ref = models.CharField(max_length=64, blank=True)
    detail = models.JSONField(default=dict)
    prev = models.BinaryField(max_length=32, default=b"")
    hash = models.BinaryField(max_length=32, default=b"")

    public_prefix = "evt"

    class Meta(TenantModel.Meta):
        db_table = "audit_event"
        constraints = [models.UniqueConstraint(fields=["tenant", "seq"], name="audit_event_seq_once")]
        indexes = [
            models.Index(fields=["tenant", "object_id", "seq"], name="audit_event_object"),
            models.Index(fields=["tenant", "subject_ref", "seq"], name="audit_event_subject"),
        ]


class AuditHead(models.Model):
    """The newest link of a tenant's chain; only the chaining trigger writes it."""

    tenant = models.OneToOneField(
        "tenants.Tenant", primary_key=True, on_delete=models.PROTECT, related_name="+"
    )
    seq = models.BigIntegerField(default=0)
    hash = models.BinaryField(max_length=32, default=b"")

    class Meta:
        db_table = "audit_head"
