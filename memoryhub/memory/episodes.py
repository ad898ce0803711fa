"""Finding what was said: one SQL statement ranks a subject's past turns for a question.

A turn counts by its best passage; a passage counts by its own words and meaning and by what stands around it, since
the answer to a question often shares no word with it. Every row says what its score was made of.
"""

import json
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from memoryhub.memory.kinds import TurnRole
from memoryhub.memory.ranking import (
    FLOOR_SLACK,
    KEYWORDS_ALONE,
    STRONG_KEYWORDS,
    asked_text,
    phrases,
)
from memoryhub.memory.weights import TURN_DEFAULTS, TurnWeights
from memoryhub.tenants import scope


@dataclass(frozen=True)
class Filters:
    """Which turns may come back; what stands around them counts all the same. Times are of ``said_at``.

    Of the thread ``open_thread`` only turns before ``open_seq`` come back: the later ones stand in the prompt anyway.
    """

    thread: uuid.UUID | None = None
    since: datetime | None = None
    until: datetime | None = None
    open_thread: uuid.UUID | None = None
    open_seq: int = 0


ALL = Filters()


@dataclass(frozen=True)
class Episode:
    """A turn that was found, the span of its best passage, and the parts of its score before they are weighed.

    ``keyword`` is the share of the question's keyword weight in the passage, ``context`` what its neighbours add to it.
    ``cosine`` and the cosines around are None without a vector of the same embedder. ``spoken``, ``asks`` and ``long``
    are what ``TurnWeights`` calls speaker, question and length. ``exact`` holds the question's quoted words;
    ``relevant`` by its own words or meaning, where others come back for their neighbours'. Ranks count from 1.
    """

    turn_id: uuid.UUID
    thread_id: uuid.UUID
    seq: int
    start: int
    end: int
    speaker: str
    said_at: datetime
    score: float
    cosine: float | None
    keyword: float
    context: float
    cosine_before: float | None
    cosine_after: float | None
    thread_words: float
    thread_cosine: float | None
    spoken: bool
    asks: bool
    long: float
    recency: float
    exact: bool
    relevant: bool
    cosine_rank: int
    keyword_rank: int
    considered: int


# Joins are left out on purpose: with a subject's rows guessed wrongly PostgreSQL would choose nested loops over
# thousands of them. What a passage shares with the question is a string of bits, one a term, so that neighbours and
# threads are reached by windows. A query of more than 64 terms is a whole message: numbers and the longest are kept,
# which are the rarest as a rule.
_SQL = """
WITH mine AS MATERIALIZED (
    SELECT turn_id, thread_id, seq, number, "start", "end", speaker, said_at, asks, words,
           1 - (CASE WHEN embedder = %(embedder)s::text THEN embedding
                     WHEN next_embedder = %(embedder)s::text THEN next_embedding END <=> %(vector)s::halfvec) AS cosine
    FROM passage WHERE tenant_id = %(tenant)s::uuid AND subject_id = %(subject)s::uuid
), query AS MATERIALIZED (
    SELECT tsvector_to_array(memory_terms(%(query)s::text)) AS terms,
           (SELECT string_agg('(' || one::text || ')', ' & ')::tsquery
            FROM (SELECT memory_phrase(phrase) AS one FROM unnest(%(phrases)s::text[]) AS phrase) AS quoted
            WHERE numnode(one) > 0) AS phrase
), speakers AS MATERIALIZED (
    SELECT speaker, tsvector_to_array(memory_terms(speaker)) AS names
    FROM (SELECT DISTINCT speaker FROM mine) AS every WHERE speaker <> ALL (%(roles)s::text[])
), named AS MATERIALIZED (
    SELECT array_agg(speaker) AS speakers FROM speakers WHERE names && (SELECT terms FROM query)
), spoken AS MATERIALIZED (
    SELECT term, term = ANY (ARRAY(SELECT unnest(names) FROM speakers)) AS name FROM unnest((SELECT terms FROM query)) AS term
), asked AS MATERIALIZED (
    SELECT (row_number() OVER (ORDER BY term))::int - 1 AS place, term ~ '[0-9]' AND length(term) > 2 AS exact,
           ('''' || replace(replace(term, E'\\\\', E'\\\\\\\\'), '''', '''''') || '''')::tsquery AS one
    FROM (
        SELECT term FROM spoken WHERE NOT name OR NOT EXISTS (SELECT FROM spoken AS other WHERE NOT other.name)
        ORDER BY term ~ '[0-9]' DESC, length(term) DESC, term LIMIT 64
    ) AS kept
), any_term AS MATERIALIZED (
    SELECT string_agg(one::text, ' | ')::tsquery AS query FROM asked
), hits AS MATERIALIZED (
    SELECT turn_id, thread_id, seq, number, "start", "end", speaker, said_at, asks, cosine,
           coalesce(words @@ (SELECT phrase FROM query), false) AS phrased,
           CASE WHEN words @@ (SELECT query FROM any_term)
           THEN (SELECT bit_or(set_bit(0::bit(64), place, 1)) FROM asked WHERE mine.words @@ one) ELSE 0::bit(64) END AS own
    FROM mine
), size AS MATERIALIZED (
    SELECT count(*) AS passages FROM mine
), rarity AS MATERIALIZED (
    SELECT place, exact, ln(1 + size.passages::float8 / greatest(1, (SELECT sum(get_bit(own, place)) FROM hits))) AS idf
    FROM asked, size
), whole AS MATERIALIZED (
    SELECT sum(idf) AS idf FROM rarity
), around AS (
    SELECT hits.*, lag(own, 1, 0::bit(64)) OVER line AS before, lag(own, 2, 0::bit(64)) OVER line AS two_before,
           lead(own, 1, 0::bit(64)) OVER line AS after, lead(own, 2, 0::bit(64)) OVER line AS two_after,
           lag(cosine) OVER line AS cosine_before, lead(cosine) OVER line AS cosine_after,
           bit_or(own) OVER (PARTITION BY thread_id) AS of_thread,
           row_number() OVER (PARTITION BY thread_id ORDER BY cosine DESC NULLS LAST) AS by_cosine
    FROM hits WINDOW line AS (PARTITION BY thread_id ORDER BY seq, number)
), parts AS (
    SELECT around.*, coalesce(shared.own / whole.idf, 0) AS keyword, coalesce(shared.near / whole.idf, 0) AS near,
           coalesce(shared.of_thread / whole.idf, 0) AS thread_words, coalesce(shared.exact, false) AS has_exact,
           avg(cosine) FILTER (WHERE by_cosine <= 3) OVER (PARTITION BY thread_id) AS thread_cosine,
           coalesce(cardinality(named.speakers) = 1 AND speaker = named.speakers[1], false) AS spoken,
           least(1, ("end" - "start") / 100.0::float8) AS long,
           exp(-ln(2) * greatest(0, extract(epoch FROM %(at)s::timestamptz - said_at)) / 86400 / %(half_life)s::float8)
             ::float8 AS recency
    FROM around CROSS JOIN named CROSS JOIN whole CROSS JOIN LATERAL (
        SELECT sum(idf * get_bit(around.own, place)) AS own, sum(idf * get_bit(around.of_thread, place)) AS of_thread,
               sum(idf * greatest(get_bit(around.own, place), %(before)s::float8 * get_bit(around.before, place),
                                  %(two_before)s::float8 * get_bit(around.two_before, place),
                                  %(after)s::float8 * get_bit(around.after, place),
                                  %(two_after)s::float8 * get_bit(around.two_after, place))) AS near,
               bool_or(exact AND get_bit(around.own, place) = 1) AS exact
        FROM rarity
    ) AS shared
), scored AS (
    SELECT *, %(keywords)s::float8 * near + %(cosine)s::float8 * coalesce(cosine, 0)
           + %(cosine_before)s::float8 * coalesce(cosine_before, 0) + %(cosine_after)s::float8 * coalesce(cosine_after, 0)
           + %(thread_words)s::float8 * thread_words + %(thread_cosine)s::float8 * coalesce(thread_cosine, 0)
           + %(speaker)s::float8 * spoken::int - %(question)s::float8 * asks::int + %(length)s::float8 * long
           + %(recency)s::float8 * recency + %(phrase)s::float8 * phrased::int AS score,
           phrased OR has_exact OR coalesce(cosine, -1) >= %(floor)s::float8
           OR (keyword >= %(strong)s::float8 AND coalesce(cosine, 1) >= %(floor)s::float8 - %(slack)s::float8)
           OR (cosine IS NULL AND keyword >= %(alone)s::float8) AS relevant
    FROM parts
), best AS (
    SELECT DISTINCT ON (turn_id) * FROM scored
    WHERE (%(thread)s::uuid IS NULL OR thread_id = %(thread)s::uuid)
      AND (%(since)s::timestamptz IS NULL OR said_at >= %(since)s::timestamptz)
      AND (%(until)s::timestamptz IS NULL OR said_at < %(until)s::timestamptz)
      AND (%(open_thread)s::uuid IS NULL OR thread_id <> %(open_thread)s::uuid OR seq < %(open_seq)s::bigint)
    ORDER BY turn_id, score DESC, number
), ranked AS (
    SELECT *, rank() OVER (ORDER BY cosine DESC NULLS LAST) AS cosine_rank, rank() OVER (ORDER BY keyword DESC) AS keyword_rank,
           bool_or(relevant) OVER () AS anything, count(*) OVER () AS considered
    FROM best
)
SELECT turn_id, thread_id, seq, "start", "end", speaker, said_at, score, cosine, keyword, near - keyword AS context,
       cosine_before, cosine_after, thread_words, thread_cosine, spoken, asks, long, recency, phrased AS exact, relevant,
       cosine_rank, keyword_rank, considered
FROM ranked
WHERE anything AND (relevant OR near > 0 OR coalesce(cosine, -1) >= %(floor)s::float8 - %(slack)s::float8)
ORDER BY score DESC, said_at DESC, turn_id LIMIT %(limit)s::int
"""


def ranked(
    subject_id: uuid.UUID,
    query: str,
    vector: Sequence[float] | None,
    *,
    floor: float,
    embedder: str,
    at: datetime,
    weights: TurnWeights = TURN_DEFAULTS,
    limit: int = 10,
    filters: Filters = ALL,
) -> list[Episode]:
    """The subject's turns that matter to ``query``, best first, at most ``limit``; none when none is relevant.

    ``vector`` is the query's, None for words alone; ``floor`` and ``embedder`` belong to whoever made it. What the query
    puts into quotation marks is looked for word for word. Scores compare the rows of one answer, no more. A query is
    never an error.
    """
    sql, values = asked_for(
        subject_id,
        query,
        vector,
        floor=floor,
        embedder=embedder,
        at=at,
        weights=weights,
        limit=limit,
        filters=filters,
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return [Episode(*row) for row in cursor.fetchall()]


def asked_for(
    subject_id: uuid.UUID,
    query: str,
    vector: Sequence[float] | None,
    *,
    floor: float,
    embedder: str,
    at: datetime,
    weights: TurnWeights = TURN_DEFAULTS,
    limit: int = 10,
    filters: Filters = ALL,
) -> tuple[str, dict[str, Any]]:
    """The statement of ``ranked`` and its values."""
    text = asked_text(query)
    values = {
        **asdict(weights), **asdict(filters), "tenant": scope.current().tenant_id, "subject": subject_id,
        "query": text, "phrases": phrases(text), "floor": floor, "embedder": embedder, "at": at,
        "vector": json.dumps(list(vector)) if vector is not None else None,
        "roles": list(TurnRole.values), "strong": STRONG_KEYWORDS, "slack": FLOOR_SLACK, "alone": KEYWORDS_ALONE,
        "limit": max(1, min(limit, 100)),
    }  # fmt: skip
    return _SQL, values
