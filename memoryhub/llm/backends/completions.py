"""Reading chat completions, whole and streamed, without trusting a field of them."""

from collections.abc import Generator, Iterable, Sequence
from typing import Any

from memoryhub.llm import tokens
from memoryhub.llm.errors import ModelAnswerInvalid
from memoryhub.llm.types import Completion, Delta, Message, ToolCall, Usage

_MAX_TEXT = 2_000_000
_MOST_CALLS, _MAX_ARGUMENTS = 16, 20_000
_EMPTY = "The model answered with nothing."


def read(answer: Any, messages: Sequence[Message], *, model: str, latency_ms: int) -> Completion:
    """The completion in an endpoint's answer. Raises ``ModelAnswerInvalid``."""
    choices = getattr(answer, "choices", None)
    message = getattr(choices[0], "message", None) if isinstance(choices, list) and choices else None
    if message is None:
        raise ModelAnswerInvalid("The address answered with something that is no chat completion.")
    text = getattr(message, "content", None) or getattr(message, "refusal", None) or ""
    if not isinstance(text, str) or not text.strip():
        raise ModelAnswerInvalid(_EMPTY)
    return Completion(text, _name(answer) or model, _usage(answer, messages, text), latency_ms)


class Reading:
    """Reads the chunks of a stream and keeps what its end needs."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._last: Any = None
        self._finished = False
        self._pieces: list[str] = []
        self._calls: dict[int, list[str]] = {}

    def deltas(self, chunks: Iterable[Any]) -> Generator[Delta, None, None]:
        """The pieces of text. Raises ``ModelAnswerInvalid`` past two million characters."""
        size = 0
        for chunk in chunks:
            text = self._text_of(chunk)
            size += len(text)
            if size > _MAX_TEXT:
                raise ModelAnswerInvalid("The model's answer is too long and was cut off.")
            if text:
                self._pieces.append(text)
                yield Delta(text)

    def completion(self, messages: Sequence[Message], latency_ms: int) -> Completion:
        """What was read, once the chunks have ended. Raises ``ModelAnswerInvalid`` when that was not the end."""
        text = "".join(self._pieces)
        calls = tuple(ToolCall(*parts) for _, parts in sorted(self._calls.items()) if parts[1])
        if not self._finished or not (text.strip() or calls):
            raise ModelAnswerInvalid("The model's answer broke off before its end." if text else _EMPTY)
        return Completion(text, self._model, _usage(self._last, messages, text), latency_ms, calls)

    def _collect(self, delta: Any) -> None:
        """Tool calls arrive in pieces, each with the number of its call. Raises ``ModelAnswerInvalid``."""
        listed = getattr(delta, "tool_calls", None)
        for piece in listed if isinstance(listed, list) else []:
            index = getattr(piece, "index", 0)
            if not isinstance(index, int) or not 0 <= index < _MOST_CALLS:
                raise ModelAnswerInvalid("The model asked for more tools at once than it may.")
            parts = self._calls.setdefault(index, ["", "", ""])
            function = getattr(piece, "function", None)
            for place, value in enumerate(
                (
                    getattr(piece, "id", None),
                    getattr(function, "name", None),
                    getattr(function, "arguments", None),
                )
            ):
                parts[place] += value if isinstance(value, str) else ""
            if len(parts[2]) > _MAX_ARGUMENTS:
                raise ModelAnswerInvalid("The model's tool call is too long.")

    def _text_of(self, chunk: Any) -> str:
        self._model = _name(chunk) or self._model
        if getattr(chunk, "usage", None) is not None:
            self._last = chunk
        choices = getattr(chunk, "choices", None)
        if not isinstance(choices, list) or not choices:
            return ""
        self._finished = self._finished or bool(getattr(choices[0], "finish_reason", None))
        delta = getattr(choices[0], "delta", None)
        self._collect(delta)
        text = getattr(delta, "content", None) or getattr(delta, "refusal", None) or ""
        return text if isinstance(text, str) else ""


def _name(answer: Any) -> str:
    name = getattr(answer, "model", None)
    return name if isinstance(name, str) else ""


def _usage(answer: Any, messages: Sequence[Message], text: str) -> Usage:
    reported = getattr(answer, "usage", None)
    asked, answered = _number(reported, "prompt_tokens"), _number(reported, "completion_tokens")
    if asked is None or answered is None:
        return Usage(input=tokens.count_messages(messages), output=tokens.count(text), estimated=True)
    cached = _number(getattr(reported, "prompt_tokens_details", None), "cached_tokens") or 0
    return Usage(asked, min(cached, asked), answered)


def _number(holder: Any, name: str) -> int | None:
    value = getattr(holder, name, None)
    return value if isinstance(value, int) and 0 <= value < 2**31 else None
