"""Writing the ledger. A call whose row can not be written is logged and goes on: counting never costs an answer."""

import logging
from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings
from django.db import DatabaseError, transaction

from memoryhub.errors import MemoryHubError
from memoryhub.llm import prices
from memoryhub.llm.models import ModelCall
from memoryhub.llm.types import Purpose, Usage
from memoryhub.tenants import scope

_LOG = logging.getLogger(__name__)

OK = "ok"
STOPPED = "stopped"


@dataclass(frozen=True)
class Call:
    """One call that has ended, as the ledger keeps it."""

    purpose: Purpose
    backend: str
    model: str
    usage: Usage
    latency_ms: int
    outcome: str


def record(call: Call) -> None:
    """Write one row for the tenant in scope. Outside a scope (a start-up check) there is nobody to write it for."""
    current = scope.current_or_none()
    if current is None:
        _LOG.info("A %s call by %s ended %s outside a scope and is not in the ledger.", *_named(call))
        return
    try:
        _insert(call, current.request_id)
    except (DatabaseError, MemoryHubError):
        _LOG.warning(
            "A %s call by %s that ended %s could not be written to the ledger.", *_named(call), exc_info=True
        )


def _named(call: Call) -> tuple[str, str, str]:
    return call.purpose.value, call.model, call.outcome


def _insert(call: Call, request_id: str) -> None:
    usage = call.usage
    # Within a test's own transaction a failed insert must not take the test's rows with it.
    with transaction.atomic():
        ModelCall.objects.create(
            purpose=call.purpose,
            backend=call.backend,
            model=call.model[:200],
            input_tokens=usage.input,
            cached_tokens=usage.cached,
            output_tokens=usage.output,
            estimated=usage.estimated,
            price=_price(call),
            latency_ms=call.latency_ms,
            outcome=call.outcome,
            request_id=request_id[:64],
        )


def _price(call: Call) -> Decimal | None:
    chosen = settings.MEMORYHUB_LLM
    base_url = chosen.embed_base_url or chosen.base_url if call.purpose is Purpose.EMBED else chosen.base_url
    return prices.price_of(call.usage, backend=call.backend, model=call.model, base_url=base_url)
