"""What was said: subjects, threads, turns and running summaries."""

import uuid
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from pgvector.django import HalfVectorField

from memoryhub import clock
from memoryhub.memory.kinds import TurnRole, TurnStatus
from memoryhub.memory.models.base import one_of
from memoryhub.tenants.models import Agent, Membership, ScopedForeignKey, TenantModel


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
            # One for both sweeps: every turn that is written pays for each index here.
            models.Index(
                fields=["tenant", "last_turn_at"],
                name="thread_unread",
                condition=models.Q(learned_seq__lt=models.F("next_seq") - 1)
                | models.Q(indexed_seq__lt=models.F("next_seq") - 1),
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
            one_of("role", TurnRole),
            one_of("status", TurnStatus),
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
    next_embedding: Any = HalfVectorField(null=True, blank=True)
    next_embedder = models.CharField(max_length=120, blank=True)

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
            # Empty but for a change of embedder.
            models.Index(
                fields=["tenant"], name="passage_reembedding", condition=~models.Q(next_embedder="")
            ),
        ]


class Summary(TenantModel):
    """The running text of a thread's older turns, and the very turns it was made from.

    ``turn_ids`` are those that this version added: with all of them in each, a long thread would be stored over and
    over. ``summaries.covered_by`` gives the whole.
    """

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


def turn_ids_of(turns: list[Turn]) -> list[uuid.UUID]:
    """The ids, in order."""
    return [turn.id for turn in turns]
