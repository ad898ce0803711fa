"""What every page needs: navigation by role, the account, the banner."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from memoryhub.memory.kinds import FactStatus, JobStatus
from memoryhub.memory.models import Fact, Job
from memoryhub.privacy.models import OPEN_STATUSES, PrivacyRequest
from memoryhub.tenants.identity import Identity
from memoryhub.tenants.permissions import Permission


@dataclass(frozen=True)
class NavItem:
    """A place in the navigation."""

    label: str
    icon: str
    group: str
    url: str
    key: str
    current: bool
    count: int | None = None


@dataclass(frozen=True)
class Account:
    """Who is signed in."""

    name: str
    email: str
    role: str


@dataclass(frozen=True)
class Named:
    """Something with a name."""

    name: str


@dataclass(frozen=True)
class Banner:
    """A line above every page."""

    tone: str
    title: str
    text: str
    url: str = ""
    action: str = ""


@dataclass(frozen=True)
class _Place:
    label: str
    icon: str
    group: str
    url_name: str
    permission: Permission
    key: str


_PLACES: Sequence[_Place] = (
    _Place("Chat", "chat", "You", "chat:index", Permission.CHAT, "c"),
    _Place("My memory", "me", "You", "me:memory", Permission.OWN_MEMORY, "m"),
    _Place("Facts", "facts", "Memory", "facts:list", Permission.READ_MEMORY, "f"),
    _Place("Review", "check", "Memory", "review:list", Permission.READ_MEMORY, "r"),
    _Place("Threads", "threads", "Memory", "threads:list", Permission.READ_MEMORY, "t"),
    _Place("Jobs", "jobs", "Memory", "jobs:list", Permission.READ_JOBS, "j"),
    _Place("Privacy requests", "privacy", "Trust", "privacy:list", Permission.READ_PRIVACY, "p"),
    _Place("Audit", "audit", "Trust", "audit:list", Permission.READ_AUDIT, "a"),
    _Place("API keys", "key", "Settings", "keys:list", Permission.MANAGE_KEYS, "k"),
    _Place("Members", "me", "Settings", "members:list", Permission.MANAGE_MEMBERS, "u"),
    _Place("Memory policy", "memory", "Settings", "policy:form", Permission.MANAGE_MEMBERS, "o"),
    _Place("Developers", "external", "Settings", "developers", Permission.READ_MEMORY, "d"),
)


#: Families without a place of their own, and the place they are reached from.
_AMONG = {"subjects": "facts", "rebuilds": "facts"}


def shell(request: HttpRequest) -> dict[str, Any]:
    """The shell's context; empty for somebody who is not signed in."""
    identity: Identity | None = getattr(request, "identity", None)
    if identity is None or identity.role is None:
        return {"nav": [], "banner": None}
    user: Any = request.user
    return {
        "nav": _nav(request, identity),
        "account": Account(str(user), user.email, identity.role.label),
        "tenant": Named(identity.tenant_name),
        "banner": _banner(request, identity),
    }


def _nav(request: HttpRequest, identity: Identity) -> list[NavItem]:
    family = _family(request)
    items = []
    for place in _PLACES:
        if place.permission not in identity.permissions:
            continue
        url = reverse(place.url_name)
        items.append(
            NavItem(
                place.label, place.icon, place.group, url, place.key,
                current=url.strip("/").split("/")[0] == family, count=_count(place.url_name),
            )
        )  # fmt: skip
    return items


def _count(url_name: str) -> int | None:
    """How much waits behind a place; None when nothing does, so that no badge says 0."""
    if url_name == "privacy:list":
        return PrivacyRequest.objects.filter(status__in=OPEN_STATUSES).count() or None
    if url_name == "review:list":
        return Fact.objects.filter(status=FactStatus.HELD).count() or None
    if url_name == "jobs:list":
        return Job.objects.filter(status=JobStatus.PARKED).count() or None
    return None


def _banner(request: HttpRequest, identity: Identity) -> Banner | None:
    """Said to everybody where answers are read, and elsewhere to who can change it."""
    can_change = Permission.MANAGE_KEYS in identity.permissions
    if settings.MEMORYHUB_LLM.chat_backend != "offline" or not (can_change or _family(request) == "chat"):
        return None
    text = "Answers come from templates, facts from rules."
    if can_change:
        text += " Set MEMORYHUB_LLM_BASE_URL to connect one."
    return Banner("warn", "No model is configured.", text)


def _family(request: HttpRequest) -> str:
    family = request.path.strip("/").split("/")[0]
    return _AMONG.get(family, family)
