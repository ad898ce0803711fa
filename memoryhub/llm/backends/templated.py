"""Replies when no language model is configured: what the prompt's memory holds, quoted, and never more than that."""

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from memoryhub.llm.backends.minilm import MiniLmEmbedder
from memoryhub.llm.backends.rules import guards
from memoryhub.llm.backends.rules.sentences import sentences
from memoryhub.llm.streams import GeneratorStream, whole
from memoryhub.llm.types import Completion, Embedder, JsonSchema, Message, Usage

NOTHING = "Nothing I have stored answers that. No language model is configured, so I can only quote what you told me."
HELLO = "Hello. No language model is configured, so I can only remember what you tell me and quote it back."
NOTED = "Noted."
NOTED_RULE = "Noted. I keep that as a standing instruction."

_BLOCK = re.compile(r"^<<memory:([^>\n]+)>>\n(.*?)^<</memory:\1>>", re.DOTALL | re.MULTILINE)
_REQUEST = re.compile(
    r"^(?:please |can you |could you |hey,? |so,? |and )*(?:tell|list|show|give|remind|recall|summari[sz]e|describe|"
    r"explain|find|look up|write|draft|help|suggest|recommend|plan|compare|translate|create|make|generate|calculate)\b",
    re.I,
)
_GREETING = re.compile(
    r"^(?:hi|hello|hey|good (?:morning|afternoon|evening)|hallo|hola|yo)\b[^?]{0,25}$", re.I
)
_RULE = re.compile(r"^(?:please |from now on,? )*(?:always|never|don't|do not|from now on)\b", re.I)
_AT_MOST = 3


@dataclass(frozen=True)
class Recalled:
    """One line of the memory block."""

    fact: str
    kind: str
    said: str
    quote: str

    def line(self) -> str:
        """How it is quoted back: “…” (1 March 2026)."""
        when = _spelled(self.said)
        told = f"You told me: “{self.quote}”" if self.quote else f"On record: {self.fact}"
        return f"{told} ({when})." if when else f"{told}."


class TemplatedReplier:
    """Quotes up to three recalled facts that bear on a question, acknowledges a statement, and says what it is."""

    name = "rules-reply"
    backend = "offline"
    offline = True

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder or MiniLmEmbedder()

    def complete(
        self, messages: Sequence[Message], *, schema: JsonSchema | None = None, max_tokens: int | None = None
    ) -> Completion:
        started = time.monotonic()
        text = self._answer(messages)
        return Completion(text, self.name, Usage(), round((time.monotonic() - started) * 1000))

    def stream(self, messages: Sequence[Message], *, max_tokens: int | None = None) -> GeneratorStream:
        return GeneratorStream(whole(self.complete(messages)))

    def _answer(self, messages: Sequence[Message]) -> str:
        said = next((message.content.strip() for message in reversed(messages) if message.role == "user"), "")
        if _GREETING.match(said) or not said:
            return HELLO
        if not wants_answer(said):
            return NOTED_RULE if _RULE.match(said) else NOTED
        relevant = self._relevant(said, recalled(messages))
        return "\n".join(item.line() for item in relevant) or NOTHING

    def _relevant(self, question: str, facts: Sequence[Recalled]) -> list[Recalled]:
        candidates = [fact for fact in facts if fact.kind != "instruction"]
        if not candidates:
            return []
        asked = self._embedder.embed_query(question)
        scored = zip(
            self._embedder.embed_passages([fact.fact for fact in candidates]), candidates, strict=True
        )
        ranked = sorted(((_dot(asked, vector), fact) for vector, fact in scored), key=lambda item: -item[0])
        return [fact for score, fact in ranked[:_AT_MOST] if score >= self._embedder.relevance_floor]


def wants_answer(text: str) -> bool:
    """It asks or orders something, rather than telling it."""
    return bool(_REQUEST.match(text)) or any(guards.asks(sentence.text) for sentence in sentences(text))


def recalled(messages: Sequence[Message]) -> list[Recalled]:
    """The facts in the prompt's memory blocks. Only the system's messages are read: anybody may type a fence."""
    blocks = (
        match[2]
        for message in messages
        if message.role == "system"
        for match in _BLOCK.finditer(message.content)
    )
    return [fact for block in blocks for fact in _lines(block)]


def _lines(block: str) -> Iterator[Recalled]:
    for line in block.splitlines():
        try:
            item = json.loads(line)
        except ValueError:
            continue
        if isinstance(item, Mapping) and item.get("fact"):
            yield Recalled(*(_text(item, name) for name in ("fact", "kind", "said", "quote")))


def _text(item: Mapping[str, Any], name: str) -> str:
    return str(item.get(name) or "")


def _spelled(said: str) -> str:
    try:
        day = date.fromisoformat(said[:10])
    except ValueError:
        return ""
    return f"{day.day} {day:%B %Y}"


def _dot(left: Sequence[float], right: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))
