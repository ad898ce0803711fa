"""Believable data for a look around: written through the same doors as real conversations."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from memoryhub.accounts import members
from memoryhub.errors import Conflict
from memoryhub.local import demo_script
from memoryhub.local.demo_script import DemoPerson, DemoThread
from memoryhub.memory import learning, subjects, summaries, threads
from memoryhub.memory.models import Subject, Thread
from memoryhub.privacy import requests
from memoryhub.privacy.models import Identity
from memoryhub.tenants import scope
from memoryhub.tenants.entrances import new_request_id, tenant_ids
from memoryhub.tenants.models import Membership
from memoryhub.tenants.permissions import Role

_ACTOR = scope.Actor(scope.ActorKind.SYSTEM, "demo", "cli")
_MINUTES_BETWEEN_TURNS = 2
_ROUNDS = 50
MEMBERS = (
    ("lena@demo.memoryhub.local", "Lena Brandt", Role.MEMBER),
    ("omar@demo.memoryhub.local", "Omar Haddad", Role.OPERATOR),
    ("petra@demo.memoryhub.local", "Petra Lind", Role.PRIVACY_OFFICER),
    ("paul@demo.memoryhub.local", "Paul Weber", Role.PRIVACY_OFFICER),
    ("vera@demo.memoryhub.local", "Vera Kim", Role.VIEWER),
    ("ada@demo.memoryhub.local", "Ada Moreau", Role.AUDITOR),
)


def fill(password: str, *, at: datetime) -> bool:
    """Fill the first tenant and a second one; False when that was done before."""
    try:
        second = members.found_tenant(demo_script.SECOND.name, demo_script.SECOND.slug, at=at)
    except Conflict:
        return False
    with scope.enter(tenant_ids()[0], _ACTOR, new_request_id()):
        for email, name, role in MEMBERS:
            members.add(email, role, at=at, name=name, password=password)
        _talk(demo_script.FIRST_PEOPLE, at)
        requests.open_request(
            subjects.by_external_id("marco.silva"), identity=Identity.ATTESTED, at=at - timedelta(days=24)
        )
    with scope.enter(second.id, _ACTOR, new_request_id()):
        _talk(demo_script.SECOND.people, at)
    return True


def _talk(people: Sequence[DemoPerson], at: datetime) -> None:
    for person in people:
        subject = _subject(person, at)
        for script in person.threads:
            _play(subject, script, at)


def _subject(person: DemoPerson, at: datetime) -> Subject:
    member = (
        Membership.objects.filter(user__email=person.member_email).first() if person.member_email else None
    )
    if member is not None:
        return subjects.of_member(member.id, at=at)
    return subjects.ensure(person.external_id, at=at, display_name=person.name)


def _play(subject: Subject, script: DemoThread, at: datetime) -> None:
    moment = at - timedelta(days=script.days_ago)
    thread, _ = threads.open_thread(subject, at=moment, title=script.title)
    for line in script.lines:
        if isinstance(line, int):
            moment += timedelta(days=line)
            continue
        role, content = line
        moment += timedelta(minutes=_MINUTES_BETWEEN_TURNS)
        threads.append_turn(thread, threads.NewTurn(role, content, said_at=moment), at=moment)
    _digest(thread, at)


def _digest(thread: Thread, at: datetime) -> None:
    """Learn and summarise at once, so that the pages are full when the command ends."""
    for _ in range(_ROUNDS):
        thread = threads.get(thread.id)
        if not learning.learn_from(thread, at=at).more:
            break
    summaries.summarise(threads.get(thread.id), at=at)
