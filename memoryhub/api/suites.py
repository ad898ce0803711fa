"""``/recall-suites``, ``/recall-cases``, ``/recall-runs``: questions whose answer is known; and ``/embedder``."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryhub import clock, ids
from memoryhub.api import filters, paging, parameters, recall_shapes, shapes
from memoryhub.api.fields import Input, Moment, NoFields, Number, PublicId, Text
from memoryhub.api.idempotency import once
from memoryhub.api.presenting import stamp
from memoryhub.api.resource import Resource, about, checked
from memoryhub.keyset import Key
from memoryhub.llm import get_next_embedder
from memoryhub.memory import embedders, policies, recall, reembedding, subjects, suites, tasks, threads
from memoryhub.memory.models import EmbedderState, RecallCase, RecallRun, RecallSuite
from memoryhub.tenants.permissions import Permission


class SuiteCreate(Input):
    """A suite is known by its name."""

    name = Text()


class CaseCreate(Input):
    """A question saved as a test. ``expected``: the facts that must come back; none: that nothing does.

    ``as_of`` asks with what was known then, so that the answer does not change with what is learned later.
    """

    subject = Text()
    query = Text()
    expected = serializers.ListField(child=PublicId("fact"), max_length=suites.MOST_EXPECTED)
    as_of = Moment(required=False, default=None, allow_null=True)


class RunCreate(Input):
    """``k``: how many facts may come back for a case."""

    k = Number(required=False, default=8, min_value=1, max_value=recall.MOST)


def _suite(row: RecallSuite) -> dict[str, Any]:
    return {"id": row.public_id, "name": row.name, "created_at": stamp(row.created_at)}


def _case(row: RecallCase) -> dict[str, Any]:
    return {
        "id": row.public_id,
        "suite": ids.public("suite", row.suite_id),
        "subject": row.subject.external_id,
        "query": row.query,
        "expected": [ids.public("fact", link.fact_id) for link in row.expected.all()],
        "as_of": stamp(row.as_of),
        "created_at": stamp(row.created_at),
    }


def _run(row: RecallRun) -> dict[str, Any]:
    earlier = suites.before(row)
    return {
        "id": row.public_id,
        "suite": ids.public("suite", row.suite_id),
        "status": row.status,
        "progress": {"done": row.done, "total": row.total},
        "k": row.k,
        "made_with": row.made_with,
        "scores": row.scores or None,
        "cases": row.cases,
        "before": {"id": earlier.public_id, "scores": earlier.scores} if earlier else None,
        "differences": suites.differences(earlier, row) if earlier else [],
        "error_code": row.error_code or None,
        "created_at": stamp(row.created_at),
        "finished_at": stamp(row.finished_at),
    }


class SuiteList(Resource):
    """All suites, and starting one."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY, "POST": Permission.CURATE_FACTS}

    @extend_schema(
        operation_id="recall_suites_list",
        tags=["recall"],
        parameters=[*parameters.PAGING],
        responses=shapes.answers(200, shapes.page_of(recall_shapes.RecallSuite)),
    )
    def get(self, request: Request) -> Response:
        """Suites, newest first."""
        filters.known(request, *filters.PAGING)
        return paging.page(request, RecallSuite.objects.all(), Key("created_at"), _suite)

    @extend_schema(
        operation_id="recall_suites_create",
        tags=["recall"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=SuiteCreate,
        responses=shapes.answers(201, recall_shapes.RecallSuite, 409, 422, *shapes.BODY),
    )
    def post(self, request: Request) -> Response:
        """Start a suite; one of that name is returned as it is."""
        data = checked(request, SuiteCreate)
        return once(
            request, lambda: Response(_suite(suites.ensure(data["name"], at=clock.now())), status=201)
        )


class CaseList(Resource):
    """The cases of a suite."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY, "POST": Permission.CURATE_FACTS}

    @extend_schema(
        operation_id="recall_cases_list",
        tags=["recall"],
        parameters=[*parameters.PAGING],
        responses=shapes.answers(200, shapes.page_of(recall_shapes.RecallCase)),
    )
    def get(self, request: Request, suite_id: str) -> Response:
        """Cases, newest first."""
        suite = suites.get(ids.parse("suite", suite_id))
        filters.known(request, *filters.PAGING)
        rows = RecallCase.objects.filter(suite=suite).select_related("subject").prefetch_related("expected")
        return paging.page(request, rows, Key("created_at"), _case)

    @extend_schema(
        operation_id="recall_cases_create",
        tags=["recall"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=CaseCreate,
        responses=shapes.answers(201, recall_shapes.RecallCase, 409, 410, 422, *shapes.BODY),
    )
    def post(self, request: Request, suite_id: str) -> Response:
        """Save a question as a test."""
        suite = suites.get(ids.parse("suite", suite_id))
        data = checked(request, CaseCreate)
        subject = about(request, subjects.by_external_id(data["subject"]))

        def act() -> Response:
            query = threads.checked_query(data["query"])
            case = suites.add_case(
                suite, subject, query, data["expected"], as_of=data["as_of"], at=clock.now()
            )
            return Response(_case(suites.get_case(case.id)), status=201)

        return once(request, act)


class CaseDetail(Resource):
    """One case."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY, "DELETE": Permission.CURATE_FACTS}

    @extend_schema(
        operation_id="recall_cases_get",
        tags=["recall"],
        responses=shapes.answers(200, recall_shapes.RecallCase),
    )
    def get(self, request: Request, case_id: str) -> Response:
        """The question and what it expects."""
        return Response(_case(suites.get_case(ids.parse("case", case_id))))

    @extend_schema(operation_id="recall_cases_delete", tags=["recall"], responses=shapes.answers(204, None))
    def delete(self, request: Request, case_id: str) -> Response:
        """Take the test away; earlier runs keep its score."""
        suites.remove_case(suites.get_case(ids.parse("case", case_id)), at=clock.now())
        return Response(status=204)


class RunList(Resource):
    """The runs of a suite."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY, "POST": Permission.MANAGE_JOBS}

    @extend_schema(
        operation_id="recall_runs_list",
        tags=["recall"],
        parameters=[*parameters.PAGING],
        responses=shapes.answers(200, shapes.page_of(recall_shapes.RecallRunSummary)),
    )
    def get(self, request: Request, suite_id: str) -> Response:
        """Runs, newest first, with their scores."""
        suite = suites.get(ids.parse("suite", suite_id))
        filters.known(request, *filters.PAGING)
        return paging.page(request, RecallRun.objects.filter(suite=suite), Key("created_at"), _short)

    @extend_schema(
        operation_id="recall_runs_create",
        tags=["recall"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=RunCreate,
        responses=shapes.answers(202, recall_shapes.RecallRun, 409, 422, *shapes.BODY),
    )
    def post(self, request: Request, suite_id: str) -> Response:
        """Ask every case with what is set now: weights, floor, embedder."""
        suite = suites.get(ids.parse("suite", suite_id))
        data = checked(request, RunCreate)

        def act() -> Response:
            with transaction.atomic():
                row = suites.begin(suite, k=data["k"], at=clock.now())
                tasks.run_suite.delay_on_commit(str(row.id))
            response = Response(_run(row), status=202)
            response["Location"] = f"/api/v1/recall-runs/{row.public_id}"
            response["Retry-After"] = "2"
            return response

        return once(request, act)


def _short(row: RecallRun) -> dict[str, Any]:
    return {
        "id": row.public_id,
        "status": row.status,
        "k": row.k,
        "scores": row.scores or None,
        "created_at": stamp(row.created_at),
    }


class RunDetail(Resource):
    """One run."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY}

    @extend_schema(
        operation_id="recall_runs_get",
        tags=["recall"],
        responses=shapes.answers(200, recall_shapes.RecallRun),
    )
    def get(self, request: Request, run_id: str) -> Response:
        """Its progress, and at the end its scores and what changed since the run before."""
        return Response(_run(suites.get_run(ids.parse("run", run_id))))


def _embedder() -> dict[str, Any]:
    policy = policies.current()
    embedder, following = embedders.chosen(policy), get_next_embedder()
    state: EmbedderState | None = EmbedderState.objects.filter(name=embedder.name).first()
    filling = EmbedderState.objects.filter(status="filling").first()
    return {
        "name": embedder.name,
        "dimension": embedder.dimension,
        "floor": embedders.floor(policy, embedder.name, embedder.relevance_floor),
        "calibrated_at": stamp(state.calibrated_at) if state else None,
        "calibration": (state.calibration or None) if state else None,
        "next": {"name": following.name, "dimension": following.dimension} if following else None,
        "change": {
            "to": filling.name,
            "progress": {"done": filling.done, "total": filling.total},
            "error_code": filling.error_code or None,
        }
        if filling
        else None,
        "mismatches": [found.sentence for found in embedders.mismatches()],
    }


class EmbedderView(Resource):
    """The embedder in force."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY}

    @extend_schema(
        operation_id="embedder_get", tags=["recall"], responses=shapes.answers(200, recall_shapes.Embedder)
    )
    def get(self, request: Request) -> Response:
        """Its floor and calibration, a change under way, and vectors that nobody here can ask for."""
        return Response(_embedder())


class EmbedderChange(Resource):
    """Going over to the next embedder."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY, "POST": Permission.MANAGE_JOBS}

    @extend_schema(
        operation_id="embedder_change_estimate",
        tags=["recall"],
        responses=shapes.answers(200, recall_shapes.EmbedderEstimate, 409, *shapes.BODY),
    )
    def get(self, request: Request) -> Response:
        """What a change would take: facts, tokens, and the price where it is known."""
        ahead = reembedding.estimate(settings.MEMORYHUB_LLM.next_embed_base_url)
        price = str(ahead.price) if ahead.price is not None else None
        return Response(
            {
                "name": ahead.embedder,
                "dimension": ahead.dimension,
                "facts": ahead.facts,
                "passages": ahead.passages,
                "tokens": ahead.tokens,
                "price_usd": price,
            }
        )

    @extend_schema(
        operation_id="embedder_change",
        tags=["recall"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=NoFields,
        responses=shapes.answers(202, recall_shapes.Embedder, 409, 422, *shapes.BODY),
    )
    def post(self, request: Request) -> Response:
        """Make new vectors beside the old ones, and switch when all are there; recall goes on throughout."""
        checked(request, NoFields)

        def act() -> Response:
            with transaction.atomic():
                reembedding.begin(at=clock.now())
                tasks.change_embedder.delay_on_commit()
            response = Response(_embedder(), status=202)
            response["Location"] = "/api/v1/embedder"
            response["Retry-After"] = "5"
            return response

        return once(request, act)
