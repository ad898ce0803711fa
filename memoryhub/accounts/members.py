"""Tenants and their members: founding, adding, changing a role."""

import uuid
from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction

from memoryhub import ids, text
from memoryhub.audit import trail
from memoryhub.errors import Conflict, Invalid, NotFound
from memoryhub.tenants import scope
from memoryhub.tenants.entrances import new_request_id
from memoryhub.tenants.identity import places_of
from memoryhub.tenants.models import Membership, Tenant, User
from memoryhub.tenants.permissions import Role

_COMMAND = scope.Actor(scope.ActorKind.SYSTEM, "command", "cli")


def found_tenant(name: str, slug: str, *, at: datetime) -> Tenant:
    """A new tenant. Called outside any scope; raises ``Conflict`` when the slug is taken."""
    tenant = Tenant(id=ids.new(), name=text.clean(name, field="name", limit=120), slug=slug, created_at=at)
    try:
        with scope.enter(tenant.id, _COMMAND, new_request_id()), transaction.atomic():
            tenant.save(force_insert=True)
            trail.record(trail.Action.TENANT_CREATE, "tenant", tenant.id, at=at)
    except IntegrityError as error:
        raise Conflict(f"A tenant with the slug {slug!r} exists.", code="slug_taken") from error
    return tenant


def checked_email(email: str) -> str:
    """The address in lower case. Raises ``Invalid``."""
    cleaned = text.clean(email, field="email", limit=254).lower()
    try:
        validate_email(cleaned)
    except ValidationError as error:
        raise Invalid.field("email", "not_an_address", "email is no e-mail address.") from error
    return cleaned


def add(email: str, role: Role, *, at: datetime, name: str = "", password: str | None = None) -> Membership:
    """Give a person a place in the scope's tenant; an account is made if there is none.

    ``password`` is set on a new account only: an existing account's owner keeps theirs. Raises ``Invalid`` and
    ``Conflict`` (a member already).
    """
    address = checked_email(email)
    try:
        with transaction.atomic():
            user = User.objects.filter(email=address).first()
            if user is None:
                user = User.objects.create_user(
                    address, password, name=text.clean(name, field="name", limit=120, required=False)
                )
            membership = Membership(user=user, role=role.value, created_at=at)
            membership.save(force_insert=True)
            trail.record(trail.Action.MEMBER_ADD, "membership", membership.id, at=at, role=role.value)
    except IntegrityError as error:
        raise Conflict("This person is a member already.", code="already_member") from error
    return membership


def has_account(email: str) -> bool:
    """Whether somebody can sign in with this address already."""
    return User.objects.filter(email=checked_email(email)).exists()


def listed() -> list[Membership]:
    """The tenant's members, oldest first."""
    return list(Membership.objects.select_related("user").order_by("created_at", "id")[:500])


def remove(email: str, *, at: datetime) -> None:
    """Take a person's place in the tenant away; an account without any place left is deleted.

    Raises ``NotFound``, and ``Conflict`` for the last owner.
    """
    with transaction.atomic():
        found: Membership | None = (
            Membership.objects.select_for_update()
            .select_related("user")
            .filter(user__email=checked_email(email))
            .first()
        )
        if found is None:
            raise NotFound("This person is not a member.")
        if found.role == Role.OWNER:
            _require_another_owner(found)
        trail.record(trail.Action.MEMBER_REMOVE, "membership", found.id, at=at, role=found.role)
        user = found.user
        found.delete()
        if not places_of(user.id):
            user.delete()


def change_role(membership_id: uuid.UUID, role: Role, *, at: datetime) -> Membership:
    """Give a member another role. Raises ``NotFound``, and ``Conflict`` when it would leave no owner."""
    with transaction.atomic():
        membership: Membership | None = (
            Membership.objects.select_for_update().filter(id=membership_id).first()
        )
        if membership is None:
            raise NotFound
        if membership.role == Role.OWNER and role is not Role.OWNER:
            _require_another_owner(membership)
        before, membership.role = membership.role, role.value
        membership.save(update_fields=["role"])
        trail.record(
            trail.Action.MEMBER_CHANGE,
            "membership",
            membership.id,
            at=at,
            role_before=before,
            role=role.value,
        )
    return membership


def _require_another_owner(membership: Membership) -> None:
    others = Membership.objects.select_for_update().filter(role=Role.OWNER.value).exclude(id=membership.id)
    if not others.exists():
        raise Conflict("A tenant needs an owner; make somebody else one first.", code="last_owner")
