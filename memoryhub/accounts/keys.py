"""API keys: issuing (the secret is shown once), listing, revoking."""

import uuid
from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from memoryhub import text
from memoryhub.audit import trail
from memoryhub.errors import Invalid, NotFound
from memoryhub.tenants import scope
from memoryhub.tenants.identity import new_secret
from memoryhub.tenants.models import ApiKey
from memoryhub.tenants.permissions import KEY_SCOPES, Permission


def checked_scopes(scopes: Iterable[str]) -> list[str]:
    """Scopes a key may have, each once. Raises ``Invalid`` for none, and for unknown or forbidden ones."""
    wanted = sorted(set(scopes))
    allowed = {permission.value for permission in KEY_SCOPES}
    if not wanted:
        raise Invalid.field("scopes", "blank", "scopes must name at least one permission.")
    for name in wanted:
        if name not in allowed:
            raise Invalid.field("scopes", "unknown_scope", f"scopes may hold {', '.join(sorted(allowed))}.")
    return wanted


def issue(
    name: str, scopes: Iterable[str], *, at: datetime, expires_at: datetime | None = None
) -> tuple[ApiKey, str]:
    """A new key and its secret text, which is kept nowhere. Raises ``Invalid``."""
    if expires_at is not None and expires_at <= at:
        raise Invalid.field("expires_at", "in_the_past", "expires_at lies in the past.")
    prefix, secret, digest = new_secret()
    key = ApiKey(
        name=text.clean(name, field="name", limit=80),
        prefix=prefix,
        secret_hash=digest,
        scopes=checked_scopes(scopes),
        created_by=scope.current().actor.id,
        created_at=at,
        expires_at=expires_at,
    )
    with transaction.atomic():
        key.save(force_insert=True)
        trail.record(trail.Action.KEY_CREATE, "api_key", key.id, at=at, scopes=key.scopes)
    return key, secret


def listed() -> list[ApiKey]:
    """The tenant's keys, newest first."""
    return list(ApiKey.objects.order_by("-created_at", "-id")[:500])


def revoke(key_id: uuid.UUID, *, at: datetime) -> ApiKey:
    """End a key at once; revoking it again changes nothing. Raises ``NotFound``."""
    with transaction.atomic():
        key: ApiKey | None = ApiKey.objects.select_for_update().filter(id=key_id).first()
        if key is None:
            raise NotFound
        if key.revoked_at is None:
            key.revoked_at = at
            key.save(update_fields=["revoked_at"])
            trail.record(trail.Action.KEY_REVOKE, "api_key", key.id, at=at)
    return key


def all_scopes() -> list[str]:
    """What a key may be given, for forms."""
    return sorted(permission.value for permission in KEY_SCOPES)


def default_scopes() -> list[str]:
    """What most integrations need."""
    return [Permission.READ_MEMORY.value, Permission.WRITE_MEMORY.value]
