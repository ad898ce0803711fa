"""Strict JSON (RFC 8259): no NaN, no absurd numbers, bounded depth; a document that can not be stored is refused."""

import json
from collections.abc import Mapping
from typing import IO, Any, NoReturn

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

_DEEPEST = 32
_LONGEST_NUMBER = 40


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _integer(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise ValueError("a number has too many digits")
    return int(text)


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
    """Parses a JSON object. Anything wrong is a 400 with the code ``malformed_json`` or ``json_too_deep``."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            text = stream.read().decode("utf-8")
        except UnicodeDecodeError as error:
            raise ParseError("The body is not valid UTF-8.", code="malformed_json") from error
        # Few documents have many brackets; only those are walked.
        if text.count("[") + text.count("{") > _DEEPEST and _depth(text) > _DEEPEST:
            raise ParseError(f"The body nests deeper than {_DEEPEST} levels.", code="json_too_deep")
        try:
            return json.loads(text, parse_constant=_refuse_constant, parse_int=_integer)
        except ValueError as error:
            raise ParseError("The body is not valid JSON.", code="malformed_json") from error
