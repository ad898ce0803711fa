"""Server-sent events (WHATWG HTML §9.2)."""

import json
from typing import Any


def event(name: str, data: Any, *, event_id: int | None = None) -> str:
    """One event; ``data`` as one line of JSON."""
    head = f"id: {event_id}\n" if event_id is not None else ""
    return f"{head}event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


#: A comment, so that proxies do not close a quiet connection.
KEEP_ALIVE = ": \n\n"
