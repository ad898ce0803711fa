"""A deterministic double that ships with the code: it answers what a test or a demonstration scripts.

In one process: ``fake.script(["Hello.", ModelTimeout("…")], purpose=Purpose.REPLY)``, then assert on rows, and on
``fake.prompts()``. Across processes: ``fake_script`` in the settings names a JSON file of rules, see ``_Rule``.
"""

import hashlib
import json
import math
import re
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from memoryhub.llm import tokens
from memoryhub.llm.backends import memoryblock
from memoryhub.llm.configuration import DIMENSION, LlmSettings
from memoryhub.llm.errors import (
    ModelAnswerInvalid,
    ModelError,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
)
from memoryhub.llm.streams import GeneratorStream
from memoryhub.llm.types import Completion, Delta, JsonSchema, Message, Purpose, Tool, ToolCall, Usage

_WORD = re.compile(r"\w+")
_PIECE = re.compile(r"\S+\s*")
_ERRORS: dict[str, type[ModelError]] = {
    kind.code: kind for kind in (ModelUnavailable, ModelTimeout, ModelRefused, ModelAnswerInvalid)
}


@dataclass(frozen=True)
class Answer:
    """A scripted answer. ``delay`` is in seconds before the whole answer, ``pause`` before each streamed word;
    ``failure`` is raised after the text was streamed."""

    text: str = ""
    delay: float = 0.0
    pause: float = 0.0
    failure: ModelError | None = None
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True)
class Prompt:
    """What a model was asked."""

    purpose: Purpose
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()

    @property
    def text(self) -> str:
        """All of it, for asserting that a word is or is not there."""
        return "\n".join(message.content for message in self.messages)


Scripted = str | Answer | ModelError | Callable[[Sequence[Message]], str]


@dataclass(frozen=True)
class _Rule:
    """One rule of a script file: the first whose ``purpose`` (empty: any) fits and whose ``when`` occurs in the
    last message wins. ``error`` is one of our codes, then ``text`` streams before it. Rules are never used up, so
    any number of processes may share the file."""

    purpose: str = ""
    when: str = ""
    text: str = ""
    error: str = ""
    retry_after: float = 1.0
    delay: float = 0.0
    pause: float = 0.0

    def fits(self, prompt: Prompt) -> bool:
        return self.purpose in ("", prompt.purpose) and self.when in prompt.messages[-1].content

    def answer(self) -> Answer:
        return Answer(self.text, self.delay, self.pause, self._failure())

    def _failure(self) -> ModelError | None:
        if not self.error:
            return None
        if self.error == ModelRateLimited.code:
            return ModelRateLimited("The scripted model takes no more calls.", retry_after=self.retry_after)
        return _ERRORS[self.error]("The scripted model fails here.")


class _Stage:
    """What is scripted and what was asked, for this process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._queues: dict[Purpose | None, deque[Scripted]] = {}
        self._prompts: list[Prompt] = []

    def reset(self) -> None:
        with self._lock:
            self._queues.clear()
            self._prompts.clear()

    def script(self, answers: Sequence[Scripted], purpose: Purpose | None) -> None:
        with self._lock:
            self._queues.setdefault(purpose, deque()).extend(answers)

    def prompts(self) -> list[Prompt]:
        with self._lock:
            return list(self._prompts)

    def ask(self, prompt: Prompt) -> Scripted | None:
        with self._lock:
            self._prompts.append(prompt)
            queue = self._queues.get(prompt.purpose) or self._queues.get(None)
            return queue.popleft() if queue else None


_STAGE = _Stage()


def script(answers: Sequence[Scripted], *, purpose: Purpose | None = None) -> None:
    """Queue ``answers``, used in order; without ``purpose`` by whoever asks and has none queued of its own."""
    _STAGE.script(answers, purpose)


def prompts() -> list[Prompt]:
    """Everything asked since the last ``reset()``."""
    return _STAGE.prompts()


def reset() -> None:
    """Forget script and prompts."""
    _STAGE.reset()


class FakeChatModel:
    """Answers as scripted; unscripted, it echoes a reply, extracts nothing and summarises to a fixed sentence."""

    name = "fake"
    backend = "fake"
    offline = True

    def __init__(self, purpose: Purpose, script_file: str = "") -> None:
        self._purpose = purpose
        self._script_file = script_file

    def complete(
        self, messages: Sequence[Message], *, schema: JsonSchema | None = None, max_tokens: int | None = None
    ) -> Completion:
        answer = self._answer(messages)
        time.sleep(answer.delay)
        if answer.failure is not None:
            raise answer.failure
        return _completion(messages, answer.text, answer.delay)

    def stream(
        self, messages: Sequence[Message], *, tools: Sequence[Tool] = (), max_tokens: int | None = None
    ) -> GeneratorStream:
        return GeneratorStream(self._pieces(messages, tools))

    def _pieces(
        self, messages: Sequence[Message], tools: Sequence[Tool]
    ) -> Generator[Delta, None, Completion]:
        answer = self._answer(messages, tools)
        time.sleep(answer.delay)
        for piece in _PIECE.findall(answer.text):
            time.sleep(answer.pause)
            yield Delta(piece)
        if answer.failure is not None:
            raise answer.failure
        return replace(_completion(messages, answer.text, answer.delay), tool_calls=answer.tool_calls)

    def _answer(self, messages: Sequence[Message], tools: Sequence[Tool] = ()) -> Answer:
        prompt = Prompt(self._purpose, tuple(messages), tuple(tools))
        scripted = _STAGE.ask(prompt) or self._from_file(prompt)
        if scripted is None:
            return Answer(_unscripted(prompt))
        if isinstance(scripted, Answer):
            return scripted
        if isinstance(scripted, ModelError):
            return Answer(failure=scripted)
        return Answer(scripted if isinstance(scripted, str) else scripted(messages))

    def _from_file(self, prompt: Prompt) -> Answer | None:
        if not self._script_file:
            return None
        rules = [_Rule(**rule) for rule in json.loads(Path(self._script_file).read_text("utf-8"))]
        return next((rule.answer() for rule in rules if rule.fits(prompt)), None)


class FakeEmbedder:
    """Bags of hashed words: the same words give the same vector, on every machine."""

    backend = "fake"

    def __init__(self, dimension: int, floor: float | None = None) -> None:
        self.name = "fake-words" if dimension == DIMENSION else f"fake-words-{dimension}"
        self.dimension = dimension
        self.relevance_floor = 0.2 if floor is None else floor

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        vector = [0.0] * self.dimension
        for word in _WORD.findall(text.casefold()) or [""]:
            digest = hashlib.sha256(word.encode("utf-8", "replace")).digest()
            vector[int.from_bytes(digest[:4]) % self.dimension] += 1.0
        length = math.hypot(*vector)
        return [value / length for value in vector]


def chat_model(purpose: Purpose, settings: LlmSettings) -> FakeChatModel:
    return FakeChatModel(purpose, settings.fake_script)


def embedder(settings: LlmSettings) -> FakeEmbedder:
    return FakeEmbedder(settings.embed_dimension, settings.embed_floor)


def _unscripted(prompt: Prompt) -> str:
    if prompt.purpose is Purpose.EXTRACT:
        return '{"facts": []}'
    if prompt.purpose is Purpose.SUMMARISE:
        return "They talked."
    return f"You said: {memoryblock.question(prompt.messages)}"


def _completion(messages: Sequence[Message], text: str, delay: float) -> Completion:
    usage = Usage(input=tokens.count_messages(messages), output=tokens.count(text))
    return Completion(text, FakeChatModel.name, usage, round(delay * 1000))
