"""Facts, for operators: the list of what is known."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from memoryhub import keyset
from memoryhub.memory import catalogue
from memoryhub.memory.kinds import FactStatus, Kind, Verification
from memoryhub.memory.models import Fact, Subject
from memoryhub.tenants.permissions import Permission
from memoryhub.web import lists, quotes
from memoryhub.web.forms import RebuildForm
from memoryhub.web.pages import Page, page
from memoryhub.web.quotes import Quote

KEY = keyset.Key("created_at")
_STATUSES = {value: str(label).lower() for value, label in FactStatus.choices}
_KINDS = {value: str(label).lower() for value, label in Kind.choices}
_VERIFICATIONS = {value: str(label).lower() for value, label in Verification.choices}
_VIEWS = {"": "In use", "review": "To review", "all": "All"}
_STATUSES_OF_VIEW = {"": [FactStatus.ACTIVE], "review": [FactStatus.HELD], "all": None}
_GRAMMAR = ("status", "kind", "trust", "subject")


@dataclass(frozen=True)
class FactRow:
    """A fact in the list."""

    public_id: str
    url: str
    statement: str
    subject_label: str
    kind: str
    status: str
    verification: str
    evidence_count: int
    observed_at: datetime
    evidence: Quote | None


@dataclass(frozen=True)
class AboutSubject:
    """The one subject that the list is narrowed to, and what can be done about them as a whole."""

    label: str
    instructions_url: str
    rebuild_url: str


def about(subject: Subject, allowed: frozenset[Permission]) -> AboutSubject:
    """The subject's own pages; rebuilding for who may curate, and of nobody erased."""
    may_rebuild = Permission.CURATE_FACTS in allowed and subject.erased_at is None
    return AboutSubject(
        subject.label,
        reverse("subjects:instructions", args=[subject.public_id]),
        reverse("subjects:rebuild", args=[subject.public_id]) if may_rebuild else "",
    )


def _one_subject(request: HttpRequest) -> Subject | None:
    """Whom ``subject:`` in the search box names: by their id, else by being the only one that it fits."""
    words = lists.asked(request.GET.get("q", "")[:500], _GRAMMAR).given.get("subject", "")
    if not words:
        return None
    fits = Q(external_id__icontains=words) | Q(display_name__icontains=words)
    found = list(Subject.objects.filter(fits).order_by("created_at")[:50])
    exact = [subject for subject in found if subject.external_id == words]
    return exact[0] if exact else found[0] if len(found) == 1 else None


@page(Permission.READ_MEMORY)
def index(request: Page) -> HttpResponse:
    """The list, newest first."""
    facets = {
        "status": ("Status", _STATUSES),
        "kind": ("Kind", _KINDS),
        "verification": ("Trust", _VERIFICATIONS),
    }
    found = keyset.page(wanted(request), KEY, lists.PAGE_SIZE, **lists.cursors(request))
    held = Fact.objects.filter(status=FactStatus.HELD).count()
    query = lists.carried(request)
    subject = _one_subject(request)
    context = {
        "about": about(subject, request.identity.permissions) if subject else None,
        "rebuild_form": RebuildForm(),
        "filters": lists.filters(request, facets),
        "tabs": lists.tabs(request, _VIEWS, {"review": held or None}),
        "facts": [_row(fact, query) for fact in found.rows],
        "page": lists.pager(request, found),
        "curl": lists.curl(request, "/api/v1/facts", method="POST", body=_EXAMPLE),
    }
    return render(request, "facts/list.html", context)


_EXAMPLE = '{"subject": "alice", "statement": "Prefers e-mail to phone calls", "kind": "preference"}'


def wanted(request: HttpRequest) -> "QuerySet[Any, Any]":
    """The facts that the address asks for, unordered.

    The search box takes words and ``status:``, ``kind:``, ``trust:``, ``subject:``; a known pair outranks a facet.
    """
    asked = lists.asked(request.GET.get("q", "")[:500], _GRAMMAR)
    view = lists.chosen(request, "view", _VIEWS)
    status = _known(asked.given.get("status"), _STATUSES) or lists.chosen(request, "status", _STATUSES)
    kind = _known(asked.given.get("kind"), _KINDS) or lists.chosen(request, "kind", _KINDS)
    trust = _known(asked.given.get("trust"), _VERIFICATIONS) or lists.chosen(
        request, "verification", _VERIFICATIONS
    )
    return catalogue.matching(
        catalogue.Wanted(
            statuses=[status] if status else _STATUSES_OF_VIEW[view],
            kinds=[kind] if kind else None,
            verifications=[trust] if trust else None,
            words=asked.words,
            subject_words=asked.given.get("subject", ""),
        )
    )


def _known(value: str | None, values: dict[str, str]) -> str:
    return value if value in values else ""


def _row(fact: Fact, query: str) -> FactRow:
    links = list(fact.evidence.all())
    url = reverse("facts:detail", args=[fact.public_id]) + query
    return FactRow(
        fact.public_id, url, fact.statement, fact.subject.label, fact.kind, fact.status, fact.verification,
        len(links), fact.observed_at, quotes.first_of(fact, fact.subject.label),
    )  # fmt: skip
