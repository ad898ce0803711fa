"""A subject with something in every store, and the way through an erasure."""

from collections.abc import Sequence

from memoryhub import clock, ids
from memoryhub.memory import facts, passages, purge, scaling, subjects, threads
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import JobKind, JobStatus, Origin
from memoryhub.memory.models import (
    ExpectedFact,
    Fact,
    FactUsage,
    IdempotentAnswer,
    Job,
    Rebuild,
    RecallCase,
    RecalledFact,
    RecallFeedback,
    RecallSuite,
    Subject,
    Summary,
)
from memoryhub.privacy import requests, tasks
from memoryhub.privacy.models import Identity, PrivacyRequest
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant

OPENER = scope.Actor(scope.ActorKind.USER, "officer", "ui")
APPROVER = scope.Actor(scope.ActorKind.USER, "owner", "ui")
#: Words that only Alice's data has.
WORDS = ("zanzibar", "quetzalcoatl", "alice")


def person(name: str, word: str) -> Subject:
    """A subject with rows in every store, in the scope that is entered."""
    at = clock.now()
    subject = subjects.ensure(name, at=at, display_name=f"{word} the person")
    thread, _ = threads.open_thread(subject, at=at, title=f"On {word}", metadata={"note": word})
    turns = threads.append_turns(
        thread,
        [threads.NewTurn("user", f"I come from {word} and number {n}") for n in range(3)]
        + [threads.NewTurn("assistant", f"So you come from {word}.")],
        at=at,
    )
    for turn in turns[:3]:
        new = NewFact(f"Comes from {word} {turn.seq}", source_turn=turn.id, quote=f"from {word}")
        facts.remember(subject, new, origin=Origin.SAID, human=False, at=at)
    gone = facts.remember(subject, NewFact(f"Hates {word}"), origin=Origin.OPERATOR, human=True, at=at)
    facts.purge_fact(gone, reason_code="wrong", at=at)
    passages.index_thread(threads.get(thread.id))
    _beside(subject, word, [turn.id for turn in turns], at)
    counts = purge.counts_of(subject.id)
    assert all(counts.values()), counts
    return subjects.get(subject.id)


def _beside(subject: Subject, word: str, turn_ids: Sequence[object], at: object) -> None:
    """What the worker and the API leave beside facts and turns."""
    thread, fact = subject.threads.get(), Fact.objects.filter(subject=subject).first()
    Summary(
        thread=thread, subject=subject, version=1, content=f"From {word}.", through_seq=2, turn_ids=list(turn_ids[:2])
    ).save()  # fmt: skip
    RecalledFact(turn_id=turn_ids[3], fact=fact, subject=subject, rank=1, score=0.5).save()
    Job(kind=JobKind.LEARN, thread=thread, subject=subject, status=JobStatus.PARKED, error=word).save()
    Rebuild(
        subject=subject, status=JobStatus.DONE, differences=[{"statement": word}], found=[{"quote": word}]
    ).save()
    _about_recall(subject, fact, word, at)
    IdempotentAnswer(
        actor_id="a", key=ids.new().hex, route="r", fingerprint="f", subject=subject, status=201, body=word.encode()
    ).save()  # fmt: skip


def _about_recall(subject: Subject, fact: Fact, word: str, at: object) -> None:
    """What finding leaves: a test of it, feedback, a count, and the index of a large scope."""
    suite = RecallSuite.objects.get_or_create(name="life")[0]
    case = RecallCase(suite=suite, subject=subject, query=f"Where is {word}?")
    case.save()
    ExpectedFact(case=case, fact=fact, subject=subject).save()
    RecallFeedback(fact=fact, subject=subject, embedding=[0.1] * 384, embedder="test").save()
    FactUsage(fact=fact, subject=subject, recalls=3).save()
    fact = Fact.objects.get(id=fact.id)
    scaling.build(subject.id, fact.embedder, len(fact.embedding), 3, at=at)


def approved(tenant: Tenant, subject: Subject) -> PrivacyRequest:
    """An erasure that was opened by one and approved by another."""
    with scope.enter(tenant.id, OPENER, "req_open"):
        request = requests.open_request(subject, identity=Identity.ATTESTED, at=clock.now())
        seen = requests.preview(request, at=clock.now())
    with scope.enter(tenant.id, APPROVER, "req_approve"):
        return requests.approve(request, digest=seen.digest, at=clock.now())


def run(tenant: Tenant, request: PrivacyRequest) -> PrivacyRequest:
    """What the worker does with the message."""
    with scope.enter(tenant.id, APPROVER, "req_approve"):
        tasks.run_request.run(str(request.id))
        return requests.get(request.id)


def erased(tenant: Tenant, subject: Subject) -> PrivacyRequest:
    """The whole way."""
    return run(tenant, approved(tenant, subject))
