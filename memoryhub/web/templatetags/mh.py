"""How values are worded and coloured on a page: ages, tones, trust steps, changed words.

One place, so that a status has the same word and the same colour on every screen.
"""

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any

from django import template

from memoryhub import clock

register = template.Library()

UNKNOWN = "—"

_TONES = {
    "good": "active verified confirmed ok done completed succeeded success released live answered fresh",
    "warn": "needs_review held due_soon stale interrupted paused partial partly_done pending_approval awaiting_approval retrying held warning",
    "bad": "disputed overdue failed erased error denied refused revoked verification_failed dead parked danger purge",
    "info": "claimed running queued pending received open identity scope preview approved executing verifying started info streaming",
    "violet": "inferred model extracted",
    "accent": "corroborated current",
}
_TONE_OF = {word: tone for tone, words in _TONES.items() for word in words.split()}
_WORDINGS = {
    "held": "needs review",
    "partial": "interrupted",
    "parked": "waits for a person",
    "verification_failed": "recount failed",
}
_TRUST = ("claimed", "corroborated", "confirmed", "verified")
_ORIGINS = {
    "said": "said by the subject",
    "said_by_subject": "said by the subject",
    "inferred": "inferred by a model",
    "imported": "imported",
    "operator": "entered by an operator",
}
_AGES = (
    (60 * 60 * 24 * 365, "year"),
    (60 * 60 * 24 * 30, "month"),
    (60 * 60 * 24 * 7, "week"),
    (60 * 60 * 24, "day"),
    (60 * 60, "hour"),
    (60, "minute"),
)
_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring words with one fate: ``same``, ``gone`` or ``new``."""

    fate: str
    text: str


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a bar: where it starts and how wide it is, as SVG lengths ("12.50%")."""

    segment: Any
    start: str
    width: str


@register.filter
def ago(at: datetime | None) -> str:
    """The age of ``at`` in its largest unit ("3 months ago", "in 5 days"); an em dash when unknown."""
    if not isinstance(at, datetime):
        return UNKNOWN
    seconds = (clock.now() - _aware(at)).total_seconds()
    for size, unit in _AGES:
        count = int(abs(seconds) // size)
        if count:
            span = f"{count} {unit}{'' if count == 1 else 's'}"
            return f"{span} ago" if seconds > 0 else f"in {span}"
    return "just now" if seconds >= 0 else "in a moment"


@register.filter
def iso(at: datetime | None) -> str:
    """``at`` in ISO 8601 and UTC, for ``<time datetime>``; empty when unknown."""
    return _aware(at).astimezone(UTC).isoformat(timespec="seconds") if isinstance(at, datetime) else ""


@register.filter
def exact(at: datetime | None) -> str:
    """``at`` as "27 Nov 2026, 14:03 UTC"; an em dash when unknown. The browser restates it in the viewer's zone."""
    if not isinstance(at, datetime):
        return UNKNOWN
    moment = _aware(at).astimezone(UTC)
    return f"{moment.day} {moment:%b %Y, %H:%M} UTC"


@register.filter
def tone(value: object) -> str:
    """The colour family of a status word: good, warn, bad, info, violet, accent; empty when it has none."""
    return _TONE_OF.get(_code(value), "")


@register.filter
def word(value: object) -> str:
    """A code as a reader's word: ``needs_review`` is "needs review"; an em dash when unknown."""
    code = _code(value)
    return _WORDINGS.get(code) or code.replace("_", " ") or UNKNOWN


@register.filter
def origin_word(value: object) -> str:
    """Where a fact came from, as a phrase."""
    return _ORIGINS.get(_code(value), word(value))


@register.filter
def trust_step(verification: object) -> int:
    """How far a fact's trust has come, 1 (claimed) to 4 (verified); 0 when the word is not one of the four."""
    code = _code(verification)
    return next((i for i, step in enumerate(_TRUST, start=1) if code.startswith(step)), 0)


@register.filter
def trust_word(verification: object) -> str:
    """The one word for a step of trust; the code's own words when it is not one of the four."""
    step = trust_step(verification)
    return _TRUST[step - 1] if step else word(verification)


@register.filter
def short_id(public_id: object) -> str:
    """A public id cut in its middle: ``fact_0192…7c1e``. Short ids stay whole."""
    text = str(public_id or "")
    prefix, mark, digits = text.rpartition("_")
    return f"{prefix}{mark}{digits[:4]}…{digits[-4:]}" if len(digits) > 12 else text


@register.filter
def initial(name: object) -> str:
    """The first letter of a name or address, for an avatar."""
    return next((letter for letter in str(name or "") if letter.isalnum()), "·").upper()


@register.filter
def older(versions: Sequence[object], index: int) -> object | None:
    """The item after ``index`` in a list that runs from new to old: the one it replaced."""
    return versions[index + 1] if index + 1 < len(versions) else None


@register.filter
def stacked(segments: Iterable[Any]) -> tuple[Slice, ...]:
    """Segments with ``tokens`` as slices of one bar, in percent of their sum."""
    parts = tuple(segments)
    whole = sum(part.tokens for part in parts) or 1
    starts = [0, *accumulate(part.tokens for part in parts)]
    return tuple(
        Slice(part, f"{100 * at / whole:.2f}%", f"{100 * part.tokens / whole:.2f}%")
        for part, at in zip(parts, starts, strict=False)
    )


@register.filter
def changes(before: object, after: object) -> tuple[Run, ...]:
    """The words of ``before`` and ``after`` as runs in reading order, the gone ones before the new ones."""
    old, new = _WORDS.findall(str(before or "")), _WORDS.findall(str(after or ""))
    runs: list[Run] = []
    for kind, i1, i2, j1, j2 in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if kind == "equal":
            runs.append(Run("same", "".join(old[i1:i2])))
            continue
        runs.extend(
            Run(fate, "".join(part)) for fate, part in (("gone", old[i1:i2]), ("new", new[j1:j2])) if part
        )
    return tuple(runs)


def _code(value: object) -> str:
    return "" if value is None else str(value).strip().lower().replace(" ", "_").replace("-", "_")


def _aware(at: datetime) -> datetime:
    return at if at.tzinfo else at.replace(tzinfo=UTC)
