"""The audit trail: who did what, without content."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from memoryhub import ids
from memoryhub.audit import trail
from memoryhub.tenants.permissions import Permission
from memoryhub.web import pages
from memoryhub.web.labels import Actors
from memoryhub.web.pages import Page, Pager, page

_ACTIONS = {action.value: action.value for action in trail.Action}
_PREFIX = {"fact": "fact", "privacy_request": "preq", "thread": "thr", "subject": "subj", "job": "job"}
_PAGES = {"fact": "facts:detail", "privacy_request": "privacy:detail", "thread": "threads:detail"}


@dataclass(frozen=True)
class Detail:
    """A code or count that belongs to an entry."""

    name: str
    value: str


@dataclass(frozen=True)
class EventRow:
    """An entry."""

    public_id: str
    at: datetime
    actor_label: str
    via: str
    action: str
    target_label: str
    request_id: str
    target_url: str = ""
    detail: Sequence[Detail] = field(default_factory=tuple)


@dataclass(frozen=True)
class Chain:
    """The state of the hash chain; ``ok`` is None before it is checked."""

    ok: bool | None
    text: str
    verify_url: str
    checked_at: datetime | None = None


@page(Permission.READ_AUDIT)
def index(request: Page) -> HttpResponse:
    """Entries, newest first."""
    return render(request, "audit/list.html", _list(request))


def _list(request: Page) -> dict[str, object]:
    bar = pages.filters(request, {"action": ("Action", _ACTIONS)})
    before = request.GET.get("after", "")
    found = trail.events(
        before_seq=int(before) if before.isascii() and before.isdecimal() and len(before) < 18 else None,
        limit=pages.PAGE_SIZE + 1,
        action=pages.chosen(request, "action", _ACTIONS) or (bar.query if bar.query in _ACTIONS else ""),
        request_id=bar.query if bar.query.startswith("req_") else "",
    )
    shown = found[: pages.PAGE_SIZE]
    actors = Actors(f"{event.actor_kind}:{event.actor_id}" for event in shown)
    older = pages.address(request, after=str(shown[-1].seq)) if len(found) > pages.PAGE_SIZE else ""
    newest = pages.address(request) if before else ""
    return {
        "filters": bar,
        "events": [_row(event, actors) for event in shown],
        "page": Pager(newest, older),
        "chain": _chain(),
    }


def _chain() -> Chain:
    head = trail.head()
    return Chain(None, f"{head.seq} entries, chained by hash.", reverse("audit:verify"))


def _row(event: trail.Event, actors: Actors) -> EventRow:
    prefix = _PREFIX.get(event.object_kind)
    target = ids.public(prefix, event.object_id) if prefix and event.object_id else ""
    purged = event.action in (trail.Action.FACT_PURGE, trail.Action.THREAD_DELETE)
    url_name = "" if purged else _PAGES.get(event.object_kind, "")
    return EventRow(
        public_id=event.public_id,
        at=event.at,
        actor_label=actors.label(f"{event.actor_kind}:{event.actor_id}"),
        via=event.via,
        action=event.action,
        target_label=target or event.object_kind,
        request_id=event.request_id,
        target_url=reverse(url_name, args=[target]) if url_name and target else "",
        detail=[Detail(name, _plain(value)) for name, value in event.detail.items()],
    )


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
