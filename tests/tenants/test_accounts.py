"""Tenants, members and keys: the acts on them, and the commands that act for an operator."""

import io
from datetime import timedelta

import pytest
from django.core.management import call_command

from memoryhub import clock
from memoryhub.accounts import keys, members
from memoryhub.audit import trail
from memoryhub.errors import Conflict, Invalid, NotFound, Unauthenticated
from memoryhub.tenants import identity
from memoryhub.tenants.models import ApiKey, Membership, Tenant, User
from memoryhub.tenants.permissions import KEY_SCOPES, PERMISSIONS, Permission, Role
from tests.conftest import add_member, issue_key
from tests.tenants.conftest import inside

pytestmark = pytest.mark.django_db


def actions(tenant: Tenant) -> list[str]:
    with inside(tenant):
        return [event.action for event in reversed(trail.events())]


def run(name: str, *arguments: str) -> str:
    out = io.StringIO()
    call_command(name, *arguments, stdout=out)
    return out.getvalue()


def test_a_taken_slug_founds_nothing(tenant: Tenant) -> None:
    with pytest.raises(Conflict) as caught:
        members.found_tenant("Another", "acme", at=clock.now())
    assert caught.value.code == "slug_taken"
    assert actions(tenant) == ["tenant.create"]


def test_one_person_has_one_place_in_a_tenant_and_may_have_one_in_another(
    tenant: Tenant, other_tenant: Tenant
) -> None:
    add_member(tenant, "Ann@Example.org", Role.OWNER)
    with inside(tenant), pytest.raises(Conflict):
        members.add("ann@example.org", Role.VIEWER, at=clock.now())
    add_member(other_tenant, "ann@example.org", Role.VIEWER, password="not-hers-any-more")
    ann = User.objects.get(email="ann@example.org")
    assert ann.check_password("correct-horse-battery")
    assert [(p.tenant_name, p.role) for p in identity.places_of(ann.id)] == [
        ("Acme", Role.OWNER),
        ("Acme Corp", Role.VIEWER),
    ]
    with inside(tenant):
        assert [m.role for m in members.listed()] == [Role.OWNER]


def test_the_last_owner_stays(tenant: Tenant) -> None:
    owner = add_member(tenant, "ann@example.org", Role.OWNER)
    with inside(tenant):
        with pytest.raises(Conflict) as caught:
            members.change_role(owner.id, Role.VIEWER, at=clock.now())
        assert caught.value.code == "last_owner"
        assert Membership.objects.get().role == Role.OWNER
        assert "member.change" not in actions(tenant)
        members.add("bob@example.org", Role.OWNER, at=clock.now())
        members.change_role(owner.id, Role.VIEWER, at=clock.now())
        assert trail.events()[0].detail == {"role_before": "owner", "role": "viewer"}


def test_a_member_of_another_tenant_is_not_there(tenant: Tenant, other_tenant: Tenant) -> None:
    theirs = add_member(other_tenant, "eve@example.org", Role.OWNER)
    with inside(tenant), pytest.raises(NotFound):
        members.change_role(theirs.id, Role.VIEWER, at=clock.now())
    with inside(other_tenant):
        assert Membership.objects.get().role == Role.OWNER


@pytest.mark.parametrize(
    "email", ["", "x", "a b@c.d", "a@b\x00.org", "x" * 300 + "@example.org", "a@b@c.org"]
)
def test_an_address_that_is_none_adds_nobody(tenant: Tenant, email: str) -> None:
    with inside(tenant), pytest.raises(Invalid):
        members.add(email, Role.MEMBER, at=clock.now())
    assert not User.objects.exists()


def test_a_key_is_kept_as_a_hash_and_shown_once(tenant: Tenant) -> None:
    secret = issue_key(tenant, "memory:read")
    with inside(tenant):
        row = ApiKey.objects.get()
        assert secret not in str(vars(row))
        assert bytes(row.secret_hash) not in (secret.encode(), b"")
    found = identity.from_key(secret)
    assert (found.tenant_id, found.permissions) == (tenant.id, frozenset({Permission.READ_MEMORY}))


@pytest.mark.parametrize(
    "scopes",
    [[], ["me"], ["chat"], ["privacy:approve"], ["keys:manage"], ["members:manage"], ["*"], ["nonsense"]],
)
def test_a_key_gets_no_scope_that_is_not_for_keys(tenant: Tenant, scopes: list[str]) -> None:
    with inside(tenant), pytest.raises(Invalid) as caught:
        keys.issue("x", scopes, at=clock.now())
    assert caught.value.fields[0].pointer == "/scopes"
    with inside(tenant):
        assert not ApiKey.objects.exists()


def test_no_key_may_approve_or_hand_out_rights() -> None:
    assert not KEY_SCOPES & {Permission.APPROVE_PRIVACY, Permission.MANAGE_KEYS, Permission.MANAGE_MEMBERS}


def test_a_key_that_expired_before_it_began_is_not_issued(tenant: Tenant) -> None:
    at = clock.now()
    with inside(tenant), pytest.raises(Invalid):
        keys.issue("x", ["memory:read"], at=at, expires_at=at - timedelta(seconds=1))
    with inside(tenant):
        assert not ApiKey.objects.exists()


def test_revoking_ends_a_key_at_once_and_a_second_time_changes_nothing(
    tenant: Tenant, other_tenant: Tenant
) -> None:
    secret = issue_key(tenant)
    with inside(tenant):
        key = ApiKey.objects.get()
    with inside(other_tenant), pytest.raises(NotFound):
        keys.revoke(key.id, at=clock.now())
    assert identity.from_key(secret).tenant_id == tenant.id
    with inside(tenant):
        ended = keys.revoke(key.id, at=clock.now()).revoked_at
        assert keys.revoke(key.id, at=clock.now()).revoked_at == ended
    with pytest.raises(Unauthenticated) as caught:
        identity.from_key(secret)
    assert caught.value.code == "revoked_key"
    assert actions(tenant).count("key.revoke") == 1


def test_the_roles_are_steps_that_only_an_owner_climbs_to_the_top() -> None:
    assert PERMISSIONS[Role.OWNER] == frozenset(Permission)
    for role in set(Role) - {Role.OWNER}:
        assert not PERMISSIONS[role] & {Permission.MANAGE_KEYS, Permission.MANAGE_MEMBERS}
    assert {r for r in Role if Permission.APPROVE_PRIVACY in PERMISSIONS[r]} == {
        Role.OWNER,
        Role.PRIVACY_OFFICER,
    }
    assert PERMISSIONS[Role.AUDITOR].isdisjoint(
        {Permission.READ_MEMORY, Permission.WRITE_MEMORY, Permission.CHAT}
    )


def test_bootstrap_makes_the_first_owner_once(db: None, settings: object) -> None:
    settings.MEMORYHUB_ADMIN_PASSWORD = ""  # type: ignore[attr-defined]
    first = run("bootstrap", "--name", "Bakery", "--slug", "bakery")
    assert "password" in first
    assert run("bootstrap") == ""
    user = User.objects.get()
    assert [(p.tenant_name, p.role) for p in identity.places_of(user.id)] == [("Bakery", Role.OWNER)]
    shown = first.split("with the password ")[1].split()[0]
    assert user.check_password(shown)


def test_a_command_for_one_of_several_tenants_wants_its_name(tenant: Tenant, other_tenant: Tenant) -> None:
    for arguments in ((), ("--tenant", "acm"), ("--tenant", "ACME"), ("--tenant", "%")):
        with pytest.raises(SystemExit, match="acme, acme-corp"):
            run("issue_api_key", "x", *arguments)
    for owner in (tenant, other_tenant):
        with inside(owner):
            assert not ApiKey.objects.exists()
    secret = run("issue_api_key", "x", "--tenant", "acme-corp").strip()
    assert identity.from_key(secret).tenant_id == other_tenant.id


def test_a_command_for_the_only_tenant_needs_no_name(tenant: Tenant) -> None:
    run("create_user", "ann@example.org", "--role", "auditor")
    with inside(tenant):
        assert Membership.objects.get().role == Role.AUDITOR
    assert "member.add" in actions(tenant)
