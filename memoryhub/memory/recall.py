"""Finding what is relevant to a message among one subject's facts, and saying why.

One statement ranks (``memory.ranking``); here its source is chosen, what it found is loaded, and what says the same
twice or is past the budget is left out. Nothing is written: reading a fact never makes it fresher. Below the
embedder's relevance floor nothing comes back: nothing relevant is a result.
"""

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.conf import settings
from django.db import transaction

from memoryhub.llm import tokens
from memoryhub.llm.errors import ModelError
from memoryhub.memory import embedders, loading, polarity, policies, ranking
from memoryhub.memory.models import Fact, Subject
from memoryhub.memory.policies import Index, Policy
from memoryhub.memory.ranking import Asked, Question, Row, Wanted

logger = logging.getLogger(__name__)

QUERY_LIMIT = 2000
MOST = 100
#: Facts that are looked at beyond the limit, so that what is left out as a repetition has something in its place.
_SPARE = 12
#: What an explanation lists at most of what was left out.
_EXPLAINED = 200
_EVERYTHING = Wanted()


@dataclass(frozen=True)
class RecalledFact:
    """A fact and why it came back. The parts are in [0, 1], at full precision; ``cosine`` is None without a vector.

    ``ranks`` holds its place by each signal, among all that was considered; only when explained.
    """

    fact: Fact
    score: float
    cosine: float | None
    keyword: float
    recency: float
    stale: bool = False
    trust: float = 0.0
    pinned: bool = False
    feedback: float = 0.0
    ranks: dict[str, int | None] = field(default_factory=dict)

    @property
    def reason(self) -> str:
        """The main reason in plain words."""
        if self.keyword >= ranking.STRONG_KEYWORDS and (self.cosine is None or self.keyword > self.cosine):
            return "shares the rare words"
        return "close in meaning" if self.cosine is not None else "shares words"


@dataclass(frozen=True)
class LeftOutFact:
    """A fact that did not come back: its scores, and the reason as a code.

    ``below_floor``, ``not_relevant`` (a person said so), ``duplicate_of``, ``over_budget``, ``over_limit``,
    ``filtered``, ``standing_instruction``, ``not_yet_true``, or its state: ``superseded``, ``expired``, ``archived``,
    ``restricted``, ``held``.
    """

    fact_id: uuid.UUID
    reason: str
    score: float
    cosine: float | None
    keyword: float
    duplicate_of: uuid.UUID | None = None


@dataclass(frozen=True)
class Recall:
    """What was found. ``below_floor`` facts were near but not relevant; ``degraded`` when meaning was not asked.

    ``left_out`` is filled when explained: at most 200, the nearest first. ``tokens`` is the size of the statements.
    """

    facts: Sequence[RecalledFact]
    considered: int
    below_floor: int
    degraded: bool
    left_out: Sequence[LeftOutFact] = ()
    source: ranking.Source = "exact"
    tokens: int = 0


@dataclass(frozen=True)
class Moment:
    """What is asked about: what was true at ``true_at`` by what was believed at ``believed_at`` (None: now)."""

    true_at: datetime
    believed_at: datetime | None = None


def embedded(query: str, policy: Policy | None = None) -> Asked:
    """The query's vector by the embedder in force. A failing embedder is no error: recall goes on by words."""
    if not query.strip():
        return Asked(None, 2.0)
    rules = policy or policies.current()
    embedder = embedders.chosen(rules)
    floor = embedders.floor(rules, embedder)
    try:
        return Asked(embedder.embed_query(query[:QUERY_LIMIT]), floor, embedder.name)
    except ModelError as error:
        logger.warning("recall degraded code=%s", error.code)
        return Asked(None, floor)


def recall(
    subject: Subject,
    query: str,
    *,
    at: datetime,
    limit: int | None = None,
    wanted: Wanted = _EVERYTHING,
    moment: Moment | None = None,
    token_budget: int | None = None,
    threshold: float | None = None,
    explain: bool = False,
    asked: Asked | None = None,
    policy: Policy | None = None,
) -> Recall:
    """The subject's facts that are relevant to ``query`` and true at ``at``, best first, at most ``limit``.

    ``moment`` asks about another time than ``at``, as it was believed then. ``token_budget`` bounds the statements'
    tokens. ``threshold`` is a cosine in the place of the embedder's floor. ``asked`` and ``policy`` are the query's
    vector and the rules if the caller has them already, as in a transaction, where no model is called.

    Standing instructions are left out unless asked for: they are in every prompt anyway. An embedder that fails
    leaves keywords and recency, marked as degraded; a query is never an error.
    """
    rules = policy or policies.current(subject.id)
    meant = asked or embedded(query, rules)
    if threshold is not None:
        meant = replace(meant, floor=threshold)
    most = max(1, min(limit or settings.MEMORYHUB_RECALL_LIMIT, MOST))
    when = moment or Moment(at)
    question = Question(
        subject_id=subject.id,
        text=query[:QUERY_LIMIT].replace("\x00", " "),
        asked=meant,
        at=when.true_at,
        believed_at=(when.believed_at or at) if moment else None,
        weights=rules.weights,
        cutoffs=rules.cutoffs(at),
        wanted=wanted,
        limit=most + (_EXPLAINED if explain else _SPARE),
        explain=explain,
    )
    with transaction.atomic():
        rows, source = _ranked(question, rules.index)
        return _chosen(subject, question, rows, source, most, token_budget)


def _ranked(question: Question, index: Index | None) -> tuple[list[Row], ranking.Source]:
    """The rows, and where they come from. A large scope's index answers only what it can answer completely."""
    if question.believed_at is not None:
        return ranking.ranked(question, "history"), "history"
    plain = not question.wanted.filters and not question.explain
    if plain and index is not None and index.embedder == question.asked.embedder:
        aimed = replace(question, scope_dimension=index.dimension)
        return ranking.ranked(aimed, "indexed", scope_facts=index.facts), "indexed"
    return ranking.ranked(question, "exact"), "exact"


def _chosen(
    subject: Subject,
    question: Question,
    rows: Sequence[Row],
    source: ranking.Source,
    most: int,
    budget: int | None,
) -> Recall:
    relevant = [row for row in rows if row.relevant and row.why is None]
    loaded = loading.facts(subject, [row.id for row in relevant], {row.id: row.number for row in relevant})
    sieve = _Sieve(most, budget)
    for row in relevant:
        fact = loaded.get(row.id)
        if fact is not None:
            sieve.take(row, fact)
    left = sieve.left_out + [_left_out(row) for row in rows if not row.relevant or row.why is not None]
    return Recall(
        [_recalled(row, fact, question.explain) for row, fact in sieve.kept],
        considered=rows[0].considered if rows else 0,
        below_floor=rows[0].below_floor if rows else 0,
        degraded=question.asked.vector is None and bool(question.text.strip()),
        left_out=left if question.explain else (),
        source=source,
        tokens=sieve.tokens,
    )


class _Sieve:
    """Takes rows best first, and keeps what says something new and fits."""

    def __init__(self, most: int, budget: int | None) -> None:
        self.kept: list[tuple[Row, Fact]] = []
        self.left_out: list[LeftOutFact] = []
        self.tokens = 0
        self._most, self._budget = most, budget
        self._said: dict[object, uuid.UUID] = {}

    def take(self, row: Row, fact: Fact) -> None:
        said = polarity.signature(fact.statement)
        # Word for word the same, but for filling words: cosine would take a denial for a repetition.
        meaning = (said.ordered or fact.statement, said.negated)
        twin = self._said.get(meaning)
        cost = tokens.count(fact.statement) if self._budget is not None else 0
        if twin is not None:
            self.left_out.append(_left_out(row, "duplicate_of", twin))
        elif len(self.kept) >= self._most:
            self.left_out.append(_left_out(row, "over_limit"))
        elif self._budget is not None and self.tokens + cost > self._budget:
            self.left_out.append(_left_out(row, "over_budget"))
        else:
            self._said[meaning] = row.id
            self.tokens += cost
            self.kept.append((row, fact))


def _left_out(row: Row, reason: str = "", twin: uuid.UUID | None = None) -> LeftOutFact:
    found = reason or row.why or ("not_relevant" if row.feedback >= ranking.SAME_QUESTION else "below_floor")
    return LeftOutFact(row.id, found, row.score, row.cosine, row.keyword, twin)


def _recalled(row: Row, fact: Fact, explain: bool) -> RecalledFact:
    ranks = {"meaning": row.rank_meaning, "keywords": row.rank_keywords, "recency": row.rank_recency}
    return RecalledFact(
        fact,
        row.score,
        row.cosine,
        row.keyword,
        row.recency,
        row.stale,
        row.trust,
        row.pinned,
        row.feedback,
        ranks if explain else {},
    )
