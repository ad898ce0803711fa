"""``/me``: what a member may see and demand of what is remembered about themself."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memoryhub import clock, ids
from memoryhub.api import filters, paging, parameters, presenting, shapes
from memoryhub.api.facts import active_or_held
from memoryhub.api.fields import NoFields
from memoryhub.api.idempotency import once
from memoryhub.api.resource import Resource, about, checked, identity
from memoryhub.errors import NotFound
from memoryhub.keyset import Key
from memoryhub.memory import catalogue, facts, subjects
from memoryhub.memory.models import Subject
from memoryhub.privacy import requests
from memoryhub.privacy.models import Identity, PrivacyRequest
from memoryhub.tenants.permissions import Permission


def own_subject(request: Request) -> Subject:
    """The caller's own subject. Raises ``NotFound`` for a key, which is nobody."""
    membership_id = identity(request).membership_id
    if membership_id is None:
        raise NotFound
    return subjects.of_member(membership_id, at=clock.now())


class MyFacts(Resource):
    """What is remembered about the caller."""

    permissions: ClassVar = {"GET": Permission.OWN_MEMORY}

    @extend_schema(
        operation_id="me_facts_list",
        tags=["me"],
        parameters=parameters.PAGING,
        responses=shapes.answers(200, shapes.page_of(shapes.Fact), 410),
    )
    def get(self, request: Request) -> Response:
        """All that can be recalled about the caller, newest first."""
        filters.known(request, *filters.PAGING)
        rows = catalogue.matching(catalogue.Wanted(subject_id=own_subject(request).id)).filter(
            active_or_held()
        )
        return paging.page(request, rows, Key("created_at"), presenting.fact)


class MyFact(Resource):
    """One fact about the caller."""

    permissions: ClassVar = {"DELETE": Permission.OWN_MEMORY}

    @extend_schema(operation_id="me_facts_forget", tags=["me"], responses=shapes.answers(204, None, 410))
    def delete(self, request: Request, fact_id: str) -> Response:
        """Forget: the fact and its quotes go for good."""
        row = facts.get(ids.parse("fact", fact_id), subject_id=own_subject(request).id)
        facts.purge_fact(row, reason_code="subject_asked", at=clock.now())
        return Response(status=204)


class MyPrivacyRequests(Resource):
    """The caller's own demands."""

    permissions: ClassVar = {"GET": Permission.OWN_MEMORY, "POST": Permission.OWN_MEMORY}

    @extend_schema(
        operation_id="me_privacy_requests_list",
        tags=["me"],
        parameters=parameters.PAGING,
        responses=shapes.answers(200, shapes.page_of(shapes.PrivacyRequest), 410),
    )
    def get(self, request: Request) -> Response:
        """The caller's requests."""
        filters.known(request, *filters.PAGING)
        rows = PrivacyRequest.objects.select_related("subject").filter(subject=own_subject(request))
        return paging.page(request, rows, Key("due_at", descending=False), presenting.privacy_request)

    @extend_schema(
        operation_id="me_privacy_requests_create",
        tags=["me"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=NoFields,
        responses=shapes.answers(201, shapes.PrivacyRequest, 409, 410, 422, *shapes.BODY),
    )
    def post(self, request: Request) -> Response:
        """Ask to be erased; a privacy officer approves it."""
        checked(request, NoFields)
        subject = about(request, own_subject(request))

        def act() -> Response:
            row = requests.open_request(subject, identity=Identity.SESSION, at=clock.now())
            return Response(presenting.privacy_request(row), status=201)

        return once(request, act)
