"""What is remembered about the person signed in: all of it, and their way to be forgotten."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from memoryhub import clock, ids
from memoryhub.errors import Gone, Invalid, NotFound
from memoryhub.memory import catalogue, facts, instructions, subjects
from memoryhub.memory.kinds import FactStatus, Kind, Origin
from memoryhub.memory.models import Fact, Subject
from memoryhub.privacy import erasure, requests
from memoryhub.privacy.models import Identity, PrivacyRequest, Status
from memoryhub.tenants.permissions import Permission
from memoryhub.web import lists, ordering, pages, quotes
from memoryhub.web.forms import AddForm, MyCorrectForm
from memoryhub.web.pages import Page, page
from memoryhub.web.quotes import Quote
from memoryhub.web.views.privacy import RequestRow, row
from memoryhub.web.views.receipts import receipt_card

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
    status: str
    verification: str
    origin: str
    observed_at: datetime
    evidence: Quote | None
    forget_url: str
    correct_url: str
    confirm_url: str
    move_url: str = ""
    first: bool = False
    last: bool = False


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
        return render(request, "me/memory.html", _erased(request))
    return render(request, "me/memory.html", _known(request, subject))


def _known(
    request: Page,
    subject: Subject,
    *,
    adding: AddForm | None = None,
    correcting: MyCorrectForm | None = None,
    correct_url: str = "",
) -> dict[str, Any]:
    bar = lists.filters(request, {})
    everything = catalogue.Wanted(subject_id=subject.id, statuses=[FactStatus.ACTIVE, FactStatus.HELD])
    wanted = replace(everything, words=bar.query.replace("\x00", ""))
    found = catalogue.matching(wanted).order_by("-observed_at", "-id")[:_MOST_SHOWN]
    return {
        "groups": _grouped(_in_order(subject, [_mine(fact) for fact in found], movable=not bar.query)),
        "total": catalogue.matching(everything).count(),
        "filters": bar,
        "requests": _own_requests(request),
        "erase_url": "" if requests.open_for(subject.id) else reverse("me:erase"),
        "can_chat": Permission.CHAT in request.identity.permissions,
        "typed": _typed(request),
        "add_form": adding or AddForm(),
        "correct_form": correcting or MyCorrectForm(),
        "correct_url": correct_url,
        "open_dialog": "add-mine" if adding else "correct-mine" if correcting else "",
    }


def _typed(request: Page) -> str:
    user: Any = request.user
    return str(user.email)


def _erased(request: Page) -> dict[str, Any]:
    """After an erasure: nothing is known, and nothing new is learned."""
    return {
        "groups": [],
        "total": 0,
        "filters": lists.filters(request, {}),
        "requests": _own_requests(request),
        "erased": True,
    }


def _mine(fact: Fact) -> MyFact:
    return MyFact(
        fact.public_id, fact.statement, fact.kind, fact.status, fact.verification, fact.origin, fact.observed_at,
        quotes.first_of(fact, "You"), reverse("me:forget", args=[fact.public_id]),
        reverse("me:correct", args=[fact.public_id]),
        "" if fact.verified_at else reverse("me:confirm", args=[fact.public_id]),
    )  # fmt: skip


def _in_order(subject: Subject, found: Sequence[MyFact], *, movable: bool) -> list[MyFact]:
    """Standing instructions first, in their order; they can be moved where all of them are shown."""
    shown = {fact.public_id: fact for fact in found}
    standing = [row.public_id for row in instructions.in_force(subject.id, clock.now())]
    here = [name for name in standing if name in shown]
    for name in here if movable and len(here) > 1 else ():
        shown[name] = replace(
            shown[name],
            move_url=reverse("me:move", args=[name]),
            first=name == here[0],
            last=name == here[-1],
        )
    return [shown.pop(name) for name in here] + list(shown.values())


def _grouped(found: Sequence[MyFact]) -> list[Group]:
    groups = [Group(label, [fact for fact in found if fact.kind == kind]) for kind, label in _GROUPS.items()]
    return [group for group in groups if group.facts]


def _asked_by(request: Page) -> "QuerySet[Any, Any]":
    """Requests that the caller made for themselves. They are found by who asked: after an erasure nothing else of
    them leads to the person any more."""
    rows: QuerySet[Any, Any] = PrivacyRequest.objects.select_related("subject").filter(
        requested_by=requests.actor_name(), identity=Identity.SESSION
    )
    return rows


def _own_requests(request: Page) -> list[RequestRow]:
    at = clock.now()
    return [_with_urls(row(item, at), item) for item in _asked_by(request).order_by("-received_at")[:20]]


def _with_urls(shown: RequestRow, item: PrivacyRequest) -> RequestRow:
    done, waits = item.status == Status.COMPLETED, item.status == Status.RECEIVED
    return replace(
        shown,
        receipt_url=reverse("me:receipt", args=[item.public_id]) if done else "",
        withdraw_url=reverse("me:withdraw", args=[item.public_id]) if waits else "",
    )


@page(Permission.OWN_MEMORY, "POST")
def add(request: Page) -> HttpResponse:
    """Remember something on the caller's own word."""
    subject = _subject(request)
    form = AddForm(request.POST)
    if not form.is_valid():
        return render(request, "me/memory.html", _known(request, subject, adding=form), status=422)
    new = facts.NewFact(form.cleaned_data["statement"], kind=form.cleaned_data["kind"])
    facts.remember(subject, new, origin=Origin.SAID, human=True, at=clock.now())
    return pages.done(request, "Remembered, on your word.", "me:memory")


@page(Permission.OWN_MEMORY, "POST")
def forget(request: Page, fact_id: str) -> HttpResponse:
    """Forget a fact, with its quotes, for good."""
    facts.purge_fact(_own_fact(request, fact_id), reason_code="subject_asked", at=clock.now())
    return pages.done(request, "Forgotten, with the words it came from.", "me:memory")


@page(Permission.OWN_MEMORY, "POST")
def correct(request: Page, fact_id: str) -> HttpResponse:
    """Say what is right instead."""
    fact = _own_fact(request, fact_id)
    form = MyCorrectForm(request.POST)
    if not form.is_valid():
        here = reverse("me:correct", args=[fact.public_id])
        context = _known(request, fact.subject, correcting=form, correct_url=here)
        return render(request, "me/memory.html", context, status=422)
    correction = facts.Correction(form.cleaned_data["statement"], "Corrected by the person")
    facts.correct(fact, correction, facts.SUBJECT, at=clock.now())
    return pages.done(request, "Corrected. Your word stands over anything learned later.", "me:memory")


@page(Permission.OWN_MEMORY, "POST")
def confirm(request: Page, fact_id: str) -> HttpResponse:
    """Say that a fact is right."""
    facts.reverify(_own_fact(request, fact_id), facts.SUBJECT, at=clock.now())
    return pages.done(request, "Confirmed.", "me:memory")


@page(Permission.OWN_MEMORY, "POST")
def move(request: Page, fact_id: str) -> HttpResponse:
    """Move an own standing instruction up or down."""
    fact = _own_fact(request, fact_id)
    ordering.move(fact.subject, fact, ordering.direction(request), at=clock.now())
    return pages.done(request, "Reordered.", "me:memory")


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


def _own_request(request: Page, request_id: str) -> PrivacyRequest:
    found: PrivacyRequest | None = _asked_by(request).filter(id=ids.parse("preq", request_id)).first()
    if found is None:
        raise NotFound
    return found


@page(Permission.OWN_MEMORY, "POST")
def withdraw(request: Page, request_id: str) -> HttpResponse:
    """Take an own request back before it is approved."""
    item = requests.withdraw(_own_request(request, request_id), at=clock.now())
    return pages.done(request, f"Request {item.reference} is withdrawn; nothing is erased.", "me:memory")


@page(Permission.OWN_MEMORY)
def receipt(request: Page, request_id: str) -> HttpResponse:
    """The receipt of an own request, after which nothing else of the caller is left."""
    item = _own_request(request, request_id)
    if item.status != Status.COMPLETED:
        return redirect("me:memory")
    card = receipt_card(item, erasure.receipt_of(item))
    context = {"receipt": card, "back_url": reverse("me:memory"), "back_label": "My memory"}
    return render(request, "privacy/receipt.html", context)
