"""One fact, for operators: what it says, why we know it, what became of it, and the auditor's verbs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from memoryhub import clock, ids
from memoryhub.audit import trail
from memoryhub.errors import Conflict, Invalid, Stale
from memoryhub.memory import catalogue, facts, policies
from memoryhub.memory.kinds import FactStatus
from memoryhub.memory.models import Fact, FactVersion, RecalledFact
from memoryhub.tenants.permissions import Permission
from memoryhub.web import lists, pages, quotes, reasons
from memoryhub.web.forms import CorrectForm, PurgeForm, RebuildForm
from memoryhub.web.labels import Actors
from memoryhub.web.pages import Page, page
from memoryhub.web.views.facts import KEY, about, wanted

_TITLES = {
    trail.Action.FACT_CONFIRM: ("Said again", "check", "info"),
    trail.Action.FACT_VERIFY: ("Verified", "check", "good"),
    trail.Action.FACT_ARCHIVE: ("Archived", "archive", ""),
    trail.Action.FACT_RESTORE: ("Restored", "undo", ""),
    trail.Action.FACT_RESTRICT: ("Restricted: kept, and not used", "privacy", "warn"),
    trail.Action.FACT_PIN: ("Pinned", "check", ""),
    trail.Action.FACT_UNPIN: ("No longer pinned", "undo", ""),
    trail.Action.RECALL_FEEDBACK: ("Found not relevant to a question", "warn", ""),
    trail.Action.FACT_SUPERSEDE: ("Superseded by a newer fact", "clock", "warn"),
    trail.Action.FACT_HOLD: ("Held for review", "warn", "warn"),
}


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
    held_because: str
    stale: str
    review_url: str
    replaced_by_url: str
    replaced_by: str
    replaces_url: str
    replaces: str


@dataclass(frozen=True)
class Moment:
    """An entry of the history. ``before`` is set where words were replaced by ``after``."""

    title: str
    icon: str
    tone: str
    at: datetime
    actor_label: str
    reason: str = ""
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Can:
    """What the caller may do to the fact as it is now."""

    verify: bool
    correct: bool
    archive: bool
    restore: bool
    purge: bool
    undo: bool


@dataclass(frozen=True)
class ConflictNote:
    """What somebody else saved meanwhile."""

    actor_label: str
    at: datetime
    statement: str


def _loaded(fact_id: str) -> Fact:
    found = facts.get(ids.parse("fact", fact_id))
    row: Fact = catalogue.matching(catalogue.Wanted()).get(id=found.id)
    return row


@page(Permission.READ_MEMORY)
def detail(request: Page, fact_id: str) -> HttpResponse:
    """The page of a fact."""
    return _rendered(request, _loaded(fact_id))


def _rendered(
    request: Page,
    fact: Fact,
    *,
    correcting: CorrectForm | None = None,
    purging: PurgeForm | None = None,
    conflict: ConflictNote | None = None,
    status: int = 200,
) -> HttpResponse:
    open_dialog = "correct-fact" if correcting else "purge-fact" if purging else ""
    context = {
        "fact": _fact_page(fact),
        "evidence": quotes.of_fact(fact, fact.subject),
        "history": _history(fact),
        "can": _can(request, fact),
        "siblings": lists.siblings(request, wanted(request), KEY, fact, family="facts"),
        "list_query": lists.carried(request),
        "correct_form": correcting or CorrectForm(initial={"statement": fact.statement, "etag": fact.etag}),
        "purge_form": purging or PurgeForm(),
        "conflict": conflict,
        "open_dialog": open_dialog,
        "about": about(fact.subject, request.identity.permissions),
        "rebuild_form": RebuildForm(),
        "curl": lists.curl(request, f"/api/v1/facts/{fact.public_id}"),
        "json_url": f"/api/v1/facts/{fact.public_id}",
    }
    return render(request, "facts/detail.html", context, status=status)


def _fact_page(fact: Fact) -> FactPage:
    successor, before = fact.superseded_by.order_by("-created_at").first(), fact.supersedes
    held = fact.status == FactStatus.HELD
    stale = _stale(fact)
    return FactPage(
        public_id=fact.public_id, statement=fact.statement, kind=fact.kind, status=fact.status,
        verification=fact.verification, origin=fact.origin, subject_label=fact.subject.label,
        subject_url=lists.searching("facts:list", "subject", fact.subject.external_id),
        observed_at=fact.observed_at, valid_at=fact.valid_at, invalid_at=fact.invalid_at,
        created_at=fact.created_at, expired_at=fact.expired_at, verified_at=fact.verified_at,
        extractor=fact.extractor, recalled_count=RecalledFact.objects.filter(fact=fact).count(),
        held_because=reasons.of(fact.held_because).sentence if held else "", stale=stale,
        review_url=_review_url(fact, held=held, stale=bool(stale)),
        replaced_by_url=_url(successor.public_id) if successor else "",
        replaced_by=successor.statement if successor else "",
        replaces_url=_url(before.public_id) if before else "", replaces=before.statement if before else "",
    )  # fmt: skip


def _stale(fact: Fact) -> str:
    if fact.status != FactStatus.ACTIVE:
        return ""
    return reasons.staleness(fact, policies.current(), clock.now())


def _review_url(fact: Fact, *, held: bool, stale: bool) -> str:
    here = reverse("review:item", args=[fact.public_id])
    return here if held else f"{here}?reason=stale" if stale else ""


def _url(public_id: str) -> str:
    return reverse("facts:detail", args=[public_id])


def _history(fact: Fact) -> list[Moment]:
    """Versions and acts in one line, newest first."""
    versions = catalogue.history(fact)
    events = [event for event in trail.history_of(fact.id) if event.action in _TITLES]
    actors = Actors(
        [f"{v.actor_kind}:{v.actor_id}" for v in versions] + [f"{e.actor_kind}:{e.actor_id}" for e in events]
    )
    moments = [_version(row, older, actors) for row, older in zip(versions, _older(versions), strict=True)]
    moments += [_event(event, actors) for event in events]
    return sorted(moments, key=lambda moment: moment.at, reverse=True)


def _older(versions: Sequence[FactVersion]) -> list[FactVersion | None]:
    return [*versions[1:], None]


def _version(row: FactVersion, older: FactVersion | None, actors: Actors) -> Moment:
    label = actors.label(f"{row.actor_kind}:{row.actor_id}")
    if older is None:
        return Moment("Recorded", "plus", "", row.created_at, label, row.reason, after=row.statement)
    corrected = older.fact_id == row.fact_id
    title = f"Corrected to version {row.number}" if corrected else "Took the place of an older fact"
    return Moment(
        title, "edit" if corrected else "clock", "accent", row.created_at, label, row.reason,
        before=older.statement, after=row.statement,
    )  # fmt: skip


def _event(event: trail.Event, actors: Actors) -> Moment:
    title, icon, tone = _TITLES[trail.Action(event.action)]
    return Moment(title, icon, tone, event.at, actors.label(f"{event.actor_kind}:{event.actor_id}"))


def _can(request: Page, fact: Fact) -> Can:
    allowed = request.identity.permissions
    curate = Permission.CURATE_FACTS in allowed
    in_use = fact.status in (FactStatus.ACTIVE, FactStatus.HELD)
    resting = fact.status in (FactStatus.ARCHIVED, FactStatus.RESTRICTED, FactStatus.SUPERSEDED)
    return Can(
        verify=curate and in_use,
        correct=curate and in_use,
        archive=curate and in_use,
        restore=curate and resting,
        purge=Permission.PURGE_FACTS in allowed,
        undo=curate and in_use and _ended(fact),
    )


def _ended(fact: Fact) -> bool:
    """Whether the fact has ended another that could come back."""
    return fact.supersedes is not None and fact.supersedes.status == FactStatus.SUPERSEDED


def _here(request: HttpRequest, fact: Fact) -> str:
    """The fact's page, still knowing the list it was opened from."""
    return _url(fact.public_id) + lists.carried(request)


@page(Permission.CURATE_FACTS, "POST")
def correct(request: Page, fact_id: str) -> HttpResponse:
    """Replace what a fact says; a change made meanwhile by somebody else is shown first."""
    fact = _loaded(fact_id)
    form = CorrectForm(request.POST)
    if not form.is_valid():
        return _rendered(request, fact, correcting=form, status=422)
    data = form.cleaned_data
    correction = facts.Correction(data["statement"], data["reason"])
    try:
        facts.correct(fact, correction, facts.OPERATOR, at=clock.now(), etag=data["etag"] or None)
    except Stale:
        return _somebody_was_first(request, fact_id, data)
    except (Conflict, Invalid) as error:
        form.add_error(None, error.message)
        return _rendered(request, fact, correcting=form, status=409)
    return pages.done_at(request, "Corrected. The old version stays in the history.", _here(request, fact))


def _somebody_was_first(request: Page, fact_id: str, data: dict[str, Any]) -> HttpResponse:
    fact = _loaded(fact_id)
    last = catalogue.history(fact)[0]
    label = Actors([f"{last.actor_kind}:{last.actor_id}"]).label(f"{last.actor_kind}:{last.actor_id}")
    note = ConflictNote(label, fact.updated_at, fact.statement)
    form = CorrectForm(initial={**data, "etag": fact.etag})
    return _rendered(request, fact, correcting=form, conflict=note, status=409)


@page(Permission.CURATE_FACTS, "POST")
def verify(request: Page, fact_id: str) -> HttpResponse:
    """Confirm that a fact holds today."""
    fact = facts.reverify(facts.get(ids.parse("fact", fact_id)), facts.OPERATOR, at=clock.now())
    return pages.done_at(request, "Verified: it holds as of today.", _here(request, fact))


@page(Permission.CURATE_FACTS, "POST")
def archive(request: Page, fact_id: str) -> HttpResponse:
    """Take a fact out of use."""
    before = facts.get(ids.parse("fact", fact_id))
    fact = facts.archive(before, at=clock.now())
    # To restore a fact is to put it in use: no undoing for one that had not been.
    restore_url = reverse("facts:restore", args=[fact.public_id]) + lists.carried(request)
    undo_url = restore_url if before.status == FactStatus.ACTIVE else ""
    return pages.done_at(
        request, "Archived: it is no longer recalled.", _here(request, fact), undo_url=undo_url
    )


@page(Permission.CURATE_FACTS, "POST")
def restore(request: Page, fact_id: str) -> HttpResponse:
    """Put a fact back in use."""
    fact = facts.restore(facts.get(ids.parse("fact", fact_id)), at=clock.now())
    return pages.done_at(request, "Restored: it is recalled again.", _here(request, fact))


@page(Permission.CURATE_FACTS, "POST")
def undo(request: Page, fact_id: str) -> HttpResponse:
    """Bring back the fact that this one ended; this one is archived."""
    fact = facts.undo_supersession(facts.get(ids.parse("fact", fact_id)), at=clock.now())
    return pages.done_at(
        request, "The older fact is in use again; this one is archived.", _here(request, fact)
    )


@page(Permission.PURGE_FACTS, "POST")
def purge(request: Page, fact_id: str) -> HttpResponse:
    """Remove a fact for good."""
    fact = _loaded(fact_id)
    form = PurgeForm(request.POST)
    if not form.is_valid():
        return _rendered(request, fact, purging=form, status=422)
    facts.purge_fact(fact, reason_code=form.cleaned_data["reason"], at=clock.now())
    message = "Purged, with its versions and quotes. It will not be learned again."
    return pages.done_at(request, message, reverse("facts:list") + lists.carried(request))
