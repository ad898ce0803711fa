"""What an endpoint understands of OpenAI's API. Found out by being refused, and remembered for the process."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Literal

from memoryhub.llm.types import JsonSchema, Message, Tool

Format = Literal["json_schema", "json_object", "text"]

_WEAKER: dict[Format, Format] = {"json_schema": "json_object", "json_object": "text"}


@dataclass(frozen=True)
class Dialect:
    """``format`` is the strongest way of asking for JSON; ``limit`` the name of the limit on the answer's tokens;
    ``reports_usage`` whether streams may be asked for their usage; ``knows_tools`` whether tools may be offered."""

    format: Format = "json_schema"
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    reports_usage: bool = True
    knows_tools: bool = True

    def options(
        self, schema: JsonSchema | None, max_tokens: int | None, *, stream: bool, tools: Sequence[Tool] = ()
    ) -> dict[str, Any]:
        """The optional parts of a request."""
        options: dict[str, Any] = {} if max_tokens is None else {self.limit: max_tokens}
        if stream and self.reports_usage:
            options["stream_options"] = {"include_usage": True}
        if schema is not None and self.format != "text":
            options["response_format"] = self._response_format(schema)
        if tools and self.knows_tools:
            options["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": t.name,
                        "description": t.description,
                        "parameters": dict(t.parameters),
                    },
                }
                for t in tools
            ]
        return options

    def _response_format(self, schema: JsonSchema) -> dict[str, Any]:
        if self.format == "json_object":
            return {"type": "json_object"}
        return {"type": "json_schema", "json_schema": {"name": schema.name, "schema": dict(schema.schema)}}

    def messages(self, messages: Sequence[Message], schema: JsonSchema | None) -> list[Message]:
        """The prompt; with the schema in words where the endpoint can not be given it otherwise."""
        if schema is None or self.format == "json_schema":
            return list(messages)
        asked = "Answer with one JSON document and nothing else. It keeps this JSON Schema: "
        return [Message("system", asked + json.dumps(dict(schema.schema))), *messages]

    def weaker(self, used: dict[str, Any], refused: str | None) -> "Dialect | None":
        """What to try next after a request with the options ``used`` was refused, naming ``refused`` if anything;
        ``None`` when there is nothing left to leave out."""
        if refused == "max_tokens" and "max_tokens" in used:
            return replace(self, limit="max_completion_tokens")
        if "tools" in used:
            return replace(self, knows_tools=False)
        if "response_format" in used:
            return replace(self, format=_WEAKER[self.format])
        if "stream_options" in used:
            return replace(self, reports_usage=False)
        return None


class Spoken:
    """The dialect of one endpoint and model, shared by threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._dialect = Dialect()

    def get(self) -> Dialect:
        with self._lock:
            return self._dialect

    def learn(self, dialect: Dialect) -> None:
        with self._lock:
            self._dialect = dialect
