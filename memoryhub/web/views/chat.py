"""The chat: one's own conversations with the agent."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from memoryhub import clock, ids
from memoryhub.chat import conversation, rendering, used
from memoryhub.chat.prompts import failure_sentence
from memoryhub.chat.used import TaughtFact, UsedFact
from memoryhub.errors import Gone, Invalid
from memoryhub.memory import subjects, threads
from memoryhub.memory.kinds import TurnRole, TurnStatus
from memoryhub.memory.models import Subject, Thread, Turn
from memoryhub.tenants.permissions import Permission
from memoryhub.web.forms import MessageForm
from memoryhub.web.pages import Page, done, page

_THREADS_SHOWN = 100
_TURNS_SHOWN = 200
EXAMPLES = (
    "My time zone is Europe/Berlin and I work at a small bakery.",
    "Always answer in short sentences.",
    "What do you remember about me?",
)
_RETRYABLE = (TurnStatus.FAILED, TurnStatus.STOPPED, TurnStatus.PARTIAL)


@dataclass(frozen=True)
class ThreadItem:
    """A conversation in the list."""

    public_id: str
    title: str
    url: str
    current: bool
    rename_url: str
    delete_url: str


@dataclass(frozen=True)
class UsedMemory:
    """A fact that an answer used, with its quote."""

    statement: str
    url: str
    reason: str
    before: str
    quote: str
    after: str
    said_at: datetime | None
    speaker: str
    verification: str


@dataclass(frozen=True)
class Remembered:
    """A fact that a message taught."""

    statement: str
    url: str
    undo_url: str
    held: bool


@dataclass(frozen=True)
class TurnItem:
    """A turn as the page shows it."""

    public_id: str
    role: str
    text: str
    created_at: datetime
    status: str
    html: SafeString | str = ""
    stream_url: str = ""
    stop_url: str = ""
    retry_url: str = ""
    error: str = ""
    recalled: Sequence[UsedMemory] | None = None
    remembered: Sequence[Remembered] = field(default_factory=tuple)


@dataclass(frozen=True)
class MemoryPanel:
    """What the latest answer used."""

    facts: Sequence[UsedMemory]


def _subject(request: Page) -> Subject:
    membership_id = request.identity.membership_id
    assert membership_id is not None  # only people have pages
    return subjects.of_member(membership_id, at=clock.now())


def _own_thread(request: Page, thread_id: str) -> Thread:
    return threads.get(ids.parse("thr", thread_id), subject_id=_subject(request).id)


def _own_answer(request: Page, turn_id: str) -> Turn:
    return conversation.answer_of(ids.parse("turn", turn_id), subject_id=_subject(request).id)


@page(Permission.CHAT, "GET", "POST")
def index(request: Page) -> HttpResponse:
    """A new chat; its first message opens the thread."""
    try:
        subject = _subject(request)
    except Gone:
        return redirect("me:memory")  # which says that they are erased
    form = MessageForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        at = clock.now()
        opened, _ = threads.open_thread(subject, at=at)
        conversation.post_message(opened, form.cleaned_data["text"], at=at)
        return redirect("chat:thread", opened.public_id)
    context = _page(subject, None, [], form)
    return render(request, "chat/page.html", context, status=422 if form.errors else 200)


@page(Permission.CHAT, "GET", "POST")
def thread(request: Page, thread_id: str) -> HttpResponse:
    """A conversation; posting adds a message and the place of its answer."""
    found = _own_thread(request, thread_id)
    form = MessageForm(request.POST or None)
    if request.method == "POST":
        if not form.is_valid():
            raise Invalid("Write a message of at most 20,000 characters.", code="blank")
        posted = conversation.post_message(
            found, form.cleaned_data["text"], at=clock.now(), client_id=form.cleaned_data["client_id"] or None
        )
        if not request.htmx:
            return redirect("chat:thread", found.public_id)
        return _turns_only(request, [posted.question, posted.answer])
    turns = list(found.turns.exclude(role=TurnRole.SYSTEM).order_by("-seq")[:_TURNS_SHOWN])[::-1]
    return render(request, "chat/page.html", _page(found.subject, found, turns, form))


def _turns_only(request: Page, turns: Sequence[Turn]) -> HttpResponse:
    items = _items(turns)
    html = "".join(render(request, "chat/_turn.html", {"turn": item}).content.decode() for item in items)
    return HttpResponse(html)


def _page(
    subject: Subject, current: Thread | None, turns: Sequence[Turn], form: MessageForm
) -> dict[str, Any]:
    listed = Thread.objects.filter(subject=subject).order_by("-last_turn_at")[:_THREADS_SHOWN]
    items = _items(turns)
    last = next((item for item in reversed(items) if item.recalled is not None), None)
    here = reverse("chat:thread", args=[current.public_id]) if current else reverse("chat:index")
    return {
        "threads": [_thread_item(row, current) for row in listed],
        "thread": current,
        "turns": items,
        "memory": MemoryPanel(last.recalled) if last is not None and last.recalled is not None else None,
        "post_url": here,
        "form": form,
        "examples": EXAMPLES,
    }


def _thread_item(row: Thread, current: Thread | None) -> ThreadItem:
    return ThreadItem(
        row.public_id,
        row.title,
        reverse("chat:thread", args=[row.public_id]),
        current is not None and row.id == current.id,
        reverse("chat:rename", args=[row.public_id]),
        reverse("chat:delete", args=[row.public_id]),
    )


def _items(turns: Sequence[Turn]) -> list[TurnItem]:
    """Turns with what they used and taught, in a constant number of queries."""
    used_facts = used.used_in([t.id for t in turns if t.role == TurnRole.ASSISTANT])
    taught = used.taught_by([t.id for t in turns if t.role == TurnRole.USER])
    items: list[TurnItem] = []
    question: Turn | None = None
    last = turns[-1] if turns else None
    for turn in turns:
        if turn.role == TurnRole.USER:
            question = turn
            items.append(TurnItem(turn.public_id, turn.role, turn.content, turn.said_at, turn.status))
        else:
            remembered = [_remembered(fact) for fact in taught.get(question.id, [])] if question else []
            facts = [_used(fact) for fact in used_facts.get(turn.id, [])]
            items.append(_answer_item(turn, facts, remembered, is_last=turn is last))
    return items


def _answer_item(
    turn: Turn, used: Sequence[UsedMemory], remembered: Sequence[Remembered], *, is_last: bool
) -> TurnItem:
    waiting = turn.status in (TurnStatus.PENDING, TurnStatus.STREAMING)
    broken = turn.status == TurnStatus.FAILED or (turn.status == TurnStatus.PARTIAL and bool(turn.error_code))
    again = is_last and (waiting or turn.status in _RETRYABLE)
    return TurnItem(
        public_id=turn.public_id,
        role=TurnRole.ASSISTANT,
        text=turn.content,
        created_at=turn.said_at,
        status="streaming" if waiting else ("failed" if broken else turn.status),
        # to_html has sanitised it; nothing else reaches the page as HTML.
        html=mark_safe(rendering.to_html(turn.content)),  # noqa: S308
        stream_url=reverse("gateway:answer", args=[turn.public_id]),
        stop_url=reverse("chat:stop", args=[turn.public_id]),
        retry_url=reverse("chat:retry", args=[turn.public_id]) if again else "",
        error=failure_sentence(turn.error_code or "interrupted") if broken else "",
        recalled=None if waiting else used,
        remembered=() if waiting else remembered,
    )


def _memory_url(public_id: str) -> str:
    return f"{reverse('me:memory')}#{public_id}"


def _used(fact: UsedFact) -> UsedMemory:
    words = fact.words
    return UsedMemory(
        statement=fact.statement,
        url=_memory_url(fact.public_id),
        reason=fact.reason,
        before=words.before if words else "",
        quote=words.span if words else "",
        after=words.after if words else "",
        said_at=fact.said_at,
        speaker="You",
        verification=fact.verification,
    )


def _remembered(fact: TaughtFact) -> Remembered:
    undo_url = reverse("chat:undo", args=[fact.public_id])
    return Remembered(fact.statement, _memory_url(fact.public_id), undo_url, fact.held)


@page(Permission.CHAT, "POST")
def stop(request: Page, turn_id: str) -> HttpResponse:
    """End an answer under way."""
    conversation.stop(_own_answer(request, turn_id))
    return HttpResponse(status=204)


@page(Permission.CHAT, "POST")
def retry(request: Page, turn_id: str) -> HttpResponse:
    """Have a failed or stopped answer written anew."""
    answer = conversation.retry(_own_answer(request, turn_id))
    if not request.htmx:
        return redirect("chat:thread", answer.thread.public_id)
    return _turns_only(request, [answer])


@page(Permission.CHAT, "POST")
def undo(request: Page, fact_id: str) -> HttpResponse:
    """Forget again what a message taught."""
    conversation.undo(ids.parse("fact", fact_id), subject_id=_subject(request).id, at=clock.now())
    return HttpResponse(status=204)


@page(Permission.CHAT, "POST")
def rename(request: Page, thread_id: str) -> HttpResponse:
    """Give a conversation a title."""
    found = threads.rename(_own_thread(request, thread_id), request.POST.get("title", ""), at=clock.now())
    return redirect("chat:thread", found.public_id)


@page(Permission.CHAT, "POST")
def delete(request: Page, thread_id: str) -> HttpResponse:
    """Delete a conversation, with or without what it taught."""
    forget = request.POST.get("scope") == "taught"
    purged = threads.delete(_own_thread(request, thread_id), forget=forget, at=clock.now())
    said = f"Conversation deleted, and {purged} facts it taught." if forget else "Conversation deleted."
    return done(request, said, "chat:index")
