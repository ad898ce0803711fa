"""Every address of the product, read from the URL configuration, so that a new one is tested without being listed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from memoryhub.api.resource import Resource
from memoryhub.tenants.permissions import Permission

_METHODS = ("get", "post", "put", "patch", "delete")
#: What an id in an address is the id of.
PREFIXES = {
    "subject_id": "subj",
    "thread_id": "thr",
    "turn_id": "turn",
    "fact_id": "fact",
    "request_id": "preq",
    "job_id": "job",
    "rebuild_id": "rbd",
    "suite_id": "suite",
    "case_id": "case",
    "run_id": "run",
    "key_id": "key",
    "membership_id": "mbr",
}


@dataclass(frozen=True)
class Route:
    """An address. ``parameters`` are the names in it; ``methods`` what it answers, each with its permission."""

    pattern: str
    parameters: Sequence[str]
    methods: Mapping[str, Permission | None]
    view: Any

    @property
    def is_api(self) -> bool:
        """Whether programs call it."""
        return self.pattern.startswith("api/")

    def address(self, **values: str) -> str:
        """The address with the ids put in."""
        path = self.pattern
        for name, value in values.items():
            path = path.replace(f"<str:{name}>", value)
        return f"/{path}"


def _walk(patterns: Sequence[Any], prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, prefix + str(pattern.pattern))
        else:
            yield prefix + str(pattern.pattern), pattern


def _methods(view: Any) -> dict[str, Permission | None]:
    kind = getattr(view, "view_class", None)
    if kind is not None and issubclass(kind, Resource):
        named = [method.upper() for method in _METHODS if hasattr(kind, method)]
        return {method: kind.permissions.get(method) for method in named}
    permission = getattr(view, "permission", None)
    return dict.fromkeys(getattr(view, "methods", ("GET",)), permission)


def all_routes() -> list[Route]:
    """Every address, in the order of the URL configuration."""
    return [
        Route(pattern, list(entry.pattern.converters), _methods(entry.callback), entry.callback)
        for pattern, entry in _walk(get_resolver().url_patterns)
    ]


def routes_with_ids() -> list[Route]:
    """Every address with an id of ours in it; the sign-in's own are others'."""
    return [route for route in all_routes() if route.parameters and not route.pattern.startswith("accounts/")]
