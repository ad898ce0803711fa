"""Receipts: the printable proof of an erasure, and the same as signed JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from memoryhub import ids
from memoryhub.memory import purge
from memoryhub.privacy import erasure, requests, signing
from memoryhub.privacy.models import PrivacyRequest, Receipt
from memoryhub.tenants.permissions import Permission
from memoryhub.web.labels import Actors
from memoryhub.web.pages import Page, page

_LABELS = {store.name: store.label for store in purge.STORES}


@dataclass(frozen=True)
class Line:
    """A store: what was held before, what is left, and what was done."""

    data_class: str
    action: str
    before: int
    after: int


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
        lines=[Line(_LABELS.get(n, n), "erased", c, 0) for n, c in removed.items()],
        kept=[Kept(entry["what"].capitalize(), "", entry["why"]) for entry in body["kept"]],
        software_version=body["software"], digest=item.preview_digest, chain_hash=body["audit_head"]["hash"],
        signature=found.signature,
    )  # fmt: skip


@page(Permission.READ_PRIVACY)
def receipt(request: Page, request_id: str) -> HttpResponse:
    """The receipt, printable."""
    item = requests.get(ids.parse("preq", request_id))
    context = {
        "receipt": receipt_card(item, erasure.receipt_of(item)),
        "json_url": reverse("privacy:receipt_json", args=[item.public_id]),
        "back_url": reverse("privacy:detail", args=[item.public_id]),
    }
    return render(request, "privacy/receipt.html", context)


@page(Permission.READ_PRIVACY)
def receipt_json(request: Page, request_id: str) -> HttpResponse:
    """The receipt as signed JSON, to keep."""
    item = requests.get(ids.parse("preq", request_id))
    found = erasure.receipt_of(item)
    response = JsonResponse(
        {
            "body": found.body,
            "signature": found.signature,
            "algorithm": "Ed25519 over the body as JSON with sorted keys and no spaces, UTF-8",
            "key_id": found.key_id,
            "public_key": signing.public_key(),
        },
        json_dumps_params={"indent": 2, "sort_keys": True},
    )
    response["Content-Disposition"] = f'attachment; filename="{item.reference}.json"'
    return response
