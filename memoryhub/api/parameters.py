"""Headers and query parameters, for the OpenAPI document."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter


def header(name: str, meaning: str, *, required: bool = False) -> OpenApiParameter:
    """A request header."""
    return OpenApiParameter(name, str, OpenApiParameter.HEADER, required=required, description=meaning)


IF_MATCH = header("If-Match", "The ETag of the version you decided on, or * for any.", required=True)
IDEMPOTENCY_KEY = header(
    "Idempotency-Key", "At most 255 characters; a repeat with it answers as the first did."
)


def query(name: str, meaning: str, kind: Any = str) -> OpenApiParameter:
    """A query parameter."""
    return OpenApiParameter(name, kind, OpenApiParameter.QUERY, description=meaning)


LIMIT = query(
    "limit", "Rows a page; 50 when absent.", {"type": "integer", "minimum": 1, "maximum": 200, "default": 50}
)
CURSOR = query("cursor", "The next_cursor of the page before.")
PAGING = [
    LIMIT,
    CURSOR,
    query("order", "The list's column; with a minus sign, descending."),
]
