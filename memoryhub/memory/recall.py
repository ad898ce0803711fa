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

from memoryhub import text
from memoryhub.llm import tokens
from memoryhub.llm.errors import ModelError
from memoryhub.memory import embedders, loading, polarity, policies, ranking, together
from memoryhub.memory.episodes import Episode, Filters
from memoryhub.memory.models import Fact, Subject, Thread, Turn
from memoryhub.memory.policies import Index, Policy
from memoryhub.memory.ranking import Asked, Question, Ranked, Row, Wanted
from memoryhub.memory.weights import TurnWeights

logger = logging.getLogger(__name__)

MOST = 100
#: Facts that are looked at beyond the limit, so that what is left out as a repetition has something in its place.
_SPARE = 4
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
    exact: float = 0.0
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
class RecalledTurn:
    """A past turn, what it says where it matters, and why it came back: ``episode`` holds its score and the parts."""

    episode: Episode
    role: str
    text: str


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

    ``left_out`` is filled when explained: at most 200, the nearest first. ``tokens`` is the size of what is said, counted
    when there is a budget. ``turns`` are past turns beside the facts, when asked for.
    """

    facts: Sequence[RecalledFact]
    considered: int
    below_floor: int
    degraded: bool
    left_out: Sequence[LeftOutFact] = ()
    source: ranking.Source = "exact"
    tokens: int = 0
    turns: Sequence[RecalledTurn] = ()


@dataclass(frozen=True)
class Moment:
    """What is asked about: what was true at ``true_at`` by what was believed at ``believed_at`` (None: now)."""

    true_at: datetime
    believed_at: datetime | None = None


def embedded(query: str, policy: Policy | None = None) -> Asked:
    """The query's vector by the embedder in force. A failing embedder is no error: recall goes on by words.

    Where one embedder alone is configured it is that one; then nothing has to be read before it is asked.
    """
    if not query.strip():
        return Asked(None, 2.0)
    embedder = embedders.only() or embedders.chosen(policy or policies.current())
    try:
        vector = embedder.embed_query(ranking.asked_text(query))
    except ModelError as error:
        logger.warning("recall degraded code=%s", error.code)
        return Asked(None, embedder.relevance_floor)
    return Asked(vector, embedder.relevance_floor, embedder.name)


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
    turns: int = 0,
    open_thread: Thread | None = None,
) -> Recall:
    """The subject's facts that are relevant to ``query`` and true at ``at``, best first, at most ``limit``.

    ``moment`` asks about another time than ``at``, as it was believed then. ``token_budget`` bounds the statements'
    tokens. ``threshold`` is a cosine in the place of the embedder's floor. ``asked`` and ``policy`` are the query's
    vector and the rules if the caller has them already, as in a transaction, where no model is called.

    ``turns`` past turns at most come back beside the facts; of ``open_thread`` only those that its window holds no more.

    Standing instructions are left out unless asked for: they are in every prompt anyway. An embedder that fails
    leaves keywords and recency, marked as degraded; a query is never an error.
    """
    meant = asked or embedded(query, policy)
    # A savepoint would only cost a round trip: nothing is written.
    with transaction.atomic(savepoint=False):
        rules = policy or policies.current(subject.id)
        floor = embedders.floor(rules, meant.embedder, meant.floor)
        question = Question(
            subject_id=subject.id,
            text=ranking.asked_text(query),
            asked=replace(meant, floor=floor if threshold is None else threshold),
            at=moment.true_at if moment else at,
            believed_at=(moment.believed_at or at) if moment else None,
            weights=rules.weights,
            cutoffs=rules.cutoffs(at),
            wanted=wanted,
            explain=explain,
        )
        most = max(1, min(limit or settings.MEMORYHUB_RECALL_LIMIT, MOST))
        room = _Room(most, token_budget, turns, open_thread, rules.turn_weights)
        return _found(subject, question, rules.index, room)


@dataclass(frozen=True)
class _Room:
    """How much may come back: facts, tokens of all that is said, and turns."""

    facts: int
    tokens: int | None
    turns: int
    open_thread: Thread | None
    turn_weights: TurnWeights


def _found(subject: Subject, question: Question, index: Index | None, room: _Room) -> Recall:
    more = _EXPLAINED if question.explain else _SPARE
    aimed, source, size = _aimed(replace(question, limit=room.facts + more), index)
    if not room.turns:
        found = ranking.ranked(aimed, source, scope_facts=size)
        return _chosen(subject, question, found, source, room)
    filters = _turns_wanted(question.wanted, room.open_thread)
    found, said = together.ranked(
        aimed, source, scope_facts=size, turns=room.turns, filters=filters, weights=room.turn_weights
    )
    facts = _chosen(subject, question, found, source, room)
    return replace(facts, turns=_said(said, room.tokens, facts.tokens))


def _aimed(question: Question, index: Index | None) -> tuple[Question, ranking.Source, int]:
    """Where the candidates come from. A large scope's index answers only what it can answer completely."""
    if question.believed_at is not None:
        return question, "history", 0
    plain = not question.wanted.filters and not question.explain
    if plain and index is not None and index.embedder == question.asked.embedder:
        return replace(question, scope_dimension=index.dimension), "indexed", index.facts
    return question, "exact", 0


def _turns_wanted(wanted: Wanted, open_thread: Thread | None) -> Filters:
    return Filters(
        thread=wanted.thread_id,
        since=wanted.said_from,
        until=wanted.said_before,
        open_thread=open_thread.id if open_thread else None,
        open_seq=open_thread.summarised_seq + 1 if open_thread else 0,
    )


def _said(found: Sequence[Episode], budget: int | None, spent: int) -> list[RecalledTurn]:
    """The turns with what they say, once each, within what the facts left of the budget."""
    rows = Turn.objects.filter(id__in=[item.turn_id for item in found]).values_list("id", "role", "content")
    contents = {turn_id: (role, content) for turn_id, role, content in rows}
    kept: dict[str, RecalledTurn] = {}
    for item in found:
        role, content = contents.get(item.turn_id, ("", ""))
        words = content[item.start : item.end]
        form = text.matching_form(words)
        if not words or form in kept:
            continue
        if budget is not None:
            spent += tokens.count(words)
            if spent > budget:
                break
        kept[form] = RecalledTurn(item, role, words)
    return list(kept.values())


def _chosen(
    subject: Subject,
    question: Question,
    found: Ranked,
    source: ranking.Source,
    room: _Room,
) -> Recall:
    numbers = {row.id: row.number for row in found.rows if row.relevant and row.why is None}
    loaded = loading.facts(subject, list(numbers), numbers)
    sieve = _Sieve(room.facts, room.tokens)
    for row in found.rows:
        if sieve.full and not question.explain:
            break
        fact = loaded.get(row.id)
        if fact is not None:
            sieve.take(row, fact)
    left = sieve.left_out + [_left_out(row) for row in found.rows if row.id not in numbers]
    return Recall(
        [_recalled(row, fact, question.explain) for row, fact in sieve.kept],
        considered=found.considered,
        below_floor=found.below_floor,
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

    @property
    def full(self) -> bool:
        """Whether nothing more can come back."""
        return len(self.kept) >= self._most

    def take(self, row: Row, fact: Fact) -> None:
        said = polarity.signature(fact.statement)
        # Word for word the same, but for filling words: cosine would take a denial for a repetition.
        meaning = (said.ordered or fact.statement, said.negated)
        twin = self._said.get(meaning)
        cost = tokens.count(fact.statement) if self._budget is not None else 0
        if twin is not None:
            self.left_out.append(_left_out(row, "duplicate_of", twin))
        elif self.full:
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
        row.exact,
        row.pinned,
        row.feedback,
        ranks if explain else {},
    )
