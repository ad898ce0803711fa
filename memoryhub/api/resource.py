"""The base of every API view."""

from collections.abc import Mapping
from typing import Any, ClassVar, cast

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memoryhub.api.errors import PreconditionRequired
from memoryhub.api.fields import Input
from memoryhub.memory.models import Subject
from memoryhub.tenants.identity import Identity
from memoryhub.tenants.permissions import Permission


class Resource(APIView):
    """A view that names a permission for each method it has; any other method is refused."""

    permissions: ClassVar[Mapping[str, Permission]] = {}

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response


def identity(request: Request) -> Identity:
    """Who calls."""
    return cast(Identity, request.auth)


def checked(request: Request, kind: type[Input]) -> dict[str, Any]:
    """The body as ``kind`` says it must be. Raises DRF's ``ValidationError``."""
    serializer = kind(data=request.data)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def about(request: Request, subject: Subject) -> Subject:
    """Note whom a write concerns, so that its stored answer is erased with them."""
    request.idempotent_subject = subject  # type: ignore[attr-defined]
    return subject


def if_match(request: Request) -> str | None:
    """The ETag that the caller decided on; None for ``*``. Raises ``PreconditionRequired`` without one."""
    given = request.headers.get("If-Match", "").strip()
    if not given:
        raise PreconditionRequired("Send If-Match with the ETag of the version you read, or * for any.")
    return None if given == "*" else given


def is_known(request: Request, etag: str) -> bool:
    """Whether the caller has this version already (``If-None-Match``, compared weakly: RFC 9110 §13.1.2)."""
    given = request.headers.get("If-None-Match", "")
    return given.strip() == "*" or etag in {tag.strip().removeprefix("W/") for tag in given.split(",")}


def with_etag(response: Response, etag: str) -> Response:
    """The response with its ETag."""
    response["ETag"] = etag
    return response
