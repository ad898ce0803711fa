"""When a request must be answered.

GDPR Art. 12(3): within one month of receipt. Counted as Regulation (EEC, Euratom) No 1182/71, Art. 3 says: from the day
after receipt, to the same date of the next month or its last day; a deadline on a Saturday or Sunday moves to
Monday. Public holidays differ by country and are not known here.
"""

import calendar
from datetime import UTC, date, datetime, time, timedelta

_SATURDAY = 5


def due_at(received_at: datetime) -> datetime:
    """The end of the last day for answering, in UTC."""
    day = one_month_after(received_at.astimezone(UTC).date())
    while day.weekday() >= _SATURDAY:
        day += timedelta(days=1)
    return datetime.combine(day, time(23, 59, 59), UTC)


def one_month_after(day: date) -> date:
    """The same date of the next month, or that month's last day."""
    year, month = (day.year + 1, 1) if day.month == 12 else (day.year, day.month + 1)
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))
