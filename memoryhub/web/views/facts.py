"""Facts, for operators: what is known, why, and the auditor's verbs."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from memoryhub import clock, ids, keyset
from memoryhub.audit import trail
from memoryhub.errors import Invalid, Stale
from memoryhub.memory import catalogue, facts
from memoryhub.memory.kinds import FactStatus, Kind, Verification
from memoryhub.memory.models import Fact, FactVersion, RecalledFact
from memoryhub.tenants.permissions import Permission
from memoryhub.web import pages, quotes
from memoryhub.web.forms import CorrectForm, PurgeForm
from memoryhub.web.labels import Actors
from memoryhub.web.pages import Page, Tab, page
from memoryhub.web.quotes import Quote

_STATUSES = {value: str(label).lower() for value, label in FactStatus.choices}
_KINDS = {value: str(label).lower() for value, label in Kind.choices}
_VERIFICATIONS = {value: str(label).lower() for value, label in Verification.choices}
_VIEWS = {
    "": ("In use", [FactStatus.ACTIVE]),
    "review": ("To review", [FactStatus.HELD]),
    "all": ("All", None),
}
_KEY = keyset.Key("created_at")
_TITLES = {
    trail.Action.FACT_CONFIRM: ("Said again", "check", "info"),
    trail.Action.FACT_VERIFY: ("Verified", "check", "good"),
    trail.Action.FACT_ARCHIVE: ("Archived", "archive", ""),
    trail.Action.FACT_RESTORE: ("Restored", "undo", ""),
    trail.Action.FACT_SUPERSEDE: ("Superseded by a newer fact", "clock", "warn"),
    trail.Action.FACT_HOLD: ("Held for review", "warn", "warn"),
}


@dataclass(frozen=True)
class FactRow:
    """A fact in the list."""

    public_id: str
    statement: str
    subject_label: str
    kind: str
    status: str
    verification: str
    evidence_count: int
    observed_at: datetime
    evidence: Quote | None


@dataclass(frozen=True)
class FactPage:
    """A fact on its own page."""

    public_id: str
    statement: str
    kind: str
    status: str
    verification: str
    origin: str
    subject_label: str
    subject_url: str
    observed_at: datetime
    valid_at: datetime | None
    invalid_at: datetime | None
    created_at: datetime
    expired_at: datetime | None
    verified_at: datetime | None
    extractor: str
    recalled_count: int


@dataclass(frozen=True)
class VersionItem:
    """A version in the timeline."""

    number: int
    statement: str
    created_at: datetime
    expired_at: datetime | None
    actor_label: str
    reason: str
    origin: str


@dataclass(frozen=True)
class EventItem:
    """An act in the timeline."""

    title: str
    icon: str
    tone: str
    at: datetime
    actor_label: str
    reason: str = ""


@dataclass(frozen=True)
class Can:
    """What the caller may do to the fact as it is now."""

    verify: bool
    correct: bool
    archive: bool
    restore: bool
    purge: bool


@dataclass(frozen=True)
class ConflictNote:
    """What somebody else saved meanwhile."""

    actor_label: str
    at: datetime
    statement: str


@page(Permission.READ_MEMORY)
def index(request: Page) -> HttpResponse:
    """The list, newest first."""
    facets = {
        "status": ("Status", _STATUSES),
        "kind": ("Kind", _KINDS),
        "verification": ("Trust", _VERIFICATIONS),
    }
    view = request.GET.get("view", "")
    bar = pages.filters(request, facets)
    rows = catalogue.matching(_wanted(request, bar.query, view if view in _VIEWS else ""))
    found = keyset.page(rows, _KEY, pages.PAGE_SIZE, **pages.cursors(request))
    context = {
        "filters": bar,
        "tabs": _tabs(request, view),
        "facts": [_row(fact) for fact in found.rows],
        "page": pages.pager(request, found),
        "curl": _curl(request),
    }
    return render(request, "facts/list.html", context)


def _wanted(request: Page, query: str, view: str) -> catalogue.Wanted:
    """The search box takes words and ``key:value``: ``status:``, ``kind:``, ``trust:``, ``subject:``."""
    grammar = {"status": _STATUSES, "kind": _KINDS, "trust": _VERIFICATIONS}
    given: dict[str, str] = {}
    words = []
    for part in query.replace("\x00", "").split():
        name, mark, value = part.partition(":")
        if mark and value and (name == "subject" or value in grammar.get(name, {})):
            given[name] = value
        else:
            words.append(part)
    status = given.get("status") or pages.chosen(request, "status", _STATUSES)
    kind = given.get("kind") or pages.chosen(request, "kind", _KINDS)
    trust = given.get("trust") or pages.chosen(request, "verification", _VERIFICATIONS)
    return catalogue.Wanted(
        statuses=[status] if status else _VIEWS[view][1],
        kinds=[kind] if kind else None,
        verifications=[trust] if trust else None,
        words=" ".join(words),
        subject_words=given.get("subject", ""),
    )


def _tabs(request: Page, view: str) -> list[Tab]:
    held = Fact.objects.filter(status=FactStatus.HELD).count()
    return [
        Tab(
            label,
            f"?view={name}" if name else "?",
            name == (view if view in _VIEWS else ""),
            held if name == "review" and held else None,
        )
        for name, (label, _) in _VIEWS.items()
    ]


def _curl(request: Page) -> str:
    url = request.build_absolute_uri("/api/v1/facts")
    body = '{"subject": "alice", "statement": "Prefers e-mail to phone calls", "kind": "preference"}'
    return f"curl -X POST {url} -H 'Authorization: Bearer mh_live_…' -H 'Content-Type: application/json' -d '{body}'"


def _row(fact: Fact) -> FactRow:
    links = list(fact.evidence.all())
    return FactRow(
        fact.public_id, fact.statement, fact.subject.label, fact.kind, _status(fact), fact.verification, len(links),
        fact.observed_at, quotes.first_of(fact, fact.subject.label),
    )  # fmt: skip


def _status(fact: Fact) -> str:
    return "needs_review" if fact.status == FactStatus.HELD else str(fact.status)


def _loaded(fact_id: str) -> Fact:
    wanted = facts.get(ids.parse("fact", fact_id))
    row: Fact = catalogue.matching(catalogue.Wanted()).get(id=wanted.id)
    return row


@page(Permission.READ_MEMORY)
def detail(request: Page, fact_id: str) -> HttpResponse:
    """One fact: what it says, why we know it, what became of it."""
    fact = _loaded(fact_id)
    return render(request, "facts/detail.html", _detail(request, fact, CorrectForm(initial=_initial(fact))))


def _initial(fact: Fact) -> dict[str, str]:
    return {"statement": fact.statement, "etag": fact.etag}


def _detail(
    request: Page, fact: Fact, form: CorrectForm, *, conflict: ConflictNote | None = None
) -> dict[str, Any]:
    versions = catalogue.history(fact)
    events = [event for event in trail.history_of(fact.id) if event.action in _TITLES]
    actors = Actors(
        [f"{v.actor_kind}:{v.actor_id}" for v in versions] + [f"{e.actor_kind}:{e.actor_id}" for e in events]
    )
    return {
        "fact": _fact_page(fact),
        "evidence": quotes.of_fact(fact, fact.subject),
        "versions": [_version(v, actors) for v in versions],
        "events": [_event(e, actors) for e in reversed(events)],
        "can": _can(request, fact),
        "correct_form": form,
        "purge_form": PurgeForm(),
        "conflict": conflict,
        "open_dialog": "correct-fact" if conflict or form.errors else "",
        "curl": f"curl {request.build_absolute_uri(f'/api/v1/facts/{fact.public_id}')} -H 'Authorization: Bearer mh_live_…'",
        "json_url": f"/api/v1/facts/{fact.public_id}",
    }


def _fact_page(fact: Fact) -> FactPage:
    return FactPage(
        public_id=fact.public_id, statement=fact.statement, kind=fact.kind, status=_status(fact),
        verification=fact.verification, origin=fact.origin, subject_label=fact.subject.label,
        subject_url=f"{reverse('facts:list')}?q=subject:{fact.subject.external_id}", observed_at=fact.observed_at,
        valid_at=fact.valid_at, invalid_at=fact.invalid_at, created_at=fact.created_at, expired_at=fact.expired_at,
        verified_at=fact.verified_at, extractor=fact.extractor,
        recalled_count=RecalledFact.objects.filter(fact=fact).count(),
    )  # fmt: skip


def _version(row: FactVersion, actors: Actors) -> VersionItem:
    label = actors.label(f"{row.actor_kind}:{row.actor_id}")
    return VersionItem(
        row.number, row.statement, row.created_at, row.expired_at, label, row.reason, row.origin
    )


def _event(event: trail.Event, actors: Actors) -> EventItem:
    title, icon, tone = _TITLES[trail.Action(event.action)]
    return EventItem(title, icon, tone, event.at, actors.label(f"{event.actor_kind}:{event.actor_id}"))


def _can(request: Page, fact: Fact) -> Can:
    allowed = request.identity.permissions
    curate = Permission.CURATE_FACTS in allowed
    in_use = fact.status in (FactStatus.ACTIVE, FactStatus.HELD)
    resting = fact.status in (FactStatus.ARCHIVED, FactStatus.SUPERSEDED)
    return Can(
        curate and in_use,
        curate and in_use,
        curate and in_use,
        curate and resting,
        Permission.PURGE_FACTS in allowed,
    )


@page(Permission.CURATE_FACTS, "POST")
def correct(request: Page, fact_id: str) -> HttpResponse:
    """Replace what a fact says; a change made meanwhile by somebody else is shown first."""
    fact = _loaded(fact_id)
    form = CorrectForm(request.POST)
    if not form.is_valid():
        return render(request, "facts/detail.html", _detail(request, fact, form), status=422)
    data = form.cleaned_data
    correction = facts.Correction(data["statement"], data["reason"])
    try:
        facts.correct(fact, correction, facts.OPERATOR, at=clock.now(), etag=data["etag"] or None)
    except Stale:
        return _somebody_was_first(request, fact_id, data)
    return pages.done(
        request, "Corrected. The old version stays in the history.", "facts:detail", fact.public_id
    )


def _somebody_was_first(request: Page, fact_id: str, data: dict[str, Any]) -> HttpResponse:
    fact = _loaded(fact_id)
    last = catalogue.history(fact)[0]
    label = Actors([f"{last.actor_kind}:{last.actor_id}"]).label(f"{last.actor_kind}:{last.actor_id}")
    note = ConflictNote(label, fact.updated_at, fact.statement)
    form = CorrectForm(initial={**data, "etag": fact.etag})
    return render(request, "facts/detail.html", _detail(request, fact, form, conflict=note), status=409)


@page(Permission.CURATE_FACTS, "POST")
def verify(request: Page, fact_id: str) -> HttpResponse:
    """Confirm that a fact holds today."""
    fact = facts.reverify(facts.get(ids.parse("fact", fact_id)), facts.OPERATOR, at=clock.now())
    return pages.done(request, "Verified: it holds as of today.", "facts:detail", fact.public_id)


@page(Permission.CURATE_FACTS, "POST")
def archive(request: Page, fact_id: str) -> HttpResponse:
    """Take a fact out of use."""
    fact = facts.archive(facts.get(ids.parse("fact", fact_id)), at=clock.now())
    return pages.done(
        request,
        "Archived. It is not recalled any more; Restore brings it back.",
        "facts:detail",
        fact.public_id,
    )


@page(Permission.CURATE_FACTS, "POST")
def restore(request: Page, fact_id: str) -> HttpResponse:
    """Put a fact back in use."""
    fact = facts.restore(facts.get(ids.parse("fact", fact_id)), at=clock.now())
    return pages.done(request, "Restored: it is recalled again.", "facts:detail", fact.public_id)


@page(Permission.PURGE_FACTS, "POST")
def purge(request: Page, fact_id: str) -> HttpResponse:
    """Remove a fact for good."""
    fact = facts.get(ids.parse("fact", fact_id))
    form = PurgeForm(request.POST)
    if not form.is_valid():
        raise Invalid("Choose a reason and type purge to confirm; nothing was purged.", code="not_confirmed")
    facts.purge_fact(fact, reason_code=form.cleaned_data["reason"], at=clock.now())
    pages.messages.success(request, "Purged, with its versions and quotes. It will not be learned again.")
    return redirect("facts:list")
