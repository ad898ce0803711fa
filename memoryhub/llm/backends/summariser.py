"""Summaries when no language model is configured: the sentences that carry most, in the order they were said."""

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memoryhub.llm.backends.rules.sentences import sentences
from memoryhub.llm.streams import GeneratorStream, whole
from memoryhub.llm.types import Completion, JsonSchema, Message, Tool, Usage

_MAX_WORDS = 200
# A new summary keeps at most this part of the old one, so that what is new finds room.
_OLD_SHARE = 0.5
_LONGEST = 45
_SIGNALS = (
    (
        4.0,
        r"\b(?:decid\w+|agreed|chose|chosen|settled|we'll go with|let's go with|going with|approved|confirmed|conclu\w+|resolved)\b",
    ),
    (
        3.5,
        r"\b(?:must|never|always|cannot|can't|not allowed|only|required|require[sd]?|limit|budget|allergic|deadline|due)\b",
    ),
    (
        3.0,
        r"\b(?:goal|aim|plan(?:s|ning|ned)?|want(?:s|ed)? to|need(?:s|ed)? to|intend|hope to|next steps?|will)\b",
    ),
    (
        2.5,
        r"\?\s*$|\b(?:open question|still (?:unclear|open|unsure)|not sure|to be decided|tbd|unclear|undecided)\b",
    ),
    (2.0, r"\b(?:i am|i'm|my|we are|we're|our|i prefer|i like|i use|i work|i live)\b"),
    (1.5, r"\d"),
    (1.0, r"(?<=\S )(?-i:[A-Z][a-z]+)"),
)
_PATTERNS = tuple((weight, re.compile(pattern, re.I)) for weight, pattern in _SIGNALS)
_CHATTER = re.compile(
    r"^(?:hi|hello|hey|thanks?|thank you|ok(?:ay)?|sure|great|cool|nice|lol|yes|no|yep|nope|bye|noted)\b[\w ,'!.]{0,25}$",
    re.I,
)


@dataclass(frozen=True)
class _Candidate:
    place: int
    text: str
    score: float

    @property
    def words(self) -> int:
        return len(self.text.split())


class ExtractiveSummariser:
    """Picks sentences; never writes one. Always fewer than ``max_words`` words."""

    name = "rules-summarise"
    backend = "offline"
    offline = True

    def complete(
        self, messages: Sequence[Message], *, schema: JsonSchema | None = None, max_tokens: int | None = None
    ) -> Completion:
        started = time.monotonic()
        text = summary_of(_request(messages))
        return Completion(text, self.name, Usage(), round((time.monotonic() - started) * 1000))

    def stream(
        self, messages: Sequence[Message], *, tools: Sequence[Tool] = (), max_tokens: int | None = None
    ) -> GeneratorStream:
        return GeneratorStream(whole(self.complete(messages)))


def summary_of(request: Mapping[str, Any]) -> str:
    """The summary for ``{"previous_summary", "turns", "max_words"}``; empty when nothing was said."""
    room = _room(request) - 1
    old = _picked(list(_old(request)), int(room * _OLD_SHARE))
    new = list(_new(request))
    chosen = _picked(new, room - sum(item.words for item in old))
    return " ".join(item.text for item in [*old, *chosen])


def _room(request: Mapping[str, Any]) -> int:
    asked = request.get("max_words")
    return asked if isinstance(asked, int) and asked > 0 else _MAX_WORDS


def _picked(candidates: Sequence[_Candidate], room: int) -> list[_Candidate]:
    """The best of ``candidates`` within ``room`` words, back in their order."""
    kept: list[_Candidate] = []
    for item in sorted(candidates, key=lambda item: (-item.score, item.place)):
        if item.words <= room:
            kept.append(item)
            room -= item.words
    return sorted(kept, key=lambda item: item.place)


def _old(request: Mapping[str, Any]) -> Iterator[_Candidate]:
    previous = request.get("previous_summary")
    if isinstance(previous, str):
        for place, sentence in enumerate(sentences(previous)):
            yield _Candidate(place, _clipped(sentence.text), _score(sentence.text))


def _new(request: Mapping[str, Any]) -> Iterator[_Candidate]:
    known: set[str] = set()
    turns = request.get("turns")
    for place, turn in enumerate(turns if isinstance(turns, list) else ()):
        if not isinstance(turn, Mapping) or turn.get("role") not in ("user", "assistant"):
            continue
        for sentence in sentences(str(turn.get("text") or "")):
            text = _clipped(sentence.text)
            if text.casefold() not in known and not _CHATTER.match(text):
                known.add(text.casefold())
                own = 1.0 if turn["role"] == "user" else 0.5
                yield _Candidate(place * 1000 + len(known), f"{_WHO[turn['role']]}{text}", _score(text) * own)


_WHO = {"user": "User: ", "assistant": "Assistant: "}


def _clipped(text: str) -> str:
    words = text.replace("\x00", " ").split()
    return " ".join(words) if len(words) <= _LONGEST else " ".join(words[:_LONGEST]) + " …"


def _score(text: str) -> float:
    weight = sum(weight for weight, pattern in _PATTERNS if pattern.search(text))
    # Long sentences hold more and cost more; very short ones say little by themselves.
    return weight * (0.5 if len(text.split()) < 4 else 1.0)


def _request(messages: Sequence[Message]) -> Mapping[str, Any]:
    try:
        found = json.loads(next(message.content for message in reversed(messages) if message.role == "user"))
    except (ValueError, StopIteration, RecursionError):
        return {}
    return found if isinstance(found, Mapping) else {}
