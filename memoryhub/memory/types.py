"""Values that cross the modules of this room. No tables."""

import uuid
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Span:
    """A stretch ``[start, end)`` of a turn's content, in characters."""

    turn_id: uuid.UUID
    start: int
    end: int


@dataclass(frozen=True)
class ExtractedFact:
    """A statement drawn from what a subject wrote, with the span that proves it.

    ``doubtful`` facts, and those ``about_other`` people, are held for review. ``quote`` is the span's text, for suppression only; it is not stored.
    """

    kind: str
    statement: str
    attribute: str
    value: str
    span: Span | None
    quote: str
    observed_at: datetime
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    doubtful: bool = False
    about_other: bool = False


@dataclass(frozen=True)
class KnownFact:
    """A fact as reconciliation sees it. ``corrected_from`` are the keys of what a person replaced by it."""

    id: uuid.UUID
    kind: str
    statement: str
    attribute: str
    value: str
    key: str
    observed_at: datetime
    human: bool
    status: str
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    corrected_from: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Add:
    """A new fact, active or ``held`` with the reason code."""

    fact: ExtractedFact
    held: str = ""


@dataclass(frozen=True)
class Confirm:
    """More evidence for a known fact."""

    fact: ExtractedFact
    known_id: uuid.UUID


@dataclass(frozen=True)
class Supersede:
    """A new fact that ends a known one, which is kept with its end."""

    fact: ExtractedFact
    known_id: uuid.UUID


@dataclass(frozen=True)
class Outdated:
    """Something older than what is known: kept as history, ended at ``ended_at``, never active."""

    fact: ExtractedFact
    known_id: uuid.UUID
    ended_at: datetime


@dataclass(frozen=True)
class Conflict:
    """Two statements of one moment that can not both hold: both wait for a person."""

    fact: ExtractedFact
    known_id: uuid.UUID


Change = Add | Confirm | Supersede | Outdated | Conflict
