"""Who calls, for DRF: what the scope middleware found. Sessions must show a CSRF token, keys need none."""

from typing import Any

from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request

from memoryhub.errors import Unauthenticated
from memoryhub.tenants.identity import Identity
from memoryhub.tenants.scope import ActorKind


class ScopeAuthentication(BaseAuthentication):
    """``request.auth`` becomes the ``Identity``."""

    def authenticate(self, request: Request) -> tuple[Any, Identity]:
        inner = request._request
        if inner.identity_error is not None:  # type: ignore[attr-defined]
            raise inner.identity_error  # type: ignore[attr-defined]
        identity: Identity | None = inner.identity  # type: ignore[attr-defined]
        if identity is None:
            raise Unauthenticated("Send an API key as 'Authorization: Bearer mh_live_…', or sign in.")
        if identity.actor.kind is not ActorKind.API_KEY:
            SessionAuthentication().enforce_csrf(request)
        return None, identity

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
