"""What was said and what is known. Facts are never edited in place: every change leaves a version behind."""

import uuid
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from pgvector.django import HalfVectorField, VectorField

from memoryhub import clock
from memoryhub.memory.kinds import (
    FactStatus,
    JobKind,
    JobStatus,
    Kind,
    Origin,
    SpecialCategories,
    TurnRole,
    TurnStatus,
    Verification,
)
from memoryhub.tenants.models import Agent, Membership, ScopedForeignKey, TenantModel


class Terms(models.Func):
    """The terms of a text for keyword search, as the database's own ``memory_terms`` finds them."""

    function = "memory_terms"
    output_field = SearchVectorField()


def _one_of(field: str, choices: type[models.TextChoices]) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=models.Q(**{f"{field}__in": choices.values}), name=f"%(class)s_{field}_known"
    )


class Subject(TenantModel):
    """The person remembered. After an erasure the row stays as a fence, without anything that names them.

    ``external_ref`` is a keyed hash of the caller's id: it recognises a returning erased subject. ``epoch``
    counts erasures; work that began under an older epoch may not write.
    """

    external_id = models.CharField(max_length=255)
    external_ref = models.CharField(max_length=64)
    display_name = models.CharField(max_length=200, blank=True)
    timezone = models.CharField(max_length=64, blank=True)
    membership = ScopedForeignKey(
        Membership, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    epoch = models.PositiveIntegerField(default=0)
    erased_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    public_prefix = "subj"

    class Meta(TenantModel.Meta):
        db_table = "subject"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "external_id"], name="subject_external_id_once"),
            models.UniqueConstraint(fields=["tenant", "membership"], name="subject_membership_once"),
        ]
        indexes = [
            models.Index(fields=["tenant", "external_ref"], name="subject_external_ref"),
            models.Index(fields=["tenant", "-created_at", "-id"], name="subject_newest"),
        ]

    @property
    def label(self) -> str:
        """How people call them: the name when there is one, else the caller's id."""
        return self.display_name or self.external_id


class Thread(TenantModel):
    """A conversation with one subject. ``next_seq`` hands out the turns' numbers, without a gap.

    ``learned_seq``, ``summarised_seq`` and ``indexed_seq`` are watermarks: the highest seq read for facts, covered by
    the running summary, and cut into passages. The last one goes back when a turn below it changes.
    """

    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="threads")
    agent = ScopedForeignKey(Agent, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    external_id = models.CharField(max_length=255, null=True, blank=True)
    title = models.CharField(max_length=200, blank=True)
    metadata = models.JSONField(default=dict)
    next_seq = models.BigIntegerField(default=1)
    learned_seq = models.BigIntegerField(default=0)
    summarised_seq = models.BigIntegerField(default=0)
    indexed_seq = models.BigIntegerField(default=0)
    created_at = models.DateTimeField(default=clock.now)
    last_turn_at = models.DateTimeField(default=clock.now)

    public_prefix = "thr"

    class Meta(TenantModel.Meta):
        db_table = "thread"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "external_id"], name="thread_external_id_once")
        ]
        indexes = [
            models.Index(fields=["tenant", "subject", "-last_turn_at"], name="thread_by_subject"),
            models.Index(fields=["tenant", "-last_turn_at", "-id"], name="thread_newest"),
            models.Index(
                fields=["tenant", "last_turn_at"],
                name="thread_unlearned",
                condition=models.Q(learned_seq__lt=models.F("next_seq") - 1),
            ),
            models.Index(
                fields=["tenant", "last_turn_at"],
                name="thread_unindexed",
                condition=models.Q(indexed_seq__lt=models.F("next_seq") - 1),
            ),
        ]

    @property
    def last_seq(self) -> int:
        """The highest seq handed out; 0 for an empty thread."""
        return self.next_seq - 1


class Turn(TenantModel):
    """One message. Its content does not change once it is final, except where an erasure blots it out."""

    thread = ScopedForeignKey(Thread, on_delete=models.CASCADE, related_name="turns")
    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    seq = models.BigIntegerField()
    role = models.CharField(max_length=12, choices=TurnRole.choices)
    name = models.CharField(max_length=80, blank=True)
    content = models.TextField(blank=True)
    status = models.CharField(max_length=12, choices=TurnStatus.choices, default=TurnStatus.COMPLETE)
    error_code = models.CharField(max_length=48, blank=True)
    client_id = models.CharField(max_length=255, null=True, blank=True)
    metadata = models.JSONField(default=dict)
    said_at = models.DateTimeField(default=clock.now)
    created_at = models.DateTimeField(default=clock.now)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    written_by = models.CharField(max_length=64, blank=True)
    request_id = models.CharField(max_length=64, blank=True)

    public_prefix = "turn"

    class Meta(TenantModel.Meta):
        db_table = "turn"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "thread", "seq"], name="turn_seq_once"),
            models.UniqueConstraint(fields=["tenant", "thread", "client_id"], name="turn_client_id_once"),
            _one_of("role", TurnRole),
            _one_of("status", TurnStatus),
        ]
        indexes = [models.Index(fields=["tenant", "subject"], name="turn_by_subject")]


class Passage(TenantModel):
    """The stretch ``[start, end)`` of a turn's content, in characters: about 80 words by which the turn is found again.

    The text is never copied, it is read from the turn. ``number`` counts the turn's passages from 0; ``speaker`` is
    the turn's name, else its role; ``asks``: it ends with a question mark. ``embedder`` is "" without a vector. When a
    turn's content changes, its passages go with it: a trigger holds that.
    """

    turn = ScopedForeignKey(Turn, on_delete=models.CASCADE, related_name="passages")
    thread = ScopedForeignKey(Thread, on_delete=models.CASCADE, related_name="+")
    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    seq = models.BigIntegerField()
    number = models.PositiveSmallIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    speaker = models.CharField(max_length=80)
    asks = models.BooleanField()
    said_at = models.DateTimeField()
    words: Any = SearchVectorField()
    embedding: Any = HalfVectorField(null=True, blank=True)
    embedder = models.CharField(max_length=120, blank=True)

    class Meta(TenantModel.Meta):
        db_table = "passage"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "turn", "number"], name="passage_once"),
            models.CheckConstraint(condition=models.Q(end__gt=models.F("start")), name="passage_span"),
        ]
        indexes = [
            models.Index(fields=["tenant", "subject"], name="passage_by_subject"),
            models.Index(fields=["tenant", "thread"], name="passage_by_thread"),
            models.Index(fields=["tenant", "embedder"], name="passage_by_embedder"),
        ]


class Summary(TenantModel):
    """The running text of a thread's older turns, and the very turns it was made from."""

    thread = ScopedForeignKey(Thread, on_delete=models.CASCADE, related_name="summaries")
    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    version = models.PositiveIntegerField()
    content = models.TextField()
    through_seq = models.BigIntegerField()
    turn_ids = ArrayField(models.UUIDField())
    model = models.CharField(max_length=120, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    public_prefix = "sum"

    class Meta(TenantModel.Meta):
        db_table = "summary"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "thread", "version"], name="summary_version_once")
        ]
        indexes = [models.Index(fields=["tenant", "subject"], name="summary_by_subject")]


class Fact(TenantModel):
    """One statement about a subject, as it stands now; ``FactVersion`` holds how it came to stand so.

    ``valid_at``/``invalid_at``: true in the world from and until. ``created_at``/``expired_at``: believed by us
    from and until. ``observed_at``: when the subject said it. ``verified_at``: when somebody last confirmed it.
    ``key`` is the normalised statement; with it, one active fact is one row. ``position`` orders standing
    instructions; equal ones stand in the order they were said.
    """

    subject = ScopedForeignKey(Subject, on_delete=models.CASCADE, related_name="facts")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    attribute = models.CharField(max_length=40, blank=True)
    value = models.CharField(max_length=500, blank=True)
    statement = models.CharField(max_length=2000)
    key = models.CharField(max_length=64)
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
    embedding: Any = VectorField(null=True, blank=True)
    embedder = models.CharField(max_length=120, blank=True)
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
            _one_of("kind", Kind),
            _one_of("status", FactStatus),
            _one_of("origin", Origin),
            _one_of("verification", Verification),
        ]
        indexes = [
            models.Index(fields=["tenant", "subject", "status"], name="fact_by_subject"),
            models.Index(fields=["tenant", "-created_at", "-id"], name="fact_newest"),
            models.Index(fields=["tenant", "status", "-created_at", "-id"], name="fact_newest_by_status"),
        ]

    @property
    def etag(self) -> str:
        """Changes whenever the fact does."""
        return f'"{self.id.hex}-{self.version}-{int(self.updated_at.timestamp() * 1_000_000)}"'


class FactVersion(TenantModel):
    """A fact as it stood from ``created_at`` to ``expired_at``, and who set it so."""

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
    """What a tenant lets be remembered; one row at most, defaults without one. ``stale_after``: days by kind."""

    special_categories = models.CharField(
        max_length=8, choices=SpecialCategories.choices, default=SpecialCategories.DROP
    )
    stale_after = models.JSONField(default=dict)

    class Meta(TenantModel.Meta):
        db_table = "memory_policy"
        constraints = [
            models.UniqueConstraint(fields=["tenant"], name="memory_policy_once"),
            _one_of("special_categories", SpecialCategories),
        ]


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
            _one_of("kind", JobKind),
            _one_of("status", JobStatus),
        ]
        indexes = [
            models.Index(fields=["tenant", "status", "-created_at"], name="memory_job_by_status"),
            models.Index(fields=["tenant", "subject"], name="memory_job_by_subject"),
        ]


class Rebuild(TenantModel):
    """A subject's facts derived anew. ``found`` holds what has been read so far and is emptied at the end;
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
    finished_at = models.DateTimeField(null=True, blank=True)

    public_prefix = "rbd"

    class Meta(TenantModel.Meta):
        db_table = "rebuild"
        constraints = [_one_of("status", JobStatus)]
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


def evidence_prefetch() -> "models.Prefetch[Any]":
    """Evidence with its turns, oldest first, in one query for a whole page of facts."""
    return models.Prefetch(
        "evidence", queryset=Evidence.objects.select_related("turn").order_by("created_at", "id")
    )


def turn_ids_of(turns: list[Turn]) -> list[uuid.UUID]:
    """The ids, in order."""
    return [turn.id for turn in turns]
