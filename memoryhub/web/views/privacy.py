"""Privacy requests: the list, and entering one that reached us outside the product."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from memoryhub import clock, keyset
from memoryhub.errors import Conflict, Gone, Invalid, NotFound
from memoryhub.memory import subjects
from memoryhub.privacy import requests
from memoryhub.privacy.models import OPEN_STATUSES, Identity, PrivacyRequest
from memoryhub.tenants.permissions import Permission
from memoryhub.web import lists, pages
from memoryhub.web.deadline import Deadline, deadline
from memoryhub.web.forms import OpenRequestForm
from memoryhub.web.pages import Page, page

KEY = keyset.Key("due_at", descending=False)
_VIEWS = {"": "Open", "done": "Closed", "all": "All"}


@dataclass(frozen=True)
class RequestRow:
    """A request in a list and at the head of its page."""

    public_id: str
    url: str
    reference: str
    subject_label: str
    identity_verified: bool
    identity_method: str
    kind: str
    status: str
    received_at: datetime
    due_at: datetime
    deadline: Deadline | None
    requested_by_label: str = ""
    subject_url: str = ""
    channel: str = ""
    note: str = ""
    receipt_url: str = ""
    withdraw_url: str = ""


def row(item: PrivacyRequest, at: datetime, requested_by: str = "") -> RequestRow:
    """A request as lists show it; its ``subject`` joined."""
    erased = item.subject.erased_at is not None
    return RequestRow(
        item.public_id, _url(item), item.reference, "an erased subject" if erased else item.subject.label, True,
        item.get_identity_display().lower(), item.kind, item.status, item.received_at, item.due_at,
        deadline(item, at), requested_by_label=requested_by,
        subject_url="" if erased else lists.searching("facts:list", "subject", item.subject.external_id),
        channel="My memory" if item.identity == Identity.SESSION else "entered by an officer",
        note=requests.REFUSALS.get(item.refusal_code, ""),
    )  # fmt: skip


@page(Permission.READ_PRIVACY)
def index(request: Page) -> HttpResponse:
    """The requests, the first due first."""
    found = keyset.page(wanted(request), KEY, lists.PAGE_SIZE, **lists.cursors(request))
    at, query = clock.now(), lists.carried(request)
    context = {
        "tabs": lists.tabs(request, _VIEWS, {}),
        "filters": lists.filters(request, {}),
        "requests": [replace(row(item, at), url=_url(item) + query) for item in found.rows],
        "page": lists.pager(request, found, words=("Sooner", "Later")),
        "can_open": Permission.OPEN_PRIVACY in request.identity.permissions,
    }
    return render(request, "privacy/list.html", context)


def _url(item: PrivacyRequest) -> str:
    return reverse("privacy:detail", args=[item.public_id])


def wanted(request: HttpRequest) -> "QuerySet[Any, Any]":
    """The requests that the address asks for: a view, and words of the reference or of the subject."""
    view = lists.chosen(request, "view", _VIEWS)
    rows: QuerySet[Any, Any] = PrivacyRequest.objects.select_related("subject")
    if view == "done":
        rows = rows.exclude(status__in=OPEN_STATUSES)
    elif view != "all":
        rows = rows.filter(status__in=OPEN_STATUSES)
    asked = lists.asked(request.GET.get("q", "")[:500], ("subject",))
    words = asked.given.get("subject") or asked.words
    if words:
        person = Q(subject__external_id__icontains=words) | Q(subject__display_name__icontains=words)
        rows = rows.filter(Q(reference__icontains=words) | person)
    return rows


@page(Permission.OPEN_PRIVACY, "GET", "POST")
def new(request: Page) -> HttpResponse:
    """Enter a request that reached us outside the product."""
    form = OpenRequestForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            opened = _opened(form.cleaned_data["subject"])
        except (NotFound, Gone, Invalid, Conflict) as error:
            form.add_error("subject", error.message)
        else:
            message = f"Request {opened.reference} is open. Look at the preview next."
            return pages.done(request, message, "privacy:detail", opened.public_id)
    return render(request, "privacy/new.html", {"form": form}, status=422 if form.errors else 200)


def _opened(external_id: str) -> PrivacyRequest:
    subject = subjects.by_external_id(external_id)
    return requests.open_request(subject, identity=Identity.ATTESTED, at=clock.now())
