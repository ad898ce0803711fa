"""What is remembered about the person signed in: all of it, and their way to be forgotten."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from memoryhub import clock, ids
from memoryhub.errors import Gone, Invalid
from memoryhub.memory import catalogue, facts, subjects
from memoryhub.memory.kinds import FactStatus, Kind
from memoryhub.memory.models import Fact, Subject
from memoryhub.privacy import erasure, requests
from memoryhub.privacy.models import Identity, PrivacyRequest, Status
from memoryhub.tenants.permissions import Permission
from memoryhub.web import pages, quotes
from memoryhub.web.forms import CorrectForm
from memoryhub.web.pages import Page, page
from memoryhub.web.quotes import Quote
from memoryhub.web.views.privacy import RequestRow, receipt_card, row

_GROUPS = {
    Kind.INSTRUCTION: "Standing instructions",
    Kind.PROFILE: "About me",
    Kind.PREFERENCE: "Preferences",
    Kind.CONSTRAINT: "Constraints",
    Kind.PROJECT: "Projects",
    Kind.PLAN: "Plans",
    Kind.EVENT: "Events",
}
_MOST_SHOWN = 1000


@dataclass(frozen=True)
class MyFact:
    """One thing remembered."""

    public_id: str
    statement: str
    kind: str
    verification: str
    origin: str
    observed_at: datetime
    evidence: Quote | None
    forget_url: str
    correct_url: str
    confirm_url: str


@dataclass(frozen=True)
class Group:
    """Things of one kind."""

    label: str
    facts: Sequence[MyFact]


def _subject(request: Page) -> Subject:
    membership_id = request.identity.membership_id
    assert membership_id is not None  # only people have pages
    return subjects.of_member(membership_id, at=clock.now())


def _own_fact(request: Page, fact_id: str) -> Fact:
    return facts.get(ids.parse("fact", fact_id), subject_id=_subject(request).id)


@page(Permission.OWN_MEMORY)
def memory(request: Page) -> HttpResponse:
    """Everything that can be recalled about the caller."""
    try:
        subject = _subject(request)
    except Gone:
        return render(request, "me/memory.html", _empty(request))
    bar = pages.filters(request, {})
    wanted = catalogue.Wanted(
        subject_id=subject.id,
        statuses=[FactStatus.ACTIVE, FactStatus.HELD],
        words=bar.query.replace("\x00", ""),
    )
    found = list(catalogue.matching(wanted).order_by("-observed_at", "-id")[:_MOST_SHOWN])
    held = catalogue.matching(
        catalogue.Wanted(subject_id=subject.id, statuses=[FactStatus.ACTIVE, FactStatus.HELD])
    )
    context = {
        "groups": _grouped([_mine(fact) for fact in found]),
        "total": held.count(),
        "filters": bar,
        "requests": _own_requests(subject),
        "erase_url": "" if requests.open_for(subject.id) else reverse("me:erase"),
        "typed": _typed(request),
        "correct_form": CorrectForm(),
    }
    return render(request, "me/memory.html", context)


def _typed(request: Page) -> str:
    user: Any = request.user
    return str(user.email)


def _empty(request: Page) -> dict[str, Any]:
    """After an erasure: nothing is known, and nothing new is learned."""
    membership_id = request.identity.membership_id
    return {
        "groups": [],
        "total": 0,
        "filters": pages.filters(request, {}),
        "requests": [],
        "erased": membership_id is not None,
        "correct_form": CorrectForm(),
    }


def _mine(fact: Fact) -> MyFact:
    return MyFact(
        fact.public_id, fact.statement, fact.kind, fact.verification, fact.origin, fact.observed_at,
        quotes.first_of(fact, "You"), reverse("me:forget", args=[fact.public_id]),
        reverse("me:correct", args=[fact.public_id]),
        "" if fact.verified_at else reverse("me:confirm", args=[fact.public_id]),
    )  # fmt: skip


def _grouped(found: Sequence[MyFact]) -> list[Group]:
    groups = [Group(label, [fact for fact in found if fact.kind == kind]) for kind, label in _GROUPS.items()]
    return [group for group in groups if group.facts]


def _own_requests(subject: Subject) -> list[RequestRow]:
    at = clock.now()
    rows = (
        PrivacyRequest.objects.select_related("subject").filter(subject=subject).order_by("-received_at")[:20]
    )
    return [row(item, at) for item in rows]


@page(Permission.OWN_MEMORY, "POST")
def forget(request: Page, fact_id: str) -> HttpResponse:
    """Forget a fact, with its quotes, for good."""
    fact = _own_fact(request, fact_id)
    public_id = fact.public_id
    facts.purge_fact(fact, reason_code="subject_asked", at=clock.now())
    if request.htmx:
        return render(request, "me/_forgotten.html", {"fact": {"public_id": public_id, "undo_url": ""}})
    return pages.done(request, "Forgotten, with the words it came from.", "me:memory")


@page(Permission.OWN_MEMORY, "POST")
def correct(request: Page, fact_id: str) -> HttpResponse:
    """Say what is right instead."""
    fact = _own_fact(request, fact_id)
    form = CorrectForm(request.POST)
    if not form.is_valid():
        raise Invalid("Say what is right, and why; nothing was changed.", code="blank")
    correction = facts.Correction(form.cleaned_data["statement"], form.cleaned_data["reason"])
    facts.correct(fact, correction, facts.SUBJECT, at=clock.now())
    return pages.done(request, "Corrected. Your word stands over anything learned later.", "me:memory")


@page(Permission.OWN_MEMORY, "POST")
def confirm(request: Page, fact_id: str) -> HttpResponse:
    """Say that a fact is right."""
    facts.reverify(_own_fact(request, fact_id), facts.SUBJECT, at=clock.now())
    return pages.done(request, "Confirmed.", "me:memory")


@page(Permission.OWN_MEMORY, "POST")
def erase(request: Page) -> HttpResponse:
    """Ask to be erased; a second person approves it."""
    if request.POST.get("typed", "").strip().lower() != _typed(request).lower():
        raise Invalid("Type your e-mail address exactly to ask for erasure.", code="not_confirmed")
    opened = requests.open_request(_subject(request), identity=Identity.SESSION, at=clock.now())
    return pages.done(
        request,
        f"Request {opened.reference} is open. It is answered by {opened.due_at:%d %B %Y}.",
        "me:memory",
    )


@page(Permission.OWN_MEMORY)
def receipt(request: Page, request_id: str) -> HttpResponse:
    """The receipt of the caller's own request, as long as they can still be told apart from others."""
    item = requests.get(ids.parse("preq", request_id))
    if item.requested_by != requests.actor_name() or item.status != Status.COMPLETED:
        return redirect("me:memory")
    card = receipt_card(item, erasure.receipt_of(item))
    return render(request, "privacy/receipt.html", {"receipt": card, "back_url": reverse("me:memory")})
