"""The shapes of answers, for the OpenAPI document only; ``presenting`` makes the answers themselves.

A test holds every answer of the suite against the served document, so the two can not drift apart.
"""

from functools import cache
from typing import Any

from rest_framework import serializers as s


class Shape(s.Serializer[Any]):
    """Base of the shapes."""


class FieldProblem(Shape):
    """One wrong field."""

    pointer = s.CharField()
    code = s.CharField()
    detail = s.CharField()


class Problem(Shape):
    """RFC 9457 with our code and request id."""

    type = s.CharField()
    title = s.CharField()
    status = s.IntegerField()
    detail = s.CharField()
    code = s.CharField()
    request_id = s.CharField()
    instance = s.CharField(required=False)
    errors = FieldProblem(many=True, required=False)  # type: ignore[assignment]


class Subject(Shape):
    """The person remembered."""

    id = s.CharField()
    external_id = s.CharField()
    display_name = s.CharField()
    created_at = s.DateTimeField()
    erased_at = s.DateTimeField(allow_null=True)


class Thread(Shape):
    """A conversation."""

    id = s.CharField()
    external_id = s.CharField(allow_null=True)
    subject = s.CharField()
    title = s.CharField()
    metadata = s.DictField()
    turns = s.IntegerField()
    learned_seq = s.IntegerField()
    summarised_seq = s.IntegerField()
    created_at = s.DateTimeField()
    last_turn_at = s.DateTimeField()


class Turn(Shape):
    """One message."""

    id = s.CharField()
    thread = s.CharField()
    seq = s.IntegerField()
    role = s.CharField()
    name = s.CharField()
    content = s.CharField()
    status = s.CharField()
    client_id = s.CharField(allow_null=True)
    metadata = s.DictField()
    created_at = s.DateTimeField()
    received_at = s.DateTimeField()


class Evidence(Shape):
    """The quote a fact rests on."""

    turn = s.CharField(allow_null=True)
    thread = s.CharField(required=False)
    seq = s.IntegerField(required=False)
    quote = s.CharField(allow_null=True)
    start = s.IntegerField(required=False)
    end = s.IntegerField(required=False)
    said_at = s.DateTimeField(required=False)
    source_erased_at = s.DateTimeField(allow_null=True)


class Fact(Shape):
    """One statement about a subject, with its evidence and times."""

    id = s.CharField()
    subject = s.CharField()
    statement = s.CharField()
    kind = s.CharField()
    attribute = s.CharField(allow_null=True)
    value = s.CharField(allow_null=True)
    status = s.CharField()
    held_because = s.CharField(allow_null=True)
    origin = s.CharField()
    verification = s.CharField()
    version = s.IntegerField()
    pinned = s.BooleanField()
    valid_at = s.DateTimeField(allow_null=True)
    invalid_at = s.DateTimeField(allow_null=True)
    observed_at = s.DateTimeField()
    verified_at = s.DateTimeField(allow_null=True)
    created_at = s.DateTimeField()
    expired_at = s.DateTimeField(allow_null=True)
    supersedes = s.CharField(allow_null=True)
    evidence = Evidence(many=True)
    etag = s.CharField()


class FactVersion(Shape):
    """A fact as it stood for a while."""

    fact = s.CharField()
    number = s.IntegerField()
    statement = s.CharField()
    kind = s.CharField()
    attribute = s.CharField(allow_null=True)
    value = s.CharField(allow_null=True)
    origin = s.CharField()
    valid_at = s.DateTimeField(allow_null=True)
    invalid_at = s.DateTimeField(allow_null=True)
    created_at = s.DateTimeField()
    expired_at = s.DateTimeField(allow_null=True)
    reason = s.CharField(allow_null=True)
    actor = s.CharField()


class ScoreParts(Shape):
    """What a score is made of."""

    cosine = s.FloatField(allow_null=True)
    keyword = s.FloatField()
    recency = s.FloatField()
    trust = s.FloatField()
    exact = s.FloatField()
    pinned = s.BooleanField()
    feedback = s.FloatField()
    stale = s.BooleanField()


class Ranks(Shape):
    """The place by each signal, from 1, among all that was considered."""

    meaning = s.IntegerField(allow_null=True)
    keywords = s.IntegerField(allow_null=True)
    recency = s.IntegerField(allow_null=True)


class RecalledFact(Shape):
    """A fact and why it came back."""

    fact = Fact()
    score = s.FloatField()
    score_parts = ScoreParts()
    ranks = Ranks(allow_null=True)
    reason = s.CharField()


class LeftOut(Shape):
    """Something that is not in the answer, and why."""

    count = s.IntegerField()
    reason = s.CharField()
    what = s.CharField(required=False)


class Message(Shape):
    """A message for a model."""

    role = s.CharField()
    content = s.CharField()


class ContextSection(Shape):
    """A part of a prompt and its size in tokens."""

    name = s.CharField()
    tokens = s.IntegerField()


class Instruction(Shape):
    """A standing instruction."""

    id = s.CharField()
    statement = s.CharField()


class Context(Shape):
    """A prompt, ready to send."""

    messages = Message(many=True)
    block = s.CharField()
    tokens = s.IntegerField()
    sections = ContextSection(many=True)
    facts = RecalledFact(many=True)
    instructions = Instruction(many=True)
    left_out = LeftOut(many=True)
    stable_fingerprint = s.CharField()
    degraded = s.BooleanField()


class Summary(Shape):
    """A running summary."""

    id = s.CharField()
    version = s.IntegerField()
    content = s.CharField()
    through_seq = s.IntegerField()
    turns = s.ListField(child=s.CharField())
    created_at = s.DateTimeField()


class PrivacyRequest(Shape):
    """A person's demand."""

    id = s.CharField()
    reference = s.CharField()
    kind = s.CharField()
    status = s.CharField()
    subject = s.CharField(allow_null=True)
    identity = s.CharField()
    requested_by = s.CharField()
    approved_by = s.CharField(allow_null=True)
    received_at = s.DateTimeField()
    due_at = s.DateTimeField()
    previewed_at = s.DateTimeField(allow_null=True)
    preview = s.DictField(child=s.IntegerField())
    preview_digest = s.CharField(allow_null=True)
    approved_at = s.DateTimeField(allow_null=True)
    finished_at = s.DateTimeField(allow_null=True)
    refusal = s.CharField(allow_null=True)
    left_over = s.DictField(child=s.IntegerField())


class Receipt(Shape):
    """The signed proof of an erasure."""

    id = s.CharField()
    body = s.DictField()
    signature = s.CharField()
    algorithm = s.CharField()
    key_id = s.CharField()
    public_key = s.CharField()


class AuditEvent(Shape):
    """One act."""

    id = s.CharField()
    seq = s.IntegerField()
    at = s.DateTimeField()
    actor = s.CharField()
    via = s.CharField()
    request_id = s.CharField()
    action = s.CharField()
    object_kind = s.CharField()
    object = s.CharField(allow_null=True)
    subject_ref = s.CharField(allow_null=True)
    detail = s.DictField()


class AuditVerification(Shape):
    """The state of the chain."""

    intact = s.BooleanField()
    entries = s.IntegerField()
    head_seq = s.IntegerField()
    head_hash = s.CharField()
    broken_at = s.IntegerField(allow_null=True)


class Job(Shape):
    """Work beside the conversation."""

    id = s.CharField()
    kind = s.CharField()
    thread = s.CharField()
    status = s.CharField()
    attempts = s.IntegerField()
    error_code = s.CharField(allow_null=True)
    error = s.CharField(allow_null=True)
    counts = s.DictField(child=s.IntegerField())
    available_at = s.DateTimeField()
    started_at = s.DateTimeField(allow_null=True)
    finished_at = s.DateTimeField(allow_null=True)
    created_at = s.DateTimeField()


class Progress(Shape):
    """How far slow work is, in turns."""

    done = s.IntegerField()
    total = s.IntegerField()


class Difference(Shape):
    """What a rebuild changes."""

    change = s.CharField()
    statement = s.CharField()
    fact = s.CharField(allow_null=True)


class Rebuild(Shape):
    """Facts derived anew."""

    id = s.CharField()
    subject = s.CharField()
    dry_run = s.BooleanField()
    status = s.CharField()
    progress = Progress()
    counts = s.DictField(child=s.IntegerField())
    differences = Difference(many=True)
    extractor = s.CharField(allow_null=True)
    error_code = s.CharField(allow_null=True)
    created_at = s.DateTimeField()
    finished_at = s.DateTimeField(allow_null=True)


class MemoryPolicy(Shape):
    """What a tenant lets be remembered."""

    special_categories = s.CharField()
    stale_after = s.DictField(child=s.IntegerField(allow_null=True))
    recall_weights = s.DictField(child=s.FloatField())
    turn_weights = s.DictField(child=s.FloatField())


class ApiKey(Shape):
    """A key without its secret."""

    id = s.CharField()
    name = s.CharField()
    prefix = s.CharField()
    scopes = s.ListField(child=s.CharField())
    status = s.CharField()
    created_at = s.DateTimeField()
    expires_at = s.DateTimeField(allow_null=True)
    revoked_at = s.DateTimeField(allow_null=True)
    last_used_at = s.DateTimeField(allow_null=True)


class IssuedApiKey(ApiKey):
    """A fresh key; ``secret`` is shown this once."""

    secret = s.CharField()


@cache
def page_of(kind: type[Shape]) -> type[Shape]:
    """A page of ``kind``."""
    name = kind.__name__
    fields = {
        "data": kind(many=True),
        "next_cursor": s.CharField(allow_null=True),
        "has_more": s.BooleanField(),
    }
    return type(f"{name}Page", (Shape,), {**fields, "__doc__": f"A page of {name}."})


@cache
def list_of(kind: type[Shape]) -> type[Shape]:
    """All of ``kind`` in one answer."""
    return type(
        f"{kind.__name__}List", (Shape,), {"data": kind(many=True), "__doc__": f"A list of {kind.__name__}."}
    )


#: Problems that any operation may have, and those of any that takes a body.
ALWAYS = (400, 401, 403, 404, 406, 500, 503)
BODY = (413, 415)


def answers(status: int, shape: type[Shape] | None, *more: int) -> dict[Any, Any]:
    """The answers of an operation: the good one and the problems."""
    problems = {(code, "application/problem+json"): Problem for code in (*ALWAYS, *more)}
    return {status: shape, **problems}
