"""A tenant with something of everything in it; two of them have the same shape and the same names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from memoryhub import clock
from memoryhub.accounts import keys, members
from memoryhub.chat import conversation
from memoryhub.llm.models import ModelCall
from memoryhub.memory import facts, passages, subjects, threads
from memoryhub.memory.facts import Correction, NewFact
from memoryhub.memory.kinds import FactStatus, JobKind, JobStatus, Origin, TurnStatus
from memoryhub.memory.models import (
    Fact,
    IdempotentAnswer,
    Job,
    MemoryPolicy,
    Rebuild,
    RecalledFact,
    Subject,
    Summary,
    Suppression,
    Thread,
    Turn,
)
from memoryhub.privacy import erasure, requests
from memoryhub.privacy.models import Identity, PrivacyRequest, Status
from memoryhub.tenants import scope
from memoryhub.tenants.models import Agent, Tenant, User
from memoryhub.tenants.permissions import KEY_SCOPES, Role

PASSWORD = "correct-horse-battery"


@dataclass(frozen=True)
class World:
    """One tenant. ``ids`` maps the name of an address's parameter to public ids, best first."""

    tenant: Tenant
    owner: User
    officer: User
    secret: str
    canary: str
    ids: Mapping[str, Sequence[str]]
    digest: str
    quoted_turn: str
    quote: str


def actor(user: User) -> scope.Actor:
    """The user as the trail knows them."""
    return scope.Actor(scope.ActorKind.USER, str(user.pk), "ui")


def build(slug: str) -> World:
    """Found a tenant and fill every table of it."""
    at = clock.now()
    tenant = members.found_tenant("Same name", slug, at=at)
    canary = f"canary-{slug}"
    with scope.enter(tenant.id, scope.SYSTEM, "req_world"):
        owner = members.add(f"owner@{slug}.example.org", Role.OWNER, at=at, name="Olga", password=PASSWORD)
        officer = members.add(f"officer@{slug}.example.org", Role.PRIVACY_OFFICER, at=at, password=PASSWORD)
        key, secret = keys.issue("everything", [p.value for p in KEY_SCOPES], at=at)
        spare, _ = keys.issue("spare", ["memory:read"], at=at)
    with scope.enter(tenant.id, actor(officer.user), "req_world"):
        alice = subjects.ensure("alice", at=at, display_name=f"Alice {canary}")
        mine = subjects.of_member(owner.id, at=at)
        thread = _talk(alice, canary, "thread-1")
        own, *spare_threads = [_talk(mine, canary, f"thread-{number}") for number in (2, 3, 4)]
        known = _facts(alice, thread, canary)
        own_known = [fact for talk in (own, spare_threads[0]) for fact in _facts(mine, talk, canary)]
        own_known += _plans(mine, canary)
        waiting = _answers(own, known=own_known[0])
        job = _rest(alice, thread, known[0], canary)
        held, rebuild = _held(alice, thread, canary), Rebuild.objects.get(subject=alice)
        failed = Rebuild(subject=mine, status=JobStatus.FAILED, total=3, error_code="model_timeout")
        failed.save()
        demands = _demands(alice, officer.user, owner.user)
    with scope.enter(tenant.id, actor(owner.user), "req_world"):
        own_request = requests.open_request(mine, identity=Identity.SESSION, at=at)
    turn = thread_turns(tenant, thread)[0]
    return World(
        tenant,
        owner.user,
        officer.user,
        secret,
        canary,
        {
            "subject_id": [alice.public_id, mine.public_id],
            "thread_id": [own.public_id, thread.public_id, *(t.public_id for t in spare_threads)],
            "turn_id": [*(t.public_id for t in waiting), turn.public_id],
            "fact_id": [*(f.public_id for f in own_known), held.public_id, *(f.public_id for f in known)],
            "request_id": [*(r.public_id for r in demands), own_request.public_id],
            "job_id": [job.public_id],
            "key_id": [spare.public_id, key.public_id],
            "rebuild_id": [failed.public_id, rebuild.public_id],
            "membership_id": [officer.public_id, owner.public_id],
        },
        demands[0].preview_digest,
        turn.public_id,
        turn.content,
    )


def thread_turns(tenant: Tenant, thread: Thread) -> list[Turn]:
    """The turns of a thread, in order."""
    with scope.enter(tenant.id, scope.SYSTEM, "req_world"):
        return list(thread.turns.order_by("seq"))


def _talk(subject: Subject, canary: str, external_id: str) -> Thread:
    at = clock.now()
    thread, _ = threads.open_thread(
        subject, at=at, title=f"About {canary}", external_id=external_id, metadata={"note": canary}
    )
    said = [
        threads.NewTurn("user", f"I live in {canary} town, number {n}.", client_id=f"c{n}") for n in range(3)
    ]
    turns = threads.append_turns(thread, [*said, threads.NewTurn("assistant", f"Noted, {canary}.")], at=at)
    Summary(
        thread=thread, subject=subject, version=1, content=f"They live in {canary} town.", through_seq=2,
        turn_ids=[t.id for t in turns[:2]],
    ).save()  # fmt: skip
    Thread.objects.filter(id=thread.id).update(learned_seq=len(turns), summarised_seq=2)
    passages.index_thread(threads.get(thread.id))
    return threads.get(thread.id)


def _facts(subject: Subject, thread: Thread, canary: str) -> list[Fact]:
    """Six facts: three active with evidence, one corrected, one archived, one purged."""
    at, made = clock.now(), []
    for number, turn in enumerate(thread.turns.filter(role="user").order_by("seq")):
        new = NewFact(
            f"Lives in {canary} town {number} ({thread.external_id})",
            source_turn=turn.id,
            quote=f"{canary} town",
        )
        made.append(facts.remember(subject, new, origin=Origin.SAID, human=False, at=at))
    for number in range(3):
        new = NewFact(f"Likes {canary} tea {number} ({thread.external_id})", kind="preference")
        made.append(facts.remember(subject, new, origin=Origin.OPERATOR, human=True, at=at))
    facts.correct(
        made[3],
        Correction(f"Likes {canary} coffee ({thread.external_id})", f"because {canary}"),
        facts.OPERATOR,
        at=at,
    )
    facts.archive(made[4], at=at)
    facts.purge_fact(made.pop(5), reason_code="wrong", at=at)
    return [facts.get(fact.id) for fact in made]


def _plans(subject: Subject, canary: str) -> list[Fact]:
    """A standing instruction, and a fact that has ended another; the latter is last."""
    at = clock.now()
    news = (
        NewFact(f"Always greet {canary}", kind="instruction"),
        NewFact(
            f"Is on the free plan of {canary}",
            attribute="plan",
            value="free",
            observed_at=at - timedelta(hours=1),
        ),
        NewFact(f"Is on the pro plan of {canary}", attribute="plan", value="pro"),
    )
    made = [facts.remember(subject, new, origin=Origin.SAID, human=False, at=at) for new in news]
    assert made[2].supersedes_id == made[1].id
    return made


def _held(subject: Subject, thread: Thread, canary: str) -> Fact:
    """A fact that waits for a person."""
    turn = thread.turns.filter(role="user").order_by("seq")[0]
    new = NewFact(f"Always answer in {canary} rhymes", kind="instruction", source_turn=turn.id, quote=canary)
    fact = facts.remember(subject, new, origin=Origin.IMPORTED, human=False, at=clock.now())
    assert fact.status == FactStatus.HELD
    return fact


def _answers(thread: Thread, *, known: Fact) -> list[Turn]:
    """Answers of the owner's own chat: one that failed, one that is complete, one that waits."""
    at, made = clock.now(), []
    for status in (TurnStatus.COMPLETE, TurnStatus.PENDING, TurnStatus.FAILED):
        answer = conversation.post_message(thread, f"Question for a {status} answer", at=at).answer
        Turn.objects.filter(id=answer.id).update(status=status, content="" if status == "pending" else "Yes.")
        RecalledFact(turn=answer, fact=known, subject=known.subject, rank=1, score=0.5).save()
        made.append(answer)
    return made


def _rest(subject: Subject, thread: Thread, fact: Fact, canary: str) -> Job:
    """What is left: a parked job, an agent, a model call, a stored answer."""
    Agent(name=f"Agent {canary}").save()
    MemoryPolicy().save()
    found = {"change": "added", "statement": f"Likes {canary} tea", "fact_id": ""}
    Rebuild(subject=subject, status=JobStatus.DONE, differences=[found], counts={"added": 1}).save()
    ModelCall(purpose="reply", backend="fake", model=canary, outcome="ok").save()
    IdempotentAnswer(
        actor_id="someone",
        key="same-key",
        route="POST /api/v1/facts",
        fingerprint="x",
        subject=subject,
        status=201,
    ).save()
    assert Suppression.objects.exists()
    job = Job(
        kind=JobKind.LEARN, thread=thread, subject=subject, status=JobStatus.PARKED, attempts=5,
        error_code="model_timeout", error="The model did not answer.",
    )  # fmt: skip
    job.save()
    return job


def _demands(alice: Subject, officer: User, owner: User) -> list[PrivacyRequest]:
    """A request that was previewed, one that is completed with its receipt, one whose verification failed."""
    at = clock.now()
    previewed = requests.open_request(alice, identity=Identity.ATTESTED, at=at)
    requests.preview(previewed, at=at)
    subjects.ensure("erin", at=at)
    return [requests.get(previewed.id), _completed("carol", owner), _failed("dave", owner)]


def _completed(name: str, owner: User) -> PrivacyRequest:
    at = clock.now()
    opened = requests.open_request(subjects.ensure(name, at=at), identity=Identity.ATTESTED, at=at)
    seen = requests.preview(opened, at=at)
    PrivacyRequest.objects.filter(id=opened.id).update(
        status=Status.APPROVED, approved_by=f"user:{owner.pk}", approved_at=at
    )
    assert seen.total == 0
    claimed = erasure.claim(opened.id, at=at)
    assert claimed is not None
    assert erasure.run(claimed, at=at).completed
    return requests.get(opened.id)


def _failed(name: str, owner: User) -> PrivacyRequest:
    at = clock.now()
    opened = requests.open_request(subjects.ensure(name, at=at), identity=Identity.ATTESTED, at=at)
    PrivacyRequest.objects.filter(id=opened.id).update(
        status=Status.VERIFICATION_FAILED,
        approved_by=f"user:{owner.pk}",
        approved_at=at,
        left_over={"fact": 1},
    )
    return requests.get(opened.id)
