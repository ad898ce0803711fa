"""The ledger's table: one row for each call to a model, and never a word of what was said."""

from django.db import models

from memoryhub import clock
from memoryhub.llm.types import Purpose
from memoryhub.tenants.models import TenantModel


class ModelCall(TenantModel):
    """One call: what for, to which model, what it used, what it cost, how it ended.

    ``outcome`` is ``ok``, ``stopped`` (a stream closed before its end) or an error's code. ``price`` is in US
    dollars, null when nobody knows it. Tokens are ours and ``estimated`` when the provider reported none.
    """

    purpose = models.CharField(max_length=10, choices=[(purpose.value, purpose.value) for purpose in Purpose])
    backend = models.CharField(max_length=20)
    model = models.CharField(max_length=200, blank=True)
    input_tokens = models.PositiveIntegerField(default=0)
    cached_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    estimated = models.BooleanField(default=False)
    price = models.DecimalField(max_digits=14, decimal_places=8, null=True, blank=True)
    latency_ms = models.PositiveIntegerField(default=0)
    outcome = models.CharField(max_length=40)
    request_id = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(default=clock.now, editable=False)

    public_prefix = "call"

    class Meta(TenantModel.Meta):
        db_table = "model_call"
        indexes = [models.Index(fields=["tenant", "-created_at"], name="model_call_newest")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(purpose__in=[purpose.value for purpose in Purpose]),
                name="model_call_purpose_known",
            ),
            models.CheckConstraint(condition=~models.Q(outcome=""), name="model_call_outcome_given"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} by {self.model}: {self.outcome}"
