"""The door's frame: who may open a page, what becomes of an error, and the pieces every list shares."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render

from memoryhub import clock
from memoryhub.audit import trail
from memoryhub.errors import (
    Conflict,
    Forbidden,
    Gone,
    Invalid,
    MemoryHubError,
    NotFound,
    Unauthenticated,
    Unavailable,
)
from memoryhub.tenants.identity import Identity
from memoryhub.tenants.permissions import Permission

View = Callable[..., HttpResponse]
PAGE_SIZE = 50


class Page(HttpRequest):
    """A request that has passed ``page``: its identity is known."""

    identity: Identity
    request_id: str
    htmx: Any


def page(permission: Permission, *methods: str) -> Callable[[View], View]:
    """A view for ``methods`` (GET alone when none is named), for those who have ``permission``.

    Errors of the core become pages or messages: what is not yours is a 404; a refused form returns to where it
    was with the reason.
    """

    def wrap(view: View) -> View:
        @functools.wraps(view)
        def inner(request: Page, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method not in (methods or ("GET",)) and request.method != "HEAD":
                return render(request, "404.html", status=405)
            try:
                _admit(request, permission)
                response = view(request, *args, **kwargs)
            except MemoryHubError as error:
                response = refuse(request, error)
            response.setdefault("Cache-Control", "no-store")
            return response

        inner.permission = permission  # type: ignore[attr-defined]
        inner.methods = methods or ("GET",)  # type: ignore[attr-defined]
        return inner

    return wrap


def _admit(request: Page, permission: Permission) -> None:
    identity: Identity | None = request.identity
    if identity is None:
        raise Unauthenticated("Sign in to see this page.")
    try:
        identity.require(permission)
    except Forbidden:
        route = request.resolver_match.route if request.resolver_match else ""
        trail.denied(permission.value, route.replace(" ", ""), at=clock.now())
        raise


def refuse(request: HttpRequest, error: MemoryHubError) -> HttpResponse:
    """The page or message for an error of the core."""
    if isinstance(error, Unauthenticated):
        signed_in = getattr(request, "user", None) is not None and request.user.is_authenticated
        return _error_page(request, error, 403) if signed_in else redirect_to_login(request.get_full_path())
    if isinstance(error, NotFound):
        return _error_page(request, error, 404)
    if isinstance(error, Forbidden) and error.permission:
        return _error_page(request, error, 403)
    if request.method == "POST" and isinstance(error, Invalid | Conflict | Forbidden | Unavailable | Gone):
        return _back_with_reason(request, error)
    return _error_page(request, error, 410 if isinstance(error, Gone) else 400)


def _error_page(request: HttpRequest, error: MemoryHubError, status: int) -> HttpResponse:
    template = f"{status}.html" if status in (403, 404) else "refused.html"
    return render(request, template, {"error": error, "status": status}, status=status)


def _back_with_reason(request: HttpRequest, error: MemoryHubError) -> HttpResponse:
    if getattr(request, "htmx", False):
        return HttpResponse(error.message, status=409, content_type="text/plain; charset=utf-8")
    messages.error(request, error.message)
    return back(request)


def back(request: HttpRequest, default: str = "/") -> HttpResponseRedirect:
    """To the page that the form stood on; never to another site."""
    came_from = urlsplit(request.headers.get("Referer", ""))
    same_site = came_from.netloc == request.get_host()
    target = came_from.path + (f"?{came_from.query}" if came_from.query else "") if same_site else default
    return HttpResponseRedirect(target or default)


def done(request: HttpRequest, message: str, to: str, *args: Any) -> HttpResponse:
    """Say what was done and go to a page."""
    messages.success(request, message)
    return redirect(to, *args)


# --- lists ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tab:
    """A view of a list. ``count`` is None when it is not known."""

    label: str
    url: str
    current: bool
    count: int | None = None


@dataclass(frozen=True)
class Option:
    """One value of a facet; its address adds or removes it."""

    label: str
    value: str
    url: str
    selected: bool
    count: int | None = None


@dataclass(frozen=True)
class Facet:
    """A filter with known values."""

    name: str
    label: str
    options: Sequence[Option]


@dataclass(frozen=True)
class Chip:
    """A filter in force, and the address without it."""

    label: str
    value: str
    remove_url: str


@dataclass(frozen=True)
class Hidden:
    """A filter that the search form carries along."""

    name: str
    value: str


@dataclass(frozen=True)
class Filters:
    """The filter bar. The address is the state."""

    query: str
    chips: Sequence[Chip]
    facets: Sequence[Facet]
    hidden: Sequence[Hidden]
    clear_url: str

    @property
    def active(self) -> bool:
        """Whether anything narrows the list."""
        return bool(self.query or self.chips)


@dataclass(frozen=True)
class Pager:
    """The addresses of the neighbouring pages."""

    newer_url: str
    older_url: str
    count_text: str = ""


def address(request: HttpRequest, **changes: str | None) -> str:
    """This page's address with some parameters changed; None removes one. Paging starts anew."""
    params: QueryDict = request.GET.copy()
    for name in ("after", "before"):
        params.pop(name, None)
    for name, value in changes.items():
        params.pop(name, None)
        if value is not None:
            params[name] = value
    query = params.urlencode()
    return f"?{query}" if query else "?"


def filters(request: HttpRequest, facets: Mapping[str, tuple[str, Mapping[str, str]]]) -> Filters:
    """The filter bar of ``q`` and single-valued ``facets``: name to (label, values with their words).

    A value that no longer exists falls back to all.
    """
    chips, shown = [], []
    for name, (label, values) in facets.items():
        chosen = request.GET.get(name, "")
        if chosen in values:
            chips.append(Chip(label, values[chosen], address(request, **{name: None})))
        options = [
            Option(
                word, value, address(request, **{name: None if value == chosen else value}), value == chosen
            )
            for value, word in values.items()
        ]
        shown.append(Facet(name, label, options))
    hidden = [Hidden(n, request.GET[n]) for n in [*facets, "view"] if request.GET.get(n)]
    clear = f"?view={request.GET['view']}" if request.GET.get("view") else "?"
    return Filters(request.GET.get("q", "").strip()[:500], chips, shown, hidden, clear)


def chosen(request: HttpRequest, name: str, values: Mapping[str, str]) -> str:
    """The facet's value in the address, "" when absent or unknown."""
    value = request.GET.get(name, "")
    return value if value in values else ""


def pager(request: HttpRequest, found: Any, count_text: str = "") -> Pager:
    """The pager of a ``keyset.Page``."""
    return Pager(
        address(request, before=found.newer) if found.newer else "",
        address(request, after=found.older) if found.older else "",
        count_text,
    )


def cursors(request: HttpRequest) -> dict[str, str]:
    """The cursors in the address, for ``keyset.page``."""
    return {name: request.GET.get(name, "") for name in ("after", "before")}
