"""Simple English dates, relative to when they were said. What is not surely a date is none."""

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_DAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "a couple of": 2}
_MONTH = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + ")"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?:,? (?P<year>(?:19|20)\d\d))?"
_COUNT = r"(?P<count>\d{1,2}|a couple of|an?|one|two|three|four|five|six)"
_UNIT = r"(?P<unit>day|week|month|year)s?"


@dataclass(frozen=True)
class Dates:
    """From ``first`` to ``last``, both included; ``text`` is how it was said."""

    first: date
    last: date
    text: str


Reader = Callable[[re.Match[str], date, bool], tuple[date, date] | None]


def find(text: str, said: date, *, past: bool = False) -> Dates | None:
    """The first date in ``text``. One without a year or week is the last before ``said`` when ``past``, else the next."""
    found: list[tuple[int, Dates]] = []
    for pattern, reader in _READERS:
        match = pattern.search(text)
        span = _read(reader, match, said, past) if match else None
        if match and span:
            found.append((match.start(), Dates(*span, match.group())))
    return min(found, key=lambda item: item[0])[1] if found else None


def _read(reader: Reader, match: re.Match[str], said: date, past: bool) -> tuple[date, date] | None:
    try:
        return reader(match, said, past)
    except (ValueError, OverflowError):
        return None  # 31 April, the year 10000


def _iso(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:
    day = date.fromisoformat(match["iso"])
    return day, day


def _day_of_month(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:
    month, day = _MONTHS[match["month"].lower()], int(match["day"])
    if match["year"]:
        exact = date(int(match["year"]), month, day)
        return exact, exact
    year = _year_near(said, past, lambda year: date(year, month, day))
    return date(year, month, day), date(year, month, day)


def _day_alone(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:
    day = int(match["day"])
    here = date(said.year, said.month, day)
    step = (-1 if here > said else 0) if past else (1 if here < said else 0)
    found = _moved(date(said.year, said.month, 1), step, "month").replace(day=day)
    return found, found


def _month(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:
    month = _MONTHS[match["month"].lower()]
    past = past or match["how"].lower() in ("since", "last")
    year = int(match["year"] or _year_near(said, past, lambda year: date(year, month, 1 if past else 28)))
    return _whole_month(year, month)


def _year(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:
    year = int(match["year"])
    return date(year, 1, 1), date(year, 12, 31)


def _near(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:
    steps = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "the day after tomorrow": 2}
    day = said + timedelta(days=steps[match["near"].lower()])
    return day, day


def _weekday(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:
    ahead = (_DAYS[match["weekday"].lower()] - said.weekday()) % 7
    how = (match["how"] or "").lower()
    if how == "last" or (past and how != "next"):
        ahead = ahead - 7 if ahead else -7
    elif how == "next":
        # "Next Friday", said on a Tuesday, is the Friday of next week.
        ahead = 7 - said.weekday() + _DAYS[match["weekday"].lower()]
    day = said + timedelta(days=ahead)
    return day, day


def _period(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:
    step = {"last": -1, "this": 0, "the": 0, "next": 1}[match["how"].lower()]
    first, last = _PERIODS[match["period"].lower()](said, step)
    return (last, last) if match["end"] else (first, last)


def _quarter_named(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:
    month = 3 * int(match["quarter"]) - 2
    year = int(match["year"] or _year_near(said, past, lambda year: date(year, month, 1 if past else 28)))
    start = date(year, month, 1)
    return start, _moved(start, 3, "month") - timedelta(days=1)


def _in_some(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:
    day = _moved(said, _count(match["count"]), match["unit"].lower())
    return day, day


def _ago(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:
    day = _moved(said, -_count(match["count"]), match["unit"].lower())
    return day, day


def _week(said: date, step: int) -> tuple[date, date]:
    monday = said + timedelta(days=7 * step - said.weekday())
    return monday, monday + timedelta(days=6)


def _weekend(said: date, step: int) -> tuple[date, date]:
    _, sunday = _week(said, step)
    return sunday - timedelta(days=1), sunday


def _months(said: date, step: int) -> tuple[date, date]:
    moved = _moved(said, step, "month")
    return _whole_month(moved.year, moved.month)


def _quarter(said: date, step: int) -> tuple[date, date]:
    start = _moved(date(said.year, 3 * ((said.month - 1) // 3) + 1, 1), 3 * step, "month")
    return start, _moved(start, 3, "month") - timedelta(days=1)


def _years(said: date, step: int) -> tuple[date, date]:
    return date(said.year + step, 1, 1), date(said.year + step, 12, 31)


def _season(said: date, step: int, month: int) -> tuple[date, date]:
    """Three months from ``month``, as north of the equator. "Last" has ended, "next" has not begun, "this" is this year's."""
    year = said.year
    if step < 0 and _moved(date(year, month, 1), 3, "month") > said:
        year -= 1
    if step > 0 and date(year, month, 1) <= said:
        year += 1
    start = date(year, month, 1)
    return start, _moved(start, 3, "month") - timedelta(days=1)


_PERIODS: dict[str, Callable[[date, int], tuple[date, date]]] = {
    "week": _week,
    "weekend": _weekend,
    "month": _months,
    "quarter": _quarter,
    "year": _years,
    "spring": lambda said, step: _season(said, step, 3),
    "summer": lambda said, step: _season(said, step, 6),
    "autumn": lambda said, step: _season(said, step, 9),
    "fall": lambda said, step: _season(said, step, 9),
    "winter": lambda said, step: _season(said, step, 12),
}


def _whole_month(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def _moved(day: date, count: int, unit: str) -> date:
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
    year, month = months // 12, months % 12 + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def _year_near(said: date, past: bool, on: Callable[[int], date]) -> int:
    if past:
        return said.year if on(said.year) <= said else said.year - 1
    return said.year if on(said.year) >= said else said.year + 1


def _reader(pattern: str, reader: Reader) -> tuple[re.Pattern[str], Reader]:
    return re.compile(pattern, re.I), reader


_READERS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    _reader(r"\b(?P<iso>(?:19|20)\d\d-[01]\d-[0-3]\d)\b", _iso),
    _reader(rf"\b(?:the )?{_DAY} (?:of )?{_MONTH}\b{_YEAR}", _day_of_month),
    _reader(rf"\b{_MONTH} {_DAY}\b{_YEAR}(?!:)", _day_of_month),
    _reader(
        r"\b(?:on|by|until|before) the (?P<day>[0-3]?\d)(?:st|nd|rd|th)\b(?! (?:of|floor|time))", _day_alone
    ),
    _reader(rf"\b(?P<how>in|by|since|until|this|next|last|end of|for) {_MONTH}\b(?! \d){_YEAR}", _month),
    _reader(r"\b(?:in|since|until|by) (?P<year>(?:19|20)\d\d)\b(?!-)", _year),
    _reader(r"\b(?P<near>today|tonight|the day after tomorrow|tomorrow|yesterday)\b", _near),
    _reader(
        r"\b(?:(?P<how>on|this|next|last|by|until|since) )?(?P<weekday>" + "|".join(_DAYS) + r")\b", _weekday
    ),
    _reader(
        r"\b(?:(?P<end>end of|the end of) )?(?P<how>this|next|last|(?<=end of )the) "
        r"(?P<period>weekend|week|month|quarter|year|spring|summer|autumn|fall|winter)\b",
        _period,
    ),
    _reader(rf"\b(?:in|by|this|for|until|end of|since) Q(?P<quarter>[1-4])\b{_YEAR}", _quarter_named),
    _reader(rf"\b(?:in|within) {_COUNT} {_UNIT}\b(?! ago)", _in_some),
    _reader(rf"\b{_COUNT} {_UNIT} ago\b", _ago),
)
