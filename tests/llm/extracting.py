"""Running the rules on one message, as the memory room would."""

import json
from typing import Any

from memoryhub.llm.backends.rules.extractor import RulesExtractor
from memoryhub.llm.types import Message

SAID_AT = "2026-03-04T10:00:00+00:00"  # a Wednesday


def facts_in(text: str, *, said_at: str = SAID_AT, role: str = "user") -> list[dict[str, Any]]:
    turns = {"turns": [{"seq": 7, "role": role, "text": text, "said_at": said_at}]}
    answer = RulesExtractor().complete([Message("system", "…"), Message("user", json.dumps(turns))])
    facts: list[dict[str, Any]] = json.loads(answer.text)["facts"]
    return facts
