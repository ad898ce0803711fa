"""Privacy requests: from receipt to receipt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from memoryhub import clock, ids, keyset
from memoryhub.audit import trail
from memoryhub.errors import Invalid
from memoryhub.memory import purge, subjects
from memoryhub.privacy import erasure, requests, signing
from memoryhub.privacy.models import OPEN_STATUSES, Identity, PrivacyRequest, Receipt, Status
from memoryhub.tenants.permissions import Permission
from memoryhub.web import pages
from memoryhub.web.deadline import Deadline, deadline
from memoryhub.web.forms import OpenRequestForm, RefuseForm
from memoryhub.web.labels import Actors
from memoryhub.web.pages import Page, Tab, page

_KEY = keyset.Key("due_at", descending=False)
_VIEWS = {"": "Open", "done": "Done", "all": "All"}
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
class RequestRow:
    """A request in a list and at the head of its page."""

    public_id: str
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


def row(item: PrivacyRequest, at: datetime, requested_by: str = "") -> RequestRow:
    """A request as lists show it; its ``subject`` joined."""
    erased = item.subject.erased_at is not None
    return RequestRow(
        item.public_id, item.reference, "an erased subject" if erased else item.subject.label, True,
        item.get_identity_display().lower(), item.kind, item.status, item.received_at, item.due_at,
        deadline(item, at), requested_by_label=requested_by,
        channel="chat" if item.identity == Identity.SESSION else "entered by an officer",
        note=requests.REFUSALS.get(item.refusal_code, ""),
    )  # fmt: skip


@page(Permission.READ_PRIVACY)
def index(request: Page) -> HttpResponse:
    """The requests, the first due first."""
    view = request.GET.get("view", "")
    rows = PrivacyRequest.objects.select_related("subject")
    if view == "done":
        rows = rows.exclude(status__in=OPEN_STATUSES)
    elif view != "all":
        rows = rows.filter(status__in=OPEN_STATUSES)
    bar = pages.filters(request, {})
    if bar.query:
        rows = rows.filter(reference__icontains=bar.query)
    found = keyset.page(rows, _KEY, pages.PAGE_SIZE, **pages.cursors(request))
    at = clock.now()
    context = {
        "tabs": [
            Tab(label, f"?view={name}" if name else "?", name == view) for name, label in _VIEWS.items()
        ],
        "filters": bar,
        "requests": [row(item, at) for item in found.rows],
        "page": pages.pager(request, found),
        "can_open": Permission.OPEN_PRIVACY in request.identity.permissions,
    }
    return render(request, "privacy/list.html", context)


@page(Permission.OPEN_PRIVACY, "GET", "POST")
def new(request: Page) -> HttpResponse:
    """Enter a request that reached us outside the product."""
    form = OpenRequestForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        subject = subjects.by_external_id(form.cleaned_data["subject"])
        opened = requests.open_request(subject, identity=Identity.ATTESTED, at=clock.now())
        return pages.done(request, f"Request {opened.reference} is open.", "privacy:detail", opened.public_id)
    return render(request, "privacy/new.html", {"form": form}, status=422 if form.errors else 200)


def _found(request_id: str) -> PrivacyRequest:
    return requests.get(ids.parse("preq", request_id))


@page(Permission.READ_PRIVACY)
def detail(request: Page, request_id: str) -> HttpResponse:
    """One request."""
    item = _found(request_id)
    events = [event for event in trail.history_of(item.id) if event.action in _TITLES]
    actors = Actors([item.requested_by, *(f"{e.actor_kind}:{e.actor_id}" for e in events)])
    context = {
        "request_item": row(item, clock.now(), actors.label(item.requested_by)),
        "steps": _steps(item),
        "preview": _preview_card(item),
        "outcome": _outcome_card(item),
        "events": [_moment(event, actors) for event in reversed(events)],
        "can": _can(request, item),
        "approve_block": _approve_block(request, item),
        "typed": item.subject.external_id,
        "refuse_form": RefuseForm(),
        "refuse_url": reverse("privacy:refuse", args=[item.public_id]),
        "rerun_url": reverse("privacy:rerun", args=[item.public_id])
        if item.status == Status.VERIFICATION_FAILED
        and Permission.APPROVE_PRIVACY in request.identity.permissions
        else "",
        "refresh": item.status in (Status.APPROVED, Status.RUNNING),
    }
    return render(request, "privacy/detail.html", context)


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


def _preview_card(item: PrivacyRequest) -> PreviewCard | None:
    if not item.previewed_at or item.erased_at:
        return None
    found = purge.samples(item.subject_id)
    lines = [
        Line(_LABELS.get(name, name), count, sample=next(iter(found.get(name, [])), ""))
        for name, count in item.preview.items()
        if count
    ]
    kept = [Line(what.capitalize(), 0, "keep", why) for what, why in erasure.KEPT[:3]]
    unreachable = [
        f"{erasure.KEPT[3][0].capitalize()}: {erasure.KEPT[3][1]}.",
        "Backups, until their time is up.",
    ]
    return PreviewCard(
        item.previewed_at, item.preview_digest, sum(item.preview.values()), [*lines, *kept], unreachable
    )


def _outcome_card(item: PrivacyRequest) -> OutcomeCard | None:
    if not item.finished_at or not item.erased_at:
        return None
    left: Mapping[str, int] = item.left_over
    lines = [
        Line(_LABELS.get(name, name), count, before=count, after=left.get(name, 0))
        for name, count in item.removed.items()
        if count or left.get(name)
    ]
    return OutcomeCard(lines, item.finished_at, ok=not left)


def _moment(event: trail.Event, actors: Actors) -> Moment:
    title, icon, tone = _TITLES[trail.Action(event.action)]
    return Moment(title, icon, tone, event.at, actors.label(f"{event.actor_kind}:{event.actor_id}"))


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
    if request.POST.get("typed", "").strip() != item.subject.external_id:
        raise Invalid("Type the subject's id exactly to approve; nothing was erased.", code="not_confirmed")
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


@dataclass(frozen=True)
class Kept:
    """Something an erasure leaves, and on which ground."""

    data_class: str
    count: str
    basis: str


@dataclass(frozen=True)
class ReceiptCard:
    """A receipt as the printable page shows it."""

    reference: str
    kind: str
    subject_pseudonym: str
    opened_at: datetime
    approved_at: datetime | None
    approved_by_label: str
    executed_at: datetime | None
    verified_at: datetime | None
    ok: bool
    horizon: str
    lines: Sequence[Line]
    kept: Sequence[Kept]
    software_version: str
    digest: str
    chain_hash: str
    signature: str


def receipt_card(item: PrivacyRequest, found: Receipt) -> ReceiptCard:
    """The card of a completed request."""
    body: dict[str, Any] = found.body
    removed: dict[str, int] = body["rows_erased"]
    return ReceiptCard(
        reference=item.reference, kind=item.kind, subject_pseudonym=body["subject_pseudonym"],
        opened_at=item.received_at, approved_at=item.approved_at,
        approved_by_label=Actors([item.approved_by or ""]).label(item.approved_by or ""),
        executed_at=item.erased_at, verified_at=item.finished_at, ok=signing.is_valid(body, found.signature),
        horizon=f"Backups may hold copies until {body['gone_from_backups_by'][:10]}.",
        lines=[Line(_LABELS.get(n, n), c, "erased", before=c, after=0) for n, c in removed.items()],
        kept=[Kept(entry["what"].capitalize(), "", entry["why"]) for entry in body["kept"]],
        software_version=body["software"], digest=item.preview_digest, chain_hash=body["audit_head"]["hash"],
        signature=found.signature,
    )  # fmt: skip


@page(Permission.READ_PRIVACY)
def receipt(request: Page, request_id: str) -> HttpResponse:
    """The receipt, printable."""
    item = _found(request_id)
    context = {
        "receipt": receipt_card(item, erasure.receipt_of(item)),
        "json_url": reverse("privacy:receipt_json", args=[item.public_id]),
        "back_url": reverse("privacy:detail", args=[item.public_id]),
    }
    return render(request, "privacy/receipt.html", context)


@page(Permission.READ_PRIVACY)
def receipt_json(request: Page, request_id: str) -> HttpResponse:
    """The receipt as signed JSON, to keep."""
    item = _found(request_id)
    found = erasure.receipt_of(item)
    response = JsonResponse(
        {
            "body": found.body,
            "signature": found.signature,
            "key_id": found.key_id,
            "public_key": signing.public_key(),
        },
        json_dumps_params={"indent": 2, "sort_keys": True},
    )
    response["Content-Disposition"] = f'attachment; filename="{item.reference}.json"'
    return response
