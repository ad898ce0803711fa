"""Progressive disclosure: past a number of facts the prompt carries an index, and the model asks for what it needs.

The tools read one subject's memory and nothing else, whatever a model writes into their arguments.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count

from memoryhub import ids
from memoryhub.errors import NotFound
from memoryhub.llm.types import Tool, ToolCall
from memoryhub.memory import catalogue, facts, recall
from memoryhub.memory.kinds import FactStatus, Kind
from memoryhub.memory.models import Fact, Subject

_MOST = 20
_MOST_TURNS = 5
_TEXT = {"type": "string"}
TOOLS: Sequence[Tool] = (
    Tool(
        "recall_memory",
        "Find what is remembered about the person that bears on a question: facts, and what was said in past turns.",
        {"type": "object", "properties": {"query": _TEXT}, "required": ["query"]},
    ),
    Tool(
        "list_memory",
        "List what is remembered about the person of one kind, newest first.",
        {
            "type": "object",
            "properties": {"kind": {"type": "string", "enum": [kind.value for kind in Kind]}},
            "required": ["kind"],
        },
    ),
    Tool(
        "read_fact",
        "Read one fact with its history and the words it rests on.",
        {"type": "object", "properties": {"id": _TEXT}, "required": ["id"]},
    ),
)


def index(subject: Subject) -> str:
    """One line a kind with how many facts there are of it."""
    rows = (
        Fact.objects.filter(subject=subject, status=FactStatus.ACTIVE).values("kind").annotate(n=Count("id"))
    )
    counts = {row["kind"]: row["n"] for row in rows}
    lines = [f"- {kind.value}: {counts[kind.value]}" for kind in Kind if counts.get(kind.value)]
    return "\n".join(["More is remembered than is shown here; the tools find it. Facts by kind:", *lines])


def run(subject: Subject, call: ToolCall, *, at: datetime) -> str:
    """The answer to a model's call, as JSON. A call that makes no sense is answered with what is wrong."""
    try:
        arguments = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        return _json({"error": "The arguments are not JSON."})
    if not isinstance(arguments, Mapping):
        return _json({"error": "The arguments are no JSON object."})
    if call.name == "recall_memory":
        return _recall(subject, str(arguments.get("query", "")), at)
    if call.name == "list_memory":
        return _list(subject, str(arguments.get("kind", "")))
    if call.name == "read_fact":
        return _read(subject, str(arguments.get("id", "")))
    return _json({"error": f"There is no tool of this name; there are {', '.join(t.name for t in TOOLS)}."})


def _recall(subject: Subject, query: str, at: datetime) -> str:
    found = recall.recall(subject, query.replace("\x00", " "), at=at, limit=_MOST, turns=_MOST_TURNS)
    said = [{"said": _day(item.episode.said_at), "by": item.role, "text": item.text} for item in found.turns]
    return _json({"facts": [_line(item.fact) for item in found.facts], "turns": said})


def _list(subject: Subject, kind: str) -> str:
    if kind not in Kind.values:
        return _json({"error": f"kind is one of {', '.join(Kind.values)}."})
    wanted = catalogue.Wanted(subject_id=subject.id, statuses=[FactStatus.ACTIVE], kinds=[kind])
    rows = list(catalogue.matching(wanted).order_by("-observed_at", "-id")[: _MOST + 1])
    return _json({"facts": [_line(row) for row in rows[:_MOST]], "more": len(rows) > _MOST})


def _read(subject: Subject, fact_id: str) -> str:
    try:
        fact = facts.get(ids.parse("fact", fact_id), subject_id=subject.id)
    except NotFound:
        return _json({"error": "There is no such fact."})
    links = fact.evidence.select_related("turn").exclude(turn__isnull=True)
    quotes = [link.turn.content[link.start : link.end] for link in links[:5]]
    history = [
        {"statement": v.statement, "from": _day(v.valid_at), "until": _day(v.invalid_at)}
        for v in catalogue.history(fact)[:10]
    ]
    return _json({**_line(fact), "quotes": quotes, "history": history})


def _line(fact: Fact) -> dict[str, Any]:
    return {
        "id": fact.public_id,
        "fact": fact.statement,
        "kind": fact.kind,
        "said": _day(fact.observed_at),
        "status": fact.status,
    }


def _day(moment: datetime | None) -> str | None:
    return moment.date().isoformat() if moment else None


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)
