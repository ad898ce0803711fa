"""Conversations, for operators. Reading one changes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from memoryhub import ids, keyset
from memoryhub.chat.prompts import failure_sentence
from memoryhub.memory import threads
from memoryhub.memory.kinds import TurnStatus
from memoryhub.memory.models import Evidence, Summary, Thread, Turn
from memoryhub.tenants.permissions import Permission
from memoryhub.web import lists
from memoryhub.web.lists import Tab
from memoryhub.web.pages import Page, page

_KEY = keyset.Key("last_turn_at")
_TURNS = keyset.Key("seq", number=True)
_TURNS_SHOWN = 100


@dataclass(frozen=True)
class ThreadRow:
    """A conversation in the list."""

    public_id: str
    url: str
    title: str
    subject_label: str
    turn_count: int
    fact_count: int
    summarised: bool
    last_at: datetime
    status: str = ""


@dataclass(frozen=True)
class ThreadPage:
    """The head of a conversation's page."""

    public_id: str
    title: str
    subject_label: str
    subject_url: str
    created_at: datetime
    last_at: datetime
    turn_count: int
    learned_text: str


@dataclass(frozen=True)
class TaughtFact:
    """A fact that a turn taught."""

    statement: str
    url: str


@dataclass(frozen=True)
class TurnItem:
    """A turn."""

    public_id: str
    seq: int
    role: str
    speaker: str
    text: str
    created_at: datetime
    status: str
    error: str
    summarised_here: bool
    facts: Sequence[TaughtFact] = field(default_factory=tuple)


@dataclass(frozen=True)
class SummaryItem:
    """A version of the running summary."""

    number: int
    text: str
    created_at: datetime
    from_seq: int
    to_seq: int
    model: str


@page(Permission.READ_MEMORY)
def index(request: Page) -> HttpResponse:
    """The conversations, the last used first."""
    found = keyset.page(_wanted(request), _KEY, lists.PAGE_SIZE, **lists.cursors(request))
    taught = _fact_counts([row.id for row in found.rows])
    query = lists.carried(request)
    context = {
        "filters": lists.filters(request, {}),
        "threads": [_row(row, taught.get(row.id, 0), query) for row in found.rows],
        "page": lists.pager(request, found),
        "curl": lists.curl(request, "/api/v1/threads", method="POST", body='{"subject": "alice"}'),
    }
    return render(request, "threads/list.html", context)


def _wanted(request: HttpRequest) -> "QuerySet[Any, Any]":
    """The conversations that the address asks for: words of the title, and ``subject:``."""
    asked = lists.asked(request.GET.get("q", "")[:500], ("subject",))
    rows: QuerySet[Any, Any] = Thread.objects.select_related("subject")
    if "subject" in asked.given:
        rows = rows.filter(_of_person(asked.given["subject"]))
    if asked.words:
        rows = rows.filter(Q(title__icontains=asked.words) | _of_person(asked.words))
    return rows


def _of_person(words: str) -> Q:
    return Q(subject__external_id__icontains=words) | Q(subject__display_name__icontains=words)


def _fact_counts(thread_ids: Sequence[Any]) -> dict[Any, int]:
    rows = Evidence.objects.filter(turn__thread_id__in=thread_ids).values("turn__thread_id")
    return {row["turn__thread_id"]: row["n"] for row in rows.annotate(n=Count("fact", distinct=True))}


def _row(thread: Thread, fact_count: int, query: str) -> ThreadRow:
    url = reverse("threads:detail", args=[thread.public_id]) + query
    return ThreadRow(
        thread.public_id, url, thread.title or "Untitled", thread.subject.label, thread.last_seq,
        fact_count, thread.summarised_seq > 0, thread.last_turn_at,
    )  # fmt: skip


@page(Permission.READ_MEMORY)
def detail(request: Page, thread_id: str) -> HttpResponse:
    """A conversation, or its summaries; the tab is in the address."""
    thread = threads.get(ids.parse("thr", thread_id))
    tab = "summaries" if request.GET.get("tab") == "summaries" else "conversation"
    context: dict[str, Any] = {
        "thread": _head(thread),
        "siblings": lists.siblings(request, _wanted(request), _KEY, thread, family="threads"),
        "tab": tab,
        "tabs": _tabs(request, thread, tab),
        "curl": lists.curl(request, f"/api/v1/threads/{thread.public_id}/turns"),
        "json_url": f"/api/v1/threads/{thread.public_id}/turns",
    }
    if tab == "summaries":
        context["summaries"] = _summaries(thread)
    else:
        found = keyset.page(thread.turns.all(), _TURNS, _TURNS_SHOWN, **lists.cursors(request))
        context["turns"] = _turns(thread, found.rows[::-1])
        context["older_url"] = lists.address(request, after=found.older) if found.older else ""
        context["newer_url"] = lists.address(request, before=found.newer) if found.newer else ""
    return render(request, "threads/detail.html", context)


def _tabs(request: Page, thread: Thread, tab: str) -> list[Tab]:
    here = lists.address(request, tab=None)
    summaries = lists.address(request, tab="summaries")
    return [
        Tab("Conversation", here, tab == "conversation"),
        Tab("Summaries", summaries, tab == "summaries", thread.summaries.count() or None),
    ]


def _head(thread: Thread) -> ThreadPage:
    return ThreadPage(
        public_id=thread.public_id,
        title=thread.title or "Untitled",
        subject_label=thread.subject.label,
        subject_url=lists.searching("facts:list", "subject", thread.subject.external_id),
        created_at=thread.created_at,
        last_at=thread.last_turn_at,
        turn_count=thread.last_seq,
        learned_text=f"learned up to turn {thread.learned_seq} of {thread.last_seq}",
    )


def _summaries(thread: Thread) -> list[SummaryItem]:
    rows: list[Summary] = list(thread.summaries.order_by("-version")[:50])
    return [SummaryItem(r.version, r.content, r.created_at, 1, r.through_seq, r.model) for r in rows]


def _turns(thread: Thread, turns: Sequence[Turn]) -> list[TurnItem]:
    taught: dict[Any, list[TaughtFact]] = {}
    for link in Evidence.objects.filter(turn_id__in=[t.id for t in turns]).select_related("fact"):
        url = reverse("facts:detail", args=[link.fact.public_id])
        taught.setdefault(link.turn_id, []).append(TaughtFact(link.fact.statement, url))
    ends = set(thread.summaries.values_list("through_seq", flat=True))
    speakers = {"user": thread.subject.label, "assistant": "Assistant", "system": "System"}
    return [
        TurnItem(
            t.public_id, t.seq, t.role, speakers.get(t.role, t.name or t.role), t.content, t.said_at, t.status,
            failure_sentence(t.error_code) if t.status == TurnStatus.FAILED else "", t.seq in ends,
            taught.get(t.id, ()),
        )
        for t in turns
    ]  # fmt: skip
