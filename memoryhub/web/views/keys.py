"""API keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpResponse
from django.shortcuts import render

from memoryhub import clock, ids
from memoryhub.accounts import keys
from memoryhub.tenants.models import ApiKey
from memoryhub.tenants.permissions import Permission
from memoryhub.web import pages
from memoryhub.web.forms import KeyForm
from memoryhub.web.labels import Actors
from memoryhub.web.pages import Page, page


@dataclass(frozen=True)
class KeyRow:
    """A key without its secret."""

    public_id: str
    name: str
    masked: str
    scopes: Sequence[str]
    created_at: datetime
    created_by_label: str
    last_used_at: datetime | None
    expires_at: datetime | None
    status: str


@page(Permission.MANAGE_KEYS)
def index(request: Page) -> HttpResponse:
    """The keys, newest first."""
    return render(request, "keys/list.html", _list(KeyForm()))


def _list(form: KeyForm) -> dict[str, object]:
    rows = keys.listed()
    actors = Actors(f"user:{row.created_by}" for row in rows)
    shown = [_row(row, actors.label(f"user:{row.created_by}")) for row in rows]
    return {"keys": shown, "form": form, "open_dialog": "new-key" if form.errors else ""}


def _row(key: ApiKey, created_by: str) -> KeyRow:
    return KeyRow(
        key.public_id, key.name, f"mh_live_{key.prefix}…", key.scopes, key.created_at, created_by, key.last_used_at,
        key.expires_at, key.status,
    )  # fmt: skip


@page(Permission.MANAGE_KEYS, "POST")
def create(request: Page) -> HttpResponse:
    """Issue a key and show its secret, this once."""
    form = KeyForm(request.POST)
    if not form.is_valid():
        return render(request, "keys/list.html", _list(form), status=422)
    data, at = form.cleaned_data, clock.now()
    expires_at = at + timedelta(days=data["expires"]) if data["expires"] else None
    key, secret = keys.issue(data["name"], data["scopes"], at=at, expires_at=expires_at)
    curl = f"curl {request.build_absolute_uri('/api/v1/facts')} -H 'Authorization: Bearer {secret}'"
    context = {"key": _row(key, "you"), "secret": secret, "curl": curl}
    return render(request, "keys/created.html", context)


@page(Permission.MANAGE_KEYS, "POST")
def revoke(request: Page, key_id: str) -> HttpResponse:
    """End a key at once."""
    key = keys.revoke(ids.parse("key", key_id), at=clock.now())
    return pages.done(request, f"Key {key.name} is revoked.", "keys:list")
