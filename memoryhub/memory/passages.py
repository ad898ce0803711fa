"""Turns cut into passages, by which they are found again: the workshop of the index job.

A turn is long or short, a vector means one thing: so long turns are cut at sentences into about 80 words. Only offsets
and what is computed from the text are stored, never the text.
"""

import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Substr
from pgvector import HalfVector

from memoryhub import ids
from memoryhub.memory import embedders, embedding, policies, subjects
from memoryhub.memory.kinds import TurnRole, TurnStatus
from memoryhub.memory.models import Passage, Thread, Turn
from memoryhub.tenants import scope

#: Words of a passage, and how many more a turn may have and still stay in one piece.
_WORDS, _SLACK = 80, 30
#: Characters from which a run without blanks counts as several words, and after which it may be cut.
_WORD_LENGTH, _LONGEST_RUN = 10, 200
#: Turns read in one go; their text is held in memory and embedded in one call.
_BATCH, _BATCH_CHARACTERS = 50, 100_000
_FILL = 64
_ROLES = (TurnRole.USER, TurnRole.ASSISTANT)
_UNFINISHED = (TurnStatus.PENDING, TurnStatus.STREAMING)

# The scripts that are written without blanks; two of their characters count as a word.
_UNSPACED = "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]{{1,{_LONGEST_RUN}}}")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_SENTENCE_END = re.compile(r"[.!?…]+[\"')\]»”’]*(?=\s)|[。！？]+[」』”’）]*|\n")
_ASKS = re.compile(r"[?？][\"')\]»”’」』）\s]*$")


@dataclass(frozen=True)
class Piece:
    """The stretch ``[start, end)`` of a text, in characters."""

    start: int
    end: int


def split(text: str) -> list[Piece]:
    """``text`` in pieces of about 80 words that begin and end with a word, in order; none for a blank text.

    Cut at the end of a sentence where there is one in the last half of a piece, else between words. Up to 110 words
    stay together; more are shared out evenly, so that the last piece is no remnant.
    """
    tokens = list(_TOKEN.finditer(text))
    weights = [_weight(token.group()) for token in tokens]
    whole = sum(weights)
    if not tokens:
        return []
    if whole <= _WORDS + _SLACK:
        return [Piece(tokens[0].start(), tokens[-1].end())]
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    cuts = _cuts(tokens, weights, whole / ceil(whole / _WORDS), set(_last_tokens(tokens, ends)))
    return [
        Piece(tokens[a].start(), tokens[b - 1].end())
        for a, b in zip([0, *cuts], [*cuts, len(tokens)], strict=True)
    ]


def _weight(token: str) -> float:
    if _IS_UNSPACED.match(token):
        return 0.5
    return max(1.0 if any(map(str.isalnum, token)) else 0.0, len(token) / _WORD_LENGTH)


def _last_tokens(tokens: Sequence[re.Match[str]], ends: Sequence[int]) -> Iterator[int]:
    """For each sentence, how many tokens of the text there are up to its end."""
    at = 0
    for end in ends:
        while at < len(tokens) and tokens[at].start() < end:
            at += 1
        yield at


def _cuts(
    tokens: Sequence[re.Match[str]], weights: Sequence[float], target: float, sentences: set[int]
) -> list[int]:
    """Before which tokens to cut, so that a piece weighs ``target`` or, at a sentence's end, a half of it or more."""
    cuts: list[int] = []
    begun = size = 0.0
    sentence: tuple[int, float] | None = None
    for index, weight in enumerate(weights):
        size += weight
        if index + 1 in sentences and size - begun >= target / 2:
            sentence = (index + 1, size)
        if size - begun >= target and index + 1 < len(tokens):
            cut, begun = sentence or (index + 1, size)
            cuts.append(cut)
            sentence = None
    return cuts


def index_thread(thread: Thread) -> bool:
    """Cut, embed and store what is missing of the thread, one batch; whether there may be more.

    Turns of the person and the assistant in a final state are indexed; one that becomes final later moves the watermark
    back. Any number of workers may do it at once, again too. An embedder that is away leaves passages without a
    vector, for ``fill_missing``. Raises ``Gone`` when the subject is erased.
    """
    turns, through = _unindexed(thread)
    if through <= thread.indexed_seq:
        return False
    epoch = thread.subject.epoch
    cut = [(turn, piece) for turn in turns for piece in split(turn.content)]
    embedded = embedding.embed([turn.content[piece.start : piece.end] for turn, piece in cut])
    with transaction.atomic():
        subjects.lock_for_writing(thread.subject_id, epoch=epoch)
        changed = _changed(turns)
        _insert(thread, [pair for pair in zip(cut, embedded.vectors, strict=True) if pair[0][0].id not in changed],
                embedded.embedder)  # fmt: skip
        through = min([through, *(turn.seq - 1 for turn in turns if turn.id in changed)])
        Thread.objects.filter(id=thread.id, indexed_seq=thread.indexed_seq).update(indexed_seq=through)
    thread.refresh_from_db(fields=["next_seq", "indexed_seq"])
    return thread.indexed_seq < thread.last_seq


def _unindexed(thread: Thread) -> tuple[list[Turn], int]:
    """The next turns to index, and the seq up to which the thread is then done."""
    rows = list(
        thread.turns.filter(seq__gt=thread.indexed_seq)
        .annotate(done=Exists(Passage.objects.filter(turn_id=OuterRef("id"))))
        .order_by("seq")[:_BATCH]
    )
    taken: list[Turn] = []
    size, through = 0, thread.indexed_seq
    for turn in rows:
        size += len(turn.content)
        if taken and size > _BATCH_CHARACTERS:
            break
        through = turn.seq
        if turn.role in _ROLES and turn.status not in _UNFINISHED and turn.content and not turn.done:
            taken.append(turn)
    return taken, through


def _changed(turns: Sequence[Turn]) -> set[uuid.UUID]:
    """Turns that are not any more what was embedded. The others stay so until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, content FROM turn WHERE tenant_id = %s AND id = ANY(%s) AND status <> ALL(%s)"
            " ORDER BY id FOR SHARE",
            [scope.current().tenant_id, [turn.id for turn in turns], [str(status) for status in _UNFINISHED]],
        )
        now = dict(cursor.fetchall())
    return {turn.id for turn in turns if now.get(turn.id) != turn.content}


# The terms are computed from the stored turn, so that no word of it travels twice.
_INSERT = """
INSERT INTO passage (id, tenant_id, subject_id, thread_id, turn_id, seq, number, "start", "end", speaker, asks, said_at,
                     words, embedding, embedder, next_embedder)
SELECT piece.id, turn.tenant_id, turn.subject_id, turn.thread_id, turn.id, turn.seq, piece.number, piece.first, piece.past,
       coalesce(nullif(turn.name, ''), turn.role), piece.asks, turn.said_at,
       memory_terms(substr(turn.content, piece.first + 1, piece.past - piece.first)), piece.vector::halfvec,
       CASE WHEN piece.vector IS NULL THEN '' ELSE %(embedder)s END, ''
FROM unnest(%(ids)s::uuid[], %(turns)s::uuid[], %(numbers)s::int[], %(starts)s::int[], %(ends)s::int[],
            %(asks)s::bool[], %(vectors)s::text[]) AS piece (id, turn_id, number, first, past, asks, vector)
JOIN turn ON turn.id = piece.turn_id
WHERE turn.tenant_id = %(tenant)s AND turn.thread_id = %(thread)s
ON CONFLICT (tenant_id, turn_id, number) DO NOTHING
"""

_Cut = tuple[tuple[Turn, Piece], Sequence[float] | None]


def _insert(thread: Thread, cut: Sequence[_Cut], embedder: str) -> None:
    if not cut:
        return
    numbers: dict[uuid.UUID, int] = {}
    rows = []
    for (turn, piece), vector in cut:
        numbers[turn.id] = number = numbers.get(turn.id, -1) + 1
        asks = bool(_ASKS.search(turn.content[piece.start : piece.end]))
        stored = HalfVector(list(vector)).to_text() if vector is not None else None
        rows.append((ids.new(), turn.id, number, piece.start, piece.end, asks, stored))
    columns = ("ids", "turns", "numbers", "starts", "ends", "asks", "vectors")
    values = {name: list(column) for name, column in zip(columns, zip(*rows, strict=True), strict=True)}
    with connection.cursor() as cursor:
        cursor.execute(
            _INSERT,
            {**values, "embedder": embedder, "tenant": scope.current().tenant_id, "thread": thread.id},
        )


def unindexed(limit: int) -> list[uuid.UUID]:
    """Threads with turns that are not cut into passages yet; a partial index holds them."""
    rows = Thread.objects.filter(indexed_seq__lt=F("next_seq") - 1, subject__erased_at__isnull=True)
    return list(rows.values_list("id", flat=True)[:limit])


def fill_missing() -> int:
    """Embed passages without a vector of the present embedder, at most one batch. Returns how many were done."""
    name = embedders.chosen(policies.current()).name
    # Two ranges of the index, where "not equal" would read the whole table.
    without = Passage.objects.filter(Q(embedder__lt=name) | Q(embedder__gt=name)).exclude(next_embedder=name)
    text = Substr("turn__content", F("start") + 1, F("end") - F("start"))
    waiting = list(without.annotate(text=text).order_by("id").values_list("id", "text")[:_FILL])
    embedded = embedding.embed([text for _, text in waiting])
    done = 0
    for (passage_id, _), vector in zip(waiting, embedded.vectors, strict=True):
        if vector is None:
            return 0
        # A passage of a text that changed meanwhile is gone, and its id with it.
        done += Passage.objects.filter(id=passage_id).update(
            embedding=HalfVector(list(vector)), embedder=embedded.embedder
        )
    return done
