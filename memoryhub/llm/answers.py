"""Reading JSON out of a model's answer, as forgiving as is safe, with one repair."""

import json
import re
from collections.abc import Sequence
from typing import Any

from memoryhub.llm.errors import ModelAnswerInvalid
from memoryhub.llm.types import ChatModel, JsonSchema, Message

_THOUGHTS = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)
_FENCE = re.compile(r"^\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
_BAD_ESCAPE = re.compile(r'(\\\\)|\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_REPAIR = Message(
    "user",
    "That was not one valid JSON document. Answer again with the JSON document alone, complete and correctly escaped.",
)


def parse(text: str) -> Any:
    """The JSON document in ``text``: without a code fence or thoughts around it, invalid escapes taken literally,
    and without NUL and lone surrogates, which can not be stored. Raises ``ModelAnswerInvalid``."""
    body = _THOUGHTS.sub("", text)
    fenced = _FENCE.match(body)
    body = (fenced[1] if fenced else body).strip()
    try:
        return _storable(_loaded(body))
    except (ValueError, RecursionError):
        raise ModelAnswerInvalid("The model answered with something that is not JSON.") from None


def ask(
    model: ChatModel, messages: Sequence[Message], schema: JsonSchema, *, max_tokens: int | None = None
) -> Any:
    """The JSON document ``model`` answers with; asked once more when the first is none. Whether it keeps the schema
    is for the caller to check. Raises the kinds in ``memoryhub.llm.errors``."""
    try:
        return parse(model.complete(messages, schema=schema, max_tokens=max_tokens).text)
    except ModelAnswerInvalid:
        return parse(model.complete([*messages, _REPAIR], schema=schema, max_tokens=max_tokens).text)


def _loaded(body: str) -> Any:
    try:
        return json.loads(body, parse_constant=_refuse)
    except json.JSONDecodeError:
        return json.loads(_BAD_ESCAPE.sub(lambda match: match[1] or "\\\\", body), parse_constant=_refuse)


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return _UNSTORABLE.sub("", value)
    if isinstance(value, list):
        return [_storable(item) for item in value]
    if isinstance(value, dict):
        return {_UNSTORABLE.sub("", name): _storable(item) for name, item in value.items()}
    return value
