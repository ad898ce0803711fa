"""``/facts``: what is known, and the auditor's verbs."""

import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any, ClassVar, TypeVar

from django.db.models import Q
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memoryhub import clock, ids
from memoryhub.api import filters, paging, parameters, presenting, shapes
from memoryhub.api.fields import Input, Moment, NoFields, PublicId, Text
from memoryhub.api.idempotency import once
from memoryhub.api.resource import Resource, about, checked, identity, if_match, is_known, with_etag
from memoryhub.errors import Invalid, NotFound
from memoryhub.keyset import Key
from memoryhub.memory import catalogue, facts, judging, subjects, threads
from memoryhub.memory.kinds import FactStatus, Kind, Origin
from memoryhub.memory.models import HEAVY, Fact, Subject, evidence_prefetch
from memoryhub.tenants.permissions import Permission
from memoryhub.tenants.scope import ActorKind

_F = TypeVar("_F", bound=Callable[..., Response])


class FactCreate(Input):
    """A fact stated outright. ``turn`` and ``quote`` are its evidence: a span, word for word, of that turn."""

    subject = Text()
    statement = Text()
    kind = Text(required=False, default=Kind.PROFILE.value)
    attribute = Text(required=False, default="", allow_blank=True)
    value = Text(required=False, default="", allow_blank=True)
    valid_at = Moment(required=False, default=None, allow_null=True)
    invalid_at = Moment(required=False, default=None, allow_null=True)
    observed_at = Moment(required=False, default=None, allow_null=True)
    turn = PublicId("turn", required=False, default=None, allow_null=True)
    quote = Text(required=False, default="", allow_blank=True)


class FactCorrect(Input):
    """What the fact says from now on, and why."""

    statement = Text()
    reason = Text()
    kind = Text(required=False, default=None, allow_null=True)
    attribute = Text(required=False, default=None, allow_null=True, allow_blank=True)
    value = Text(required=False, default=None, allow_null=True, allow_blank=True)


def shown(fact_id: uuid.UUID, *, subject_id: uuid.UUID | None = None) -> Fact:
    """The fact with all that its presentation needs, in a constant number of queries."""
    rows = Fact.objects.filter(id=facts.get(fact_id, subject_id=subject_id).id)
    row: Fact = rows.select_related("subject").defer(*HEAVY).prefetch_related(evidence_prefetch()).get()
    return row


def _answer(row: Fact, status: int = 200) -> Response:
    fresh = shown(row.id)
    return with_etag(Response(presenting.fact(fresh), status=status), fresh.etag)


class FactList(Resource):
    """All facts, and stating one."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY, "POST": Permission.WRITE_MEMORY}

    @extend_schema(
        operation_id="facts_list",
        tags=["facts"],
        parameters=[
            *parameters.PAGING,
            parameters.query("subject", "Only this subject's facts."),
            parameters.query(
                "status",
                "One or more of active, held, superseded, expired, archived, restricted; comma-separated.",
            ),
            parameters.query("kind", "One or more kinds; comma-separated."),
            parameters.query("q", "Words that must stand in the statement."),
            parameters.query("created_at[gte]", "Recorded at or after."),
            parameters.query("created_at[lt]", "Recorded before."),
        ],
        responses=shapes.answers(200, shapes.page_of(shapes.Fact), 410),
    )
    def get(self, request: Request) -> Response:
        """Facts, newest first."""
        filters.known(
            request, *filters.PAGING, "subject", "status", "kind", "q", "created_at[gte]", "created_at[lt]"
        )
        rows = catalogue.matching(_wanted(request))
        return paging.page(request, rows, Key("created_at"), presenting.fact)

    @extend_schema(
        operation_id="facts_create",
        tags=["facts"],
        parameters=[parameters.IDEMPOTENCY_KEY],
        request=FactCreate,
        responses=shapes.answers(201, shapes.Fact, 409, 410, 422, *shapes.BODY),
    )
    def post(self, request: Request) -> Response:
        """State a fact. One that says the same already is confirmed and returned."""
        data = checked(request, FactCreate)
        return once(request, lambda: _answer(_remember(request, data), 201), asks_model=True)


def _wanted(request: Request) -> catalogue.Wanted:
    params = request.query_params
    subject = subjects.by_external_id(params["subject"]) if "subject" in params else None
    return catalogue.Wanted(
        subject_id=subject.id if subject else None,
        statuses=filters.choices(request, "status", FactStatus.values),
        kinds=filters.choices(request, "kind", Kind.values),
        words=threads.checked_query(params.get("q", ""), field="q"),
        created_from=filters.moment(request, "created_at[gte]"),
        created_before=filters.moment(request, "created_at[lt]"),
    )


def _remember(request: Request, data: dict[str, Any]) -> Fact:
    """A program passes on what was said or imported; a person's own word is an operator's."""
    human = identity(request).actor.kind is not ActorKind.API_KEY
    origin = Origin.OPERATOR if human else (Origin.SAID if data["turn"] else Origin.IMPORTED)
    at = clock.now()
    new = facts.NewFact(
        statement=data["statement"], kind=data["kind"], attribute=data["attribute"], value=data["value"],
        valid_at=data["valid_at"], invalid_at=data["invalid_at"], observed_at=data["observed_at"],
        source_turn=data["turn"], quote=data["quote"],
    )  # fmt: skip
    facts.check(new, at=at)
    subject = about(request, _subject_of(data, at))
    return facts.remember(subject, new, origin=origin, human=human, at=at)


def _subject_of(data: dict[str, Any], at: datetime) -> Subject:
    """Created at first mention; but nobody new has said the turn that is given as evidence."""
    if data["turn"] is None:
        return subjects.ensure(data["subject"], at=at)
    try:
        return subjects.by_external_id(data["subject"])
    except NotFound as error:
        raise Invalid.field("turn", "no_such_turn", "turn names no turn of this subject.") from error


class FactDetail(Resource):
    """One fact."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY, "DELETE": Permission.PURGE_FACTS}

    @extend_schema(operation_id="facts_get", tags=["facts"], responses=shapes.answers(200, shapes.Fact))
    def get(self, request: Request, fact_id: str) -> Response:
        """The fact with its evidence; ``If-None-Match`` with its ETag answers 304."""
        row = shown(ids.parse("fact", fact_id))
        if is_known(request, row.etag):
            return with_etag(Response(status=304), row.etag)
        return with_etag(Response(presenting.fact(row)), row.etag)

    @extend_schema(
        operation_id="facts_purge",
        tags=["facts"],
        parameters=[
            parameters.IF_MATCH,
            parameters.query("reason", f"One of {', '.join(facts.PURGE_REASONS)}."),
        ],
        responses=shapes.answers(204, None, 410, 412, 428),
    )
    def delete(self, request: Request, fact_id: str) -> Response:
        """Purge: the fact, its versions and its quotes go, and it is not learned again. Irreversible."""
        row = facts.get(ids.parse("fact", fact_id))
        filters.known(request, "reason")
        reason = request.query_params.get("reason", "")
        facts.purge_fact(row, reason_code=reason, at=clock.now(), etag=if_match(request))
        return Response(status=204)


class FactHistory(Resource):
    """How a fact came to stand as it does."""

    permissions: ClassVar = {"GET": Permission.READ_MEMORY}

    @extend_schema(
        operation_id="facts_history",
        tags=["facts"],
        responses=shapes.answers(200, shapes.list_of(shapes.FactVersion)),
    )
    def get(self, request: Request, fact_id: str) -> Response:
        """Versions of the fact and of those it superseded, newest first."""
        row = facts.get(ids.parse("fact", fact_id))
        return Response({"data": [presenting.version(v) for v in catalogue.history(row)]})


class FactVerb(Resource):
    """Base of the auditor's verbs: each needs ``If-Match``."""

    permissions: ClassVar = {"POST": Permission.CURATE_FACTS}

    def act(self, row: Fact, request: Request) -> Fact:
        """What the verb does."""
        raise NotImplementedError

    def answer(self, request: Request, fact_id: str) -> Response:
        """Do it once, and show the fact as it is then."""
        row = facts.get(ids.parse("fact", fact_id))
        about(request, row.subject)
        return once(request, lambda: _answer(self.act(row, request)), asks_model=True)


def _documented(operation_id: str, body: type[Input] = NoFields) -> Callable[[_F], _F]:
    """The description that all verbs share."""
    return extend_schema(
        operation_id=operation_id,
        tags=["facts"],
        parameters=[parameters.IF_MATCH, parameters.IDEMPOTENCY_KEY],
        request=body,
        responses=shapes.answers(200, shapes.Fact, 409, 410, 412, 422, 428, *shapes.BODY),
    )


class FactCorrection(FactVerb):
    """Correcting a fact."""

    @_documented("facts_correct", FactCorrect)
    def post(self, request: Request, fact_id: str) -> Response:
        """Replace what the fact says; the old version stays in its history."""
        return self.answer(request, fact_id)

    def act(self, row: Fact, request: Request) -> Fact:
        data = checked(request, FactCorrect)
        correction = facts.Correction(
            data["statement"], data["reason"], data["kind"], data["attribute"], data["value"]
        )
        return facts.correct(row, correction, facts.OPERATOR, at=clock.now(), etag=if_match(request))


class FactVerification(FactVerb):
    """Re-verifying a fact."""

    @_documented("facts_verify")
    def post(self, request: Request, fact_id: str) -> Response:
        """Confirm that the fact holds today; a held one becomes active."""
        return self.answer(request, fact_id)

    def act(self, row: Fact, request: Request) -> Fact:
        checked(request, NoFields)
        return facts.reverify(row, facts.OPERATOR, at=clock.now(), etag=if_match(request))


class FactArchiving(FactVerb):
    """Taking a fact out of use."""

    @_documented("facts_archive")
    def post(self, request: Request, fact_id: str) -> Response:
        """Take the fact out of use; it can be restored."""
        return self.answer(request, fact_id)

    def act(self, row: Fact, request: Request) -> Fact:
        checked(request, NoFields)
        return facts.archive(row, at=clock.now(), etag=if_match(request))


class FactRestoring(FactVerb):
    """Putting a fact back in use."""

    @_documented("facts_restore")
    def post(self, request: Request, fact_id: str) -> Response:
        """Put an archived, restricted or superseded fact back in use."""
        return self.answer(request, fact_id)

    def act(self, row: Fact, request: Request) -> Fact:
        checked(request, NoFields)
        return facts.restore(row, at=clock.now(), etag=if_match(request))


class SupersessionUndoing(FactVerb):
    """Taking a supersession back."""

    @_documented("facts_undo_supersession")
    def post(self, request: Request, fact_id: str) -> Response:
        """The fact that this one ended is in use again, and this one is archived."""
        return self.answer(request, fact_id)

    def act(self, row: Fact, request: Request) -> Fact:
        checked(request, NoFields)
        return facts.undo_supersession(row, at=clock.now(), etag=if_match(request))


class FactRestricting(FactVerb):
    """Keeping a fact without using it."""

    @_documented("facts_restrict")
    def post(self, request: Request, fact_id: str) -> Response:
        """Keep the fact and use it no more, on any path, until it is restored (GDPR Art. 18)."""
        return self.answer(request, fact_id)

    def act(self, row: Fact, request: Request) -> Fact:
        checked(request, NoFields)
        return judging.restrict(row, at=clock.now(), etag=if_match(request))


class FactPinning(FactVerb):
    """Pinning a fact."""

    @_documented("facts_pin")
    def post(self, request: Request, fact_id: str) -> Response:
        """Rank the fact a little higher wherever it is relevant."""
        return self.answer(request, fact_id)

    def act(self, row: Fact, request: Request) -> Fact:
        checked(request, NoFields)
        return judging.pin(row, pinned=True, at=clock.now(), etag=if_match(request))


class FactUnpinning(FactVerb):
    """Taking a pin away."""

    @_documented("facts_unpin")
    def post(self, request: Request, fact_id: str) -> Response:
        """Rank the fact like any other again."""
        return self.answer(request, fact_id)

    def act(self, row: Fact, request: Request) -> Fact:
        checked(request, NoFields)
        return judging.pin(row, pinned=False, at=clock.now(), etag=if_match(request))


def active_or_held() -> Q:
    """What a person is shown as remembered about them."""
    return Q(status__in=[FactStatus.ACTIVE, FactStatus.HELD])
