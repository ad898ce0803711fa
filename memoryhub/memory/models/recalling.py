"""What finding needs beside the facts: embedders and their floors, feedback, usage, and indexes of large scopes."""

from typing import Any

from django.db import models
from pgvector.django import HalfVectorField

from memoryhub import clock
from memoryhub.memory.models.base import one_of
from memoryhub.memory.models.conversation import Subject
from memoryhub.memory.models.knowledge import Fact
from memoryhub.tenants.models import ScopedForeignKey, TenantModel


class EmbedderStatus(models.TextChoices):
    """``filling`` while its vectors are made beside the old ones; one at most is ``in_force``."""

    FILLING = "filling"
    IN_FORCE = "in_force", "In force"
    RETIRED = "retired"
    FAILED = "failed"


class EmbedderState(TenantModel):
    """An embedder as a tenant uses it: its floor, calibrated on a labelled set, and how far its vectors are made.

    ``floor`` is a cosine; None: the embedder's own. ``calibration`` holds the counts and shares it rests on.
    """

    name = models.CharField(max_length=120)
    dimension = models.PositiveIntegerField()
    floor = models.FloatField(null=True, blank=True)
    calibration = models.JSONField(default=dict)
    calibrated_at = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=12, choices=EmbedderStatus.choices)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    error_code = models.CharField(max_length=48, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)

    public_prefix = "emb"

    class Meta(TenantModel.Meta):
        db_table = "embedder"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "name"], name="embedder_once"),
            models.UniqueConstraint(
                fields=["tenant", "status"],
                condition=models.Q(status__in=["in_force", "filling"]),
                name="embedder_one_of_a_kind",
            ),
            one_of("status", EmbedderStatus),
        ]


class RecallFeedback(TenantModel):
    """A person found a fact not relevant to a question: the question's vector, never its words."""

    fact = ScopedForeignKey(Fact, on_delete=models.CASCADE, related_name="feedback")
    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    embedding: Any = HalfVectorField()
    embedder = models.CharField(max_length=120)
    created_at = models.DateTimeField(default=clock.now)

    public_prefix = "fbk"

    class Meta(TenantModel.Meta):
        db_table = "recall_feedback"
        indexes = [
            models.Index(fields=["tenant", "subject"], name="recall_feedback_by_subject"),
            models.Index(fields=["tenant", "fact"], name="recall_feedback_by_fact"),
        ]


class FactUsage(TenantModel):
    """How often a fact was recalled, counted by samples and apart from the fact: reading never changes a fact."""

    fact = ScopedForeignKey(Fact, on_delete=models.CASCADE, related_name="usage")
    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    recalls = models.BigIntegerField(default=0)
    last_at = models.DateTimeField(default=clock.now)

    class Meta(TenantModel.Meta):
        db_table = "fact_usage"
        constraints = [models.UniqueConstraint(fields=["tenant", "fact"], name="fact_usage_once")]
        indexes = [models.Index(fields=["tenant", "subject"], name="fact_usage_by_subject")]


class LargeScope(TenantModel):
    """A subject with so many facts that recall takes them from an index. Triggers keep the index once it is listed."""

    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    embedder = models.CharField(max_length=120)
    dimension = models.PositiveIntegerField()
    facts = models.PositiveIntegerField(default=0)
    ready = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta(TenantModel.Meta):
        db_table = "large_scope"
        constraints = [models.UniqueConstraint(fields=["tenant", "subject"], name="large_scope_once")]


class IndexedVector(TenantModel):
    """The vector of an active fact of a large scope, where the index finds it; partitioned by subject."""

    subject = ScopedForeignKey(Subject, on_delete=models.DO_NOTHING, related_name="+")
    fact = ScopedForeignKey(Fact, on_delete=models.DO_NOTHING, related_name="+")
    embedder = models.CharField(max_length=120)
    dimension = models.PositiveIntegerField()
    embedding: Any = HalfVectorField()

    class Meta(TenantModel.Meta):
        db_table = "indexed_vector"
        managed = False


class IndexedWord(TenantModel):
    """A keyword of an active fact of a large scope: row security keeps full-text indexes from being used."""

    subject = ScopedForeignKey(Subject, on_delete=models.DO_NOTHING, related_name="+")
    fact = ScopedForeignKey(Fact, on_delete=models.DO_NOTHING, related_name="+")
    word = models.TextField()

    class Meta(TenantModel.Meta):
        db_table = "indexed_word"
        managed = False
