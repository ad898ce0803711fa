"""Keyset paging: a page costs the same however far it is from the start, and rows written meanwhile shift nothing."""

import base64
import binascii
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Q, QuerySet

from memoryhub.errors import Invalid


@dataclass(frozen=True)
class Key:
    """What a list is ordered by: a column, unique together with ``id``. ``number`` when it counts, else a time."""

    column: str
    number: bool = False
    descending: bool = True

    def read(self, raw: Any) -> int | datetime:
        """A cursor's value. Raises ``ValueError`` or ``TypeError``."""
        if self.number:
            if not isinstance(raw, int) or isinstance(raw, bool) or abs(raw) > 2**62:
                raise ValueError(raw)
            return raw
        moment = datetime.fromisoformat(raw)
        if moment.tzinfo is None:
            raise ValueError(raw)
        return moment

    def write(self, value: Any) -> Any:
        """The value as a cursor holds it."""
        return value if self.number else value.isoformat()


@dataclass(frozen=True)
class Page:
    """Rows in the list's order. ``older`` and ``newer`` are cursors, empty at the ends."""

    rows: Sequence[Any]
    older: str
    newer: str


def encode(key: Key, row: Any) -> str:
    """The cursor that stands at ``row``."""
    parts = [key.write(getattr(row, key.column)), row.id.hex]
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def _decode(key: Key, cursor: str) -> tuple[int | datetime, uuid.UUID]:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        value, row_id = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        return key.read(value), uuid.UUID(hex=row_id)
    except (ValueError, TypeError, AttributeError, binascii.Error, RecursionError) as error:
        raise Invalid.field(
            "cursor", "invalid_cursor", "cursor is not one that this list gave out."
        ) from error


def _beyond(rows: "QuerySet[Any, Any]", key: Key, cursor: str, *, smaller: bool) -> "QuerySet[Any, Any]":
    value, row_id = _decode(key, cursor)
    step = "lt" if smaller else "gt"
    # The bound by itself says nothing new, but it is one that an index can begin at.
    return rows.filter(**{f"{key.column}__{step}e": value}).filter(
        Q(**{f"{key.column}__{step}": value}) | Q(**{key.column: value, f"id__{step}": row_id})
    )


def _plan_for_these_values() -> None:
    """A plan for any values reads a tenant's every row for a rare filter, and for a common one as well."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL plan_cache_mode = force_custom_plan")


def page(rows: "QuerySet[Any, Any]", key: Key, limit: int, *, after: str = "", before: str = "") -> Page:
    """The rows that follow cursor ``after``, or those that precede ``before``; the first page with neither.

    Raises ``Invalid`` (``invalid_cursor``) for a cursor that no list gave out.
    """
    backwards = bool(before)
    smaller = key.descending != backwards
    if after or before:
        rows = _beyond(rows, key, before or after, smaller=smaller)
    sign = "-" if smaller else ""
    with transaction.atomic(savepoint=False):
        _plan_for_these_values()
        found = list(rows.order_by(f"{sign}{key.column}", f"{sign}id")[: limit + 1])
    more, shown = len(found) > limit, found[:limit]
    if backwards:
        shown.reverse()
    if not shown:
        return Page([], "", "")
    has_older = bool(backwards or more)
    has_newer = more if backwards else bool(after)
    return Page(
        shown, encode(key, shown[-1]) if has_older else "", encode(key, shown[0]) if has_newer else ""
    )
