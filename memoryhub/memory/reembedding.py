"""Changing the embedder: new vectors beside the old ones, switched at once, the old ones dropped.

Recall asks the embedder in force throughout. Progress is a row, the work goes in batches, and an interrupted run
goes on where it was. The embedder that follows is configured beside the present one (``MEMORYHUB_LLM_NEXT_EMBED_…``).
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import connection, transaction
from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Length, Substr
from pgvector import HalfVector

from memoryhub.audit import trail
from memoryhub.errors import Conflict, Invalid
from memoryhub.llm import get_embedder, get_next_embedder, prices, tokens
from memoryhub.llm.errors import ModelError
from memoryhub.llm.types import Embedder, Usage
from memoryhub.memory import embedders
from memoryhub.memory.models import EmbedderState, EmbedderStatus, Fact, Passage, RecallFeedback
from memoryhub.tenants import scope

logger = logging.getLogger(__name__)

_BATCH = 64
_SETTLED_AT_ONCE = 2000
_SAMPLE = 200
#: Where there is no fact to sample: four characters a token, the rule of thumb for English.
_TOKENS_A_CHARACTER = 0.25
_MODELS: Sequence[Any] = (Fact, Passage)


@dataclass(frozen=True)
class Estimate:
    """What a change will take. ``price`` is in US dollars, None when the price list does not know the model."""

    embedder: str
    dimension: int
    facts: int
    passages: int
    tokens: int
    price: Decimal | None


def estimate(base_url: str = "") -> Estimate:
    """The work ahead: everything's characters at the tokens of a sample. Raises ``Invalid`` without a next embedder."""
    following = _following()
    facts = Fact.objects.aggregate(n=Count("id"), characters=Sum(Length("statement")))
    cut = Passage.objects.aggregate(n=Count("id"), characters=Sum(F("end") - F("start")))
    sample = list(Fact.objects.order_by("-created_at").values_list("statement", flat=True)[:_SAMPLE])
    characters = sum(map(len, sample))
    per_character = sum(map(tokens.count, sample)) / characters if characters else _TOKENS_A_CHARACTER
    total = round(((facts["characters"] or 0) + (cut["characters"] or 0)) * per_character)
    model = following.name.rsplit("/", 1)[0]
    price = prices.price_of(Usage(input=total), backend=following.backend, model=model, base_url=base_url)
    return Estimate(following.name, following.dimension, facts["n"], cut["n"], total, price)


def _following() -> Embedder:
    following = get_next_embedder()
    if following is None:
        raise Invalid(
            "No next embedder is configured; set MEMORYHUB_LLM_NEXT_EMBED_MODEL and start again.",
            code="no_next_embedder",
        )
    if following.name == _present().name:
        raise Conflict(f"{following.name} is in force already.", code="embedder_in_force")
    return following


def _present() -> EmbedderState:
    """The row in force; written down as configured when there is none yet."""
    found = embedders.in_force()
    if found is not None:
        return found
    configured = get_embedder()
    return EmbedderState(name=configured.name, dimension=configured.dimension, status=EmbedderStatus.IN_FORCE)


def begin(*, at: datetime) -> EmbedderState:
    """Note that the tenant goes over to the next embedder; a change under way is gone on with.

    Raises ``Invalid`` without a next embedder, ``Conflict`` when it is in force, or another one is being filled.
    """
    following = _following()
    with transaction.atomic():
        present = _present()
        if present._state.adding:
            present.save(force_insert=True)
        filling = EmbedderState.objects.select_for_update().filter(status=EmbedderStatus.FILLING).first()
        if filling is not None and filling.name != following.name:
            raise Conflict(f"A change to {filling.name} is under way.", code="embedder_change_running")
        row: EmbedderState = EmbedderState.objects.select_for_update().filter(
            name=following.name
        ).first() or EmbedderState(name=following.name, dimension=following.dimension, created_at=at)
        row.status, row.error_code, row.updated_at = EmbedderStatus.FILLING, "", at
        row.total = sum(model.objects.count() for model in _MODELS)
        row.done = sum(_filled(model, following.name).count() for model in _MODELS)
        row.save()
        trail.record(
            trail.Action.EMBEDDER_CHANGE, "embedder", row.id, at=at, status=row.status, count=row.total
        )
    return row


def under_way() -> bool:
    """Whether vectors are still to be made, or old ones to be dropped."""
    if EmbedderState.objects.filter(status=EmbedderStatus.FILLING).exists():
        return True
    present = embedders.in_force()
    # The exclusion says nothing new, but it is what the index of such rows holds: the sweep asks every few seconds.
    return present is not None and any(
        model.objects.filter(next_embedder=present.name).exclude(next_embedder="").exists()
        for model in _MODELS
    )


def _filled(model: Any, name: str) -> Any:
    return model.objects.filter(Q(embedder=name) | Q(next_embedder=name))


def run(*, at: datetime, go_on: Callable[[], bool] = lambda: True) -> EmbedderState | None:
    """Fill until nothing is left, then switch and drop the old vectors; None when no change is under way.

    ``go_on`` is asked between batches; the next run goes on from there. A failing embedder is noted with its code,
    and the change stays under way: nothing of recall depends on it yet.
    """
    row: EmbedderState | None = EmbedderState.objects.filter(status=EmbedderStatus.FILLING).first()
    following = get_next_embedder()
    if row is None or following is None or following.name != row.name:
        settle()
        return row
    try:
        while _fill(following, row, at):
            if not go_on():
                return row
    except ModelError as error:
        EmbedderState.objects.filter(id=row.id).update(error_code=error.code, updated_at=at)
        raise
    _switch(row, at)
    settle()
    return row


def _fill(following: Embedder, row: EmbedderState, at: datetime) -> int:
    """One batch of vectors beside the old ones; how many were made."""
    batch = _next_facts(following.name) or _next_passages(following.name)
    if not batch:
        return 0
    vectors = following.embed_passages([text for _, text in batch])
    with transaction.atomic():
        for (rows, _), vector in zip(batch, vectors, strict=True):
            rows.update(next_embedding=HalfVector(vector), next_embedder=following.name)
        row.done += len(batch)
        EmbedderState.objects.filter(id=row.id).update(done=row.done, error_code="", updated_at=at)
    return len(batch)


def _next_facts(name: str) -> list[tuple[Any, str]]:
    """Facts to embed, each as the row it is in while it says this; one corrected meanwhile is found again."""
    without = Fact.objects.exclude(embedder=name).exclude(next_embedder=name).order_by("id")
    found = without.values_list("id", "key", "statement")[:_BATCH]
    return [(Fact.objects.filter(id=fact_id, key=key), statement) for fact_id, key, statement in found]


def _next_passages(name: str) -> list[tuple[Any, str]]:
    """Passages to embed with their text; one whose turn changes meanwhile is gone, and its id with it."""
    without = Passage.objects.exclude(embedder=name).exclude(next_embedder=name).order_by("id")
    text = Substr("turn__content", F("start") + 1, F("end") - F("start"))
    found = without.annotate(text=text).values_list("id", "text")[:_BATCH]
    return [(Passage.objects.filter(id=passage_id), words) for passage_id, words in found]


def _switch(row: EmbedderState, at: datetime) -> None:
    """From this commit on every process asks the new embedder."""
    with transaction.atomic():
        EmbedderState.objects.filter(status=EmbedderStatus.IN_FORCE).update(
            status=EmbedderStatus.RETIRED, updated_at=at
        )
        row.status, row.updated_at = EmbedderStatus.IN_FORCE, at
        row.save(update_fields=["status", "updated_at"])
        trail.record(
            trail.Action.EMBEDDER_CHANGE, "embedder", row.id, at=at, status=row.status, count=row.done
        )


_SETTLE = """
UPDATE {table} SET embedding = next_embedding, embedder = next_embedder, next_embedding = NULL, next_embedder = ''
WHERE tenant_id = %(tenant)s AND id IN (
    SELECT id FROM {table} WHERE tenant_id = %(tenant)s AND next_embedder = %(name)s AND NOT next_embedder = '' LIMIT %(batch)s FOR UPDATE SKIP LOCKED
)
"""


def settle() -> int:
    """Put the vectors of the embedder in force in the place of the old ones. Returns how many were settled."""
    present = embedders.in_force()
    if present is None:
        return 0
    done = sum(_settle(model._meta.db_table, present.name) for model in _MODELS)
    if done:
        # A question's words are not kept, so what was said about it can not be embedded anew.
        RecallFeedback.objects.exclude(embedder=present.name).delete()
    return done


def _settle(table: str, name: str) -> int:
    done, moved = 0, 1
    while moved:
        with transaction.atomic(), connection.cursor() as cursor:
            values: dict[str, Any] = {
                "tenant": scope.current().tenant_id,
                "name": name,
                "batch": _SETTLED_AT_ONCE,
            }
            cursor.execute(_SETTLE.format(table=table), values)
            moved = cursor.rowcount
        done += moved
    return done
