"""``/audit-events``, ``/jobs`` and ``/api-keys``."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryhub import clock, ids
from memoryhub.accounts import keys
from memoryhub.api import filters, paging, parameters, presenting, shapes
from memoryhub.api.fields import Input, Moment, NoFields, Text
from memoryhub.api.idempotency import once
from memoryhub.api.resource import Resource, about, checked
from memoryhub.audit import trail
from memoryhub.errors import Invalid
from memoryhub.keyset import Key
from memoryhub.memory import jobs
from memoryhub.memory.kinds import JobStatus
from memoryhub.memory.models import Job
from memoryhub.tenants.permissions import Permission


class AuditEventList(Resource):
    """The audit trail."""

    permissions: ClassVar = {"GET": Permission.READ_AUDIT}

    @extend_schema(
        operation_id="audit_events_list",
        tags=["audit"],
        parameters=[
            parameters.LIMIT,
            parameters.CURSOR,
            parameters.query("action", "Only this action, such as fact.purge."),
            parameters.query("subject", "Only what concerned this subject (subj_…)."),
        ],
        responses=shapes.answers(200, shapes.page_of(shapes.AuditEvent)),
    )
    def get(self, request: Request) -> Response:
        """Entries, newest first; codes and ids, never content."""
        filters.known(request, "limit", "cursor", "action", "subject")
        limit = paging.page_size(request)
        action = filters.choices(request, "action", [a.value for a in trail.Action])
        if action and len(action) > 1:
            raise Invalid.field("action", "unknown_value", "action may hold one action.")
        subject = request.query_params.get("subject")
        found = trail.events(
            before_seq=self._before(request),
            limit=limit + 1,
            action=action[0] if action else "",
            ref=trail.subject_ref(ids.parse("subj", subject)) if subject is not None else "",
        )
        more = len(found) > limit
        shown = [presenting.event(row) for row in found[:limit]]
        return Response(
            {"data": shown, "next_cursor": str(shown[-1]["seq"]) if more else None, "has_more": more}
        )

    @staticmethod
    def _before(request: Request) -> int | None:
        cursor = request.query_params.get("cursor")
        if cursor is None:
            return None
        if not (cursor.isascii() and cursor.isdecimal() and len(cursor) <= 18):
            raise Invalid.field("cursor", "invalid_cursor", "cursor is not one that this list gave out.")
        return int(cursor)


class AuditVerification(Resource):
    """The chain of the audit trail."""

    permissions: ClassVar = {"GET": Permission.READ_AUDIT}

    @extend_schema(
        operation_id="audit_chain_verify",
        tags=["audit"],
        responses=shapes.answers(200, shapes.AuditVerification),
    )
    def get(self, request: Request) -> Response:
        """Recompute every hash and link."""
        state = trail.verify()
        return Response(
            {
                "intact": state.intact,
                "entries": state.entries,
                "head_seq": state.head_seq,
                "head_hash": state.head_hash,
                "broken_at": state.broken_at,
            }
        )


class JobList(Resource):
    """Work beside the conversation."""

    permissions: ClassVar = {"GET": Permission.READ_JOBS}

    @extend_schema(
        operation_id="jobs_list",
        tags=["jobs"],
        parameters=[
            *parameters.PAGING,
            parameters.query("status", "One or more of running, failed, parked, done."),
        ],
        responses=shapes.answers(200, shapes.page_of(shapes.Job)),
    )
    def get(self, request: Request) -> Response:
        """Jobs, newest first."""
        filters.known(request, *filters.PAGING, "status")
        rows = Job.objects.all()
        statuses = filters.choices(request, "status", JobStatus.values)
        if statuses is not None:
            rows = rows.filter(status__in=statuses)
        return paging.page(request, rows, Key("created_at"), presenting.job)


class JobDetail(Resource):
    """One job."""

    permissions: ClassVar = {"GET": Permission.READ_JOBS}

    @extend_schema(operation_id="jobs_get", tags=["jobs"], responses=shapes.answers(200, shapes.Job))
    def get(self, request: Request, job_id: str) -> Response:
        """The job as it stands."""
        return Response(presenting.job(jobs.get(ids.parse("job", job_id))))


class JobRetry(Resource):
    """Another try."""

    permissions: ClassVar = {"POST": Permission.MANAGE_JOBS}

    @extend_schema(
        operation_id="jobs_retry",
        tags=["jobs"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=NoFields,
        responses=shapes.answers(200, shapes.Job, 409, 422, *shapes.BODY),
    )
    def post(self, request: Request, job_id: str) -> Response:
        """Give a failed or parked job five fresh attempts."""
        row = jobs.get(ids.parse("job", job_id))
        checked(request, NoFields)
        about(request, row.subject)
        return once(request, lambda: Response(presenting.job(jobs.retry(row, at=clock.now()))))


class ApiKeyCreate(Input):
    """A new key."""

    name = Text()
    scopes = serializers.ListField(child=Text(), min_length=1, max_length=20)
    expires_at = Moment(required=False, default=None, allow_null=True)


class ApiKeyList(Resource):
    """All keys, and issuing one."""

    permissions: ClassVar = {"GET": Permission.MANAGE_KEYS, "POST": Permission.MANAGE_KEYS}

    @extend_schema(
        operation_id="api_keys_list",
        tags=["keys"],
        responses=shapes.answers(200, shapes.list_of(shapes.ApiKey)),
    )
    def get(self, request: Request) -> Response:
        """Keys, newest first, without their secrets."""
        filters.known(request)
        return Response({"data": [presenting.api_key(row) for row in keys.listed()]})

    @extend_schema(
        operation_id="api_keys_create",
        tags=["keys"],
        request=ApiKeyCreate,
        responses=shapes.answers(201, shapes.IssuedApiKey, *shapes.BODY),
    )
    def post(self, request: Request) -> Response:
        """Issue a key; ``secret`` is shown this once."""
        data = checked(request, ApiKeyCreate)
        row, secret = keys.issue(data["name"], data["scopes"], at=clock.now(), expires_at=data["expires_at"])
        return Response({**presenting.api_key(row), "secret": secret}, status=201)


class ApiKeyDetail(Resource):
    """One key."""

    permissions: ClassVar = {"DELETE": Permission.MANAGE_KEYS}

    @extend_schema(operation_id="api_keys_revoke", tags=["keys"], responses=shapes.answers(204, None))
    def delete(self, request: Request, key_id: str) -> Response:
        """Revoke the key, at once."""
        keys.revoke(ids.parse("key", key_id), at=clock.now())
        return Response(status=204)
