"""``/privacy-requests``: what a person demands, from receipt to proof."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memoryhub import clock, ids
from memoryhub.api import filters, paging, parameters, presenting, shapes
from memoryhub.api.fields import Input, NoFields, Text
from memoryhub.api.idempotency import once
from memoryhub.api.resource import Resource, about, checked
from memoryhub.keyset import Key
from memoryhub.memory import subjects
from memoryhub.privacy import erasure, requests, signing
from memoryhub.privacy.models import Identity, PrivacyRequest, RequestKind, Status
from memoryhub.tenants.permissions import Permission


class PrivacyRequestCreate(Input):
    """A demand of a subject."""

    subject = Text()
    kind = Text(required=False, default=RequestKind.ERASURE.value)


class Approval(Input):
    """The ``preview_digest`` of the preview that the approver looked at."""

    preview_digest = Text()


class Refusal(Input):
    """Why the request is refused."""

    reason = Text()


def _request(request_id: str) -> PrivacyRequest:
    return requests.get(ids.parse("preq", request_id))


def _about(request: Request, request_id: str) -> PrivacyRequest:
    row = _request(request_id)
    about(request, row.subject)
    return row


def _shown(row: PrivacyRequest) -> Response:
    return Response(presenting.privacy_request(requests.get(row.id)))


class PrivacyRequestList(Resource):
    """All requests, and opening one."""

    permissions: ClassVar = {"GET": Permission.READ_PRIVACY, "POST": Permission.OPEN_PRIVACY}

    @extend_schema(
        operation_id="privacy_requests_list",
        tags=["privacy"],
        parameters=[*parameters.PAGING, parameters.query("status", "One or more states; comma-separated.")],
        responses=shapes.answers(200, shapes.page_of(shapes.PrivacyRequest)),
    )
    def get(self, request: Request) -> Response:
        """Requests, the first due first."""
        filters.known(request, *filters.PAGING, "status")
        rows = PrivacyRequest.objects.select_related("subject")
        statuses = filters.choices(request, "status", Status.values)
        if statuses is not None:
            rows = rows.filter(status__in=statuses)
        return paging.page(request, rows, Key("due_at", descending=False), presenting.privacy_request)

    @extend_schema(
        operation_id="privacy_requests_create",
        tags=["privacy"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=PrivacyRequestCreate,
        responses=shapes.answers(201, shapes.PrivacyRequest, 409, 410, 422, *shapes.BODY),
    )
    def post(self, request: Request) -> Response:
        """Open a request; its deadline is one calendar month from the day after receipt."""
        data = checked(request, PrivacyRequestCreate)

        def act() -> Response:
            subject = about(request, subjects.by_external_id(data["subject"]))
            row = requests.open_request(
                subject, identity=Identity.ATTESTED, kind=data["kind"], at=clock.now()
            )
            return Response(presenting.privacy_request(row), status=201)

        return once(request, act)


class PrivacyRequestDetail(Resource):
    """One request."""

    permissions: ClassVar = {"GET": Permission.READ_PRIVACY}

    @extend_schema(
        operation_id="privacy_requests_get",
        tags=["privacy"],
        responses=shapes.answers(200, shapes.PrivacyRequest),
    )
    def get(self, request: Request, request_id: str) -> Response:
        """The request as it stands."""
        return _shown(_request(request_id))


class PrivacyPreview(Resource):
    """What an erasure would remove."""

    permissions: ClassVar = {"POST": Permission.OPEN_PRIVACY}

    @extend_schema(
        operation_id="privacy_requests_preview",
        tags=["privacy"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=NoFields,
        responses=shapes.answers(200, shapes.PrivacyRequest, 409, 422, *shapes.BODY),
    )
    def post(self, request: Request, request_id: str) -> Response:
        """Count what would be erased, and take it down for the approver."""
        row = _about(request, request_id)
        checked(request, NoFields)

        def act() -> Response:
            requests.preview(row, at=clock.now())
            return _shown(row)

        return once(request, act)


class PrivacyApproval(Resource):
    """Approval by a second person."""

    permissions: ClassVar = {"POST": Permission.APPROVE_PRIVACY}

    @extend_schema(
        operation_id="privacy_requests_approve",
        tags=["privacy"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=Approval,
        responses=shapes.answers(200, shapes.PrivacyRequest, 409, 422, *shapes.BODY),
    )
    def post(self, request: Request, request_id: str) -> Response:
        """Let the erasure run; refused to whoever opened it, and when the preview no longer holds."""
        row = _about(request, request_id)
        digest = checked(request, Approval)["preview_digest"]
        return once(request, lambda: _shown(requests.approve(row, digest=digest, at=clock.now())))


class PrivacyRefusal(Resource):
    """Refusing a request."""

    permissions: ClassVar = {"POST": Permission.APPROVE_PRIVACY}

    @extend_schema(
        operation_id="privacy_requests_refuse",
        tags=["privacy"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=Refusal,
        responses=shapes.answers(200, shapes.PrivacyRequest, 409, 422, *shapes.BODY),
    )
    def post(self, request: Request, request_id: str) -> Response:
        """Refuse, with a reason that is told to the person."""
        row = _about(request, request_id)
        code = checked(request, Refusal)["reason"]
        return once(request, lambda: _shown(requests.refuse(row, code=code, at=clock.now())))


class PrivacyReceipt(Resource):
    """The proof."""

    permissions: ClassVar = {"GET": Permission.READ_PRIVACY}

    @extend_schema(
        operation_id="privacy_requests_receipt",
        tags=["privacy"],
        responses=shapes.answers(200, shapes.Receipt),
    )
    def get(self, request: Request, request_id: str) -> Response:
        """The signed receipt of a completed request."""
        receipt = erasure.receipt_of(_request(request_id))
        return Response(presenting.receipt(receipt, signing.public_key()))
