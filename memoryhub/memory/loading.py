"""Recalled facts with their evidence, in one statement: what the ORM does in three costs as much as the ranking."""

import uuid
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django.db import connection

from memoryhub.memory.models import Evidence, Fact, FactVersion, Subject, Turn
from memoryhub.tenants import scope

_HEAVY = frozenset({"embedding", "next_embedding", "search", "metadata"})
#: Evidence of one fact that is loaded, oldest first: what has been said a hundred times is shown by some of it.
MOST_EVIDENCE = 20
#: What a version has of its own, in the place of what the fact says now.
_OF_VERSION = ("statement", "kind", "attribute", "value", "origin", "valid_at", "invalid_at")


@cache
def _columns(model: Any) -> tuple[str, ...]:
    return tuple(field.attname for field in model._meta.concrete_fields if field.attname not in _HEAVY)


@cache
def _statement() -> str:
    """Each fact by its id: with a subject's rows guessed wrongly, all of them would be read."""
    picked = [f"f.{name}" for name in _columns(Fact)]
    picked += [f"e.{name}" for name in _columns(Evidence)] + [f"t.{name}" for name in _columns(Turn)]
    return f"""
        SELECT {", ".join(picked)} FROM unnest(%s::uuid[]) AS wanted (id)
        CROSS JOIN LATERAL (
            SELECT * FROM fact WHERE fact.tenant_id = %s AND fact.id = wanted.id OFFSET 0
        ) f
        LEFT JOIN LATERAL (
            SELECT * FROM evidence WHERE evidence.tenant_id = f.tenant_id AND evidence.fact_id = f.id
            ORDER BY evidence.created_at, evidence.id LIMIT {MOST_EVIDENCE}
        ) e ON true
        LEFT JOIN turn t ON t.tenant_id = e.tenant_id AND t.id = e.turn_id
        WHERE f.subject_id = %s
        ORDER BY e.created_at, e.id"""  # noqa: S608 - column names are the models' own


def facts(
    subject: Subject, ids: Sequence[uuid.UUID], numbers: Mapping[uuid.UUID, int] | None = None
) -> dict[uuid.UUID, Fact]:
    """The facts by id, their ``subject`` set and ``evidence`` prefetched.

    ``numbers`` names the version of each to show; one that is not the present version lends the fact its words.
    """
    if not ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_statement(), [list(ids), scope.current().tenant_id, subject.id])
        rows = cursor.fetchall()
    found = _built(subject, rows)
    past = [row for row in found.values() if numbers and numbers.get(row.id, row.version) != row.version]
    if past and numbers:
        _as_they_were(past, numbers)
    return found


def _built(subject: Subject, rows: Sequence[Sequence[Any]]) -> dict[uuid.UUID, Fact]:
    fact_end = len(_columns(Fact))
    link_end = fact_end + len(_columns(Evidence))
    id_at = _columns(Fact).index("id")
    found: dict[uuid.UUID, Fact] = {}
    links: dict[uuid.UUID, list[Evidence]] = {}
    for row in rows:
        fact = found.get(row[id_at])
        if fact is None:
            fact = Fact.from_db("default", _columns(Fact), row[:fact_end])
            fact.subject = subject
            found[fact.id] = fact
            links[fact.id] = []
        link = _link(fact, row[fact_end:link_end], row[link_end:])
        if link is not None:
            links[fact.id].append(link)
    for fact in found.values():
        # Where prefetch_related puts what it has loaded.
        vars(fact)["_prefetched_objects_cache"] = {"evidence": links[fact.id]}
    return found


def _link(fact: Fact, values: Sequence[Any], turn: Sequence[Any]) -> Evidence | None:
    if values[_columns(Evidence).index("id")] is None:
        return None
    link = Evidence.from_db("default", _columns(Evidence), values)
    link.fact = fact
    spoken = turn[_columns(Turn).index("id")] is not None
    link.turn = Turn.from_db("default", _columns(Turn), turn) if spoken else None
    return link


def _as_they_were(past: Sequence[Fact], numbers: Mapping[uuid.UUID, int]) -> None:
    versions = FactVersion.objects.filter(fact_id__in=[row.id for row in past]).defer("embedding")
    by_key = {(version.fact_id, version.number): version for version in versions}
    for row in past:
        version = by_key.get((row.id, numbers[row.id]))
        if version is not None:
            for name in _OF_VERSION:
                setattr(row, name, getattr(version, name))
            row.version = version.number
