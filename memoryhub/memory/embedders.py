"""Which embedder answers for a tenant, and its relevance floor.

The embedder in force is a row, so that all processes switch at once when a change of embedder is complete. While no
row says otherwise, the configured embedder is in force.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.db.models import Count

from memoryhub.llm import available_embedders, get_embedder, get_next_embedder
from memoryhub.llm.types import Embedder
from memoryhub.memory.models import EmbedderState, EmbedderStatus, Fact
from memoryhub.memory.policies import Policy

logger = logging.getLogger(__name__)


def chosen(policy: Policy) -> Embedder:
    """The embedder in force: the row's when it is configured here, else the configured one.

    With the second, vectors of the row's embedder are not compared with; recall goes on by words for them.
    """
    configured = get_embedder()
    if not policy.embedder or policy.embedder == configured.name:
        return configured
    return available_embedders().get(policy.embedder, configured)


def only() -> Embedder | None:
    """The configured embedder when no other is: no row can then put another one in force."""
    return get_embedder() if get_next_embedder() is None else None


def floor(policy: Policy, name: str, own: float) -> float:
    """The cosine below which a fact does not answer: the one calibrated for this embedder, else its ``own``."""
    return policy.floor if policy.floor is not None and policy.embedder == name else own


@dataclass(frozen=True)
class Mismatch:
    """Facts whose vectors the configured embedders can not ask for, with the two sizes."""

    stored: str
    stored_dimension: int
    configured: str
    configured_dimension: int
    facts: int

    @property
    def sentence(self) -> str:
        """What is wrong and what to do."""
        return (
            f"{self.facts} facts hold vectors of {self.stored_dimension} numbers by {self.stored}, but the configured "
            f"embedder {self.configured} makes {self.configured_dimension}. Recall of those goes by words until they "
            "are embedded anew: set MEMORYHUB_LLM_NEXT_EMBED_MODEL to the new model, put the old one back as "
            "MEMORYHUB_LLM_EMBED_MODEL, and run `manage.py change_embedder`."
        )


def mismatches() -> Sequence[Mismatch]:
    """What the scope's facts hold that no configured embedder makes."""
    configured, known = get_embedder(), available_embedders()
    rows = (
        Fact.objects.filter(embedding__isnull=False)
        .exclude(embedder__in=list(known))
        .values("embedder")
        .annotate(n=Count("id"))
    )
    found = partial(Mismatch, configured=configured.name, configured_dimension=configured.dimension)
    return [
        found(stored=row["embedder"], stored_dimension=_size_of(row["embedder"]), facts=row["n"])
        for row in rows
    ]


def _size_of(name: str) -> int:
    vector = (
        Fact.objects.filter(embedder=name, embedding__isnull=False)
        .values_list("embedding", flat=True)
        .first()
    )
    return len(vector) if vector is not None else 0


def in_force() -> EmbedderState | None:
    """The row in force, if any."""
    found: EmbedderState | None = EmbedderState.objects.filter(status=EmbedderStatus.IN_FORCE).first()
    return found
