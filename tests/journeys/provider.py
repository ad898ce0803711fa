"""A model endpoint for whole journeys: OpenAI's API over HTTP, answered by the rules that ship with the product.

Extraction and summaries come from the offline backends, so that facts rest on what was really said; replies echo.
``down`` makes it refuse everything. ``prompts`` holds what it was asked.
"""

import json
from typing import Any

from memoryhub.llm.backends.rules.extractor import RulesExtractor
from memoryhub.llm.backends.summariser import ExtractiveSummariser
from memoryhub.llm.types import Message
from tests.llm.server import LocalProvider, Rule


class RulesProvider(LocalProvider):
    """Answers by purpose; scripted rules, when there are any that fit, go first."""

    def __init__(self, port: int = 0) -> None:
        super().__init__(port)
        self.down = False

    def take(self, path: str, body: dict[str, Any]) -> Rule:
        scripted = super().take(path, body)
        if self.down:
            return Rule(status=503)
        if scripted != Rule():
            return scripted
        return Rule(text=answer(body)) if path.endswith("/chat/completions") else scripted

    def replies(self) -> list[list[dict[str, str]]]:
        """The prompts of replies, oldest first."""
        asked = [p["body"] for p in self.prompts if p["body"].get("stream")]
        return [body["messages"] for body in asked]

    def last_prompt(self) -> str:
        """The newest prompt of a reply, as one text."""
        return "\n".join(message["content"] for message in self.replies()[-1])


def answer(body: dict[str, Any]) -> str:
    """What a well-behaved model would say, made without one."""
    messages = [Message(m["role"], m["content"]) for m in body["messages"]]
    given = _document(messages[-1].content)
    if "previous_summary" in given:
        return ExtractiveSummariser().complete(messages).text
    if "turns" in given:
        return RulesExtractor().complete(messages).text
    return f"You asked: {messages[-1].content.splitlines()[-1]}"


def _document(content: str) -> dict[str, Any]:
    try:
        found = json.loads(content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
