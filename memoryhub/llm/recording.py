"""Around every model: no open transaction, and one row in the ledger however the call ends."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from threading import Lock
from typing import Self, TypeVar

from django.db import connections

from memoryhub.llm import ledger, tokens
from memoryhub.llm.errors import ModelCallInTransaction, ModelError
from memoryhub.llm.types import (
    ChatModel,
    ChatStream,
    Completion,
    Delta,
    Embedder,
    JsonSchema,
    Message,
    Purpose,
    Tool,
    Usage,
)

T = TypeVar("T")


def refuse_in_transaction() -> None:
    """Raises ``ModelCallInTransaction`` when this thread holds a transaction open on any database.

    The block that a test case wraps around a test does not count, as it does not for ``atomic(durable=True)``.
    """
    for connection in connections.all(initialized_only=True):
        # Django marks a test case's own blocks so; nothing public tells them apart.
        if connection.in_atomic_block and not getattr(connection.atomic_blocks[-1], "_from_testcase", False):
            raise ModelCallInTransaction("A model is called while a transaction is open; commit first.")


class _Meter:
    """Times one call and writes its row, once."""

    def __init__(self, purpose: Purpose, backend: str, model: str) -> None:
        self._purpose, self._backend, self._model = purpose, backend, model
        self._started = time.monotonic()
        # A stream may be closed by a thread that stands in no scope; the row belongs to whoever asked.
        self._context = copy_context()
        self._unwritten = Lock()

    def end(self, outcome: str, usage: Usage, model: str = "") -> None:
        # A stream may be closed by one thread while another reads its end.
        if not self._unwritten.acquire(blocking=False):
            return
        latency_ms = round((time.monotonic() - self._started) * 1000)
        call = ledger.Call(self._purpose, self._backend, model or self._model, usage, latency_ms, outcome)
        self._context.run(ledger.record, call)

    def run(self, call: Callable[[], T], spent: Callable[[], Usage]) -> T:
        """``call()``, with a row for its failure. The caller ends the meter on success."""
        try:
            return call()
        except ModelError as error:
            self.end(error.code, spent())
            raise
        except StopIteration:
            raise
        except Exception:
            self.end("fault", spent())
            raise


class RecordedChatModel:
    """A chat model that keeps the two rules."""

    def __init__(self, inner: ChatModel, purpose: Purpose) -> None:
        self._inner = inner
        self._purpose = purpose
        self.name, self.backend, self.offline = inner.name, inner.backend, inner.offline

    def complete(
        self, messages: Sequence[Message], *, schema: JsonSchema | None = None, max_tokens: int | None = None
    ) -> Completion:
        refuse_in_transaction()
        meter = self._meter()
        completion = meter.run(
            lambda: self._inner.complete(messages, schema=schema, max_tokens=max_tokens),
            lambda: _asked(messages),
        )
        meter.end(ledger.OK, completion.usage, completion.model)
        return completion

    def stream(
        self, messages: Sequence[Message], *, tools: Sequence[Tool] = (), max_tokens: int | None = None
    ) -> "RecordedStream":
        refuse_in_transaction()
        meter = self._meter()
        inner = meter.run(
            lambda: self._inner.stream(messages, tools=tools, max_tokens=max_tokens), lambda: _asked(messages)
        )
        return RecordedStream(inner, meter, messages)

    def _meter(self) -> _Meter:
        return _Meter(self._purpose, self.backend, self.name)


class RecordedStream:
    """A stream whose row is written when it ends, fails or is closed."""

    def __init__(self, inner: ChatStream, meter: _Meter, messages: Sequence[Message]) -> None:
        self._inner = inner
        self._meter = meter
        self._messages = messages

    def __iter__(self) -> Iterator[Delta]:
        return self

    def __next__(self) -> Delta:
        try:
            return self._meter.run(lambda: next(self._inner), self._spent)
        except StopIteration:
            self._finish()
            raise

    def close(self) -> None:
        self._inner.close()
        self._finish()

    @property
    def text(self) -> str:
        return self._inner.text

    @property
    def completion(self) -> Completion | None:
        return self._inner.completion

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _finish(self) -> None:
        completion = self._inner.completion
        if completion is None:
            self._meter.end(ledger.STOPPED, self._spent())
        else:
            self._meter.end(ledger.OK, completion.usage, completion.model)

    def _spent(self) -> Usage:
        asked = _asked(self._messages)
        return Usage(input=asked.input, output=tokens.count(self.text), estimated=True)


class RecordedEmbedder:
    """An embedder that keeps the two rules."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.name, self.backend = inner.name, inner.backend
        self.dimension, self.relevance_floor = inner.dimension, inner.relevance_floor

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        return self._recorded(lambda: self._inner.embed_passages(texts), texts)

    def embed_query(self, text: str) -> list[float]:
        return self._recorded(lambda: self._inner.embed_query(text), [text])

    def _recorded(self, call: Callable[[], T], texts: Sequence[str]) -> T:
        refuse_in_transaction()
        meter = _Meter(Purpose.EMBED, self.backend, self.name)
        usage = Usage(input=sum(map(tokens.count, texts)), estimated=True)
        vectors = meter.run(call, lambda: usage)
        meter.end(ledger.OK, usage)
        return vectors


def _asked(messages: Sequence[Message]) -> Usage:
    return Usage(input=tokens.count_messages(messages), estimated=True)
