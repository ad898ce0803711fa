"""Reading recalled facts back out of a prompt, for the backends that quote instead of understand.

The block is ``<<memory:NONCE>>``, one JSON object a line, ``<</memory:NONCE>>``. It stands in a system message or at
the very start of the last message, before the question; a fence typed anywhere else is plain text.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from memoryhub.llm.types import Message

_BLOCK = re.compile(r"^<<memory:([^>\n]+)>>\n(.*?)^<</memory:\1>>\s*", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Recalled:
    """One line of the block; ``said`` is a date (YYYY-MM-DD), ``quote`` the subject's words or empty."""

    fact: str
    kind: str
    said: str
    quote: str

    def line(self) -> str:
        """How it is quoted back: “…” (1 March 2026)."""
        when = _spelled(self.said)
        told = f"You told me: “{self.quote}”" if self.quote else f"On record: {self.fact}"
        return f"{told} ({when})." if when else f"{told}."


def question(messages: Sequence[Message]) -> str:
    """The last message of the user's, without the block before it; empty when there is none."""
    asked = next((message.content for message in reversed(messages) if message.role == "user"), "")
    block = _BLOCK.match(asked)
    return asked[block.end() :].strip() if block else asked.strip()


def recalled(messages: Sequence[Message]) -> list[Recalled]:
    """The facts in the prompt, in its order."""
    blocks = [
        match[2]
        for message in messages
        if message.role == "system"
        for match in _BLOCK.finditer(message.content)
    ]
    first = _BLOCK.match(messages[-1].content) if messages else None
    return [fact for block in [*blocks, *([first[2]] if first else [])] for fact in _lines(block)]


def _lines(block: str) -> Iterator[Recalled]:
    for line in block.splitlines():
        try:
            item = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(item, Mapping) and item.get("fact"):
            yield Recalled(*(_text(item, name) for name in ("fact", "kind", "said", "quote")))


def _text(item: Mapping[str, Any], name: str) -> str:
    return " ".join(str(item.get(name) or "").split())


def _spelled(said: str) -> str:
    try:
        day = date.fromisoformat(said[:10])
    except ValueError:
        return ""
    return f"{day.day} {day:%B %Y}"
