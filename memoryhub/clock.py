"""The only clock. Read it once at an entry and pass ``at`` down."""

from datetime import UTC, datetime


def now() -> datetime:
    """The present moment, aware, in UTC."""
    return datetime.now(UTC)
