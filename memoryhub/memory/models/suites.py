"""Recall suites: questions whose answer is known, asked again before and after a change."""

from django.db import models

from memoryhub import clock
from memoryhub.memory.kinds import JobStatus
from memoryhub.memory.models.base import one_of
from memoryhub.memory.models.conversation import Subject
from memoryhub.memory.models.knowledge import Fact
from memoryhub.tenants.models import ScopedForeignKey, TenantModel


class RecallSuite(TenantModel):
    """A named set of cases."""

    name = models.CharField(max_length=120)
    created_at = models.DateTimeField(default=clock.now)

    public_prefix = "suite"

    class Meta(TenantModel.Meta):
        db_table = "recall_suite"
        constraints = [models.UniqueConstraint(fields=["tenant", "name"], name="recall_suite_once")]


class RecallCase(TenantModel):
    """One question about one subject. ``as_of`` fixes what was known when it was saved; None asks the present.

    A case that expects no fact asserts that nothing is found.
    """

    suite = ScopedForeignKey(RecallSuite, on_delete=models.CASCADE, related_name="cases")
    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    query = models.CharField(max_length=2000)
    as_of = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    public_prefix = "case"

    class Meta(TenantModel.Meta):
        db_table = "recall_case"
        indexes = [
            models.Index(fields=["tenant", "suite", "created_at"], name="recall_case_by_suite"),
            models.Index(fields=["tenant", "subject"], name="recall_case_by_subject"),
        ]


class ExpectedFact(TenantModel):
    """A fact that a case must bring back."""

    case = ScopedForeignKey(RecallCase, on_delete=models.CASCADE, related_name="expected")
    fact = ScopedForeignKey(Fact, on_delete=models.CASCADE, related_name="+")
    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="+")

    class Meta(TenantModel.Meta):
        db_table = "expected_fact"
        constraints = [models.UniqueConstraint(fields=["tenant", "case", "fact"], name="expected_fact_once")]
        indexes = [
            models.Index(fields=["tenant", "fact"], name="expected_fact_by_fact"),
            models.Index(fields=["tenant", "subject"], name="expected_fact_by_subject"),
        ]


class RecallRun(TenantModel):
    """A suite asked once: scores, and what they were made with. Holds ids and numbers, no content."""

    suite = ScopedForeignKey(RecallSuite, on_delete=models.CASCADE, related_name="runs")
    status = models.CharField(max_length=12, choices=JobStatus.choices)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    k = models.PositiveSmallIntegerField(default=8)
    made_with = models.JSONField(default=dict)
    scores = models.JSONField(default=dict)
    cases = models.JSONField(default=list)
    error_code = models.CharField(max_length=48, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    public_prefix = "run"

    class Meta(TenantModel.Meta):
        db_table = "recall_run"
        constraints = [one_of("status", JobStatus)]
        indexes = [models.Index(fields=["tenant", "suite", "-created_at"], name="recall_run_by_suite")]
