"""The closed lists of the memory room: what kinds of fact there are, and the states of its rows."""

from django.db import models


class Kind(models.TextChoices):
    """What a fact is about. ``instruction`` is always in the prompt; the others when they are relevant."""

    PROFILE = "profile"
    PREFERENCE = "preference"
    INSTRUCTION = "instruction"
    CONSTRAINT = "constraint"
    PROJECT = "project"
    PLAN = "plan"
    EVENT = "event"


class FactStatus(models.TextChoices):
    """``active`` facts are recalled; no other is. ``restricted`` ones are kept and not used (GDPR Art. 18)."""

    ACTIVE = "active"
    HELD = "held", "Needs review"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    ARCHIVED = "archived"
    RESTRICTED = "restricted"


class Origin(models.TextChoices):
    """Where a fact comes from; it says nothing of whether it is true."""

    SAID = "said", "Said by the subject"
    INFERRED = "inferred"
    IMPORTED = "imported"
    OPERATOR = "operator"


class Verification(models.TextChoices):
    """How far a fact has been confirmed: trust is earned, in this order."""

    CLAIMED = "claimed"
    CORROBORATED = "corroborated"
    CONFIRMED = "confirmed", "Confirmed by subject"
    VERIFIED = "verified", "Verified by operator"


class SpecialCategories(models.TextChoices):
    """What becomes of facts about health, religion and the like (GDPR Art. 9)."""

    DROP = "drop", "Not stored"
    HOLD = "hold", "Held for review"
    STORE = "store", "Stored"


class TurnRole(models.TextChoices):
    """Who wrote a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class TurnStatus(models.TextChoices):
    """``pending`` waits for an answer, ``streaming`` is being written; the others are final."""

    COMPLETE = "complete"
    PENDING = "pending"
    STREAMING = "streaming"
    PARTIAL = "partial", "Interrupted"
    STOPPED = "stopped"
    FAILED = "failed"


class JobKind(models.TextChoices):
    """Work that runs beside the conversation."""

    LEARN = "learn"
    SUMMARISE = "summarise"


class JobStatus(models.TextChoices):
    """``parked`` waits for a person after five failed attempts; nothing is lost meanwhile."""

    RUNNING = "running"
    FAILED = "failed", "Failed, will be retried"
    PARKED = "parked"
    DONE = "done"
