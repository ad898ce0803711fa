"""The workshop of the learn job: read what is new in a thread, extract, embed, reconcile, write."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from memoryhub.memory import applying, embedding, extraction, subjects
from memoryhub.memory.extraction import SourceTurn
from memoryhub.memory.kinds import FactStatus, Origin, TurnRole
from memoryhub.memory.models import Fact, Subject, Thread, Turn

#: Turns read in one go: enough for a whole exchange, small enough for a prompt.
_BATCH = 20
_BATCH_CHARACTERS = 40_000


@dataclass(frozen=True)
class Learned:
    """What one round did. ``more`` tells whether turns are left to read."""

    counts: dict[str, int]
    more: bool


def learn_from(thread: Thread, *, at: datetime) -> Learned:
    """Read the next turns after the watermark and write what they teach.

    The watermark moves to the highest seq read, in the transaction that writes the facts, so that a crash
    repeats the round and loses nothing. Raises the llm room's errors, and ``Gone`` when the subject is erased.
    """
    turns = _unread(thread)
    if not turns:
        return Learned({}, more=False)
    epoch = thread.subject.epoch
    sources = [SourceTurn(t.id, t.seq, t.role, t.content, t.said_at) for t in turns if t.content]
    found = extraction.extract(sources, zone_of(thread.subject)) if _speaks(sources) else None
    facts = list(found.facts) if found else []
    embedded = embedding.embed([fact.statement for fact in facts])
    with transaction.atomic():
        subject = subjects.lock_for_writing(thread.subject_id, epoch=epoch)
        if not _advance(thread, turns[-1].seq):
            return Learned({}, more=True)
        source = applying.Source(Origin.SAID, found.extractor if found else "", embedded.embedder)
        applied = applying.apply(subject, list(zip(facts, embedded.vectors, strict=True)), source, at=at)
    dropped = {f"dropped_{code}": count for code, count in (found.dropped if found else {}).items()}
    return Learned({**applied.counts, **dropped}, more=thread.learned_seq < thread.last_seq)


def zone_of(subject: Subject) -> str:
    """The subject's time zone as far as it is known, "" when it is not."""
    known = Fact.objects.filter(subject=subject, attribute="timezone", status=FactStatus.ACTIVE)
    return subject.timezone or known.values_list("value", flat=True).first() or ""


def _speaks(sources: Sequence[SourceTurn]) -> bool:
    return any(source.role == TurnRole.USER for source in sources)


def _unread(thread: Thread) -> list[Turn]:
    rows = thread.turns.filter(seq__gt=thread.learned_seq).order_by("seq")[:_BATCH]
    taken: list[Turn] = []
    size = 0
    for turn in rows:
        size += len(turn.content)
        if taken and size > _BATCH_CHARACTERS:
            break
        taken.append(turn)
    return taken


def _advance(thread: Thread, seq: int) -> bool:
    """Move the watermark, unless another worker did or the thread is gone; the caller then writes nothing."""
    moved = Thread.objects.filter(id=thread.id, learned_seq=thread.learned_seq).update(learned_seq=seq)
    thread.refresh_from_db(fields=["next_seq", "learned_seq"]) if moved else None
    return bool(moved)
