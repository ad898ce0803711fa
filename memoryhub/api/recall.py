"""``/recall``: finding what is relevant, at any time and with reasons; and *not relevant here*."""

from datetime import datetime
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryhub import clock, ids
from memoryhub.api import found as presenting
from memoryhub.api import parameters, recall_shapes, shapes
from memoryhub.api.fields import Flag, Input, Moment, Number, PublicId, Real, Text
from memoryhub.api.idempotency import once
from memoryhub.api.resource import Resource, about, checked
from memoryhub.errors import Invalid, NotFound
from memoryhub.memory import facts, judging, recall, subjects, threads, usage
from memoryhub.memory.kinds import FactStatus, Kind, Origin, Verification
from memoryhub.memory.ranking import Wanted
from memoryhub.tenants.permissions import Permission

_MOST_TOKENS = 100_000
#: What ``filters.status`` may ask for: no other state ever comes back by recall.
_STATUSES = ("active", "fresh", "stale")


class RecallFilters(Input):
    """Which facts may come back; what is left out does not filter.

    ``trust``: verifications that are good enough. ``source``: origins. ``status``: ``fresh`` or ``stale`` facts alone;
    ``active`` for both. ``said_from`` and ``said_before`` bound when it was said.
    """

    kinds = serializers.ListField(child=Text(), required=False, default=list, max_length=20)
    status = Text(required=False, default="active")
    trust = serializers.ListField(child=Text(), required=False, default=list, max_length=20)
    source = serializers.ListField(  # type: ignore[assignment]
        child=Text(), required=False, default=list, max_length=20
    )
    thread = PublicId("thr", required=False, default=None, allow_null=True)
    said_from = Moment(required=False, default=None, allow_null=True)
    said_before = Moment(required=False, default=None, allow_null=True)


class RecallQuery(Input):
    """What to find, and about whom.

    ``as_of`` asks what was believed at that time, and was true then; ``true_at`` alone asks what was true then by what
    is believed now. ``threshold`` is a cosine in the place of the calibrated floor. ``turns`` past turns at most come
    back beside the facts.
    """

    subject = Text()
    query = Text(allow_blank=True)
    k = Number(required=False, default=8, min_value=1, max_value=recall.MOST)
    token_budget = Number(required=False, default=None, allow_null=True, min_value=1, max_value=_MOST_TOKENS)
    threshold = Real(required=False, default=None, allow_null=True, min_value=0, max_value=1)
    as_of = Moment(required=False, default=None, allow_null=True)
    true_at = Moment(required=False, default=None, allow_null=True)
    filters = RecallFilters(required=False, default=None, allow_null=True)
    kinds = Text(required=False, default=None, allow_null=True)
    turns = Number(required=False, default=0, min_value=0, max_value=recall.MOST)
    include_instructions = Flag(required=False, default=False)
    explain = Flag(required=False, default=False)


class RecallView(Resource):
    """Finding what is relevant."""

    permissions: ClassVar = {"POST": Permission.READ_MEMORY}

    @extend_schema(
        operation_id="recall",
        tags=["recall"],
        request=RecallQuery,
        responses=shapes.answers(200, recall_shapes.Recall, 410, *shapes.BODY),
    )
    def post(self, request: Request) -> Response:
        """The subject's facts that are relevant to the query, best first; nothing relevant is a result.

        With ``explain`` each fact has its ranks, and what was left out is listed with the reason. Explaining counts
        as looking: it leaves no trace in the usage counts.
        """
        data = checked(request, RecallQuery)
        wanted, at = _wanted(data), clock.now()
        found = recall.recall(
            subjects.by_external_id(data["subject"]),
            threads.checked_query(data["query"]),
            at=at,
            limit=data["k"],
            wanted=wanted,
            moment=_moment(data, at),
            token_budget=data["token_budget"],
            threshold=data["threshold"],
            explain=data["explain"],
            turns=data["turns"],
        )
        if not data["explain"]:
            usage.note([item.fact.id for item in found.facts], at=at)
        return Response(presenting.recall(found, explain=data["explain"]))


def _wanted(data: dict[str, Any]) -> Wanted:
    """The filters, checked. Raises ``Invalid``."""
    given = data["filters"] or {}
    listed = _listed(data["kinds"])
    _known("kinds", listed, Kind.values)
    allowed = {"kinds": Kind.values, "trust": Verification.values, "source": Origin.values}
    for name, values in allowed.items():
        _known(f"filters/{name}", given.get(name, []), values)
    status = given.get("status", "active")
    if status not in _STATUSES:
        raise Invalid.field(
            "filters/status",
            "unknown_value",
            f"status is one of {', '.join(_STATUSES)}: no other fact comes back by recall. List them by GET /facts.",
        )
    thread = given.get("thread")
    return Wanted(
        kinds=given.get("kinds") or listed,
        trust=given.get("trust", ()),
        origins=given.get("source", ()),
        thread_id=_own_thread(thread) if thread else None,
        fresh=None if status == FactStatus.ACTIVE else status == "fresh",
        said_from=given.get("said_from"),
        said_before=given.get("said_before"),
        instructions=data["include_instructions"],
    )


def _own_thread(thread_id: Any) -> Any:
    try:
        return threads.get(thread_id).id
    except NotFound:
        raise Invalid.field(
            "filters/thread", "no_such_record", "filters.thread names no thread here."
        ) from None


def _listed(kinds: str | None) -> list[str]:
    if kinds is None:
        return []
    return [part for part in kinds.split(",") if part] or [""]


def _known(name: str, values: list[str], allowed: list[str]) -> None:
    if any(value not in allowed for value in values):
        raise Invalid.field(name, "unknown_value", f"{name} may hold {', '.join(allowed)}.")


def _moment(data: dict[str, Any], at: datetime) -> recall.Moment | None:
    believed, true_at = data["as_of"], data["true_at"]
    if believed is not None and believed > at:
        raise Invalid.field(
            "as_of", "in_the_future", "as_of lies in the future; what will be believed is unknown."
        )
    if believed is None and true_at is None:
        return None
    return recall.Moment(true_at or believed, believed)


class NotRelevant(Input):
    """``query`` is the question that the fact does not answer."""

    query = Text()


class FactFeedback(Resource):
    """*Not relevant here*."""

    permissions: ClassVar = {"POST": Permission.CURATE_FACTS, "DELETE": Permission.CURATE_FACTS}

    @extend_schema(
        operation_id="facts_not_relevant",
        tags=["recall"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=NotRelevant,
        responses=shapes.answers(201, recall_shapes.Feedback, 409, 410, 422, 502, 503, *shapes.BODY),
    )
    def post(self, request: Request, fact_id: str) -> Response:
        """The fact comes back for this question no more, and ranks lower for like ones. The question is not kept."""
        row = facts.get(ids.parse("fact", fact_id))
        about(request, row.subject)
        data = checked(request, NotRelevant)

        def act() -> Response:
            made = judging.not_relevant(row, threads.checked_query(data["query"]), at=clock.now())
            return Response({"id": made.public_id, "fact": row.public_id}, status=201)

        return once(request, act, asks_model=True)

    @extend_schema(
        operation_id="facts_relevant_again",
        tags=["recall"],
        responses=shapes.answers(204, None, 410),
    )
    def delete(self, request: Request, fact_id: str) -> Response:
        """Take back everything of the sort that was said of the fact."""
        judging.relevant_again(facts.get(ids.parse("fact", fact_id)), at=clock.now())
        return Response(status=204)
