"""The statement that ranks a subject's facts: texts of SQL put together once, and the call that runs one.

Three sources of candidates, one way to judge them: ``exact`` reads every fact of the subject; ``indexed`` takes the
nearest vectors and the rarest words of a large scope from its index; ``history`` reads versions as they were
believed at a time. Keywords are weighed by how rare they are among the subject's own facts (idf), and any of them
may match, never all. What is below the embedder's floor does not answer, unless an identifier matches exactly.
"""

import json
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Literal, NamedTuple

from django.db import connection

from memoryhub.memory.kinds import Kind
from memoryhub.memory.weights import Weights
from memoryhub.tenants import scope

Source = Literal["exact", "indexed", "history"]

#: Share of the query's keyword weight that lets a fact in a little below the floor, or without a vector at all.
STRONG_KEYWORDS, KEYWORDS_ALONE = 0.5, 0.3
FLOOR_SLACK = 0.15
#: A question this like one that a fact was found not relevant to is the same question.
SAME_QUESTION = 0.9
#: Candidates that a large scope's index gives by meaning, and by words; and the most facts a word may stand in to
#: bring candidates of its own: a word in more of them tells them apart no better than chance.
NEAREST, BY_WORDS, COMMON = 100, 100, 1000


class Row(NamedTuple):
    """A judged fact. ``why`` is None for one that may come back, else why it may not; parts lie in [0, 1]."""

    id: uuid.UUID
    number: int
    score: float
    cosine: float | None
    keyword: float
    recency: float
    trust: float
    exact: float
    pinned: bool
    feedback: float
    stale: bool
    relevant: bool
    why: str | None
    considered: int
    below_floor: int
    rank_meaning: int | None
    rank_keywords: int | None
    rank_recency: int | None


@dataclass(frozen=True)
class Asked:
    """What a query means to the embedder: its vector, None when there is none, and the embedder's floor."""

    vector: Sequence[float] | None
    floor: float
    embedder: str = ""


@dataclass(frozen=True)
class Wanted:
    """Which facts may come back. Empty and None do not filter.

    ``trust``: the verifications that are good enough. ``fresh``: False asks for the stale ones alone, True for the
    others. ``said_from`` and ``said_before`` bound ``observed_at``. Instructions only when ``kinds`` names them or
    ``instructions`` is set: they are in every prompt anyway.
    """

    kinds: Sequence[str] = ()
    trust: Sequence[str] = ()
    origins: Sequence[str] = ()
    thread_id: uuid.UUID | None = None
    fresh: bool | None = None
    said_from: datetime | None = None
    said_before: datetime | None = None
    instructions: bool = False

    @property
    def filters(self) -> bool:
        """Whether anything but the instructions is kept out."""
        return any(
            (self.kinds, self.trust, self.origins, self.thread_id, self.said_from, self.said_before)
        ) or (self.fresh is not None)


@dataclass(frozen=True)
class Question:
    """Everything that a ranking depends on. ``believed_at`` None asks what is believed now."""

    subject_id: uuid.UUID
    text: str
    asked: Asked
    at: datetime
    weights: Weights
    cutoffs: dict[str, datetime] = field(default_factory=dict)
    wanted: Wanted = field(default_factory=Wanted)
    believed_at: datetime | None = None
    limit: int = 8
    explain: bool = False
    scope_dimension: int = 0


_TERMS = """
terms AS MATERIALIZED (
    SELECT row_number() OVER ()::int AS n, lexeme AS term, lexeme ~ '[0-9@]' AND length(lexeme) > 1 AS exact,
           ('''' || replace(replace(lexeme, E'\\\\', E'\\\\\\\\'), '''', '''''') || '''')::tsquery AS one
    FROM unnest(memory_terms(%(query)s))
), any_term AS MATERIALIZED (
    SELECT string_agg(one::text, ' | ')::tsquery AS query FROM terms
), quoted AS MATERIALIZED (
    SELECT string_agg('(' || one::text || ')', ' & ')::tsquery AS phrase
    FROM (SELECT memory_phrase(said) AS one FROM unnest(%(phrases)s::text[]) AS said) AS q WHERE numnode(one) > 0
), feedback AS MATERIALIZED (
    SELECT fact_id, max(1 - (embedding <=> %(vector)s::halfvec)) AS likeness FROM recall_feedback
    WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND embedder = %(embedder)s GROUP BY fact_id
)"""

_VECTOR = """CASE WHEN f.embedder = %(embedder)s THEN f.embedding
                WHEN f.next_embedder = %(embedder)s THEN f.next_embedding END"""
_WHY = """CASE WHEN f.status <> 'active' THEN f.status
               WHEN f.invalid_at <= %(at)s THEN 'expired'
               WHEN f.kind = 'instruction' AND NOT %(instructions)s THEN 'standing_instruction'
               {filtered} END"""
_LIVE = """f.status = 'active' AND (f.invalid_at IS NULL OR f.invalid_at > %(at)s)
      AND (f.kind <> 'instruction' OR %(instructions)s)"""
_FILTERS = """(%(kinds)s::text[] IS NULL OR f.kind = ANY(%(kinds)s::text[]))
      AND (%(trust)s::text[] IS NULL OR f.verification = ANY(%(trust)s::text[]))
      AND (%(origins)s::text[] IS NULL OR f.origin = ANY(%(origins)s::text[]))
      AND (%(said_from)s::timestamptz IS NULL OR f.observed_at >= %(said_from)s::timestamptz)
      AND (%(said_before)s::timestamptz IS NULL OR f.observed_at < %(said_before)s::timestamptz)
      AND (%(thread)s::uuid IS NULL OR EXISTS (
          SELECT FROM evidence e JOIN turn t ON t.tenant_id = e.tenant_id AND t.id = e.turn_id
          WHERE e.tenant_id = %(tenant)s AND e.fact_id = f.id AND t.thread_id = %(thread)s::uuid))
      AND (%(fresh)s::boolean IS NULL OR %(fresh)s::boolean <> coalesce(
          greatest(f.observed_at, f.verified_at) < (
              SELECT age.cutoff FROM unnest(%(aging)s::text[], %(cutoffs)s::timestamptz[]) AS age (kind, cutoff)
              WHERE age.kind = f.kind), false))"""

_COLUMNS = f"""f.id, f.version AS number, f.kind, f.search, {_VECTOR} AS vector,
           greatest(f.observed_at, f.verified_at) AS confirmed_at, f.verification, f.pinned"""

#: What was believed at a time: the version of then, whatever became of it since; but nothing that a person has taken
#: out of use, and nothing that waited for one.
_HISTORY = """
    SELECT f.id, v.number, v.kind, memory_terms(v.statement) AS search,
           CASE WHEN v.number = f.version THEN {vector} WHEN v.embedder = %(embedder)s THEN v.embedding END AS vector,
           f.observed_at AS confirmed_at, 'claimed'::text AS verification, f.pinned,
           CASE WHEN f.status IN ('archived', 'restricted', 'held') THEN f.status
                WHEN v.kind = 'instruction' AND NOT %(instructions)s THEN 'standing_instruction'
                WHEN v.valid_at > %(at)s THEN 'not_yet_true'
                WHEN v.invalid_at <= %(at)s AND (v.expired_at IS NULL OR v.expired_at <= %(believed_at)s)
                THEN 'expired' END AS why
    FROM fact_version v JOIN fact f ON f.tenant_id = v.tenant_id AND f.id = v.fact_id
    WHERE v.tenant_id = %(tenant)s AND v.subject_id = %(subject)s AND v.created_at <= %(believed_at)s
      AND (v.expired_at IS NULL OR v.expired_at > %(believed_at)s
           OR (f.status = 'superseded' AND v.number = f.version)) {filters}"""

#: Candidates of a large scope. Each word and each fact is looked up by itself: with a subject's rows guessed wrongly
#: PostgreSQL would read all of them instead. The order in which a graph gives its rows is only near; they are measured again.
_CANDIDATES = """, counted AS MATERIALIZED (
    SELECT terms.term, (SELECT count(*) FROM (
        SELECT FROM indexed_word w WHERE w.tenant_id = %(tenant)s AND w.subject_id = %(subject)s
        AND w.word = terms.term LIMIT %(common)s) AS few) AS n FROM terms
), nearest AS MATERIALIZED (
    SELECT fact_id FROM indexed_vector
    WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND dimension = {dimension}
      AND %(vector)s::halfvec IS NOT NULL
    ORDER BY embedding::halfvec({dimension}) <=> %(vector)s::halfvec({dimension}) LIMIT %(nearest)s
), worded AS MATERIALIZED (
    SELECT w.fact_id FROM counted CROSS JOIN LATERAL (
        SELECT fact_id FROM indexed_word WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s
        AND word = counted.term LIMIT %(common)s) AS w
    WHERE counted.n < %(common)s GROUP BY w.fact_id
    ORDER BY sum(ln(1 + %(scope_facts)s::float8 / greatest(1, counted.n))) DESC LIMIT %(by_words)s
), candidates AS MATERIALIZED (SELECT fact_id FROM nearest UNION SELECT fact_id FROM worded)"""

#: What every fact is measured by; what only those near enough are judged by comes after.
_LIVE_CTE = """, live AS MATERIALIZED (
    SELECT c.id, c.number, c.why, c.pinned, c.kind, c.confirmed_at, c.verification,
           1 - (c.vector <=> %(vector)s::halfvec) AS cosine,
           CASE WHEN c.search @@ (SELECT any_term.query FROM any_term)
                THEN ARRAY(SELECT n FROM terms WHERE c.search @@ terms.one) END AS hits,
           c.search @@ (SELECT quoted.phrase FROM quoted) AS phrased
    FROM ({source}) AS c
)"""

_RARITY_OF_ALL = """, hit_counts AS (
    SELECT hit AS n, count(*) AS facts FROM (SELECT unnest(hits) AS hit FROM live WHERE why IS NULL) AS h GROUP BY hit
), rarity AS MATERIALIZED (
    SELECT terms.n, terms.exact, ln(1 + size.n / greatest(1, coalesce(hit_counts.facts, 0))) AS idf,
           ln(1 + greatest(1, size.n)) AS most
    FROM (SELECT count(*)::float8 AS n FROM live WHERE why IS NULL) AS size, terms LEFT JOIN hit_counts USING (n)
)"""
_RARITY_OF_SCOPE = """, rarity AS MATERIALIZED (
    SELECT terms.n, terms.exact, ln(1 + %(scope_facts)s::float8 / greatest(1, counted.n)) AS idf,
           ln(1 + greatest(1, %(scope_facts)s::float8)) AS most
    FROM terms JOIN counted USING (term)
)"""

#: Only a fact with a word of the question, without a vector, or about the floor can be relevant.
_NEAR = """hits IS NOT NULL OR cosine IS NULL OR cosine >= %(floor)s - %(slack)s"""
_JUDGED = """, total AS MATERIALIZED (
    SELECT nullif(sum(idf), 0) AS whole FROM rarity
), matched AS MATERIALIZED (
    SELECT live.id, number, why, pinned, cosine, coalesce(feedback.likeness, 0) AS likeness,
           exp(-ln(2) * greatest(0, date_part('epoch', %(at)s::timestamptz - confirmed_at))
               / 86400 / %(half_life)s) AS recency,
           coalesce(confirmed_at < (
               SELECT age.cutoff FROM unnest(%(aging)s::text[], %(cutoffs)s::timestamptz[]) AS age (kind, cutoff)
               WHERE age.kind = live.kind
           ), false) AS stale,
           CASE verification WHEN 'claimed' THEN 0 WHEN 'corroborated' THEN 0.4 WHEN 'confirmed' THEN 0.8
                ELSE 1 END AS trust,
           coalesce(shared.idf / (SELECT whole FROM total), 0) AS share,
           CASE WHEN phrased THEN 1 ELSE coalesce(shared.exact, 0) END AS exact
    FROM live LEFT JOIN feedback ON feedback.fact_id = live.id LEFT JOIN LATERAL (
        SELECT sum(idf) AS idf, max(idf / most) FILTER (WHERE rarity.exact) AS exact
        FROM rarity WHERE rarity.n = ANY(live.hits)) AS shared ON live.hits IS NOT NULL
    {near}
), judged AS (
    SELECT id, number, why, cosine, share, recency, trust, exact, pinned, likeness, stale,
           (%(w_meaning)s * coalesce(cosine, 0) + %(w_keywords)s * share + %(w_exact)s * exact + %(w_recency)s * recency
            + %(w_trust)s * trust + %(w_pin)s * pinned::int - %(w_feedback)s * greatest(0, likeness))
             * CASE WHEN stale THEN %(w_stale)s ELSE 1 END AS score,
           likeness < %(same_question)s AND (exact > 0 OR coalesce(cosine, -1) >= %(floor)s
             OR (share >= %(strong)s AND coalesce(cosine, 1) >= %(floor)s - %(slack)s)
             OR (cosine IS NULL AND share >= %(alone)s)) AS relevant
    FROM matched
)"""

_JUDGEMENT = """SELECT id, number, score::float8 AS score, cosine, share::float8 AS keyword, recency::float8 AS recency,
       trust::float8 AS trust, exact::float8 AS exact, pinned, likeness::float8 AS feedback, stale, relevant, why"""

#: Always a row, so that it is known how much was looked at where nothing is relevant.
_ANSWER = f"""
{_JUDGEMENT}, size.n AS considered, size.n - count(id) OVER () AS below_floor,
       NULL::bigint AS rank_meaning, NULL::bigint AS rank_keywords, NULL::bigint AS rank_recency
FROM ({{size}}) AS size LEFT JOIN judged ON relevant
ORDER BY score DESC, id LIMIT %(limit)s"""
_SIZE_OF_ALL, _SIZE_OF_SCOPE = "SELECT count(*) AS n FROM live", "SELECT %(scope_facts)s::bigint AS n"

_EXPLAINED = f"""
{_JUDGEMENT}, count(*) FILTER (WHERE why IS NULL) OVER () AS considered,
       count(*) FILTER (WHERE why IS NULL AND NOT relevant) OVER () AS below_floor,
       CASE WHEN cosine IS NOT NULL
            THEN rank() OVER (PARTITION BY why IS NULL ORDER BY cosine DESC NULLS LAST) END AS rank_meaning,
       CASE WHEN share > 0 THEN rank() OVER (PARTITION BY why IS NULL ORDER BY share DESC) END AS rank_keywords,
       rank() OVER (PARTITION BY why IS NULL ORDER BY recency DESC) AS rank_recency
FROM judged ORDER BY why IS NULL DESC, relevant DESC, score DESC, id LIMIT %(limit)s"""


QUERY_LIMIT = 2000


def asked_text(query: str) -> str:
    """A query as the database takes it, whatever a caller or a model wrote: cut, without NUL and half characters."""
    return query[:QUERY_LIMIT].replace("\x00", " ").encode("utf-8", "replace").decode()


_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|「([^」]+)」')


def phrases(query: str) -> list[str]:
    """What the query puts into quotation marks, in order."""
    found = ("".join(groups).strip() for groups in _QUOTED.findall(query))
    return [phrase for phrase in found if phrase]


@cache
def statement(source: Source, *, filters: bool, explain: bool, dimension: int = 0) -> str:
    """The SQL for one shape of question. ``dimension`` is of the index's vectors."""
    picked = _source(source, filters=filters, explain=explain)
    parts = ["WITH" + _TERMS]
    if source == "indexed":
        parts.append(_CANDIDATES.format(dimension=int(dimension)))
    parts.append(_LIVE_CTE.format(source=picked))
    parts.append(_RARITY_OF_SCOPE if source == "indexed" else _RARITY_OF_ALL)
    parts.append(_JUDGED.format(near="" if explain else f"WHERE {_NEAR}"))
    size = _SIZE_OF_SCOPE if source == "indexed" else _SIZE_OF_ALL
    whole = "".join([*parts, _EXPLAINED if explain else _ANSWER.format(size=size)])
    # Without its line breaks the plain one is short enough for psycopg to remember how it was read.
    return " ".join(whole.split())


def _source(source: Source, *, filters: bool, explain: bool) -> str:
    if source == "history":
        kept = f" AND {_FILTERS}" if filters else ""
        inner = _HISTORY.format(vector=_VECTOR, filters=kept)
        return inner if explain else f"SELECT * FROM ({inner}) AS known WHERE known.why IS NULL"  # noqa: S608
    owned = "WHERE f.tenant_id = %(tenant)s AND f.subject_id = %(subject)s"
    if source == "indexed":
        return (
            f"SELECT {_COLUMNS}, NULL::text AS why FROM candidates CROSS JOIN LATERAL ("  # noqa: S608
            "SELECT * FROM fact WHERE tenant_id = %(tenant)s AND id = candidates.fact_id OFFSET 0"
            f") AS f {owned} AND {_LIVE}"
        )
    if explain:
        filtered = f"WHEN NOT ({_FILTERS}) THEN 'filtered'" if filters else ""
        return f"SELECT {_COLUMNS}, {_WHY.format(filtered=filtered)} AS why FROM fact f {owned}"  # noqa: S608
    kept = f"{_LIVE} AND {_FILTERS}" if filters else _LIVE
    return f"SELECT {_COLUMNS}, NULL::text AS why FROM fact f {owned} AND {kept}"  # noqa: S608


def asked_for(question: Question, source: Source, *, scope_facts: int = 0) -> tuple[str, dict[str, Any]]:
    """The statement for a question and its values."""
    sql = statement(
        source,
        filters=question.wanted.filters,
        explain=question.explain,
        dimension=question.scope_dimension,
    )
    return sql, {**_values(question), "scope_facts": scope_facts}


@dataclass(frozen=True)
class Ranked:
    """The judged facts, best first, and how many were looked at and found below the floor."""

    rows: Sequence[Row]
    considered: int
    below_floor: int


#: The graph has to be gone through in order, however cheap sorting looks, and far enough to pass others' vectors.
_BY_THE_GRAPH = """
SELECT set_config('enable_sort', 'off', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('hnsw.ef_search', '120', true), set_config('hnsw.max_scan_tuples', '100000', true)
"""


def prepare(source: Source) -> None:
    """Set what the coming statement needs, until the transaction ends."""
    if source == "indexed":
        with connection.cursor() as cursor:
            cursor.execute(_BY_THE_GRAPH)


def ranked(question: Question, source: Source, *, scope_facts: int = 0) -> Ranked:
    """What is relevant, best first, at most ``question.limit``; when explaining, the rest after it.

    Runs in the caller's transaction.
    """
    prepare(source)
    with connection.cursor() as cursor:
        cursor.execute(*asked_for(question, source, scope_facts=scope_facts))
        return gathered([Row(*row) for row in cursor.fetchall()])


def gathered(rows: Sequence[Row]) -> Ranked:
    """The rows of an answer; where nothing is relevant, one row without an id tells what was considered."""
    if not rows:
        return Ranked([], 0, 0)
    return Ranked([row for row in rows if row.id is not None], rows[0].considered, rows[0].below_floor)


def _values(question: Question) -> dict[str, Any]:
    asked, wanted, weights = question.asked, question.wanted, question.weights
    return {
        "query": question.text, "phrases": phrases(question.text), "embedder": asked.embedder, "floor": asked.floor,
        # A list of floats as JSON is what the database reads as a vector, and the fastest way to write one.
        "vector": json.dumps(asked.vector) if asked.vector is not None else None,
        "tenant": scope.current().tenant_id, "subject": question.subject_id, "at": question.at,
        "believed_at": question.believed_at, "limit": question.limit,
        "aging": list(question.cutoffs), "cutoffs": list(question.cutoffs.values()),
        "instructions": wanted.instructions or Kind.INSTRUCTION in wanted.kinds,
        "kinds": list(wanted.kinds) or None, "trust": list(wanted.trust) or None,
        "origins": list(wanted.origins) or None, "thread": wanted.thread_id, "fresh": wanted.fresh,
        "said_from": wanted.said_from, "said_before": wanted.said_before,
        "w_meaning": weights.meaning, "w_keywords": weights.keywords, "w_exact": weights.exact, "w_recency": weights.recency,
        "w_trust": weights.trust, "w_pin": weights.pin, "w_feedback": weights.feedback, "w_stale": weights.stale,
        "half_life": weights.half_life, "strong": STRONG_KEYWORDS, "slack": FLOOR_SLACK, "alone": KEYWORDS_ALONE,
        "same_question": SAME_QUESTION, "nearest": NEAREST, "by_words": BY_WORDS, "common": COMMON,
    }  # fmt: skip
