"""``/threads``: conversations, their turns, their summary, and the prompt made from them."""

from typing import Any, ClassVar

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryhub import clock, ids
from memoryhub.api import filters, found, paging, parameters, presenting, shapes
from memoryhub.api.fields import Input, Metadata, Moment, Text
from memoryhub.api.idempotency import once
from memoryhub.api.resource import Resource, about, checked
from memoryhub.errors import Invalid, NotFound
from memoryhub.keyset import Key
from memoryhub.memory import context, subjects, summaries, threads
from memoryhub.memory.models import Thread
from memoryhub.tenants.permissions import Permission

_MOST_TURNS = 100


class ThreadCreate(Input):
    """A new thread; with an ``external_id`` that exists, that thread is resumed."""

    subject = Text()
    external_id = Text(required=False, default=None, allow_null=True)
    title = Text(required=False, default="", allow_blank=True)
    metadata = Metadata(required=False, default=dict)


class ThreadUpdate(Input):
    """A new title."""

    title = Text()


class TurnCreate(Input):
    """One message; ``created_at`` is when it was said, ``client_id`` makes a repeat harmless."""

    role = Text()
    content = Text(allow_blank=True)
    name = Text(required=False, default="", allow_blank=True)
    client_id = Text(required=False, default=None, allow_null=True)
    created_at = Moment(required=False, default=None, allow_null=True)
    metadata = Metadata(required=False, default=dict)


class TurnsCreate(Input):
    """Up to 100 messages, written all or none."""

    turns = serializers.ListField(child=TurnCreate(), min_length=1, max_length=_MOST_TURNS)


def _thread(thread_id: str) -> Thread:
    return threads.get(ids.parse("thr", thread_id))


class ThreadList(Resource):
    """All threads, and opening one."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY, "POST": Permission.WRITE_MEMORY}

    @extend_schema(
        operation_id="threads_list",
        tags=["threads"],
        parameters=[*parameters.PAGING, parameters.query("subject", "Only this subject's threads.")],
        responses=shapes.answers(200, shapes.page_of(shapes.Thread), 410),
    )
    def get(self, request: Request) -> Response:
        """Threads, the last used first."""
        filters.known(request, *filters.PAGING, "subject")
        rows = Thread.objects.select_related("subject")
        if "subject" in request.query_params:
            rows = rows.filter(subject=subjects.by_external_id(request.query_params["subject"]))
        return paging.page(request, rows, Key("last_turn_at"), presenting.thread)

    @extend_schema(
        operation_id="threads_create",
        tags=["threads"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=ThreadCreate,
        responses={**shapes.answers(201, shapes.Thread, 409, 410, 422, *shapes.BODY), 200: shapes.Thread},
    )
    def post(self, request: Request) -> Response:
        """Open a thread of a subject (created at first mention), or resume the one with the ``external_id``."""
        data = checked(request, ThreadCreate)

        def act() -> Response:
            at = clock.now()
            subject = about(request, subjects.ensure(data["subject"], at=at))
            row, new = threads.open_thread(
                subject,
                at=at,
                title=data["title"],
                external_id=data["external_id"],
                metadata=data["metadata"],
            )
            return Response(presenting.thread(row), status=201 if new else 200)

        return once(request, act)


class ThreadDetail(Resource):
    """One thread."""

    permissions: ClassVar = {
        "GET": Permission.READ_MEMORY,
        "PATCH": Permission.WRITE_MEMORY,
        "DELETE": Permission.PURGE_FACTS,
    }

    @extend_schema(operation_id="threads_get", tags=["threads"], responses=shapes.answers(200, shapes.Thread))
    def get(self, request: Request, thread_id: str) -> Response:
        """The thread."""
        return Response(presenting.thread(_thread(thread_id)))

    @extend_schema(
        operation_id="threads_rename",
        tags=["threads"],
        request=ThreadUpdate,
        responses=shapes.answers(200, shapes.Thread, *shapes.BODY),
    )
    def patch(self, request: Request, thread_id: str) -> Response:
        """Rename the thread."""
        row = _thread(thread_id)
        return Response(
            presenting.thread(threads.rename(row, checked(request, ThreadUpdate)["title"], at=clock.now()))
        )

    @extend_schema(
        operation_id="threads_delete",
        tags=["threads"],
        parameters=[
            parameters.query("forget", "true also purges the facts that only this thread taught.", bool)
        ],
        responses=shapes.answers(204, None, 410),
    )
    def delete(self, request: Request, thread_id: str) -> Response:
        """Delete the thread with its turns and summaries."""
        row = _thread(thread_id)
        filters.known(request, "forget")
        forget = request.query_params.get("forget", "false")
        if forget not in ("true", "false"):
            raise Invalid.field("forget", "not_a_boolean", "forget is true or false.")
        threads.delete(row, forget=forget == "true", at=clock.now())
        return Response(status=204)


class TurnList(Resource):
    """The turns of a thread."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY, "POST": Permission.WRITE_MEMORY}

    @extend_schema(
        operation_id="turns_list",
        tags=["threads"],
        parameters=parameters.PAGING,
        responses=shapes.answers(200, shapes.page_of(shapes.Turn)),
    )
    def get(self, request: Request, thread_id: str) -> Response:
        """Turns in the order they were said."""
        filters.known(request, *filters.PAGING)
        rows = _thread(thread_id).turns.all()
        return paging.page(request, rows, Key("seq", number=True, descending=False), presenting.turn)

    @extend_schema(
        operation_id="turns_create",
        tags=["threads"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=TurnsCreate,
        responses=shapes.answers(201, shapes.list_of(shapes.Turn), 409, 410, 422, *shapes.BODY),
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Append turns, all or none; what they teach is learned afterwards."""
        row = _thread(thread_id)
        data = checked(request, TurnsCreate)
        about(request, row.subject)
        return once(request, lambda: self._append(row, data["turns"]))

    @staticmethod
    def _append(row: Thread, given: list[dict[str, Any]]) -> Response:
        news = [
            threads.NewTurn(
                t["role"], t["content"], t["name"], t["client_id"], t["created_at"], t["metadata"]
            )
            for t in given
        ]
        with transaction.atomic():
            written = threads.append_turns(row, news, at=clock.now())
            threads.wake_learning(row)
        return Response({"data": [presenting.turn(turn) for turn in written]}, status=201)


class ThreadContext(Resource):
    """The prompt for the next message."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY}

    @extend_schema(
        operation_id="threads_context",
        tags=["threads"],
        parameters=[
            parameters.query("query", "The new message, for which facts are recalled."),
            parameters.query(
                "max_tokens",
                "Tokens of the whole prompt at most.",
                {"type": "integer", "minimum": 200, "maximum": 1_000_000},
            ),
        ],
        responses=shapes.answers(200, shapes.Context),
    )
    def get(self, request: Request, thread_id: str) -> Response:
        """System, standing instructions, summary, recent turns, recalled facts and the message, in the budget."""
        filters.known(request, "query", "max_tokens")
        most = _max_tokens(request.query_params.get("max_tokens"))
        query = threads.checked_query(request.query_params.get("query", ""))
        built = context.build(_thread(thread_id), query, at=clock.now(), max_tokens=most)
        return Response(found.context(built))


def _max_tokens(raw: str | None) -> int | None:
    if raw is None:
        return None
    if not (raw.isascii() and raw.isdecimal() and len(raw) <= 7 and 200 <= int(raw) <= 1_000_000):
        raise Invalid.field("max_tokens", "out_of_range", "max_tokens is a number from 200 to 1000000.")
    return int(raw)


class ThreadSummary(Resource):
    """The running summary of a thread."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY}

    @extend_schema(
        operation_id="threads_summary", tags=["threads"], responses=shapes.answers(200, shapes.Summary)
    )
    def get(self, request: Request, thread_id: str) -> Response:
        """The newest summary; 404 ``no_summary`` while the thread is short."""
        found = summaries.current(_thread(thread_id))
        if found is None:
            raise NotFound("This thread is short enough to have no summary.", code="no_summary")
        return Response(presenting.summary(found))
