"""The review queue: facts that wait for a person, one at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from memoryhub import clock, ids, keyset
from memoryhub.errors import Conflict, Invalid
from memoryhub.memory import catalogue, facts, policies
from memoryhub.memory.kinds import FactStatus
from memoryhub.memory.models import Fact
from memoryhub.tenants.permissions import Permission
from memoryhub.web import lists, pages, quotes, reasons, rivals
from memoryhub.web.forms import CorrectForm, PurgeForm
from memoryhub.web.lists import Tab
from memoryhub.web.pages import Page, page
from memoryhub.web.quotes import Quote

#: Who has waited longest comes first.
_KEY = keyset.Key("created_at", descending=False)
_STALE = "stale"
_SHOWN_NEXT = 12


@dataclass(frozen=True)
class Item:
    """A fact under review, or one beside it."""

    public_id: str
    url: str
    statement: str
    kind: str
    status: str
    verification: str
    origin: str
    subject_label: str
    observed_at: datetime
    etag: str
    evidence: Sequence[Quote]


@dataclass(frozen=True)
class Waiting:
    """A fact further down the queue."""

    url: str
    statement: str
    subject_label: str
    reason: str


@dataclass(frozen=True)
class Queue:
    """The facts under one tab. ``reason`` is a code of ``reasons.HELD``, "stale", or "" for all that is held."""

    reason: str
    at: datetime

    def rows(self) -> "QuerySet[Any, Any]":
        """The facts, unordered."""
        if self.reason == _STALE:
            return catalogue.matching(catalogue.Wanted(statuses=[FactStatus.ACTIVE], stale_at=self.at))
        held = catalogue.matching(catalogue.Wanted(statuses=[FactStatus.HELD]))
        return held.filter(held_because=self.reason) if self.reason else held

    def after(self, fact: Fact, limit: int) -> list[Any]:
        """The facts that follow, going round to the start at the end, and never this one."""
        rows = self.rows().prefetch_related(None)
        found = list(keyset.page(rows, _KEY, limit, after=keyset.encode(_KEY, fact)).rows)
        seen = {fact.id, *(row.id for row in found)}
        found += keyset.page(rows.exclude(id__in=seen), _KEY, limit).rows
        return found[:limit]

    def place(self, fact: Fact) -> int:
        """Which one in the queue the fact is, from 1."""
        before = Q(created_at__lt=fact.created_at) | Q(created_at=fact.created_at, id__lt=fact.id)
        return self.rows().filter(before).count() + 1

    def url(self, fact: Fact | None = None) -> str:
        """The address of the queue, at a fact when one is given."""
        here = reverse("review:item", args=[fact.public_id]) if fact else reverse("review:list")
        return here + self.query

    @property
    def query(self) -> str:
        """What the acts hand on, so that they return to this tab."""
        return f"?{urlencode({'reason': self.reason})}" if self.reason else ""


def _queue(request: HttpRequest) -> Queue:
    return Queue(
        lists.chosen(request, "reason", {_STALE: "", **dict.fromkeys(reasons.HELD, "")}), clock.now()
    )


@page(Permission.READ_MEMORY)
def index(request: Page) -> HttpResponse:
    """The first fact that waits; ``?fact=`` picks another."""
    queue = _queue(request)
    if request.GET.get("fact"):
        return HttpResponseRedirect(queue.url(facts.get(ids.parse("fact", request.GET["fact"]))))
    first = next(iter(keyset.page(queue.rows(), _KEY, 1).rows), None)
    return _rendered(request, queue, first)


@page(Permission.READ_MEMORY)
def item(request: Page, fact_id: str) -> HttpResponse:
    """One fact of the queue; one that waits no more leads to the next."""
    queue = _queue(request)
    known = facts.get(ids.parse("fact", fact_id))
    waiting = queue.rows().filter(id=known.id).first()
    return _rendered(request, queue, waiting) if waiting else HttpResponseRedirect(queue.url())


def _rendered(
    request: Page,
    queue: Queue,
    fact: Fact | None,
    *,
    correcting: CorrectForm | None = None,
    purging: PurgeForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {"tabs": _tabs(queue), "reason": queue.reason, "item": None}
    if fact is not None:
        context |= _about(request, queue, fact)
        context |= {
            "correct_form": correcting
            or CorrectForm(initial={"statement": fact.statement, "etag": fact.etag}),
            "purge_form": purging or PurgeForm(),
            "open_dialog": "correct-fact" if correcting else "purge-fact" if purging else "",
        }
    return render(request, "review/queue.html", context, status=status)


def _about(request: Page, queue: Queue, fact: Fact) -> dict[str, Any]:
    following = queue.after(fact, _SHOWN_NEXT)
    total = queue.rows().count()
    return {
        "item": _item(fact),
        "why": _why(queue, fact),
        "beside": [_item(rival) for rival in rivals.of(fact)],
        "place": queue.place(fact),
        "total": total,
        "following": [_waiting(queue, row) for row in following],
        "more": max(0, total - 1 - len(following)),
        "skip_url": queue.url(following[0]) if following else "",
        "query": queue.query,
        "can_curate": Permission.CURATE_FACTS in request.identity.permissions,
        "can_purge": Permission.PURGE_FACTS in request.identity.permissions,
    }


def _tabs(queue: Queue) -> list[Tab]:
    """All that is held, each reason that there is, and the stale ones."""
    held = Fact.objects.filter(status=FactStatus.HELD).values_list("held_because")
    counts: dict[str, int] = dict(held.annotate(n=Count("id")).order_by())
    stale = Queue(_STALE, queue.at).rows().count()
    listed = [("", "All held", sum(counts.values()))]
    listed += [
        (code, reason.label, counts.get(code, 0))
        for code, reason in reasons.HELD.items()
        if counts.get(code) or code == queue.reason
    ]
    listed.append((_STALE, reasons.STALE.label, stale))
    return [
        Tab(label, Queue(code, queue.at).url(), code == queue.reason, count) for code, label, count in listed
    ]


def _why(queue: Queue, fact: Fact) -> reasons.Reason:
    if queue.reason != _STALE:
        return reasons.of(fact.held_because)
    return reasons.Reason(reasons.STALE.label, reasons.stale_sentence(fact, policies.current(), queue.at))


def _item(fact: Fact) -> Item:
    return Item(
        fact.public_id, reverse("facts:detail", args=[fact.public_id]), fact.statement, fact.kind, fact.status,
        fact.verification, fact.origin, fact.subject.label, fact.observed_at, fact.etag,
        quotes.of_fact(fact, fact.subject),
    )  # fmt: skip


def _waiting(queue: Queue, fact: Fact) -> Waiting:
    label = reasons.STALE.label if queue.reason == _STALE else reasons.of(fact.held_because).label
    return Waiting(queue.url(fact), fact.statement, fact.subject.label, label)


# --- acts ----------------------------------------------------------------------------------------------------------


def _loaded(fact_id: str) -> Any:
    known = facts.get(ids.parse("fact", fact_id))
    return catalogue.matching(catalogue.Wanted()).get(id=known.id)


def _chosen(queue: Queue, fact_id: str) -> tuple[Any, str]:
    """The fact with all that its page needs, and where to go once it is decided."""
    fact = _loaded(fact_id)
    following = queue.after(fact, 1)
    return fact, queue.url(following[0] if following else None)


@page(Permission.CURATE_FACTS, "POST")
def confirm(request: Page, fact_id: str) -> HttpResponse:
    """It holds: it is used from now on, and ends what it competes with."""
    fact, following = _chosen(_queue(request), fact_id)
    facts.reverify(fact, facts.OPERATOR, at=clock.now(), etag=request.POST.get("etag") or None)
    return pages.done_at(request, f"Confirmed: {_quoted(fact)}", following)


@page(Permission.CURATE_FACTS, "POST")
def archive(request: Page, fact_id: str) -> HttpResponse:
    """It is of no use: it is kept, and not recalled."""
    fact, following = _chosen(_queue(request), fact_id)
    facts.archive(fact, at=clock.now(), etag=request.POST.get("etag") or None)
    # To restore a fact is to put it in use: no undoing for one that had not been.
    undo_url = reverse("facts:restore", args=[fact.public_id]) if fact.status == FactStatus.ACTIVE else ""
    return pages.done_at(request, f"Archived: {_quoted(fact)}", following, undo_url=undo_url)


@page(Permission.CURATE_FACTS, "POST")
def correct(request: Page, fact_id: str) -> HttpResponse:
    """Something else holds."""
    queue = _queue(request)
    fact, following = _chosen(queue, fact_id)
    form = CorrectForm(request.POST)
    if not form.is_valid():
        return _rendered(request, queue, fact, correcting=form, status=422)
    data = form.cleaned_data
    correction = facts.Correction(data["statement"], data["reason"])
    try:
        facts.correct(fact, correction, facts.OPERATOR, at=clock.now(), etag=data["etag"] or None)
    except (Conflict, Invalid) as error:
        return _correct_again(request, queue, fact_id, data, error)
    return pages.done_at(request, "Corrected. The old version stays in the history.", following)


def _correct_again(
    request: Page, queue: Queue, fact_id: str, data: dict[str, Any], error: Conflict | Invalid
) -> HttpResponse:
    """What was typed comes back with the reason, above the fact as it is now."""
    fact = _loaded(fact_id)
    form = CorrectForm({**data, "etag": fact.etag})
    form.full_clean()
    form.add_error(None, error.message)
    return _rendered(request, queue, fact, correcting=form, status=409)


@page(Permission.PURGE_FACTS, "POST")
def purge(request: Page, fact_id: str) -> HttpResponse:
    """It should not be there at all."""
    queue = _queue(request)
    fact, following = _chosen(queue, fact_id)
    form = PurgeForm(request.POST)
    if not form.is_valid():
        return _rendered(request, queue, fact, purging=form, status=422)
    facts.purge_fact(fact, reason_code=form.cleaned_data["reason"], at=clock.now())
    message = "Purged, with its versions and quotes. It will not be learned again."
    return pages.done_at(request, message, following)


def _quoted(fact: Fact) -> str:
    words = fact.statement if len(fact.statement) <= 60 else f"{fact.statement[:57]}…"
    return f"“{words}”"
