"""Recall suites: questions whose answer is known, asked before and after a change of weights, embedder or extractor.

A case is a question about one subject, the facts that must come back, and, where it was saved from a moment, the
time whose knowledge it asks. A run says how many cases found their facts (hit@k), how high (MRR), and with what it
was made, so that two runs can be held against each other.
"""

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from memoryhub import text
from memoryhub.audit import trail
from memoryhub.errors import Conflict, Invalid, NotFound
from memoryhub.memory import embedders, policies, ranking, recall, subjects
from memoryhub.memory.kinds import JobStatus
from memoryhub.memory.models import ExpectedFact, Fact, RecallCase, RecallRun, RecallSuite, Subject
from memoryhub.memory.recall import Moment

MOST_CASES = 1000
MOST_EXPECTED = 20
_LONGEST_NAME = 120


@dataclass(frozen=True)
class Score:
    """One case of a run. ``rank`` is the place of the first expected fact, from 1; None when none came back.

    ``hit``: everything expected came back, or nothing did where nothing was expected. ``share`` of the expected.
    """

    case: str
    hit: bool
    rank: int | None
    share: float
    found: int


def ensure(name: str, *, at: datetime) -> RecallSuite:
    """The suite of that name, made when there is none. Raises ``Invalid``, ``TooLarge``."""
    cleaned = text.clean(name, field="name", limit=_LONGEST_NAME)
    with transaction.atomic():
        found: RecallSuite | None = RecallSuite.objects.filter(name=cleaned).first()
        if found is not None:
            return found
        row = RecallSuite(name=cleaned, created_at=at)
        row.save(force_insert=True)
        trail.record(trail.Action.RECALL_SUITE, "recall_suite", row.id, at=at)
    return row


def get(suite_id: uuid.UUID) -> RecallSuite:
    """Raises ``NotFound``."""
    found: RecallSuite = _found(RecallSuite.objects.filter(id=suite_id))
    return found


def get_case(case_id: uuid.UUID) -> RecallCase:
    """Raises ``NotFound``."""
    found: RecallCase = _found(RecallCase.objects.select_related("subject", "suite").filter(id=case_id))
    return found


def get_run(run_id: uuid.UUID) -> RecallRun:
    """Raises ``NotFound``."""
    found: RecallRun = _found(RecallRun.objects.select_related("suite").filter(id=run_id))
    return found


def _found(rows: Any) -> Any:
    found = rows.first()
    if found is None:
        raise NotFound
    return found


def add_case(
    suite: RecallSuite,
    subject: Subject,
    query: str,
    expected: Sequence[uuid.UUID],
    *,
    as_of: datetime | None = None,
    at: datetime,
) -> RecallCase:
    """Save a question as a test: these facts must come back, or nothing when none is named.

    Raises ``Invalid`` for a fact that is not the subject's or a time to come, ``Conflict`` when the suite is full.
    """
    asked = text.clean(query, field="query", limit=ranking.QUERY_LIMIT)
    if as_of is not None and as_of > at:
        raise Invalid.field(
            "as_of", "in_the_future", "as_of lies in the future; leave it out to ask the present."
        )
    wanted = list(dict.fromkeys(expected))
    if len(wanted) > MOST_EXPECTED:
        raise Invalid.field("expected", "too_many", f"A case expects at most {MOST_EXPECTED} facts.")
    with transaction.atomic():
        subjects.lock_for_writing(subject.id)
        facts = list(Fact.objects.filter(id__in=wanted, subject_id=subject.id).values_list("id", flat=True))
        if len(facts) != len(wanted):
            raise Invalid.field(
                "expected", "no_such_fact", "expected names a fact that this subject does not have."
            )
        if RecallCase.objects.filter(suite=suite).count() >= MOST_CASES:
            raise Conflict(f"A suite holds at most {MOST_CASES} cases; start another.", code="suite_full")
        case = RecallCase(suite=suite, subject=subject, query=asked, as_of=as_of, created_at=at)
        case.save(force_insert=True)
        ExpectedFact.objects.bulk_create(
            [ExpectedFact(case=case, fact_id=fact_id, subject_id=subject.id) for fact_id in wanted]
        )
        trail.record(
            trail.Action.RECALL_SUITE, "recall_case", case.id, at=at, subject_id=subject.id, count=len(wanted)
        )
    return case


def remove_case(case: RecallCase, *, at: datetime) -> None:
    """Take a test away."""
    with transaction.atomic():
        ExpectedFact.objects.filter(case=case).delete()
        RecallCase.objects.filter(id=case.id).delete()
        trail.record(
            trail.Action.RECALL_SUITE, "recall_case", case.id, at=at, subject_id=case.subject_id, count=0
        )


def begin(suite: RecallSuite, *, k: int = 8, at: datetime) -> RecallRun:
    """Note that a suite is to be asked. Raises ``Conflict`` for an empty one."""
    total = RecallCase.objects.filter(suite=suite).count()
    if not total:
        raise Conflict("This suite has no cases yet; save a question as a test first.", code="suite_empty")
    with transaction.atomic():
        row = RecallRun(
            suite=suite, status=JobStatus.RUNNING, total=total, k=k, made_with=_made_with(), created_at=at
        )
        row.save(force_insert=True)
        trail.record(trail.Action.RECALL_SUITE, "recall_run", row.id, at=at, count=total)
    return row


def _made_with() -> dict[str, Any]:
    policy = policies.current()
    embedder = embedders.chosen(policy)
    return {
        "embedder": embedder.name,
        "floor": embedders.floor(policy, embedder.name, embedder.relevance_floor),
        "weights": asdict(policy.weights),
    }


def run(row: RecallRun, *, at: datetime) -> RecallRun:
    """Ask every case from the start, and write down the scores. A case removed meanwhile is passed over."""
    scores: list[Score] = []
    for case in list(
        RecallCase.objects.select_related("subject").filter(suite_id=row.suite_id).order_by("created_at")
    ):
        scores.append(ask(case, row.k, at=at))
        RecallRun.objects.filter(id=row.id).update(done=len(scores))
    row.status, row.finished_at, row.done, row.total = JobStatus.DONE, at, len(scores), len(scores)
    row.scores, row.cases = summary(scores), [asdict(score) for score in scores]
    row.save(update_fields=["status", "finished_at", "done", "total", "scores", "cases"])
    return row


def ask(case: RecallCase, k: int, *, at: datetime) -> Score:
    """One case, by the product's own recall."""
    expected = set(ExpectedFact.objects.filter(case=case).values_list("fact_id", flat=True))
    moment = Moment(case.as_of, case.as_of) if case.as_of else None
    found = [
        item.fact.id for item in recall.recall(case.subject, case.query, at=at, limit=k, moment=moment).facts
    ]
    places = [place for place, fact_id in enumerate(found, start=1) if fact_id in expected]
    share = len(places) / len(expected) if expected else float(not found)
    return Score(case.public_id, share == 1, places[0] if places else None, share, len(found))


def summary(scores: Sequence[Score]) -> dict[str, float]:
    """``hit_at_k``, ``recall_at_k`` and ``mrr`` in [0, 1]. MRR is over the cases that expect a fact (Voorhees, 1999)."""
    if not scores:
        return {}
    asking = [score for score in scores if score.rank is not None or not score.hit]
    reciprocal = [1 / score.rank if score.rank else 0.0 for score in asking]
    return {
        "hit_at_k": sum(score.hit for score in scores) / len(scores),
        "recall_at_k": sum(score.share for score in scores) / len(scores),
        "mrr": sum(reciprocal) / len(reciprocal) if reciprocal else 1.0,
    }


def before(row: RecallRun) -> RecallRun | None:
    """The run of the same suite that ended last before this one began."""
    earlier = RecallRun.objects.filter(
        suite_id=row.suite_id, status=JobStatus.DONE, created_at__lt=row.created_at
    )
    found: RecallRun | None = earlier.order_by("-created_at").first()
    return found


def differences(earlier: RecallRun, later: RecallRun) -> list[dict[str, Any]]:
    """The cases that came out otherwise: ``won``, ``lost`` or ``moved``, with both ranks."""
    past = {case["case"]: case for case in earlier.cases}
    changed = []
    for case in later.cases:
        old = past.get(case["case"])
        if old is not None and (old["hit"], old["rank"]) != (case["hit"], case["rank"]):
            change = "moved" if old["hit"] == case["hit"] else "won" if case["hit"] else "lost"
            changed.append({"case": case["case"], "change": change, "was": old["rank"], "now": case["rank"]})
    return changed
