"""Closed by default: a method without a named permission is refused."""

from typing import Any, cast

from rest_framework.exceptions import MethodNotAllowed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from memoryhub.tenants.identity import Identity


class NamedPermission(BasePermission):
    """Asks the identity for the permission that the view names for the method."""

    def has_permission(self, request: Request, view: Any) -> bool:
        identity = cast(Identity, request.auth)
        method = "GET" if request.method == "HEAD" else str(request.method)
        if method == "OPTIONS":
            return True
        if not hasattr(view, method.lower()):
            raise MethodNotAllowed(method)
        wanted = view.permissions.get(method)
        if wanted is None:
            return False
        identity.require(wanted)
        return True
