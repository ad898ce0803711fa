"""One privacy request, from receipt to receipt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from memoryhub import clock, ids
from memoryhub.audit import trail
from memoryhub.errors import Invalid
from memoryhub.memory import purge
from memoryhub.privacy import erasure, requests
from memoryhub.privacy.models import PrivacyRequest, Status
from memoryhub.tenants.permissions import Permission
from memoryhub.web import lists, pages
from memoryhub.web.forms import RefuseForm
from memoryhub.web.labels import Actors
from memoryhub.web.pages import Page, page
from memoryhub.web.views.privacy import KEY, row, wanted

_LABELS = {store.name: store.label for store in purge.STORES}
_TITLES = {
    trail.Action.PRIVACY_OPEN: ("Received", "plus", ""),
    trail.Action.PRIVACY_PREVIEW: ("Previewed", "search", "info"),
    trail.Action.PRIVACY_APPROVE: ("Approved", "check", "good"),
    trail.Action.PRIVACY_REFUSE: ("Closed without erasure", "close", "warn"),
    trail.Action.PRIVACY_RUN: ("Erasure began", "trash", "info"),
    trail.Action.PRIVACY_VERIFY: ("Counted again", "search", "info"),
    trail.Action.PRIVACY_COMPLETE: ("Completed", "check", "good"),
    trail.Action.PRIVACY_FAIL: ("Verification failed", "warn", "bad"),
}
_STEPS = (
    ("Received", ()),
    ("Preview", ()),
    ("Approval", (Status.RECEIVED,)),
    ("Erasure", (Status.APPROVED, Status.RUNNING)),
    ("Verification", (Status.VERIFICATION_FAILED,)),
    ("Done", ()),
)


@dataclass(frozen=True)
class Step:
    """A stage of a request."""

    label: str
    state: str
    note: str = ""


@dataclass(frozen=True)
class Line:
    """A store in a preview, an outcome or a receipt."""

    data_class: str
    count: int
    action: str = "erase"
    basis: str = ""
    sample: str = ""
    before: int = 0
    after: int = 0


@dataclass(frozen=True)
class PreviewCard:
    """What an erasure would remove."""

    taken_at: datetime
    digest: str
    total: int
    lines: Sequence[Line]
    unreachable: Sequence[str]


@dataclass(frozen=True)
class OutcomeCard:
    """The count after the erasure."""

    lines: Sequence[Line]
    verified_at: datetime
    ok: bool


@dataclass(frozen=True)
class Moment:
    """An entry of the history."""

    title: str
    icon: str
    tone: str
    at: datetime
    actor_label: str
    reason: str = ""


@dataclass(frozen=True)
class Can:
    """What the caller may do to the request as it is now."""

    preview: bool
    approve: bool
    refuse: bool
    receipt: bool


def _found(request_id: str) -> PrivacyRequest:
    return requests.get(ids.parse("preq", request_id))


@page(Permission.READ_PRIVACY)
def detail(request: Page, request_id: str) -> HttpResponse:
    """One request."""
    item = _found(request_id)
    events = [event for event in trail.history_of(item.id) if event.action in _TITLES]
    actors = Actors([item.requested_by, *(f"{e.actor_kind}:{e.actor_id}" for e in events)])
    reads_memory = Permission.READ_MEMORY in request.identity.permissions
    shown = row(item, clock.now(), requested_by=actors.label(item.requested_by))
    context = {
        "request_item": shown if reads_memory else replace(shown, subject_url=""),
        "siblings": lists.siblings(request, wanted(request), KEY, item, family="privacy"),
        "steps": _steps(item),
        "preview": _preview_card(item, with_samples=reads_memory),
        "outcome": _outcome_card(item),
        "events": [_moment(event, actors, item) for event in reversed(events)],
        "can": _can(request, item),
        "approve_block": _approve_block(request, item),
        "typed": item.subject.label,
        "refuse_form": RefuseForm(),
        "refuse_url": reverse("privacy:refuse", args=[item.public_id]),
        "rerun_url": _rerun_url(request, item),
        "refresh": item.status in (Status.APPROVED, Status.RUNNING),
        "curl": lists.curl(request, f"/api/v1/privacy-requests/{item.public_id}"),
        "json_url": f"/api/v1/privacy-requests/{item.public_id}",
    }
    return render(request, "privacy/detail.html", context)


def _rerun_url(request: Page, item: PrivacyRequest) -> str:
    may = Permission.APPROVE_PRIVACY in request.identity.permissions
    again = may and item.status == Status.VERIFICATION_FAILED
    return reverse("privacy:rerun", args=[item.public_id]) if again else ""


def _steps(item: PrivacyRequest) -> list[Step]:
    if item.status == Status.COMPLETED:
        return [Step(label, "done") for label, _ in _STEPS]
    if item.status in (Status.REFUSED, Status.WITHDRAWN):
        return [Step("Received", "done"), Step(str(item.get_status_display()), "failed")]
    current = next(i for i, (_, states) in enumerate(_STEPS) if item.status in states)
    if item.status == Status.RECEIVED and not item.preview_digest:
        current = 1
    failed = item.status == Status.VERIFICATION_FAILED
    return [
        Step(
            label, "done" if i < current else ("failed" if failed else "current") if i == current else "todo"
        )
        for i, (label, _) in enumerate(_STEPS)
    ]


def _preview_card(item: PrivacyRequest, *, with_samples: bool) -> PreviewCard | None:
    if not item.previewed_at or item.erased_at:
        return None
    found = purge.samples(item.subject_id) if with_samples else {}
    lines = [
        Line(_LABELS.get(name, name), count, sample=next(iter(found.get(name, [])), ""))
        for name, count in item.preview.items()
        if count
    ]
    kept = [Line(what.capitalize(), 0, "keep", why) for what, why in erasure.KEPT[:-1]]
    unreachable = [
        f"{erasure.KEPT[-1][0].capitalize()}: {erasure.KEPT[-1][1]}.",
        "Backups, until their time is up.",
    ]
    return PreviewCard(
        item.previewed_at, item.preview_digest, sum(item.preview.values()), [*lines, *kept], unreachable
    )


def _outcome_card(item: PrivacyRequest) -> OutcomeCard | None:
    if not item.finished_at or not item.erased_at:
        return None
    # What is left is counted by table and not by store: a table that nobody listed shows up too.
    left: dict[str, int] = dict(item.left_over)
    lines = [
        Line(store.label, before := item.removed.get(store.name, 0), before=before, after=after)
        for store in purge.STORES
        if (after := left.pop(store.model._meta.db_table, 0)) or item.removed.get(store.name)
    ]
    lines += [Line(f"Table {table}", count, after=count) for table, count in left.items()]
    return OutcomeCard(lines, item.finished_at, ok=not item.left_over)


def _moment(event: trail.Event, actors: Actors, item: PrivacyRequest) -> Moment:
    title, icon, tone = _TITLES[trail.Action(event.action)]
    reason = ""
    if event.action == trail.Action.PRIVACY_REFUSE:
        title = str(item.get_status_display())
        reason = requests.REFUSALS.get(item.refusal_code, "")
    label = actors.label(f"{event.actor_kind}:{event.actor_id}")
    return Moment(title, icon, tone, event.at, label, reason)


def _can(request: Page, item: PrivacyRequest) -> Can:
    allowed = request.identity.permissions
    received = item.status == Status.RECEIVED
    approver = Permission.APPROVE_PRIVACY in allowed
    return Can(
        preview=received and Permission.OPEN_PRIVACY in allowed,
        approve=received
        and approver
        and bool(item.preview_digest)
        and item.requested_by != requests.actor_name(),
        refuse=received and approver,
        receipt=item.status == Status.COMPLETED,
    )


def _approve_block(request: Page, item: PrivacyRequest) -> str:
    if item.status != Status.RECEIVED or Permission.APPROVE_PRIVACY not in request.identity.permissions:
        return ""
    if item.requested_by == requests.actor_name():
        return "You opened this request, so somebody else has to approve it."
    return ""


@page(Permission.OPEN_PRIVACY, "POST")
def preview(request: Page, request_id: str) -> HttpResponse:
    """Count what would be erased."""
    item = _found(request_id)
    requests.preview(item, at=clock.now())
    return pages.done(request, "Counted. Nothing was changed.", "privacy:detail", item.public_id)


@page(Permission.APPROVE_PRIVACY, "POST")
def approve(request: Page, request_id: str) -> HttpResponse:
    """Let the erasure run."""
    item = _found(request_id)
    if request.POST.get("typed", "").strip() != item.subject.label:
        raise Invalid(
            "Type what the dialog names exactly to approve; nothing was erased.", code="not_confirmed"
        )
    requests.approve(item, digest=request.POST.get("digest", ""), at=clock.now())
    return pages.done(request, "Approved. The erasure is under way.", "privacy:detail", item.public_id)


@page(Permission.APPROVE_PRIVACY, "POST")
def refuse(request: Page, request_id: str) -> HttpResponse:
    """Refuse a request."""
    item = requests.refuse(_found(request_id), code=request.POST.get("reason", ""), at=clock.now())
    return pages.done(request, "Refused. The person is told the reason.", "privacy:detail", item.public_id)


@page(Permission.APPROVE_PRIVACY, "POST")
def rerun(request: Page, request_id: str) -> HttpResponse:
    """Run a request again whose verification failed."""
    item = requests.rerun(_found(request_id), at=clock.now())
    return pages.done(request, "Running again.", "privacy:detail", item.public_id)
