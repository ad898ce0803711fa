"""From a request to a scope: a session's membership or an API key."""

import hashlib
import hmac
import re
import secrets
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import connection
from django.http import HttpRequest

from memoryhub import clock
from memoryhub.errors import Forbidden, Unauthenticated
from memoryhub.tenants.models import ApiKey
from memoryhub.tenants.permissions import PERMISSIONS, Permission, Role
from memoryhub.tenants.scope import Actor, ActorKind

KEY_PREFIX = "mh_live_"
_PREFIX_LENGTH = 8
_KEY = re.compile(rf"{KEY_PREFIX}([0-9a-f]{{{_PREFIX_LENGTH}}})_[A-Za-z0-9_-]{{43}}")


@dataclass(frozen=True)
class Identity:
    """Who the caller is and what they may do. ``membership_id`` and ``role`` are None for a key."""

    tenant_id: uuid.UUID
    tenant_name: str
    actor: Actor
    permissions: frozenset[Permission]
    membership_id: uuid.UUID | None = None
    role: Role | None = None

    def require(self, permission: Permission) -> None:
        """Raises ``Forbidden`` (``missing_scope`` for a key, ``missing_permission`` for a person)."""
        if permission in self.permissions:
            return
        name = permission.value
        if self.actor.kind is ActorKind.API_KEY:
            raise Forbidden(
                f"This key lacks the scope {name}; create one that has it.",
                code="missing_scope",
                permission=name,
            )
        raise Forbidden(
            f"Your role does not include {name}; ask an owner for it.",
            code="missing_permission",
            permission=name,
        )


@dataclass(frozen=True)
class Place:
    """One tenant that a user belongs to."""

    tenant_id: uuid.UUID
    tenant_name: str
    membership_id: uuid.UUID
    role: Role


def places_of(user_id: uuid.UUID) -> list[Place]:
    """The tenants of a user, oldest first; read by a function, since no tenant is known yet."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, tenant_name, membership_id, role FROM auth_places(%s)", [user_id])
        return [Place(row[0], row[1], row[2], Role(row[3])) for row in cursor.fetchall()]


def _from_session(request: HttpRequest) -> Identity | None:
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return None
    places = places_of(user.pk)
    chosen = request.session.get("tenant")
    place = next((p for p in places if str(p.tenant_id) == chosen), places[0] if places else None)
    if place is None:
        return None
    actor = Actor(ActorKind.USER, str(user.pk), "api" if request.path.startswith("/api/") else "ui")
    return Identity(
        place.tenant_id, place.tenant_name, actor, PERMISSIONS[place.role], place.membership_id, place.role
    )


def new_secret() -> tuple[str, str, bytes]:
    """A fresh key: its lookup prefix, the whole text to show once, and the hash to keep.

    The secret part has 256 random bits, so a fast hash is enough (OWASP ASVS 5.0, 6.5.2).
    """
    prefix = secrets.token_hex(_PREFIX_LENGTH // 2)
    text = f"{KEY_PREFIX}{prefix}_{secrets.token_urlsafe(32)}"
    return prefix, text, _hash(text)


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


@dataclass(frozen=True)
class _StoredKey:
    tenant_id: uuid.UUID
    tenant_name: str
    key_id: uuid.UUID
    secret_hash: bytes
    scopes: list[str]
    expires_at: datetime | None
    revoked_at: datetime | None


def _lookup(prefix: str) -> list[_StoredKey]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tenant_id, tenant_name, key_id, secret_hash, scopes, expires_at, revoked_at"
            " FROM auth_lookup_key(%s)",
            [prefix],
        )
        return [_StoredKey(r[0], r[1], r[2], bytes(r[3]), r[4], r[5], r[6]) for r in cursor.fetchall()]


def from_key(text: str) -> Identity:
    """The identity of an API key.

    Raises ``Unauthenticated``: ``invalid_key``, ``revoked_key`` or ``expired_key``; the last two only to a caller
    who holds the whole secret.
    """
    shape = _KEY.fullmatch(text)
    digest = _hash(text)
    stored = _lookup(shape[1]) if shape else []
    found = [key for key in stored if hmac.compare_digest(key.secret_hash, digest)]
    if not found:
        raise Unauthenticated(
            "This API key is not known; check that it was copied whole.", code="invalid_key"
        )
    key = found[0]
    if key.revoked_at is not None:
        raise Unauthenticated("This API key has been revoked; create a new one.", code="revoked_key")
    if key.expires_at is not None and key.expires_at <= clock.now():
        raise Unauthenticated("This API key has expired; create a new one.", code="expired_key")
    actor = Actor(ActorKind.API_KEY, str(key.key_id), "api")
    return Identity(key.tenant_id, key.tenant_name, actor, frozenset(Permission(s) for s in key.scopes))


#: When each key's use was last noted by this process: once an hour is enough to find keys that nobody uses.
_noted: dict[str, datetime] = {}
_NOTED_EVERY = timedelta(hours=1)


def note_use(identity: Identity, *, at: datetime) -> None:
    """Keep when a key was last used, to the hour; the caller has entered its scope."""
    key_id = identity.actor.id
    if (
        identity.actor.kind is not ActorKind.API_KEY
        or at - _noted.get(key_id, datetime.min.replace(tzinfo=UTC)) < _NOTED_EVERY
    ):
        return
    _noted[key_id] = at
    ApiKey.objects.filter(id=key_id).update(last_used_at=at)


def identify(request: HttpRequest) -> Identity | None:
    """Who calls: an ``Authorization: Bearer`` key first, else the session; None for nobody.

    Raises ``Unauthenticated`` when a key is given and is no good: never a silent fall back to the session.
    """
    header = request.headers.get("Authorization", "")
    if header:
        kind, _, text = header.partition(" ")
        if kind.lower() != "bearer" or not text.strip():
            raise Unauthenticated("Send the key as 'Authorization: Bearer mh_live_…'.", code="invalid_key")
        return from_key(text.strip())
    return _from_session(request)
