"""Query filters: only what a list names, each value checked; an empty list of values is refused, never "all"."""

from collections.abc import Sequence
from datetime import datetime

from rest_framework.request import Request

from memoryhub.errors import Invalid

#: What a list takes that comes in pages.
PAGING = ("limit", "cursor", "order")


def known(request: Request, *names: str) -> None:
    """Refuse query parameters that the resource does not know, and one given twice. Raises ``Invalid``."""
    for name, values in request.query_params.lists():
        if name not in names:
            raise Invalid.field(name[:80], "unknown_parameter", f"{name[:80]} is no parameter here.")
        if len(values) > 1:
            raise Invalid.field(name, "unknown_value", f"{name} may be given once.")


def choices(request: Request, name: str, allowed: Sequence[str]) -> list[str] | None:
    """``name=a,b`` as a list; None when absent. Raises ``Invalid`` for an empty list or an unknown value."""
    if name not in request.query_params:
        return None
    wanted = [part for part in request.query_params[name].split(",") if part]
    if not wanted:
        raise Invalid.field(name, "blank", f"{name} must name at least one value, or be left out.")
    for value in wanted:
        if value not in allowed:
            raise Invalid.field(name, "unknown_value", f"{name} may hold {', '.join(allowed)}.")
    return wanted


def moment(request: Request, name: str) -> datetime | None:
    """A time filter such as ``created_at[gte]``; None when absent. Raises ``Invalid``."""
    raw = request.query_params.get(name)
    if raw is None:
        return None
    try:
        parsed = datetime.fromisoformat(raw)
    except ValueError as error:
        raise Invalid.field(name, "invalid_time", f"{name} is a time like 2026-03-01T00:00:00Z.") from error
    if parsed.tzinfo is None or not 1900 <= parsed.year <= 2200:
        raise Invalid.field(name, "invalid_time", f"{name} needs a zone and a year from 1900 to 2200.")
    return parsed
