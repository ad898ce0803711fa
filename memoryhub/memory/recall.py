"""Finding what is relevant to a message: one SQL statement over one subject's facts.

Score: 0.65 · cosine + 0.25 · keywords + 0.10 · recency. Keywords are weighted by how rare they are among the
subject's own facts (idf), and any of them may match, never all. Below the embedder's relevance floor nothing comes
back, unless an identifier matches exactly: nothing relevant is a result.
"""

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db import connection
from pgvector import Vector

from memoryhub.llm import get_embedder
from memoryhub.llm.errors import ModelError
from memoryhub.memory import policies
from memoryhub.memory.models import Fact, Subject, evidence_prefetch
from memoryhub.tenants import scope

logger = logging.getLogger(__name__)

_QUERY_LIMIT = 2000
_MEANING, _KEYWORDS, _RECENCY = 0.65, 0.25, 0.10
#: Days in which the weight of recency halves.
_HALF_LIFE = 180
#: Share of the query's keyword weight that lets a fact in a little below the floor, or without a vector at all.
_STRONG_KEYWORDS, _KEYWORDS_ALONE = 0.5, 0.3
_FLOOR_SLACK = 0.15
#: What a stale fact's score is multiplied with: it may still be what is asked for, after everything fresh.
_STALE = 0.8


@dataclass(frozen=True)
class RecalledFact:
    """A fact and why it came back. The parts are in [0, 1]; ``cosine`` is None without a vector."""

    fact: Fact
    score: float
    cosine: float | None
    keyword: float
    recency: float
    stale: bool = False

    @property
    def reason(self) -> str:
        """The main reason in plain words."""
        if self.keyword >= _STRONG_KEYWORDS and (self.cosine is None or self.keyword > self.cosine):
            return "shares the rare words"
        return "close in meaning" if self.cosine is not None else "shares words"


@dataclass(frozen=True)
class Recall:
    """What was found. ``below_floor`` facts were near but not relevant; ``degraded`` when meaning was not asked."""

    facts: Sequence[RecalledFact]
    considered: int
    below_floor: int
    degraded: bool


class _Row(NamedTuple):
    id: uuid.UUID
    score: float
    cosine: float | None
    keyword: float
    recency: float
    stale: bool
    relevant: bool
    considered: int
    below_floor: int


_SQL = """
WITH terms AS MATERIALIZED (
    SELECT lexeme AS term, lexeme ~ '[0-9]' AS exact,
           ('''' || replace(replace(lexeme, E'\\\\', E'\\\\\\\\'), '''', '''''') || '''')::tsquery AS one
    FROM unnest(memory_terms(%(query)s))
), any_term AS MATERIALIZED (
    SELECT string_agg(one::text, ' | ')::tsquery AS query FROM terms
), live AS MATERIALIZED (
    SELECT id, CASE WHEN embedder = %(embedder)s THEN 1 - (embedding <=> %(vector)s::vector) END AS cosine,
           exp(-ln(2) * greatest(0, extract(epoch FROM %(at)s::timestamptz - greatest(observed_at, verified_at)))
               / 86400 / %(half_life)s) AS recency,
           greatest(observed_at, verified_at) < (
               SELECT age.cutoff FROM unnest(%(aging)s::text[], %(cutoffs)s::timestamptz[]) AS age (kind, cutoff)
               WHERE age.kind = fact.kind
           ) AS stale,
           CASE WHEN fact.search @@ (SELECT any_term.query FROM any_term)
                THEN ARRAY(SELECT term FROM terms WHERE fact.search @@ terms.one) ELSE '{}' END AS hits
    FROM fact
    WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND status = 'active'
      AND (kind <> 'instruction' OR %(instructions)s)
      AND (invalid_at IS NULL OR invalid_at > %(at)s) AND (%(kinds)s::text[] IS NULL OR kind = ANY(%(kinds)s::text[]))
), hit_counts AS (
    SELECT hit AS term, count(*) AS n FROM (SELECT unnest(hits) AS hit FROM live) AS all_hits GROUP BY hit
), rarity AS MATERIALIZED (
    SELECT terms.term, terms.exact,
           ln(1 + (SELECT count(*) FROM live)::float8 / greatest(1, coalesce(hit_counts.n, 0))) AS idf
    FROM terms LEFT JOIN hit_counts USING (term)
), total AS MATERIALIZED (
    SELECT sum(idf) AS whole FROM rarity
), matched AS MATERIALIZED (
    SELECT live.*,
           CASE WHEN hits = '{}' THEN 0
                ELSE (SELECT sum(idf) FROM rarity WHERE term = ANY(hits)) / (SELECT whole FROM total) END AS share,
           hits <> '{}' AND EXISTS (SELECT FROM rarity WHERE rarity.exact AND term = ANY(hits)) AS exact
    FROM live
), scored AS (
    SELECT id, cosine, share, recency, exact, coalesce(stale, false) AS stale,
           (%(meaning)s * coalesce(cosine, 0) + %(keywords)s * share + %(recent)s * recency)
             * CASE WHEN stale THEN %(stale_weight)s ELSE 1 END AS score
    FROM matched
), judged AS (
    SELECT *, exact OR coalesce(cosine, -1) >= %(floor)s
           OR (share >= %(strong)s AND coalesce(cosine, 1) >= %(floor)s - %(slack)s)
           OR (cosine IS NULL AND share >= %(alone)s) AS relevant
    FROM scored
)
SELECT id, score::float8, cosine, share::float8, recency::float8, stale, relevant, count(*) OVER () AS considered,
       count(*) FILTER (WHERE NOT relevant) OVER () AS below_floor
FROM judged ORDER BY relevant DESC, score DESC, id LIMIT %(limit)s
"""


def recall(
    subject: Subject,
    query: str,
    *,
    at: datetime,
    limit: int | None = None,
    kinds: Sequence[str] | None = None,
    include_instructions: bool = False,
    asked: "Asked | None" = None,
) -> Recall:
    """The subject's facts that are relevant to ``query`` and true at ``at``, best first, at most ``limit``.

    ``asked`` is the query's vector if the caller has it already, as in a transaction, where no model is called.

    Standing instructions are left out unless asked for: they are in every prompt anyway. An embedder that fails
    leaves keywords and recency, marked as degraded; a query is never an error.
    """
    meant = asked or embedded(query)
    rows = _ranked(subject.id, query, meant, at, limit, kinds, include_instructions)
    relevant = [row for row in rows if row.relevant]
    by_id = {fact.id: fact for fact in _load(subject, [row.id for row in relevant])}
    found = [
        RecalledFact(by_id[row.id], row.score, row.cosine, row.keyword, row.recency, row.stale)
        for row in relevant
        if row.id in by_id
    ]
    return Recall(
        found,
        considered=rows[0].considered if rows else 0,
        below_floor=rows[0].below_floor if rows else 0,
        degraded=meant.vector is None and bool(query.strip()),
    )


def _load(subject: Subject, ids: Sequence[uuid.UUID]) -> list[Fact]:
    if not ids:
        return []
    rows = subject.facts.filter(id__in=ids).defer("embedding", "search")
    return list(rows.prefetch_related(evidence_prefetch()))


@dataclass(frozen=True)
class Asked:
    """What a query means to the embedder: its vector, None when there is none, and the embedder's floor."""

    vector: Sequence[float] | None
    floor: float
    embedder: str = ""


def embedded(query: str) -> Asked:
    """The query's vector. A failing embedder is no error: recall goes on by words."""
    if not query.strip():
        return Asked(None, 2.0)
    embedder = get_embedder()
    try:
        return Asked(embedder.embed_query(query[:_QUERY_LIMIT]), embedder.relevance_floor, embedder.name)
    except ModelError as error:
        logger.warning("recall degraded code=%s", error.code)
        return Asked(None, embedder.relevance_floor)


def _ranked(
    subject_id: uuid.UUID,
    query: str,
    meant: Asked,
    at: datetime,
    limit: int | None,
    kinds: Sequence[str] | None,
    instructions: bool,
) -> list[_Row]:
    cutoffs = policies.current().cutoffs(at)
    values = {
        "embedder": meant.embedder,
        "vector": Vector(list(meant.vector)).to_text() if meant.vector is not None else None,
        "at": at, "tenant": scope.current().tenant_id, "subject": subject_id, "kinds": list(kinds) if kinds else None,
        "query": query[:_QUERY_LIMIT].replace("\x00", " "), "half_life": _HALF_LIFE, "meaning": _MEANING,
        "keywords": _KEYWORDS, "recent": _RECENCY, "floor": meant.floor, "strong": _STRONG_KEYWORDS,
        "slack": _FLOOR_SLACK, "alone": _KEYWORDS_ALONE, "instructions": instructions,
        "stale_weight": _STALE, "aging": list(cutoffs), "cutoffs": list(cutoffs.values()),
        "limit": max(1, min(limit or settings.MEMORYHUB_RECALL_LIMIT, 100)),
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(_SQL, values)
        return [_Row(*row) for row in cursor.fetchall()]
