"""What the rest of the product says to a model and hears from it. Nothing here knows a provider."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol, Self

Role = Literal["system", "user", "assistant", "tool"]


class Purpose(StrEnum):
    """Why a model is called. Each may have a model of its own, and each is counted by itself."""

    REPLY = "reply"
    EXTRACT = "extract"
    SUMMARISE = "summarise"
    EMBED = "embed"


@dataclass(frozen=True)
class Tool:
    """Something a model may ask for: a name, what it is for, and a JSON Schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True)
class ToolCall:
    """A model asks for a tool. ``arguments`` are as the model wrote them: JSON, if it behaves."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Message:
    """One message of a prompt. An assistant's may ask for tools; a tool's answers the call ``tool_call_id``."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True)
class JsonSchema:
    """The shape an answer must have: a JSON Schema (draft 2020-12) under a name of letters, digits and ``_``."""

    name: str
    schema: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True)
class Usage:
    """Tokens of one call. ``cached`` is the part of ``input`` that the provider had cached.

    ``estimated`` is true when the provider reported nothing, or the call was stopped, and we counted ourselves.
    """

    input: int = 0
    cached: int = 0
    output: int = 0
    estimated: bool = False


@dataclass(frozen=True)
class Completion:
    """One finished answer. ``model`` is the name the provider answered with; ``latency_ms`` covers the whole call."""

    text: str
    model: str
    usage: Usage
    latency_ms: int
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True)
class Delta:
    """The next piece of a streamed answer."""

    text: str


class ChatStream(Protocol):
    """An answer while it arrives.

    Iterating yields ``Delta``. ``close()`` stops it and closes the connection to the provider; it may be called
    from another thread, and after the end it does nothing.
    """

    def __iter__(self) -> Iterator[Delta]: ...

    def __next__(self) -> Delta: ...

    def close(self) -> None: ...

    @property
    def text(self) -> str:
        """What has arrived so far."""
        ...

    @property
    def completion(self) -> Completion | None:
        """The finished answer; ``None`` while it runs and when it was stopped or failed."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


class ChatModel(Protocol):
    """A model that answers messages. Synchronous: streams are read in threads.

    ``backend`` is ``openai``, ``offline`` or ``fake``; ``offline`` is true when no language model stands behind it.
    Both methods raise the kinds in ``memoryhub.llm.errors``; ``stream`` raises them while it is iterated.
    """

    @property
    def name(self) -> str: ...

    @property
    def backend(self) -> str: ...

    @property
    def offline(self) -> bool: ...

    def complete(
        self, messages: Sequence[Message], *, schema: JsonSchema | None = None, max_tokens: int | None = None
    ) -> Completion:
        """The whole answer. With ``schema`` its text is a JSON document; whether it keeps the schema is for the
        caller to check (``memoryhub.llm.answers``)."""
        ...

    def stream(
        self, messages: Sequence[Message], *, tools: Sequence[Tool] = (), max_tokens: int | None = None
    ) -> ChatStream:
        """The answer as it arrives. With ``tools`` its completion may ask for some of them instead of answering;
        a model that knows no tools leaves them aside."""
        ...


class Embedder(Protocol):
    """Texts to vectors of ``dimension`` floats, of length 1.

    ``relevance_floor`` is the cosine below which a passage does not answer a question; it belongs to the model.
    """

    @property
    def name(self) -> str: ...

    @property
    def backend(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def relevance_floor(self) -> float: ...

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]: ...

    def embed_query(self, text: str) -> list[float]: ...
