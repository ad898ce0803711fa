"""Streams. Asynchronous generators, so they must be served by ASGI: under WSGI an answer would arrive in one piece."""

from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.views.decorators.http import require_GET

from memoryhub import ids
from memoryhub.errors import Forbidden, Gone, NotFound
from memoryhub.gateway import answers
from memoryhub.tenants import scope
from memoryhub.tenants.identity import Identity
from memoryhub.tenants.permissions import Permission


def _refusal(error: NotFound | Forbidden | Gone, status: int) -> HttpResponse:
    return JsonResponse({"code": error.code, "detail": error.message}, status=status)


@require_GET
async def answer_stream(request: HttpRequest, turn_id: str) -> HttpResponse | StreamingHttpResponse:
    """The answer of one of the caller's own conversations, as server-sent events."""
    identity: Identity | None = request.identity  # type: ignore[attr-defined]
    if identity is None:
        return JsonResponse({"code": "unauthenticated", "detail": "Sign in to read this."}, status=401)
    try:
        identity.require(Permission.CHAT)
        answer_id = ids.parse("turn", turn_id)
        current = scope.current()
        subject_id = await answers.own_subject_id(current, identity, answer_id)
    except Forbidden as error:
        return _refusal(error, 403)
    except (NotFound, Gone):
        return _refusal(NotFound(), 404)
    events = answers.stream(current, answer_id, subject_id, _last_id(request))
    response = StreamingHttpResponse(events, content_type="text/event-stream")
    response["Cache-Control"] = "no-cache, no-transform"
    response["X-Accel-Buffering"] = "no"
    return response


def _last_id(request: HttpRequest) -> int:
    given = request.headers.get("Last-Event-ID", "")
    return int(given) if given.isdecimal() and len(given) < 10 else 0


answer_stream.permission = Permission.CHAT  # type: ignore[attr-defined]
