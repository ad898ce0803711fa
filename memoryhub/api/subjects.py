"""``/subjects``: the people remembered."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memoryhub import clock, ids
from memoryhub.api import filters, paging, parameters, presenting, shapes
from memoryhub.api.fields import Input, Text
from memoryhub.api.idempotency import once
from memoryhub.api.resource import Resource, about, checked
from memoryhub.keyset import Key
from memoryhub.memory import subjects
from memoryhub.memory.models import Subject
from memoryhub.tenants.permissions import Permission


class SubjectCreate(Input):
    """A new subject; ``external_id`` is your own id of the person."""

    external_id = Text()
    display_name = Text(required=False, default="", allow_blank=True)


class SubjectList(Resource):
    """All subjects, and creating one."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY, "POST": Permission.WRITE_MEMORY}

    @extend_schema(
        operation_id="subjects_list",
        tags=["subjects"],
        parameters=[
            *parameters.PAGING,
            parameters.query("external_id", "Your own id of the person, exactly."),
        ],
        responses=shapes.answers(200, shapes.page_of(shapes.Subject)),
    )
    def get(self, request: Request) -> Response:
        """Subjects, newest first."""
        filters.known(request, *filters.PAGING, "external_id")
        rows = Subject.objects.all()
        if "external_id" in request.query_params:
            rows = rows.filter(external_id=_checked(request.query_params["external_id"]))
        return paging.page(request, rows, Key("created_at"), presenting.subject)

    @extend_schema(
        operation_id="subjects_create",
        tags=["subjects"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=SubjectCreate,
        responses=shapes.answers(201, shapes.Subject, 409, 410, 422, *shapes.BODY),
    )
    def post(self, request: Request) -> Response:
        """Create a subject, or answer with the one that has the id already."""
        data = checked(request, SubjectCreate)
        external_id = _checked(data["external_id"])

        def act() -> Response:
            row = subjects.ensure(external_id, at=clock.now(), display_name=data["display_name"])
            return Response(presenting.subject(about(request, row)), status=201)

        return once(request, act)


def _checked(external_id: str) -> str:
    return subjects.checked_external_id(external_id, field="external_id")


class SubjectDetail(Resource):
    """One subject."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY}

    @extend_schema(
        operation_id="subjects_get", tags=["subjects"], responses=shapes.answers(200, shapes.Subject)
    )
    def get(self, request: Request, subject_id: str) -> Response:
        """The subject; after an erasure an empty shell with ``erased_at``."""
        return Response(presenting.subject(subjects.get(ids.parse("subj", subject_id))))
