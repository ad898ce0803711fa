"""What is known: facts with their versions and evidence, and what may not be known. Facts are never edited in place."""

from typing import Any

from django.contrib.postgres.search import SearchVectorField
from django.db import models
from pgvector.django import HalfVectorField

from memoryhub import clock
from memoryhub.memory.kinds import FactStatus, Kind, Origin, SpecialCategories, Verification
from memoryhub.memory.models.base import Terms, one_of
from memoryhub.memory.models.conversation import Subject, Turn
from memoryhub.tenants.models import ScopedForeignKey, TenantModel

#: Columns that no page shows: lists leave them in the database.
HEAVY = ("embedding", "next_embedding", "search")


class Fact(TenantModel):
    """One statement about a subject, as it stands now; ``FactVersion`` holds how it came to stand so.

    ``valid_at``/``invalid_at``: true in the world from and until. ``created_at``/``expired_at``: believed by us
    from and until. ``observed_at``: when the subject said it. ``verified_at``: when somebody last confirmed it.
    ``key`` is the normalised statement; with it, one active fact is one row. ``content_key`` is of its words without
    negations, so that what it may compete with is found without reading everything. ``position`` orders standing
    instructions; equal ones stand in the order they were said. ``next_embedding`` is the vector of the embedder that
    is to follow, made while the present one still serves.
    """

    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="facts")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    attribute = models.CharField(max_length=40, blank=True)
    value = models.CharField(max_length=500, blank=True)
    statement = models.CharField(max_length=2000)
    key = models.CharField(max_length=64)
    content_key = models.CharField(max_length=64, blank=True, default="")
    status = models.CharField(max_length=12, choices=FactStatus.choices, default=FactStatus.ACTIVE)
    held_because = models.CharField(max_length=40, blank=True)
    origin = models.CharField(max_length=12, choices=Origin.choices)
    verification = models.CharField(max_length=14, choices=Verification.choices, default=Verification.CLAIMED)
    human = models.BooleanField(default=False)
    position = models.PositiveSmallIntegerField(default=0)
    version = models.PositiveIntegerField(default=1)
    valid_at = models.DateTimeField(null=True, blank=True)
    invalid_at = models.DateTimeField(null=True, blank=True)
    observed_at = models.DateTimeField()
    verified_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    expired_at = models.DateTimeField(null=True, blank=True)
    updated_at = models.DateTimeField(default=clock.now)
    supersedes = ScopedForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="superseded_by"
    )
    extractor = models.CharField(max_length=120, blank=True)
    pinned = models.BooleanField(default=False)
    embedding: Any = HalfVectorField(null=True, blank=True)
    embedder = models.CharField(max_length=120, blank=True)
    next_embedding: Any = HalfVectorField(null=True, blank=True)
    next_embedder = models.CharField(max_length=120, blank=True)
    search: Any = models.GeneratedField(
        expression=Terms(models.F("statement")),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    public_prefix = "fact"

    class Meta(TenantModel.Meta):
        db_table = "fact"
        constraints = [
            # One fact however it arrives: twenty parallel adds of one statement make one row.
            models.UniqueConstraint(
                fields=["tenant", "subject", "key"],
                condition=models.Q(status__in=["active", "held"]),
                name="fact_statement_once",
            ),
            models.CheckConstraint(
                condition=models.Q(invalid_at__isnull=True)
                | models.Q(valid_at__isnull=True)
                | models.Q(invalid_at__gte=models.F("valid_at")),
                name="fact_interval_forward",
            ),
            one_of("kind", Kind),
            one_of("status", FactStatus),
            one_of("origin", Origin),
            one_of("verification", Verification),
        ]
        indexes = [
            models.Index(fields=["tenant", "subject", "status"], name="fact_by_subject"),
            # Empty but for a change of embedder.
            models.Index(fields=["tenant"], name="fact_reembedding", condition=~models.Q(next_embedder="")),
            models.Index(fields=["tenant", "-created_at", "-id"], name="fact_newest"),
            models.Index(fields=["tenant", "status", "-created_at", "-id"], name="fact_newest_by_status"),
        ]

    @property
    def etag(self) -> str:
        """Changes whenever the fact does."""
        return f'"{self.id.hex}-{self.version}-{int(self.updated_at.timestamp() * 1_000_000)}"'


class FactVersion(TenantModel):
    """A fact as it stood from ``created_at`` to ``expired_at``, and who set it so.

    A version that has ended keeps its vector, so that what was believed can still be found by meaning.
    """

    fact = ScopedForeignKey(Fact, on_delete=models.CASCADE, related_name="versions")
    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()
    statement = models.CharField(max_length=2000)
    kind = models.CharField(max_length=12)
    attribute = models.CharField(max_length=40, blank=True)
    value = models.CharField(max_length=500, blank=True)
    origin = models.CharField(max_length=12)
    valid_at = models.DateTimeField(null=True, blank=True)
    invalid_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    expired_at = models.DateTimeField(null=True, blank=True)
    embedding: Any = HalfVectorField(null=True, blank=True)
    embedder = models.CharField(max_length=120, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    actor_kind = models.CharField(max_length=12)
    actor_id = models.CharField(max_length=64)

    public_prefix = "ver"

    class Meta(TenantModel.Meta):
        db_table = "fact_version"
        constraints = [models.UniqueConstraint(fields=["tenant", "fact", "number"], name="fact_version_once")]
        indexes = [models.Index(fields=["tenant", "subject"], name="fact_version_by_subject")]


class Evidence(TenantModel):
    """The turn and the span ``[start, end)`` of its content, in characters, that a fact rests on.

    The quote is read from the turn, never copied. ``source_erased_at`` is set, and the link emptied, when the
    source is gone but the fact stays.
    """

    fact = ScopedForeignKey(Fact, on_delete=models.CASCADE, related_name="evidence")
    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    turn = ScopedForeignKey(Turn, null=True, blank=True, on_delete=models.SET_NULL, related_name="evidence")
    start = models.PositiveIntegerField(default=0)
    end = models.PositiveIntegerField(default=0)
    source_erased_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    public_prefix = "evd"

    class Meta(TenantModel.Meta):
        db_table = "evidence"
        verbose_name_plural = "evidence"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "fact", "turn", "start", "end"], name="evidence_once"),
            models.CheckConstraint(
                condition=models.Q(end__gt=models.F("start")) | models.Q(turn__isnull=True),
                name="evidence_span",
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "turn"], name="evidence_by_turn"),
            models.Index(fields=["tenant", "subject"], name="evidence_by_subject"),
        ]


class RecalledFact(TenantModel):
    """A fact that stood in the prompt of an answer: what *Memory used in this answer* shows."""

    turn = ScopedForeignKey(Turn, on_delete=models.CASCADE, related_name="recalled")
    fact = ScopedForeignKey(Fact, on_delete=models.CASCADE, related_name="recalled_in")
    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    rank = models.PositiveSmallIntegerField()
    score = models.FloatField()
    cosine = models.FloatField(null=True)
    keyword = models.FloatField(null=True)

    class Meta(TenantModel.Meta):
        db_table = "recalled_fact"
        constraints = [models.UniqueConstraint(fields=["tenant", "turn", "fact"], name="recalled_fact_once")]
        indexes = [
            models.Index(fields=["tenant", "fact"], name="recalled_fact_by_fact"),
            models.Index(fields=["tenant", "subject"], name="recalled_fact_by_subject"),
        ]


class Suppression(TenantModel):
    """Something purged that must not be learned again: a keyed hash, so that it tells nothing itself."""

    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="suppressions")
    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=clock.now)

    class Meta(TenantModel.Meta):
        db_table = "suppression"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "subject", "digest"], name="suppression_once"),
        ]


class MemoryPolicy(TenantModel):
    """What a tenant lets be remembered and how it is found; one row at most, defaults without one.

    ``stale_after``: days by kind. ``recall_weights`` and ``turn_weights``: the weights that differ
    from the defaults, for facts and for past turns.
    """

    special_categories = models.CharField(
        max_length=8, choices=SpecialCategories.choices, default=SpecialCategories.DROP
    )
    stale_after = models.JSONField(default=dict)
    recall_weights = models.JSONField(default=dict)
    turn_weights = models.JSONField(default=dict)

    class Meta(TenantModel.Meta):
        db_table = "memory_policy"
        constraints = [
            models.UniqueConstraint(fields=["tenant"], name="memory_policy_once"),
            one_of("special_categories", SpecialCategories),
        ]


def evidence_prefetch() -> "models.Prefetch[Any]":
    """Evidence with its turns, oldest first, in one query for a whole page of facts."""
    return models.Prefetch(
        "evidence", queryset=Evidence.objects.select_related("turn").order_by("created_at", "id")
    )
