"""Replies when no language model is configured: what the prompt's memory holds, quoted, and never more than that."""

import re
import time
from collections.abc import Sequence

from memoryhub.llm.backends import memoryblock
from memoryhub.llm.backends.minilm import MiniLmEmbedder
from memoryhub.llm.backends.rules import guards
from memoryhub.llm.backends.rules.sentences import sentences
from memoryhub.llm.streams import GeneratorStream, whole
from memoryhub.llm.types import Completion, Embedder, JsonSchema, Message, Tool, Usage

NOTHING = "Nothing I have stored answers that. No language model is configured, so I can only quote what you told me."
HELLO = "Hello. No language model is configured, so I can only remember what you tell me and quote it back."
NOTED = "Noted."
NOTED_RULE = "Noted. I keep that as a standing instruction."

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
# What a word in common adds to the cosine.
_SHARED = 0.15
_WORD = re.compile(r"[^\W_]{4,}")
_COMMON = frozenset(
    [
        "what",
        "when",
        "where",
        "which",
        "whose",
        "does",
        "have",
        "that",
        "this",
        "with",
        "about",
        "from",
        "your",
        "mine",
        "they",
        "them",
        "their",
        "there",
        "tell",
        "know",
        "remember",
        "said",
        "told",
        "call",
        "called",
        "name",
        "much",
        "many",
        "some",
        "like",
        "would",
        "could",
        "should",
        "will",
        "been",
        "were",
    ]
)


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

    def stream(
        self, messages: Sequence[Message], *, tools: Sequence[Tool] = (), max_tokens: int | None = None
    ) -> GeneratorStream:
        return GeneratorStream(whole(self.complete(messages)))

    def _answer(self, messages: Sequence[Message]) -> str:
        said = memoryblock.question(messages)
        if _GREETING.match(said) or not said:
            return HELLO
        if not wants_answer(said):
            return NOTED_RULE if _RULE.match(said) else NOTED
        relevant = self._relevant(said, memoryblock.recalled(messages))
        return "\n".join(item.line() for item in relevant) or NOTHING

    def _relevant(self, question: str, facts: Sequence[memoryblock.Recalled]) -> list[memoryblock.Recalled]:
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


def _shares_word(question: str, fact: str) -> bool:
    return bool(_words(question) & _words(fact))


def _words(text: str) -> set[str]:
    # Five letters stand for a word's stem: "migrating" and "migration" are the same here.
    return {word[:5] for word in _WORD.findall(text.lower()) if word not in _COMMON}


def _dot(left: Sequence[float], right: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))
