"""When a request must be answered: GDPR Art. 12(3), counted as Regulation 1182/71 says."""

import calendar
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.privacy.deadlines import due_at, one_month_after

moments = st.datetimes(datetime(2020, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@pytest.mark.parametrize(
    ("received", "due"),
    [
        ("2026-01-15T09:00:00Z", "2026-02-16"),  # the 15th is a Sunday
        ("2026-01-31T09:00:00Z", "2026-03-02"),  # February's last day is a Saturday
        ("2024-01-31T09:00:00Z", "2024-02-29"),  # a leap year
        ("2023-01-31T09:00:00Z", "2023-02-28"),
        ("2024-02-29T09:00:00Z", "2024-03-29"),
        ("2026-12-31T23:59:59Z", "2027-02-01"),  # the 31st is a Sunday
        ("2026-03-31T00:00:00Z", "2026-04-30"),
        ("2026-02-28T12:00:00Z", "2026-03-30"),  # the 28th is a Saturday
        ("2026-11-30T12:00:00Z", "2026-12-30"),
        ("2026-01-31T23:30:00-05:00", "2026-03-02"),  # already February in UTC; the 1st is a Sunday
        ("2096-01-31T09:00:00Z", "2096-02-29"),
        ("2100-01-31T09:00:00Z", "2100-03-01"),  # no leap year; the 28th is a Sunday
    ],
)
def test_the_deadline_is_a_month_on(received: str, due: str) -> None:
    assert due_at(datetime.fromisoformat(received)) == datetime.fromisoformat(f"{due}T23:59:59+00:00")


@given(moments)
def test_it_is_the_end_of_a_working_day_about_a_month_later(received: datetime) -> None:
    due = due_at(received)
    assert (due.hour, due.minute, due.second, due.tzinfo) == (23, 59, 59, UTC)
    assert due.weekday() < 5
    assert 28 <= (due.date() - received.date()).days <= 33


@given(moments)
def test_only_a_weekend_moves_it_and_only_to_the_next_monday(received: datetime) -> None:
    plain, due = one_month_after(received.date()), due_at(received).date()
    assert due == plain or (plain.weekday() >= 5 and due.weekday() == 0 and (due - plain).days <= 2)


@given(moments.map(lambda moment: moment.date()))
def test_a_month_on_is_the_same_date_or_the_months_last(day: date) -> None:
    later = one_month_after(day)
    assert (later.year * 12 + later.month) - (day.year * 12 + day.month) == 1
    last = calendar.monthrange(later.year, later.month)[1]
    assert later.day == day.day or (later.day == last and day.day > last)


@given(moments, st.timedeltas(timedelta(0), timedelta(days=90)))
def test_who_asks_later_is_never_answered_earlier(received: datetime, wait: timedelta) -> None:
    assert due_at(received + wait) >= due_at(received)


@given(moments, zones)
def test_the_clock_of_the_receiver_does_not_matter(received: datetime, zone: timezone) -> None:
    assert due_at(received.astimezone(zone)) == due_at(received)
