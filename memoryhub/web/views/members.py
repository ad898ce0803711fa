"""Members of the tenant."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import render

from memoryhub import clock, ids
from memoryhub.accounts import members
from memoryhub.errors import Conflict, Invalid
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


@dataclass(frozen=True)
class RoleItem:
    """A role to choose, and what it is for."""

    value: str
    label: str
    text: str


@page(Permission.MANAGE_MEMBERS)
def index(request: Page) -> HttpResponse:
    """The members, oldest first."""
    return render(request, "members/list.html", _list(request, MemberForm()))


#: What each role is for, as an owner decides by it.
_ROLES = {
    Role.MEMBER: "Chats, and sees and corrects what is remembered about themselves.",
    Role.VIEWER: "Also reads everybody's facts and conversations.",
    Role.OPERATOR: "Also corrects, verifies, archives and purges facts, and retries jobs.",
    Role.PRIVACY_OFFICER: "Opens and approves privacy requests, purges facts, reads the audit trail.",
    Role.AUDITOR: "Reads the audit trail and privacy requests, no memory.",
    Role.OWNER: "May do everything, also manage members and API keys.",
}


def _list(request: Page, form: MemberForm) -> dict[str, object]:
    rows = [
        MemberRow(
            row.public_id, str(row.user), row.user.email, row.role, Role(row.role).label, row.created_at,
            row.id == request.identity.membership_id,
        )
        for row in members.listed()
    ]  # fmt: skip
    roles = [RoleItem(role.value, role.label, text) for role, text in _ROLES.items()]
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
    try:
        members.add(data["email"], Role(data["role"]), at=clock.now(), name=data["name"], password=password)
    except (Conflict, Invalid) as error:
        form.add_error("email", error.message)
        return render(request, "members/list.html", _list(request, form), status=409)
    if not is_new:
        return pages.done(request, f"{data['email']} is a member now.", "members:list")
    context = {
        "email": data["email"],
        "name": data["name"],
        "password": password,
        "role": Role(data["role"]).label,
    }
    return render(request, "members/added.html", context)


@page(Permission.MANAGE_MEMBERS, "POST")
def change_role(request: Page, membership_id: str) -> HttpResponse:
    """Give a member another role."""
    form = RoleForm(request.POST)
    if not form.is_valid():
        raise Invalid("Choose one of the roles.", code="unknown_role")
    role = Role(form.cleaned_data["role"])
    changed = members.change_role(ids.parse("mbr", membership_id), role, at=clock.now())
    if changed.id == request.identity.membership_id and role is not Role.OWNER:
        return pages.done(request, f"You are {role.label.lower()} now.", "home")
    return pages.done(request, f"The role is {role.label.lower()} now.", "members:list")
