"""Many facts with vectors, quickly: for tests and measurements of large scopes."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db import connection, transaction

from memoryhub import clock, ids
from memoryhub.accounts import members
from memoryhub.memory import subjects
from memoryhub.memory.models import Subject
from memoryhub.tenants import scope

DIMENSION, NAME = 384, "test-vectors"
_BATCH = 2000
_SORTS = 200

_INSERT = """
INSERT INTO fact (id, tenant_id, subject_id, kind, attribute, value, statement, key, content_key, status, held_because,
    origin, verification, human, position, version, observed_at, created_at, updated_at, extractor, pinned, embedding,
    embedder, next_embedder)
SELECT given.id, %(tenant)s, %(subject)s, 'profile', '', '', given.statement, md5(given.statement),
    md5(given.statement), 'active', '', 'said', 'claimed', false, 0, 1, %(at)s, %(at)s, %(at)s, '', false,
    given.vector::halfvec, %(embedder)s, ''
FROM unnest(%(ids)s::uuid[], %(statements)s::text[], %(vectors)s::text[]) AS given (id, statement, vector)
"""


def clouds(count: int, seed: int) -> Any:
    """``count`` unit vectors in clouds around 200 centres, as texts about 200 matters lie; rows of 384 floats."""
    chance = np.random.default_rng(seed)
    centres = chance.normal(size=(_SORTS, DIMENSION))
    rows = centres[np.arange(count) % _SORTS] + 0.7 * chance.normal(size=(count, DIMENSION))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def fill(subject: Subject, count: int, seed: int = 1) -> Any:
    """Give the subject ``count`` facts, each of a number and a sort; returns their vectors in order."""
    vectors = clouds(count, seed)
    for start in range(0, count, _BATCH):
        part = vectors[start : start + _BATCH]
        numbers = range(start, start + len(part))
        values: dict[str, Any] = {
            "tenant": scope.current().tenant_id,
            "subject": subject.id,
            "at": clock.now(),
            "embedder": NAME,
            "ids": [ids.new() for _ in numbers],
            "statements": [f"Owns item {seed}-{n} of sort s{n % _SORTS}" for n in numbers],
            "vectors": [json.dumps(row) for row in np.round(part, 4).tolist()],
        }
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_INSERT, values)
    return vectors


def others(tenants: int, facts: int) -> None:
    """``tenants`` other tenants with a subject of ``facts`` facts each; call it outside a scope."""
    for number in range(tenants):
        tenant = members.found_tenant(f"Other {number}", f"other-{number}", at=clock.now())
        with scope.enter(tenant.id, scope.SYSTEM, "req_crowd"):
            fill(subjects.ensure("somebody", at=clock.now()), facts, seed=1000 + number)


def nearest(vectors: Any, query: Sequence[float], k: int = 10) -> set[int]:
    """The numbers of the true ``k`` nearest, by all of them."""
    return set(np.argsort(-(vectors @ np.array(query, dtype=np.float32)))[:k].tolist())
