"""Pages of a list: ``?limit=&cursor=&order=`` to ``{"data": […], "next_cursor": …, "has_more": …}``."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from memoryhub import keyset
from memoryhub.errors import Invalid
from memoryhub.keyset import Key

_DEFAULT, _MOST = 50, 200


def page_size(request: Request) -> int:
    """``limit``, 50 when absent. Raises ``Invalid`` for what is no number from 1 to 200."""
    raw = request.query_params.get("limit", str(_DEFAULT))
    if not (raw.isascii() and raw.isdecimal() and len(raw) <= 4 and 1 <= int(raw) <= _MOST):
        raise Invalid.field("limit", "invalid_limit", f"limit is a number from 1 to {_MOST}.")
    return int(raw)


def _cursor(request: Request) -> str:
    """ "" for the first page. An empty cursor is none that a list gave out: page one for ever would go unnoticed."""
    cursor: str | None = request.query_params.get("cursor")
    if cursor == "":
        raise Invalid.field("cursor", "invalid_cursor", "cursor is not one that this list gave out.")
    return cursor or ""


def _ordered(request: Request, key: Key) -> Key:
    order = request.query_params.get("order", ("-" if key.descending else "") + key.column)
    if order.removeprefix("-") != key.column:
        raise Invalid.field("order", "invalid_order", f"order is {key.column} or -{key.column}.")
    return replace(key, descending=order.startswith("-"))


def page(
    request: Request, rows: "QuerySet[Any, Any]", key: Key, present: Callable[[Any], dict[str, Any]]
) -> Response:
    """One page of ``rows``, each shown by ``present``. Raises ``Invalid`` for bad paging parameters."""
    found = keyset.page(rows, _ordered(request, key), page_size(request), after=_cursor(request))
    return Response(
        {
            "data": [present(row) for row in found.rows],
            "next_cursor": found.older or None,
            "has_more": bool(found.older),
        }
    )
