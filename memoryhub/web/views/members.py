"""Members of the tenant."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import render

from memoryhub import clock, ids
from memoryhub.accounts import members
from memoryhub.errors import Invalid
from memoryhub.tenants.permissions import Permission, Role
from memoryhub.web import pages
from memoryhub.web.forms import MemberForm, RoleForm
from memoryhub.web.pages import Page, page


@dataclass(frozen=True)
class MemberRow:
    """A member."""

    public_id: str
    name: str
    email: str
    role: str
    role_label: str
    created_at: datetime
    is_self: bool


@page(Permission.MANAGE_MEMBERS)
def index(request: Page) -> HttpResponse:
    """The members, oldest first."""
    return render(request, "members/list.html", _list(request, MemberForm()))


def _list(request: Page, form: MemberForm) -> dict[str, object]:
    rows = [
        MemberRow(
            row.public_id, row.user.name, row.user.email, row.role, Role(row.role).label, row.created_at,
            row.id == request.identity.membership_id,
        )
        for row in members.listed()
    ]  # fmt: skip
    roles = [(role.value, role.label) for role in Role]
    return {"members": rows, "form": form, "roles": roles, "open_dialog": "add-member" if form.errors else ""}


@page(Permission.MANAGE_MEMBERS, "POST")
def add(request: Page) -> HttpResponse:
    """Add a member; a new account's password is shown this once."""
    form = MemberForm(request.POST)
    if not form.is_valid():
        return render(request, "members/list.html", _list(request, form), status=422)
    data = form.cleaned_data
    password = secrets.token_urlsafe(12)
    is_new = not members.has_account(data["email"])
    members.add(data["email"], Role(data["role"]), at=clock.now(), name=data["name"], password=password)
    if not is_new:
        return pages.done(request, f"{data['email']} is a member now.", "members:list")
    return render(request, "members/added.html", {"email": data["email"], "password": password})


@page(Permission.MANAGE_MEMBERS, "POST")
def change_role(request: Page, membership_id: str) -> HttpResponse:
    """Give a member another role."""
    form = RoleForm(request.POST)
    if not form.is_valid():
        raise Invalid("Choose one of the roles.", code="unknown_role")
    members.change_role(ids.parse("mbr", membership_id), Role(form.cleaned_data["role"]), at=clock.now())
    return pages.done(request, "Role changed.", "members:list")
