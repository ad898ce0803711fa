"""Every write of the API with a body that is good: what the suites of bad input, repeats and audit start from."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.api.routes import Route, all_routes
from tests.api.world import World


@dataclass(frozen=True)
class Write:
    """A write that succeeds on a fresh ``World``. ``own`` is which of the address's ids; ``empty`` may be blank.

    ``opaque`` is compared with what is there and may be any string. ``optional``: no field is required. ``by`` is ``key`` or ``session`` (the owner) or ``officer``. ``audited``: leaves an entry in the trail.
    """

    method: str
    pattern: str
    body: dict[str, Any] = field(default_factory=dict)
    own: int = 0
    by: str = "key"
    query: str = ""
    empty: Sequence[str] = ()
    nullable: Sequence[str] = ()
    opaque: Sequence[str] = ()
    optional: bool = False
    audited: bool = True

    @property
    def name(self) -> str:
        """For the tests' ids."""
        return f"{self.method} {self.pattern.removeprefix('api/v1')}"

    def path(self, world: World) -> str:
        """Its address in a world."""
        route = _BY_PATTERN[self.pattern]
        return route.address(**{name: world.ids[name][self.own] for name in route.parameters}) + self.query


_BY_PATTERN: dict[str, Route] = {route.pattern: route for route in all_routes()}
_FACT = "api/v1/facts/<str:fact_id>"
_SUITE = "api/v1/recall-suites/<str:suite_id>"
_REQUEST = "api/v1/privacy-requests/<str:request_id>"
_THREAD = "api/v1/threads/<str:thread_id>"
#: Facts of a world: 0 and 1 active, 4 archived, 12 has ended another. Rebuilds: 0 has failed. Requests: 0 previewed, 3 the owner's own. Threads: 1 is Alice's.
WRITES = [
    Write(
        "POST", "api/v1/subjects", {"external_id": "frank", "display_name": "Frank"}, empty=["display_name"]
    ),
    Write(
        "POST",
        "api/v1/threads",
        {"subject": "alice", "external_id": "new", "title": "A title", "metadata": {"a": 1}},
        empty=["title"],
        nullable=["external_id"],
    ),
    Write("PATCH", _THREAD, {"title": "Another title"}),
    Write("DELETE", _THREAD, own=2),
    Write(
        "POST",
        f"{_THREAD}/turns",
        {"turns": [{"role": "user", "content": "Hello", "name": "A", "client_id": "n1", "metadata": {}}]},
        own=1,
        audited=False,
    ),
    Write(
        "POST",
        "api/v1/facts",
        {
            "subject": "alice",
            "statement": "Owns a red bicycle",
            "kind": "profile",
            "attribute": "vehicle",
            "value": "bicycle",
            "valid_at": "2026-01-01T00:00:00Z",
            "invalid_at": "2099-01-01T00:00:00+02:00",
            "observed_at": "2026-02-01T00:00:00Z",
            "turn": None,
            "quote": "",
        },
        empty=["attribute", "value", "quote"],
        nullable=["valid_at", "invalid_at", "observed_at", "turn"],
    ),
    Write("DELETE", _FACT, own=1, query="?reason=wrong"),
    Write(
        "POST",
        f"{_FACT}/correct",
        {
            "statement": "Likes rooibos",
            "reason": "asked",
            "kind": "preference",
            "attribute": "tea",
            "value": "rooibos",
        },
        empty=["attribute", "value"],
        nullable=["kind", "attribute", "value"],
    ),
    Write("POST", f"{_FACT}/verify"),
    Write("POST", f"{_FACT}/archive"),
    Write("POST", f"{_FACT}/restore", own=4),
    Write("POST", f"{_FACT}/undo-supersession", own=12),
    Write("POST", f"{_FACT}/pin", own=2),
    Write("POST", f"{_FACT}/unpin", own=2),
    Write("POST", f"{_FACT}/restrict", own=7),
    Write("POST", f"{_FACT}/not-relevant", {"query": "Which tea do I like?"}, own=6),
    Write("DELETE", f"{_FACT}/not-relevant", own=6),
    Write("POST", "api/v1/recall-suites", {"name": "Onboarding"}),
    Write(
        "POST",
        f"{_SUITE}/cases",
        {"subject": "alice", "query": "Which tea?", "expected": [], "as_of": "2026-06-01T00:00:00Z"},
        nullable=["as_of"],
    ),
    Write("POST", f"{_SUITE}/runs", {"k": 5}, optional=True),
    Write("DELETE", "api/v1/recall-cases/<str:case_id>"),
    Write("POST", "api/v1/embedder/change"),
    Write("POST", "api/v1/subjects/<str:subject_id>/rebuild", {"dry_run": False}, optional=True),
    Write("POST", "api/v1/rebuilds/<str:rebuild_id>/resume"),
    Write("PUT", "api/v1/subjects/<str:subject_id>/instructions", {"order": []}, own=1),
    Write(
        "PATCH",
        "api/v1/memory-policy",
        {
            "special_categories": "hold",
            "stale_after": {"plan": 30},
            "recall_weights": {"recency": 0.1},
            "turn_weights": {"speaker": 0.2},
        },
        by="session",
        nullable=["special_categories", "recall_weights", "turn_weights"],
        optional=True,
    ),
    Write(
        "POST",
        "api/v1/recall",
        {
            "subject": "alice",
            "query": "tea",
            "k": 3,
            "token_budget": 500,
            "turns": 3,
            "threshold": 0.2,
            "as_of": "2026-06-01T00:00:00Z",
            "true_at": "2026-06-01T00:00:00Z",
            "filters": {
                "kinds": ["preference"],
                "status": "fresh",
                "trust": ["claimed"],
                "source": ["said"],
                "thread": None,
                "said_from": "2020-01-01T00:00:00Z",
                "said_before": None,
            },
            "kinds": "preference,profile",
            "include_instructions": True,
            "explain": True,
        },
        empty=["query"],
        nullable=["kinds", "token_budget", "threshold", "as_of", "true_at", "filters"],
        audited=False,
    ),
    Write("POST", "api/v1/privacy-requests", {"subject": "erin", "kind": "erasure"}),
    Write("POST", f"{_REQUEST}/preview"),
    Write("POST", f"{_REQUEST}/approve", {"preview_digest": "…"}, by="session", opaque=["preview_digest"]),
    Write("POST", f"{_REQUEST}/refuse", {"reason": "legal_claims"}, by="session"),
    Write("POST", "api/v1/jobs/<str:job_id>/retry"),
    Write(
        "POST",
        "api/v1/api-keys",
        {"name": "A key", "scopes": ["memory:read"], "expires_at": "2099-01-01T00:00:00Z"},
        by="session",
        nullable=["expires_at"],
    ),
    Write("DELETE", "api/v1/api-keys/<str:key_id>", by="session"),
    Write("DELETE", "api/v1/me/facts/<str:fact_id>", by="session", own=2),
    Write("POST", "api/v1/me/privacy-requests", by="officer"),
]
WITH_BODY = [write for write in WRITES if write.method != "DELETE"]


def unlisted() -> list[str]:
    """Writes of the API that are not in the list."""
    listed = {(write.method, write.pattern) for write in WRITES}
    return [
        f"{method} {route.pattern}"
        for route in all_routes()
        if route.is_api
        for method in route.methods
        if method != "GET" and (method, route.pattern) not in listed
    ]
