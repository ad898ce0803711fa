"""The relevance floor of an embedder, from questions whose answer is known.

Each question has its own fact, and every other fact of the set is foreign to it. The floor is the highest cosine
that keeps the wanted share of questions with their own fact; what it refuses of the foreign pairs is reported, so
that an embedder which can not tell them apart shows it.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

import numpy as np
from django.db import transaction

from memoryhub.audit import trail
from memoryhub.errors import Invalid
from memoryhub.llm.types import Embedder
from memoryhub.memory.models import EmbedderState, EmbedderStatus

#: The set that ships: forty questions in the first person and the facts that answer them.
SHIPPED = Path(__file__).parent / "data" / "floor.jsonl"
KEEP = 0.95
_FEWEST = 20
_MOST = 2000


@dataclass(frozen=True)
class Pair:
    """A question and the fact that answers it."""

    question: str
    fact: str


@dataclass(frozen=True)
class Calibration:
    """``floor`` is a cosine; ``kept`` the share of questions that keep their fact, ``refused`` of foreign pairs."""

    embedder: str
    dimension: int
    pairs: int
    floor: float
    kept: float
    refused: float


def read(path: Path) -> list[Pair]:
    """The pairs of a file with one JSON object a line: ``{"question": …, "fact": …}``. Raises ``Invalid``."""
    pairs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            pairs.append(Pair(str(row["question"]), str(row["fact"])))
        except (ValueError, KeyError, TypeError):
            raise Invalid.field(
                "set", "bad_line", f'Line {number} is no object with "question" and "fact".'
            ) from None
    if not _FEWEST <= len(pairs) <= _MOST:
        raise Invalid.field(
            "set", "wrong_size", f"A set has {_FEWEST} to {_MOST} pairs; this one {len(pairs)}."
        )
    return pairs


def measure(embedder: Embedder, pairs: Sequence[Pair], *, keep: float = KEEP) -> Calibration:
    """Embed the set and find the floor. Raises the llm room's errors, and ``Invalid`` for a share outside (0, 1]."""
    if not 0 < keep <= 1:
        raise Invalid.field("keep", "out_of_range", "keep is a share above 0 and up to 1.")
    facts = np.array(embedder.embed_passages([pair.fact for pair in pairs]))
    questions = np.array([embedder.embed_query(pair.question) for pair in pairs])
    cosines = questions @ facts.T
    own = np.sort(np.diag(cosines))[::-1]
    foreign = cosines[~np.eye(len(pairs), dtype=bool)]
    # Cut off, never up: a floor rounded up would lose the very question it was set by.
    floor = float(np.floor(own[int(np.ceil(keep * len(own))) - 1] * 1000) / 1000)
    return Calibration(
        embedder.name,
        embedder.dimension,
        len(pairs),
        floor,
        kept=float((own >= floor).mean()),
        refused=float((foreign < floor).mean()),
    )


def keep(found: Calibration, *, at: datetime) -> EmbedderState:
    """Store the floor with the embedder; recall takes it from the next question on, if that embedder is in force."""
    with transaction.atomic():
        in_force = EmbedderState.objects.filter(status=EmbedderStatus.IN_FORCE).exists()
        row: EmbedderState = EmbedderState.objects.filter(name=found.embedder).first() or EmbedderState(
            name=found.embedder,
            dimension=found.dimension,
            status=EmbedderStatus.RETIRED if in_force else EmbedderStatus.IN_FORCE,
            created_at=at,
        )
        row.floor, row.calibration, row.calibrated_at, row.updated_at = found.floor, asdict(found), at, at
        row.save()
        trail.record(trail.Action.EMBEDDER_CALIBRATE, "embedder", row.id, at=at, count=found.pairs)
    return row
