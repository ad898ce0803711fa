"""When a statement was true, from its own words: "last week", "since March", "until Friday", "I used to".

Words are resolved against the moment the turn was said, in the subject's zone, never against the moment of ingest.
Each language's phrases are first rewritten into one plain notation ("2 weeks ago", "since 2024-03"), which one small
grammar reads. Numbers that are not years are not years; what can not be read is no time, never an error.
"""

import calendar
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


@dataclass(frozen=True)
class When:
    """From ``start`` until ``end`` (exclusive), both aware or None. ``event`` when the words name a time at which
    something happened or will happen, rather than since or until when it holds."""

    start: datetime | None
    end: datetime | None
    event: bool = False


@dataclass(frozen=True)
class _Days:
    """A stretch of whole days, the last one excluded."""

    first: date
    after: date


_MONTHS: Mapping[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero", "february feb februar février fevrier febrero", "march mar märz maerz mars marzo",
            "april apr avril abril", "may mai mayo", "june jun juni juin junio", "july jul juli juillet julio",
            "august aug août aout agosto", "september sep sept septembre septiembre", "october oct oktober octobre octubre",
            "november nov novembre noviembre", "december dec dezember décembre decembre diciembre",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_WEEKDAYS: Mapping[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "monday montag lundi lunes 周一 星期一", "tuesday dienstag mardi martes 周二 星期二",
            "wednesday mittwoch mercredi miércoles miercoles 周三 星期三", "thursday donnerstag jeudi jueves 周四 星期四",
            "friday freitag vendredi viernes 周五 星期五", "saturday samstag samedi sábado sabado 周六 星期六",
            "sunday sonntag dimanche domingo 周日 星期日",
        )
    )
    for name in names.split()
}  # fmt: skip
_UNITS: Mapping[str, str] = {
    name: unit
    for unit, names in {
        "day": "day days tag tage tagen jour jours día días dia dias 天 日",
        "week": "week weeks woche wochen semaine semaines semana semanas 周 星期",
        "month": "month months monat monate monaten mois mes meses 个月 月",
        "year": "year years jahr jahre jahren an ans année années año años 年",
    }.items()
    for name in names.split()
}
_SMALL: Mapping[str, int] = {
    word: number
    for number, words in enumerate(
        (
            "", "a an one ein eine einem einer einen un une uno una 一", "two zwei deux dos 两 二", "three drei trois tres 三",
            "four vier quatre cuatro 四", "five fünf cinq cinco 五", "six sechs six seis 六", "seven sieben sept siete 七",
            "eight acht huit ocho 八", "nine neun neuf nueve 九", "ten zehn dix diez 十",
        )
    )
    for word in words.split()
}  # fmt: skip
_N = rf"(?P<n>\d{{1,3}}|{'|'.join(sorted(map(re.escape, _SMALL), key=len, reverse=True))})"
_U = rf"(?P<u>{'|'.join(sorted(map(re.escape, _UNITS), key=len, reverse=True))})"
_MONTH = rf"(?P<m>{'|'.join(sorted(map(re.escape, _MONTHS), key=len, reverse=True))})\.?"
_DAY = rf"(?P<w>{'|'.join(sorted(map(re.escape, _WEEKDAYS), key=len, reverse=True))})"
_YEAR = r"(?P<y>(?:19|20)\d\d)"


def _compiled(pattern: str) -> re.Pattern[str]:
    """The pattern with its group names made unique: an alternation may hold the same piece several times."""
    count = iter(range(1000))
    return re.compile(re.sub(r"\(\?P<(\w+)>", lambda m: f"(?P<{m[1]}__{next(count)}>", pattern), re.I)


def _rule(pattern: str, plain: str) -> tuple[re.Pattern[str], str]:
    return _compiled(pattern), plain


#: Absolute dates first, then relative phrases, then the words around them. ``\\g`` groups are read in ``_plain``.
_DATES: Sequence[re.Pattern[str]] = tuple(
    _compiled(pattern)
    for pattern in (
        r"\b(?P<y>(?:19|20)\d\d)-(?P<mm>\d{1,2})(?:-(?P<d>\d{1,2}))?\b",
        r"(?P<y>(?:19|20)\d\d)年(?:(?P<mm>\d{1,2})月(?:(?P<d>\d{1,2})[日号])?)?",
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?{_MONTH}(?:,?\s+(?:de\s+|del\s+)?{_YEAR})?\b",
        rf"\b{_MONTH}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+{_YEAR})?(?!\d)\b",
        rf"\b{_MONTH}\s+(?:de\s+|del\s+|of\s+)?{_YEAR}\b",
        rf"(?<=\bin )(?:the year )?{_YEAR}\b|(?<=\bim )(?:jahr )?{_YEAR}\b|(?<=\ben ){_YEAR}\b|(?<=\bof ){_YEAR}\b",
        rf"(?<=\bsince )(?:the year )?{_YEAR}\b|(?<=\bseit ){_YEAR}\b|(?<=\bdepuis ){_YEAR}\b|(?<=\bdesde ){_YEAR}\b",
        rf"(?<=\buntil ){_YEAR}\b|(?<=\bbis ){_YEAR}\b|(?<=\bfrom ){_YEAR}\b|(?<=\bto ){_YEAR}\b|(?<=\bhasta ){_YEAR}\b|(?<=\bvon ){_YEAR}\b",
        rf"(?<=\bde ){_YEAR}\b|(?<=\bà ){_YEAR}\b|(?<=\ba ){_YEAR}\b|(?<=\bjusqu'en ){_YEAR}\b",
        rf"(?<=\bin )(?:early |late |mid-)?{_MONTH}(?!\w)|(?<=\bsince )(?:last )?{_MONTH}(?!\w)|(?<=\buntil ){_MONTH}(?!\w)|(?<=\blast ){_MONTH}(?!\w)",
        rf"(?<=\bim ){_MONTH}(?!\w)|(?<=\bseit ){_MONTH}(?!\w)|(?<=\bbis ){_MONTH}(?!\w)",
        rf"(?<=\ben ){_MONTH}(?!\w)|(?<=\bdepuis ){_MONTH}(?!\w)|(?<=\bjusqu'en ){_MONTH}(?!\w)|(?<=\bdesde ){_MONTH}(?!\w)|(?<=\bhasta ){_MONTH}(?!\w)",
        r"(?<![\d])(?P<mm>\d{1,2})月(?:(?P<d>\d{1,2})[日号])?(?!前|后|内)",
    )
)
_RELATIVE: Sequence[tuple[re.Pattern[str], str]] = (
    _rule(rf"\b{_N} {_U} ago\b|\bvor {_N} {_U}\b", "ago"),
    _rule(rf"\bil y a {_N} {_U}\b|\bhace {_N} {_U}\b|{_N}\s*个?{_U}(?:之)?前", "ago"),
    _rule(rf"\b(?:for|seit|depuis|desde hace) (?:the (?:last|past) )?{_N} {_U}\b", "for"),
    _rule(rf"\bin {_N} {_U}\b|\bdans {_N} {_U}\b|\bdentro de {_N} {_U}\b|{_N}\s*个?{_U}(?:之)?后", "in"),
    _rule(r"\bthe day before yesterday\b|\bvorgestern\b|\bavant-hier\b|\banteayer\b|前天", "day -2"),
    _rule(r"\byesterday\b|\bgestern\b|\bhier\b(?= |,|\.|$)(?<!d'hier)|\bayer\b|昨天", "day -1"),
    _rule(r"\bday after tomorrow\b|\bübermorgen\b|\baprès-demain\b|\bpasado mañana\b|后天", "day 2"),
    _rule(r"\btomorrow\b|\bmorgen\b(?! (?:früh|abend)?\s*(?:ist|sind))|\bdemain\b|\bmañana\b(?! por)|明天", "day 1"),
    _rule(r"\btoday\b|\bheute\b|\baujourd'hui\b|\bhoy\b|今天", "day 0"),
    _rule(r"\blast week\b|\bletzte(?:n|r)? woche\b|\bvorige woche\b|\bla semaine (?:dernière|passée)\b|\bla semana pasada\b|上(?:个)?(?:周|星期)(?![一二三四五六日])", "week -1"),
    _rule(r"\bnext week\b|\bnächste(?:n|r)? woche\b|\bla semaine prochaine\b|\bla próxima semana\b|\bla semana que viene\b|下(?:个)?(?:周|星期)(?![一二三四五六日])", "week 1"),
    _rule(r"\bthis week\b|\bdiese(?:r)? woche\b|\bcette semaine\b|\besta semana\b|这(?:个)?(?:周|星期)|本周", "week 0"),
    _rule(r"\blast month\b|\bletzten monat\b|\ble mois dernier\b|\bel mes pasado\b|上个?月", "month -1"),
    _rule(r"\bnext month\b|\bnächsten monat\b|\ble mois prochain\b|\bel (?:próximo mes|mes que viene)\b|下个?月", "month 1"),
    _rule(r"\blast year\b|\bletztes jahr\b|\bim letzten jahr\b|\bl'an(?:née)? (?:dernier|dernière|passée?)\b|\bel año pasado\b|去年", "year -1"),
    _rule(r"\bnext year\b|\bnächstes jahr\b|\bl'an(?:née)? prochaine?\b|\bel (?:próximo año|año que viene)\b|明年", "year 1"),
    _rule(r"\bthis year\b|\bdieses jahr\b|\bcette année\b|\beste año\b|今年", "year 0"),
    _rule(rf"\b(?:last|letzten?|vergangenen) {_DAY}\b|\b{_DAY} (?:dernier|pasado)\b|上{_DAY}", "weekday -1"),
    _rule(rf"\b(?:next|nächsten?|kommenden?) {_DAY}\b|\b{_DAY} (?:prochain|que viene)\b|下{_DAY}", "weekday 2"),
    _rule(rf"\b(?:on |am |until |by |bis |jusqu'à |hasta el |el )?{_DAY}\b|{_DAY}", "weekday 1"),
)  # fmt: skip
_SINCE = re.compile(
    r"\b(?:since|as of|starting|from|seit|ab|depuis|à partir d[eu]|desde|a partir de)\b|从|自", re.I
)
_SINCE_THEN = re.compile(r"\b(?:since|seit|depuis|desde)\b", re.I)
"""Of these the ones that only tell of what has begun; "from Monday" and "ab Montag" may lie ahead."""
_UNTIL = re.compile(
    r"\b(?:until|till|through|by|bis|jusqu'(?:à|au|en)|hasta|antes de)\b|直到|之前|以前到|到(?=\d)", re.I
)
_RANGE = re.compile(r"^\s*(?:to|until|till|through|-|–|bis|à|au|a|hasta|到|至)\s*(?:the\s+)?$", re.I)
_USED_TO = re.compile(
    r"\b(?:used to|no longer|not any ?more|formerly|previously|früher|nicht mehr|ehemals|autrefois|avant, je|ne\b.{1,30}\bplus"
    r"|antes\b(?! de)|ya no|solía)\b|以前|曾经|不再",
    re.I,
)


def resolve(words: str, said_at: datetime, zone: str = "") -> When | None:
    """The time that ``words`` give, seen from ``said_at`` in ``zone`` (an IANA name; UTC when empty or unknown).

    None when they give none.
    """
    local = _zone(zone)
    today = said_at.astimezone(local).date()
    found = sorted(_found(words, today), key=lambda item: item[0])
    if not found:
        return When(None, said_at) if _USED_TO.search(words) else None
    (start, end, days), *rest = found
    if rest and _RANGE.match(words[end : rest[0][0]]):
        return When(_midnight(days.first, local), _midnight(rest[0][2].after, local))
    before = words[max(0, start - 24) : start]
    inside = words[start:end]
    if _since_words(before) or inside.lower().startswith(("for ", "seit ", "depuis ", "desde hace")):
        if _last_word(_SINCE_THEN, before) and not re.search(r"\d{4}", inside):
            days = _begun(days, today)
        return When(_midnight(days.first, local), said_at if _USED_TO.search(words) else None)
    if _last_word(_UNTIL, before) or _UNTIL.match(inside):
        return When(None, _midnight(days.after, local))
    return When(_midnight(days.first, local), _midnight(days.after, local), event=True)


def _begun(days: _Days, today: date) -> _Days:
    """The last such day or month that has begun: what holds since then can not begin ahead."""
    if days.first <= today:
        return days
    if days.first - today <= timedelta(days=7) and days.after - days.first == timedelta(days=1):
        return _Days(days.first - timedelta(days=7), days.after - timedelta(days=7))
    first, after = _shifted(days.first, "year", -1), _shifted(days.after, "year", -1)
    return _Days(first, after) if first and after else days


def _since_words(before: str) -> bool:
    return _last_word(_SINCE, before)


def _last_word(pattern: re.Pattern[str], before: str) -> bool:
    """Whether the words right before a time say it: nothing but an article may stand between."""
    matches = list(pattern.finditer(before))
    return bool(matches) and not re.search(r"[^\W\d_]{4,}", before[matches[-1].end() :])


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


def _found(words: str, today: date) -> list[tuple[int, int, _Days]]:
    """Every time in the words with its place; of overlapping readings the first in the lists above counts."""
    taken: list[tuple[int, int, _Days]] = []
    for pattern in _DATES:
        for match in pattern.finditer(words):
            _take(taken, match, _absolute(match, today))
    for pattern, plain in _RELATIVE:
        for match in pattern.finditer(words):
            _take(taken, match, _relative(match, plain, today))
    return taken


def _take(taken: list[tuple[int, int, _Days]], match: re.Match[str], days: _Days | None) -> None:
    start, end = match.span()
    if days is not None and all(end <= s or e <= start for s, e, _ in taken):
        taken.append((start, end, days))


def _group(match: re.Match[str], name: str) -> str:
    """What a piece of the pattern matched, wherever in it the piece stands; "" when nothing."""
    return next((text for key, text in match.groupdict().items() if text and key.split("__")[0] == name), "")


def _absolute(match: re.Match[str], today: date) -> _Days | None:
    year_text, day_text = _group(match, "y"), _group(match, "d")
    month_name = _group(match, "m").lower()
    month = _MONTHS.get(month_name, 0) or int(_group(match, "mm") or 0)
    if not year_text and not month:
        return None
    if not 0 <= month <= 12 or (day_text and not 1 <= int(day_text) <= 31):
        return None
    year = int(year_text) if year_text else _nearest_year(month, today)
    if not month:
        return _Days(date(year, 1, 1), date(year + 1, 1, 1))
    if not day_text:
        return _month(year, month)
    if int(day_text) > calendar.monthrange(year, month)[1]:
        return None
    day = date(year, month, int(day_text))
    return _Days(day, day + timedelta(days=1))


def _nearest_year(month: int, today: date) -> int:
    """A month without a year is the last one that has begun, or the coming one within the half year ahead."""
    ahead = (month - today.month) % 12
    return (
        today.year + (1 if today.month + ahead > 12 else 0)
        if ahead <= 6 and ahead
        else _past_year(month, today)
    )


def _past_year(month: int, today: date) -> int:
    return today.year if month <= today.month else today.year - 1


def _month(year: int, month: int) -> _Days:
    following = date(year + 1, 1, 1) if month == 12 else date(year, month + 1, 1)
    return _Days(date(year, month, 1), following)


def _relative(match: re.Match[str], plain: str, today: date) -> _Days | None:
    if plain in ("ago", "for", "in"):
        return _counted(match, plain, today)
    unit, _, step = plain.partition(" ")
    if unit == "weekday":
        return _weekday(_group(match, "w").lower(), int(step), today)
    return _whole(unit, int(step), today)


def _counted(match: re.Match[str], plain: str, today: date) -> _Days | None:
    number_text = _group(match, "n").lower()
    number = int(number_text) if number_text.isdecimal() else _SMALL.get(number_text, 0)
    unit = _UNITS.get(_group(match, "u").lower(), "")
    if not number or not unit:
        return None
    day = _shifted(today, unit, number if plain == "in" else -number)
    if day is None:
        return None
    # "Three weeks ago" is about a day, "three years ago" about a year.
    return (
        _Days(day, day + timedelta(days=1))
        if unit in ("day", "week") or plain == "for"
        else _whole(unit, 0, day)
    )


def _shifted(day: date, unit: str, count: int) -> date | None:
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    if not 1 <= year <= 9998:
        return None
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _whole(unit: str, step: int, day: date) -> _Days | None:
    moved = _shifted(day, unit, step)
    if moved is None:
        return None
    if unit == "day":
        return _Days(moved, moved + timedelta(days=1))
    if unit == "week":
        monday = moved - timedelta(days=moved.weekday())
        return _Days(monday, monday + timedelta(days=7))
    if unit == "month":
        return _month(moved.year, moved.month)
    return _Days(date(moved.year, 1, 1), date(moved.year + 1, 1, 1))


def _weekday(name: str, step: int, today: date) -> _Days | None:
    if name not in _WEEKDAYS:
        return None
    ahead = (_WEEKDAYS[name] - today.weekday()) % 7
    days = ahead or 7
    days -= 0 if step > 0 else (7 if ahead else 14)
    day = today + timedelta(days=days)
    return _Days(day, day + timedelta(days=1))
