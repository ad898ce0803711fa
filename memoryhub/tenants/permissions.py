"""Roles, permissions, and the one table that joins them. Doors name a ``Permission``; nothing names a role."""

import enum
from collections.abc import Mapping


class Role(enum.StrEnum):
    """A person's place in a tenant."""

    MEMBER = "member"
    VIEWER = "viewer"
    OPERATOR = "operator"
    PRIVACY_OFFICER = "privacy_officer"
    OWNER = "owner"
    AUDITOR = "auditor"

    @property
    def label(self) -> str:
        """The role as people read it."""
        return self.value.replace("_", " ").capitalize()


class Permission(enum.StrEnum):
    """Something that may be done; also the scopes of an API key."""

    CHAT = "chat"
    OWN_MEMORY = "me"
    READ_MEMORY = "memory:read"
    WRITE_MEMORY = "memory:write"
    CURATE_FACTS = "facts:curate"
    PURGE_FACTS = "facts:purge"
    READ_PRIVACY = "privacy:read"
    OPEN_PRIVACY = "privacy:open"
    APPROVE_PRIVACY = "privacy:approve"
    READ_AUDIT = "audit:read"
    READ_JOBS = "jobs:read"
    MANAGE_JOBS = "jobs:manage"
    MANAGE_KEYS = "keys:manage"
    MANAGE_MEMBERS = "members:manage"
    READ_USAGE = "usage:read"


_SELF = frozenset({Permission.CHAT, Permission.OWN_MEMORY})
_READ = _SELF | {Permission.READ_MEMORY, Permission.READ_JOBS}

PERMISSIONS: Mapping[Role, frozenset[Permission]] = {
    Role.MEMBER: _SELF,
    Role.VIEWER: _READ,
    Role.OPERATOR: _READ
    | {
        Permission.WRITE_MEMORY,
        Permission.CURATE_FACTS,
        Permission.PURGE_FACTS,
        Permission.MANAGE_JOBS,
        Permission.READ_USAGE,
    },
    Role.PRIVACY_OFFICER: _READ
    | {
        Permission.PURGE_FACTS,
        Permission.READ_PRIVACY,
        Permission.OPEN_PRIVACY,
        Permission.APPROVE_PRIVACY,
        Permission.READ_AUDIT,
    },
    Role.OWNER: frozenset(Permission),
    Role.AUDITOR: frozenset({Permission.OWN_MEMORY, Permission.READ_AUDIT, Permission.READ_PRIVACY}),
}

#: What a key may be given: a program has no memory of its own, and never approves an erasure.
KEY_SCOPES = (
    frozenset(Permission)
    - _SELF
    - {
        Permission.APPROVE_PRIVACY,
        Permission.MANAGE_KEYS,
        Permission.MANAGE_MEMBERS,
    }
)
