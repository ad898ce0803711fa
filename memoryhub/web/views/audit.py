"""The audit trail: who did what, without content."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from memoryhub import ids
from memoryhub.audit import trail
from memoryhub.errors import Gone, Invalid, NotFound
from memoryhub.memory import subjects
from memoryhub.tenants.models import Membership
from memoryhub.tenants.permissions import Permission
from memoryhub.web import lists
from memoryhub.web.labels import Actors
from memoryhub.web.lists import Pager
from memoryhub.web.pages import Page, page

_ACTIONS = {action.value: action.value for action in trail.Action}
_PREFIX = {
    "fact": "fact", "privacy_request": "preq", "thread": "thr", "subject": "subj", "job": "job", "api_key": "key",
    "membership": "mbr", "rebuild": "rbd",
}  # fmt: skip
_PAGES = {
    "fact": ("facts:detail", Permission.READ_MEMORY),
    "privacy_request": ("privacy:detail", Permission.READ_PRIVACY),
    "thread": ("threads:detail", Permission.READ_MEMORY),
    "rebuild": ("rebuilds:detail", Permission.READ_MEMORY),
}
_GRAMMAR = ("action", "actor", "request", "target", "subject", "ref")


@dataclass(frozen=True)
class Detail:
    """A code or count that belongs to an entry."""

    name: str
    value: str


@dataclass(frozen=True)
class EventRow:
    """An entry."""

    public_id: str
    seq: int
    at: datetime
    actor_label: str
    via: str
    action: str
    action_url: str
    target_label: str
    request_id: str
    subject_ref: str = ""
    subject_url: str = ""
    target_url: str = ""
    detail: Sequence[Detail] = field(default_factory=tuple)


@dataclass(frozen=True)
class Chain:
    """How long the hash chain is, and where it is checked."""

    text: str
    verify_url: str


@page(Permission.READ_AUDIT)
def index(request: Page) -> HttpResponse:
    """Entries, newest first."""
    return render(request, "audit/list.html", _list(request))


def _list(request: Page) -> dict[str, object]:
    bar = lists.filters(request, {"action": ("Action", _ACTIONS)})
    before = request.GET.get("after", "")
    found = _found(
        request, int(before) if before.isascii() and before.isdecimal() and len(before) < 18 else None
    )
    shown = found[: lists.PAGE_SIZE]
    actors = Actors(f"{event.actor_kind}:{event.actor_id}" for event in shown)
    older = lists.address(request, after=str(shown[-1].seq)) if len(found) > lists.PAGE_SIZE else ""
    newest = lists.address(request) if before else ""
    return {
        "filters": bar,
        "events": [_row(event, actors, request.identity.permissions) for event in shown],
        "page": Pager(newest, older, newer="Newest"),
        "chain": _chain(),
    }


def _found(request: Page, before_seq: int | None) -> list[trail.Event]:
    """The entries that the address asks for. Words that are no known pair, action or id match nothing."""
    asked = lists.asked(request.GET.get("q", "")[:500], _GRAMMAR)
    given = {**asked.given, **_guessed(asked.words)}
    if asked.words and not _guessed(asked.words):
        return []
    try:
        target = _target(given["target"]) if "target" in given else None
        actor_id = _actor_id(given["actor"]) if "actor" in given else ""
        ref = _ref(given) if {"subject", "ref"} & given.keys() else ""
    except (NotFound, Gone, Invalid):
        return []
    return trail.events(
        before_seq=before_seq,
        limit=lists.PAGE_SIZE + 1,
        action=given.get("action") or lists.chosen(request, "action", _ACTIONS),
        actor_id=actor_id,
        object_id=target,
        ref=ref,
        request_id=given.get("request", ""),
    )


def _guessed(words: str) -> dict[str, str]:
    """A bare action, request id or public id says what it is by its form."""
    if words in _ACTIONS:
        return {"action": words}
    if words.startswith("req_"):
        return {"request": words}
    return {"target": words} if words.partition("_")[0] in _PREFIX.values() else {}


def _target(public_id: str) -> uuid.UUID:
    prefix = public_id.partition("_")[0]
    if prefix not in _PREFIX.values():
        raise NotFound
    return ids.parse(prefix, public_id)


def _actor_id(words: str) -> str:
    """A member by address or name, or MemoryHub itself."""
    if words.casefold() == "memoryhub":
        return "command"
    named = Q(user__email__iexact=words) | Q(user__name__icontains=words)
    member = Membership.objects.filter(named).order_by("created_at").first()
    if member is None:
        raise NotFound
    return str(member.user_id)


def _ref(given: Mapping[str, str]) -> str:
    """The pseudonym under which a subject stands in the trail."""
    return given.get("ref") or trail.subject_ref(subjects.by_external_id(given["subject"]).id)


def _chain() -> Chain:
    head = trail.head()
    return Chain(f"{head.seq:,} {'entry' if head.seq == 1 else 'entries'}", reverse("audit:verify"))


def _row(event: trail.Event, actors: Actors, allowed: frozenset[Permission]) -> EventRow:
    prefix = _PREFIX.get(event.object_kind)
    target = ids.public(prefix, event.object_id) if prefix and event.object_id else ""
    return EventRow(
        public_id=event.public_id,
        seq=event.seq,
        at=event.at,
        actor_label=actors.label(f"{event.actor_kind}:{event.actor_id}"),
        via=event.via,
        action=event.action,
        action_url=lists.searching("audit:list", "action", event.action),
        target_label=target or event.object_kind.replace("_", " "),
        request_id=event.request_id,
        subject_ref=event.subject_ref,
        subject_url=lists.searching("audit:list", "ref", event.subject_ref) if event.subject_ref else "",
        target_url=_target_url(event, target, allowed),
        detail=[Detail(name.replace("_", " "), _plain(value)) for name, value in event.detail.items()],
    )


def _target_url(event: trail.Event, target: str, allowed: frozenset[Permission]) -> str:
    """Where the record can be seen, unless it is gone or the reader may not."""
    url_name, permission = _PAGES.get(event.object_kind, ("", None))
    gone = event.action in (trail.Action.FACT_PURGE, trail.Action.THREAD_DELETE)
    return reverse(url_name, args=[target]) if target and permission in allowed and not gone else ""


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in value.items() if count)
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


@page(Permission.READ_AUDIT, "POST")
def verify(request: Page) -> HttpResponse:
    """Recompute the chain and say what was found."""
    state = trail.verify()
    if state.intact:
        messages.success(request, f"The chain is whole: {state.entries} entries, none changed or removed.")
    else:
        messages.error(
            request,
            f"The chain is broken at entry {state.broken_at}. Keep the database as it is and tell an owner.",
        )
    return redirect("audit:list")
