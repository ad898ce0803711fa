"""The door's frame: who may open a page, and what becomes of an error."""

import functools
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve

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
    allowed = methods or ("GET",)

    def wrap(view: View) -> View:
        @functools.wraps(view)
        def inner(request: Page, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method not in allowed and request.method != "HEAD":
                return _wrong_method(request, allowed)
            try:
                _admit(request, permission)
                response = view(request, *args, **kwargs)
            except MemoryHubError as error:
                response = refuse(request, error)
            response.setdefault("Cache-Control", "no-store")
            return response

        inner.permission = permission  # type: ignore[attr-defined]
        inner.methods = allowed  # type: ignore[attr-defined]
        return inner

    return wrap


def _wrong_method(request: HttpRequest, allowed: tuple[str, ...]) -> HttpResponse:
    response = render(request, "405.html", {"parent_url": _parent(request.path)}, status=405)
    response["Allow"] = ", ".join(allowed)
    return response


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
        return _not_signed_in(request)
    if isinstance(error, NotFound):
        return _error_page(request, error, 404)
    if isinstance(error, Forbidden) and error.permission:
        return _error_page(request, error, 403)
    if request.method == "POST" and isinstance(error, Invalid | Conflict | Forbidden | Unavailable | Gone):
        return _back_with_reason(request, error)
    return _error_page(request, error, _status(error))


def _not_signed_in(request: HttpRequest) -> HttpResponse:
    """To the sign-in; somebody who is signed in and belongs nowhere is told so instead of being sent in a circle."""
    if getattr(request, "user", None) is not None and request.user.is_authenticated:
        return render(request, "no_membership.html", status=403)
    if getattr(request, "htmx", False):
        return HttpResponse("You were signed out.", status=401, content_type="text/plain; charset=utf-8")
    here = request.get_full_path() if request.method == "GET" else _came_from(request, default="/")
    return redirect_to_login(here)


def _status(error: MemoryHubError) -> int:
    kinds = ((Gone, 410), (Unavailable, 503), (Conflict, 409), (Forbidden, 403))
    return next((status for kind, status in kinds if isinstance(error, kind)), 400)


def _error_page(request: HttpRequest, error: MemoryHubError, status: int) -> HttpResponse:
    known = status == 404 or (isinstance(error, Forbidden) and error.permission)
    template = f"{status}.html" if known else "refused.html"
    return render(request, template, {"error": error, "status": status}, status=status)


def _back_with_reason(request: HttpRequest, error: MemoryHubError) -> HttpResponse:
    if getattr(request, "htmx", False):
        return HttpResponse(error.message, status=409, content_type="text/plain; charset=utf-8")
    messages.error(request, error.message)
    return back(request)


def back(request: HttpRequest, default: str = "/") -> HttpResponseRedirect:
    """To the page that the form stood on; never to another site, also not by an address that begins with //."""
    return HttpResponseRedirect(_came_from(request, default))


def _came_from(request: HttpRequest, default: str) -> str:
    came_from = urlsplit(request.headers.get("Referer", ""))
    if came_from.netloc != request.get_host():
        return default
    path = "/" + came_from.path.lstrip("/\\")
    try:
        view = resolve(path).func
    except Resolver404:
        return default
    if "GET" not in getattr(view, "methods", ("GET",)):
        return _parent(path)
    return path + (f"?{came_from.query}" if came_from.query else "")


def _parent(path: str) -> str:
    """An act stands one step below the page it belongs to."""
    return path.rstrip("/").rpartition("/")[0] or "/"


def done(request: HttpRequest, message: str, to: str, *args: Any) -> HttpResponse:
    """Say what was done and go to a page."""
    messages.success(request, message)
    return redirect(to, *args)


def done_at(request: HttpRequest, message: str, url: str, *, undo_url: str = "") -> HttpResponse:
    """Say what was done, offer to undo it, and go to an address of ours."""
    messages.success(request, message, extra_tags=undo_url)
    return HttpResponseRedirect(url)
