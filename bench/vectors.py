"""Made-up facts with vectors that lie in clusters, as those of texts do, and their way into the database."""

import uuid
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray
from pgvector.psycopg import register_vector

DIMENSIONS = 384
Vectors = NDArray[np.float32]


def _unit(rows: Any) -> Vectors:
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


def clustered(count: int, *, seed: int, topics: int = 200, spread: float = 0.8) -> Vectors:
    """Unit vectors around ``topics`` random centres: a centre plus a random direction of length ``spread``.

    Two of one topic have a cosine of about 1 / (1 + spread²), 0.6 here; two of different topics about 0. The centres
    are the same for every ``seed``.
    """
    centres = _unit(np.random.default_rng(0).standard_normal((topics, DIMENSIONS)))
    chance = np.random.default_rng(seed)
    noise = _unit(chance.standard_normal((count, DIMENSIONS)))
    return _unit(centres[chance.integers(topics, size=count)] + spread * noise)


def questions(of: Vectors, count: int, *, seed: int) -> Vectors:
    """Vectors near ``count`` of the rows, with a cosine of about 0.9 to them."""
    chance = np.random.default_rng(seed)
    near = of[chance.integers(len(of), size=count)]
    return _unit(near + 0.5 * _unit(chance.standard_normal((count, DIMENSIONS))))


def best(of: Vectors, question: Vectors, k: int) -> list[int]:
    """The true top ``k``: places of the rows with the largest cosines, by comparing with all."""
    cosines = of @ question
    return [int(place) for place in np.argsort(-cosines)[:k]]


def share(found: Iterable[Any], true: Sequence[Any]) -> float:
    """The share of the true top k that was found."""
    return len(set(found) & set(true)) / len(true)


def text_of(vector: Vectors) -> str:
    """As pgvector reads it."""
    return "[" + ",".join(f"{part:.7g}" for part in vector.tolist()) + "]"


def stage(
    owner: "psycopg.Connection[Any]",
    rows: Iterable[tuple[uuid.UUID, uuid.UUID, uuid.UUID, str]],
    vectors: Vectors,
) -> None:
    """Put id, tenant, subject, statement and vector into the table ``bench_rows``, which is made anew."""
    register_vector(owner)
    owner.execute("DROP TABLE IF EXISTS bench_rows")
    owner.execute(
        "CREATE UNLOGGED TABLE bench_rows (id uuid, tenant_id uuid, subject_id uuid, statement text, vector vector)"
    )
    copying = "COPY bench_rows (id, tenant_id, subject_id, statement, vector) FROM STDIN (FORMAT binary)"
    with owner.cursor() as cursor, cursor.copy(copying) as copy:
        copy.set_types(["uuid", "uuid", "uuid", "text", "vector"])
        for row, vector in zip(rows, vectors, strict=True):
            copy.write_row((*row, vector))


# Whole facts as the product writes them, from what was staged.
FACTS = """
INSERT INTO fact (id, tenant_id, subject_id, kind, attribute, value, statement, key, content_key, pinned, next_embedder, status, held_because, origin,
    verification, human, position, version, valid_at, observed_at, created_at, updated_at, extractor, embedding, embedder)
SELECT id, tenant_id, subject_id, 'profile', '', '', statement, encode(sha256(statement::bytea), 'hex'), encode(sha256(statement::bytea), 'hex'), false, '', 'active', '',
    'said', 'claimed', false, 0, 1, now(), now(), now(), now(), '', vector, 'bench'
FROM bench_rows WHERE tenant_id = %s
"""


def facts_from_stage(owner: "psycopg.Connection[Any]") -> None:
    """Write the staged rows as facts: for each tenant under its own name, since the owner too is bound to one."""
    for (tenant,) in owner.execute("SELECT DISTINCT tenant_id FROM bench_rows").fetchall():
        owner.execute("SELECT set_config('app.tenant_id', %s, false)", [str(tenant)])
        owner.execute(FACTS, [tenant])
