"""``/subjects/{id}/rebuild``, ``/rebuilds`` and ``/memory-policy``: how facts are derived, and what may be kept."""

from dataclasses import asdict
from typing import Any, ClassVar

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryhub import clock, ids
from memoryhub.api import parameters, presenting, shapes
from memoryhub.api.fields import Flag, Input, NoFields, Number, PublicId, Real, Text
from memoryhub.api.idempotency import once
from memoryhub.api.resource import Resource, about, checked
from memoryhub.memory import instructions, policies, rebuilding, subjects, tasks
from memoryhub.memory.kinds import Kind
from memoryhub.memory.models import Rebuild, Subject, evidence_prefetch
from memoryhub.tenants.permissions import Permission


class RebuildCreate(Input):
    """``dry_run`` (the default) only says what would change."""

    dry_run = Flag(required=False, default=True)


class PolicyUpdate(Input):
    """``stale_after``: days by kind; null lets a kind never grow old. Weights replace all of their sort."""

    special_categories = Text(required=False, default=None, allow_null=True)
    stale_after = serializers.DictField(child=Number(allow_null=True), required=False, default=dict)
    recall_weights = serializers.DictField(child=Real(), required=False, default=None, allow_null=True)
    turn_weights = serializers.DictField(child=Real(), required=False, default=None, allow_null=True)


def _started(row: Rebuild) -> Response:
    response = Response(presenting.rebuild(rebuilding.get(row.id)), status=202)
    response["Location"] = f"/api/v1/rebuilds/{row.public_id}"
    response["Retry-After"] = "2"
    return response


class SubjectRebuild(Resource):
    """Deriving a subject's facts anew."""

    permissions: ClassVar = {"POST": Permission.CURATE_FACTS}

    @extend_schema(
        operation_id="subjects_rebuild",
        tags=["learning"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=RebuildCreate,
        responses=shapes.answers(202, shapes.Rebuild, 409, 410, 422, *shapes.BODY),
    )
    def post(self, request: Request, subject_id: str) -> Response:
        """Read all that was said again; a person's corrections, archive decisions and purges stand."""
        subject = about(request, subjects.get(ids.parse("subj", subject_id)))
        data = checked(request, RebuildCreate)

        def act() -> Response:
            with transaction.atomic():
                row = rebuilding.begin(subject, dry_run=data["dry_run"], at=clock.now())
                tasks.rebuild.delay_on_commit(str(row.id))
            return _started(row)

        return once(request, act)


class RebuildDetail(Resource):
    """One rebuild."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY}

    @extend_schema(
        operation_id="rebuilds_get", tags=["learning"], responses=shapes.answers(200, shapes.Rebuild)
    )
    def get(self, request: Request, rebuild_id: str) -> Response:
        """Its progress, and at the end what changed or would change."""
        return Response(presenting.rebuild(rebuilding.get(ids.parse("rbd", rebuild_id))))


class RebuildResume(Resource):
    """Going on."""

    permissions: ClassVar = {"POST": Permission.CURATE_FACTS}

    @extend_schema(
        operation_id="rebuilds_resume",
        tags=["learning"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=NoFields,
        responses=shapes.answers(202, shapes.Rebuild, 409, 422, *shapes.BODY),
    )
    def post(self, request: Request, rebuild_id: str) -> Response:
        """Let a failed rebuild go on where it stopped."""
        row = rebuilding.get(ids.parse("rbd", rebuild_id))
        checked(request, NoFields)
        about(request, row.subject)

        def act() -> Response:
            with transaction.atomic():
                again = rebuilding.resume(row, at=clock.now())
                tasks.rebuild.delay_on_commit(str(again.id))
            return _started(again)

        return once(request, act)


class InstructionOrder(Input):
    """Instructions in the order the prompt is to give them; those not named come after."""

    order = serializers.ListField(child=PublicId("fact"), max_length=200)


class InstructionList(Resource):
    """A subject's standing instructions."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY, "PUT": Permission.CURATE_FACTS}

    @extend_schema(
        operation_id="instructions_list",
        tags=["learning"],
        responses=shapes.answers(200, shapes.list_of(shapes.Fact)),
    )
    def get(self, request: Request, subject_id: str) -> Response:
        """Those in force, in the order in which every prompt gives them."""
        return self._shown(subjects.get(ids.parse("subj", subject_id)))

    @extend_schema(
        operation_id="instructions_order",
        tags=["learning"],
        request=InstructionOrder,
        responses=shapes.answers(200, shapes.list_of(shapes.Fact), 410, *shapes.BODY),
    )
    def put(self, request: Request, subject_id: str) -> Response:
        """Put them into another order."""
        subject = subjects.get(ids.parse("subj", subject_id))
        instructions.reorder(subject, checked(request, InstructionOrder)["order"], at=clock.now())
        return self._shown(subject)

    @staticmethod
    def _shown(subject: Subject) -> Response:
        rows = instructions.in_force(subject.id, clock.now()).select_related("subject")
        listed = rows.prefetch_related(evidence_prefetch())[:200]
        return Response({"data": [presenting.fact(row) for row in listed]})


def _policy(policy: policies.Policy) -> dict[str, Any]:
    ages = {kind.value: policy.stale_after[kind] for kind in Kind}
    return {
        "special_categories": policy.special_categories.value,
        "stale_after": ages,
        "recall_weights": asdict(policy.weights),
        "turn_weights": asdict(policy.turn_weights),
    }


class MemoryPolicyView(Resource):
    """The tenant's policy."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY, "PATCH": Permission.MANAGE_MEMBERS}

    @extend_schema(
        operation_id="memory_policy_get",
        tags=["learning"],
        responses=shapes.answers(200, shapes.MemoryPolicy),
    )
    def get(self, request: Request) -> Response:
        """What may be kept, and how long each kind counts as fresh."""
        return Response(_policy(policies.current()))

    @extend_schema(
        operation_id="memory_policy_update",
        tags=["learning"],
        request=PolicyUpdate,
        responses=shapes.answers(200, shapes.MemoryPolicy, *shapes.BODY),
    )
    def patch(self, request: Request) -> Response:
        """Change what is given; the rest stays."""
        data = checked(request, PolicyUpdate)
        changed = policies.change(
            special_categories=data["special_categories"],
            stale_after=data["stale_after"],
            recall_weights=data["recall_weights"],
            turn_weights=data["turn_weights"],
            at=clock.now(),
        )
        return Response(_policy(changed))
