"""The clock of a privacy request, as a badge."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from memoryhub.privacy.models import PrivacyRequest

_QUARTER = 0.25


@dataclass(frozen=True)
class Deadline:
    """A tone and a few words."""

    tone: str
    text: str


def deadline(request: PrivacyRequest, at: datetime) -> Deadline | None:
    """Days left, red when overdue, amber in the last quarter; None when the request is closed."""
    if not request.is_open:
        return None
    left = request.due_at - at
    if left < timedelta(0):
        days = max(1, -left.days)
        return Deadline("bad", f"{days} {'day' if days == 1 else 'days'} overdue")
    days = left.days
    whole = request.due_at - request.received_at
    tone = "warn" if left <= whole * _QUARTER else "good"
    return Deadline(tone, "due today" if days == 0 else f"{days} {'day' if days == 1 else 'days'} left")
