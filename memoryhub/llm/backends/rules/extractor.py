"""The rules behind a chat model's face: reads the prompt a language model would get, and answers in its form.

The last message is ``{"turns": [{"seq", "role", "text", "said_at"}]}``; the answer is ``{"facts": [...]}``, each
with the span of the user's turn it rests on.
"""

import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

from memoryhub.llm.backends.rules import (
    bounds,
    circumstances,
    constraints,
    dates,
    doing,
    endings,
    events,
    guards,
    habits,
    happenings,
    health,
    instructions,
    kin,
    limits,
    matching,
    names,
    open_class,
    people,
    places,
    plain,
    plans,
    preferences,
    profile,
    projects,
    schooling,
    tastes,
    tools,
    ventures,
    wants,
    work,
)
from memoryhub.llm.backends.rules.sentences import Sentence, sentences
from memoryhub.llm.backends.rules.wording import Found
from memoryhub.llm.streams import GeneratorStream, whole
from memoryhub.llm.types import Completion, JsonSchema, Message, Tool, Usage

_RULES = matching.Rules(
    (
        *names.RULES,
        *schooling.RULES,
        *profile.RULES,
        *circumstances.RULES,
        *places.RULES,
        *work.RULES,
        *doing.RULES,
        *endings.RULES,
        *kin.PETS,
        *people.RULES,
        *kin.RULES,
        *constraints.RULES,
        *health.RULES,
        *limits.RULES,
        *bounds.RULES,
        *preferences.RULES,
        *tastes.RULES,
        *ventures.RULES,
        *tools.RULES,
        *projects.RULES,
        *plans.RULES,
        *wants.RULES,
        *ventures.MADE,
        *events.RULES,
        *happenings.RULES,
        *habits.RULES,
        *plain.RULES,
        *open_class.RULES,
    )
)

# "We adopted a dog last month" tells of a dog and of what happened.
_PERSONAL = frozenset({"family", "pet"})
_SINCE = re.compile(r"\b(?:since|last|ago|from)\b[^,]*$", re.I)


@dataclass(frozen=True)
class _Said:
    """One turn of the user's: its number, text, and the day and zone it was said in, if they are known."""

    seq: int
    text: str
    day: date | None
    zone: tzinfo


class RulesExtractor:
    """Finds facts by patterns. It never fails: what it does not understand holds no fact."""

    name = "rules-extract"
    backend = "offline"
    offline = True

    def complete(
        self, messages: Sequence[Message], *, schema: JsonSchema | None = None, max_tokens: int | None = None
    ) -> Completion:
        started = time.monotonic()
        facts = [fact for said in _turns(messages) for fact in _facts(said)]
        answer = json.dumps({"facts": facts}, ensure_ascii=False)
        return Completion(answer, self.name, Usage(), round((time.monotonic() - started) * 1000))

    def stream(
        self, messages: Sequence[Message], *, tools: Sequence[Tool] = (), max_tokens: int | None = None
    ) -> GeneratorStream:
        return GeneratorStream(whole(self.complete(messages)))


def _turns(messages: Sequence[Message]) -> Iterator[_Said]:
    try:
        turns = json.loads(next(message.content for message in reversed(messages) if message.role == "user"))[
            "turns"
        ]
    except (ValueError, TypeError, KeyError, StopIteration, RecursionError):
        return
    for turn in turns if isinstance(turns, list) else ():
        if isinstance(turn, Mapping) and turn.get("role") == "user" and _is_whole(turn):
            yield _said(turn)


def _is_whole(turn: Mapping[str, Any]) -> bool:
    return isinstance(turn.get("text"), str) and isinstance(turn.get("seq"), int)


def _said(turn: Mapping[str, Any]) -> _Said:
    try:
        at = datetime.fromisoformat(str(turn.get("said_at")))
    except ValueError:
        return _Said(turn["seq"], turn["text"], None, UTC)
    return _Said(turn["seq"], turn["text"], at.date(), at.tzinfo or UTC)


def _facts(said: _Said) -> Iterator[dict[str, Any]]:
    known: set[str] = set()
    for sentence in sentences(said.text):
        dated = [(found, _dated(found, sentence, said)) for found in _in_sentence(sentence)]
        for fact in _best([(found, fact) for found, fact in dated if fact is not None]):
            if fact["statement"].casefold() not in known:
                known.add(fact["statement"].casefold())
                yield fact


def _in_sentence(sentence: Sentence) -> list[Found]:
    if guards.is_fiction(sentence.text):
        return []
    told = instructions.asked_to_remember(sentence)
    if told is not None:
        rest, _ = told
        known = _matched(rest)
        # What is only told by the way is not what was to be remembered.
        asked = [] if any(not fact.aside for fact in known) else list(instructions.remembered(sentence, rest))
        return asked or known
    return _matched(sentence)


def _matched(sentence: Sentence) -> list[Found]:
    orders = instructions.standing(sentence)
    if guards.asks(sentence.text):
        sentence = _told(sentence)
    facts = _RULES.run(sentence)
    return [*orders, *(fact for fact in facts if not any(_within(fact, order) for order in orders))]


def _within(fact: Found, order: Found) -> bool:
    return fact.start < order.end and order.start < fact.end


def _told(sentence: Sentence) -> Sentence:
    """What a question tells: at its head, or as its reason."""
    before, after = guards.told_before_asking(sentence.text), guards.told_after_asking(sentence.text)
    if before or after is None:
        return Sentence(before, sentence.start)
    return Sentence(sentence.text[after:].rstrip("?"), sentence.start + after)


def _best(items: Iterable[tuple[Found, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Without those that only repeat a part of another: one for each attribute, and none inside a longer one."""
    kept: list[tuple[Found, dict[str, Any]]] = []
    for found, fact in items:
        if not any(_repeats(found, other) for other, _ in kept):
            kept.append((found, fact))
    return [fact for _, fact in sorted(kept, key=lambda item: item[0].start)]


def _repeats(item: Found, other: Found) -> bool:
    if item.attribute is not None and other.attribute is not None:
        if item.attribute != other.attribute:
            return False
        if item.value == other.value or item.attribute == "tool":
            return item.value == other.value
    if item.listed and other.listed and (item.start, item.end) == (other.start, other.end):
        return False
    if (item.aside or other.aside) and (
        item.attribute != other.attribute or item.about_other != other.about_other
    ):
        return False
    if _PERSONAL & {item.attribute, other.attribute} and {"event", "plan", "project", "constraint"} & {
        item.kind,
        other.kind,
    }:
        return False
    overlap = min(item.end, other.end) - max(item.start, other.start)
    return overlap > 0.5 * min(item.end - item.start, other.end - other.start)


def _dated(found: Found, sentence: Sentence, said: _Said) -> dict[str, Any] | None:
    when = _when(found, sentence, said)
    if when is None and found.needs_date:
        return None
    begins = when is not None and found.dating in ("since", "when")
    ends = when is not None and found.dating in ("until", "when")
    quote = said.text[found.start : found.end]
    return {
        "kind": found.kind,
        "attribute": found.attribute,
        "value": found.value,
        # A hidden quotation in an order comes back: the order is kept as it was said.
        "statement": quote if "\x00" in found.statement else found.statement,
        "turn_seq": said.seq,
        "quote": quote,
        "valid_from": _midnight(when.first, said.zone) if when and begins else None,
        "valid_until": _midnight(when.last + timedelta(days=1), said.zone) if when and ends else None,
        "about": "other" if found.about_other else "self",
        "doubtful": found.doubtful,
    }


def _when(found: Found, sentence: Sentence, said: _Said) -> dates.Dates | None:
    """The date named in the finding or else around it, if it lies on the side of today that it must."""
    if found.dating == "none" or said.day is None:
        return None
    ahead = found.dating == "until"
    own = sentence.text[found.start - sentence.start : found.end - sentence.start]
    when = dates.find(own, said.day, past=not ahead) or _around(found, sentence, said.day, past=not ahead)
    if when is None or (when.last < said.day if ahead else when.first > said.day):
        return None
    return when


def _around(found: Found, sentence: Sentence, day: date, *, past: bool) -> dates.Dates | None:
    """The date elsewhere in the sentence; what is no fact without one needs it right before: "next week I'm ..."."""
    if not found.needs_date:
        return dates.find(sentence.text, day, past=past)
    before = sentence.text[: max(0, found.start - sentence.start)].rstrip(" ,")
    when = dates.find(before[-40:], day, past=past)
    return when if when and before.endswith(when.text) and not _SINCE.search(before) else None


def _midnight(day: date, zone: tzinfo) -> str:
    return datetime(day.year, day.month, day.day, tzinfo=zone).isoformat()
