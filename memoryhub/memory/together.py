"""Facts and past turns in one statement: two rankings side by side, one round trip, one view of the data."""

import json
import uuid
from dataclasses import fields
from datetime import datetime
from typing import Any

from django.db import connection

from memoryhub.memory import episodes, ranking
from memoryhub.memory.episodes import Episode, Filters
from memoryhub.memory.ranking import Question, Ranked, Row, Source, gathered
from memoryhub.memory.weights import TurnWeights

_BOTH = """
SELECT 'fact' AS what, to_jsonb(found)::text AS row FROM ({facts}) AS found
UNION ALL
SELECT 'turn', to_jsonb(said)::text FROM ({turns}) AS said
"""
#: Names that both statements use for different values.
_CLASHING = ("limit", "half_life", "thread")


def ranked(
    question: Question,
    source: Source,
    *,
    scope_facts: int,
    turns: int,
    filters: Filters,
    weights: TurnWeights,
) -> tuple[Ranked, list[Episode]]:
    """What ``ranking.ranked`` and ``episodes.ranked`` find, the latter at most ``turns``; each best first."""
    asked = question.asked
    fact_sql, fact_values = ranking.asked_for(question, source, scope_facts=scope_facts)
    turn_sql, turn_values = episodes.asked_for(
        question.subject_id,
        question.text,
        asked.vector,
        floor=asked.floor,
        embedder=asked.embedder,
        at=question.at,
        weights=weights,
        limit=turns,
        filters=filters,
    )
    for name in _CLASHING:
        turn_sql = turn_sql.replace(f"%({name})s", f"%(turn_{name})s")
        turn_values[f"turn_{name}"] = turn_values.pop(name, None)
    ranking.prepare(source)
    with connection.cursor() as cursor:
        cursor.execute(_BOTH.format(facts=fact_sql, turns=turn_sql), {**turn_values, **fact_values})
        rows = [(what, json.loads(row)) for what, row in cursor.fetchall()]
    facts = [_fact(row) for what, row in rows if what == "fact"]
    said = [_turn(row) for what, row in rows if what == "turn"]
    # What a UNION gives back has no order of its own.
    facts.sort(key=lambda row: (row.why is not None, not row.relevant, -(row.score or 0), str(row.id)))
    said.sort(key=lambda row: -row.score)
    return gathered(facts), said


def _fact(values: dict[str, Any]) -> Row:
    return Row(**{**values, "id": uuid.UUID(values["id"]) if values["id"] else None})


_IDS = tuple(field.name for field in fields(Episode) if field.name.endswith("_id"))


def _turn(values: dict[str, Any]) -> Episode:
    known = {field.name: values[field.name] for field in fields(Episode)}
    known |= {name: uuid.UUID(known[name]) for name in _IDS}
    known["said_at"] = datetime.fromisoformat(known["said_at"])
    return Episode(**known)
