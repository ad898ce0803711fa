"""From errors to HTTP: ``application/problem+json`` (RFC 9457) with a stable code and the request id."""

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response

from memoryhub import clock
from memoryhub.audit import trail
from memoryhub.errors import (
    Conflict,
    FieldError,
    Forbidden,
    Gone,
    Invalid,
    MemoryHubError,
    NotFound,
    RateLimited,
    Stale,
    TooLarge,
    Unauthenticated,
    Unavailable,
)
from memoryhub.tenants import scope

logger = logging.getLogger(__name__)
CONTENT_TYPE = "application/problem+json"


class PreconditionRequired(MemoryHubError):
    """A change needs ``If-Match``, so that nobody overwrites what they have not seen (RFC 6585 §3)."""

    code = "precondition_required"


class Unprocessable(MemoryHubError):
    """Well formed, and contradicting an earlier request."""

    code = "unprocessable"


class _Unexpected(MemoryHubError):
    """A fault of ours."""

    code = "internal"


_UNEXPECTED = "Something went wrong here that should not have. Tell the operator the request_id."

#: Kind of error to status and title; the first match counts, so subclasses stand first.
_STATUS: tuple[tuple[type[MemoryHubError], int, str], ...] = (
    (Unauthenticated, 401, "Not signed in"),
    (Forbidden, 403, "Not allowed"),
    (NotFound, 404, "Not found"),
    (Stale, 412, "Changed since you read it"),
    (Gone, 410, "Erased"),
    (Conflict, 409, "Conflict"),
    (TooLarge, 413, "Too large"),
    (Invalid, 400, "Invalid input"),
    (PreconditionRequired, 428, "If-Match needed"),
    (Unprocessable, 422, "Unprocessable"),
    (RateLimited, 429, "Too many requests"),
    (Unavailable, 503, "Unavailable"),
    (MemoryHubError, 400, "Refused"),
)
_DRF_CODES: Mapping[str, str] = {
    "parse_error": "malformed_json",
    "not_authenticated": "unauthenticated",
    "authentication_failed": "unauthenticated",
    "permission_denied": "forbidden",
    "error": "invalid",
}


def problem(
    request: HttpRequest | None,
    status: int,
    title: str,
    code: str,
    detail: str,
    fields: tuple[FieldError, ...] = (),
) -> dict[str, Any]:
    """The body of an error."""
    body: dict[str, Any] = {
        "type": f"/developers/errors#{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
        "request_id": getattr(request, "request_id", ""),
    }
    if request is not None:
        body["instance"] = request.path
    if fields:
        body["errors"] = [{"pointer": f.pointer, "code": f.code, "detail": f.detail} for f in fields]
    return body


def _answer(request: HttpRequest | None, status: int, title: str, error: MemoryHubError) -> Response:
    # "Not yours" and "not there" must be the same to the byte, so a 404 does not repeat its address.
    response = Response(
        problem(None if status == 404 else request, status, title, error.code, error.message, error.fields),
        status=status,
        content_type=CONTENT_TYPE,
    )
    response.data["request_id"] = getattr(request, "request_id", "")
    if isinstance(error, Stale):
        response["ETag"] = error.etag
    if isinstance(error, RateLimited):
        response["Retry-After"] = str(max(1, round(error.retry_after)))
    if status == 503:
        response["Retry-After"] = "5"
    if status == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response


def handle(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's exception handler. An unexpected error is logged, and its answer tells nothing but the request id."""
    request = getattr(context.get("request"), "_request", None)
    known = _as_known(error)
    if known is None:
        logger.error("unexpected error route=%s", _route(request), exc_info=error)
        return _answer(request, 500, "Internal error", _Unexpected(_UNEXPECTED))
    if isinstance(known, Forbidden) and known.permission and scope.current_or_none() is not None:
        trail.denied(known.permission, _route(request), at=clock.now())
    status, title = next((status, title) for kind, status, title in _STATUS if isinstance(known, kind))
    if isinstance(error, exceptions.APIException) and error.status_code not in (400, 401, 403, 404):
        status = error.status_code
    return _answer(request, status, title, known)


def _route(request: HttpRequest | None) -> str:
    """The address as a pattern: an id in it would be content of a sort."""
    match = getattr(request, "resolver_match", None)
    return str(match.route).replace(" ", "") if match else ""


def _as_known(error: Exception) -> MemoryHubError | None:
    if isinstance(error, MemoryHubError):
        return error
    if isinstance(error, Http404):
        return NotFound()
    if isinstance(error, RequestDataTooBig):
        return TooLarge("The body is larger than 2 MB; send fewer turns at once.", code="body_too_large")
    if isinstance(error, exceptions.ValidationError):
        fields = tuple(_fields(error.detail, ""))
        return Invalid(
            fields[0].detail if fields else "The input is invalid.", code=fields[0].code, fields=fields
        )
    if isinstance(error, exceptions.APIException):
        return _from_drf(error)
    if isinstance(error, OperationalError | InterfaceError):
        logger.exception("database unavailable")
        return Unavailable(
            "The database does not answer; nothing was written. Try again.", code="database_unavailable"
        )
    if isinstance(error, IntegrityError):
        logger.warning("write met another", exc_info=error)
        return Conflict("This met another write; read again and decide anew.")
    if isinstance(error, DatabaseError) and "out of range" in str(error):
        return Invalid("A number is out of range.", code="out_of_range")
    return None


def _from_drf(error: exceptions.APIException) -> MemoryHubError:
    code = str(error.get_codes()) if not isinstance(error.detail, dict | list) else "invalid"
    detail = str(error.detail)
    kinds: Mapping[int, type[MemoryHubError]] = {401: Unauthenticated, 403: Forbidden}
    if error.status_code == 404:
        return NotFound()
    return kinds.get(error.status_code, MemoryHubError)(detail, code=_DRF_CODES.get(code, code))


def _fields(detail: Any, pointer: str) -> Iterator[FieldError]:
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            step = "" if name == "non_field_errors" else f"/{_escaped(str(name))}"
            yield from _fields(inner, f"{pointer}{step}")
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            yield from _fields(inner, f"{pointer}/{index}" if isinstance(inner, Mapping) else pointer)
    else:
        code = getattr(detail, "code", "invalid")
        yield FieldError(pointer, code, f"{pointer.strip('/').replace('/', '.') or 'body'}: {detail}")


def _escaped(name: str) -> str:
    """A name as a step of a JSON pointer (RFC 6901 §3); half a surrogate pair can not be sent back."""
    return name.encode(errors="backslashreplace").decode().replace("~", "~0").replace("/", "~1")


def not_found(request: HttpRequest) -> JsonResponse:
    """The answer for an address under ``/api/`` that does not exist."""
    body = problem(None, 404, "Not found", "not_found", NotFound().message)
    body["request_id"] = getattr(request, "request_id", "")
    return JsonResponse(body, status=404, content_type=CONTENT_TYPE)
