"""Strict JSON (RFC 8259): no NaN, no absurd numbers, bounded depth; a document that can not be stored is refused."""

import json
import math
from collections.abc import Mapping
from typing import IO, Any, NoReturn

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from memoryhub.errors import TooLarge

_DEEPEST = 32
_LONGEST_NUMBER = 40


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _integer(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise ValueError("a number has too many digits")
    return int(text)


def _fraction(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError("a number is too large")
    return number


def _read(stream: IO[Any]) -> bytes:
    """The whole body. Django's own limit counts only what it parses itself."""
    limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    body: bytes = stream.read(limit + 1)
    if len(body) > limit:
        raise TooLarge("The body is larger than 2 MB; send fewer turns at once.", code="body_too_large")
    return body


def _depth(text: str) -> int:
    """The deepest nesting of brackets outside strings, found before Python's parser recurses into it."""
    depth = deepest = 0
    in_string = escaped = False
    for char in text:
        if in_string:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                in_string = False
        elif char == '"':
            in_string = True
        elif char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


class StrictJSONParser(BaseParser):
    """Parses a JSON object. Raises ``ParseError`` (``malformed_json``, ``json_too_deep``) and ``TooLarge``."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            text = _read(stream).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ParseError("The body is not valid UTF-8.", code="malformed_json") from error
        # Few documents have many brackets; only those are walked.
        if text.count("[") + text.count("{") > _DEEPEST and _depth(text) > _DEEPEST:
            raise ParseError(f"The body nests deeper than {_DEEPEST} levels.", code="json_too_deep")
        try:
            return json.loads(
                text, parse_constant=_refuse_constant, parse_int=_integer, parse_float=_fraction
            )
        except ValueError as error:
            raise ParseError("The body is not valid JSON.", code="malformed_json") from error
