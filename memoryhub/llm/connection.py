"""Trying the configured model of a purpose: does it answer, how fast, and if not, why."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from memoryhub.llm import answers, get_chat_model, get_embedder
from memoryhub.llm.errors import ModelError
from memoryhub.llm.types import JsonSchema, Message, Purpose

_HELLO = (Message("user", "Reply with the single word: ready"),)
_READY = JsonSchema(
    "ready",
    {
        "type": "object",
        "properties": {"ready": {"type": "boolean"}},
        "required": ["ready"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True)
class ConnectionReport:
    """``model`` is the name it answered with, or the configured one; ``error`` a sentence and ``code`` its stable
    name, both empty when ``ok``. ``offline`` means that no language model is configured: rules answered."""

    purpose: Purpose
    ok: bool
    backend: str
    model: str
    offline: bool
    latency_ms: int
    error: str = ""
    code: str = ""


def test_connection(purpose: Purpose) -> ConnectionReport:
    """Call the model configured for ``purpose`` once; extraction is asked for JSON. Never raises ``ModelError``."""
    started = time.monotonic()
    if purpose is Purpose.EMBED:
        embedder = get_embedder()
        names, offline = (embedder.backend, embedder.name), embedder.backend != "openai"
        failure, answered = _try(lambda: _embedded(embedder.name))
    else:
        model = get_chat_model(purpose)
        names, offline = (model.backend, model.name), model.offline
        failure, answered = _try(lambda: _answered(purpose))
    return ConnectionReport(
        purpose,
        ok=failure is None,
        backend=names[0],
        model=answered or names[1],
        offline=offline,
        latency_ms=round((time.monotonic() - started) * 1000),
        error=failure.message if failure else "",
        code=failure.code if failure else "",
    )


def _try(call: Callable[[], str]) -> tuple[ModelError | None, str]:
    try:
        return None, call()
    except ModelError as error:
        return error, ""


def _answered(purpose: Purpose) -> str:
    schema = _READY if purpose is Purpose.EXTRACT else None
    completion = get_chat_model(purpose).complete(_HELLO, schema=schema)
    if schema is not None:
        answers.parse(completion.text)
    return completion.model


def _embedded(name: str) -> str:
    get_embedder().embed_query("ready")
    return name
