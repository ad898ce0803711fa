"""Statements to vectors, and facts that were written while the embedder was away."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q

from memoryhub.llm.errors import ModelError
from memoryhub.memory import embedders, policies
from memoryhub.memory.models import Fact

logger = logging.getLogger(__name__)
_BATCH = 64


@dataclass(frozen=True)
class Embedded:
    """Vectors aligned with the texts that were asked for; all None when the embedder did not answer."""

    vectors: Sequence[Sequence[float] | None]
    embedder: str


def embed(texts: Sequence[str]) -> Embedded:
    """The vectors of ``texts``. A failing embedder costs nothing but recall by meaning, until ``fill_missing``."""
    if not texts:
        return Embedded([], "")
    embedder = embedders.chosen(policies.current())
    try:
        return Embedded(embedder.embed_passages(list(texts)), embedder.name)
    except ModelError as error:
        logger.warning("embedding postponed code=%s count=%d", error.code, len(texts))
        return Embedded([None] * len(texts), "")


def fill_missing() -> int:
    """Embed facts that have no vector of the present embedder, at most one batch. Returns how many were done.

    Where the configured model was changed without ``change_embedder``, this makes all vectors anew, batch by batch;
    meanwhile recall goes on by words for those that wait, since vectors of two embedders are never compared.

    A fact corrected meanwhile keeps what the correction gave it: the write names the statement that was embedded.
    """
    name = embedders.chosen(policies.current()).name
    without = Fact.objects.filter(Q(embedding__isnull=True) | ~Q(embedder=name)).exclude(next_embedder=name)
    waiting = list(without.order_by("created_at")[:_BATCH])
    embedded = embed([fact.statement for fact in waiting])
    done = 0
    for fact, vector in zip(waiting, embedded.vectors, strict=True):
        if vector is None:
            return 0
        with transaction.atomic():
            done += Fact.objects.filter(id=fact.id, key=fact.key).update(
                embedding=list(vector), embedder=embedded.embedder
            )
    return done
