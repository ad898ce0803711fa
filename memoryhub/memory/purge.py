"""Forgetting: the one list of what holds personal data, and the ways it is removed.

``STORES`` names every table with a path to ``Subject``; a test walks the models and fails when one is missing.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Count, Q, QuerySet

from memoryhub import text
from memoryhub.audit import trail
from memoryhub.memory import summaries, suppression
from memoryhub.memory.models import (
    Evidence,
    ExpectedFact,
    Fact,
    FactUsage,
    FactVersion,
    IdempotentAnswer,
    IndexedVector,
    IndexedWord,
    Job,
    LargeScope,
    Passage,
    Rebuild,
    RecallCase,
    RecalledFact,
    RecallFeedback,
    Subject,
    Summary,
    Suppression,
    Thread,
    Turn,
)
from memoryhub.tenants import scope

BLOT = "█"
#: Words shorter than this are blotted only where they are evidence: they would stand everywhere.
_SHORTEST_WORDS = 8


@dataclass(frozen=True)
class Store:
    """A table that holds something about a subject, under the word people know it by."""

    name: str
    label: str
    model: Any


#: In the order in which rows may go: what points before what is pointed at.
STORES: Sequence[Store] = (
    Store("expected_facts", "Facts expected by recall tests", ExpectedFact),
    Store("recall_cases", "Questions of recall tests", RecallCase),
    Store("recall_feedback", "Answers found not relevant", RecallFeedback),
    Store("fact_usage", "Counts of how often facts were recalled", FactUsage),
    Store("indexed_words", "Keywords in the index", IndexedWord),
    Store("indexed_vectors", "Vectors in the index", IndexedVector),
    Store("large_scopes", "Indexes of many facts", LargeScope),
    Store("recalled_facts", "Uses of facts in answers", RecalledFact),
    Store("evidence", "Links from facts to quotes", Evidence),
    Store("fact_versions", "Versions of facts", FactVersion),
    Store("facts", "Facts with their vectors", Fact),
    Store("suppressions", "Suppressed statements", Suppression),
    Store("summaries", "Summaries", Summary),
    Store("jobs", "Jobs", Job),
    Store("rebuilds", "Rebuilds of facts", Rebuild),
    Store("idempotent_answers", "Stored API answers", IdempotentAnswer),
    Store("passages", "Passages of turns, with their vectors", Passage),
    Store("turns", "Turns", Turn),
    Store("threads", "Threads", Thread),
)


def counts_of(subject_id: uuid.UUID) -> dict[str, int]:
    """How many rows each store holds of the subject, by store name."""
    return {store.name: store.model.objects.filter(subject_id=subject_id).count() for store in STORES}


def purge_subject(subject: Subject, *, at: datetime) -> dict[str, int]:
    """Fence the subject and delete all that is held; the caller holds an open transaction. Returns rows by store.

    Takes the subject's lock against every writer, also against turns being appended. The row itself stays, without
    anything that names the person, so that work under way finds the fence. Safe to run again.
    """
    locked = Subject.objects.select_for_update().get(id=subject.id)
    removed = {
        store.name: store.model.objects.filter(subject_id=locked.id)._raw_delete("default")
        for store in STORES
    }
    locked.epoch += 1
    locked.erased_at = locked.erased_at or at
    locked.external_id = f"erased:{locked.id.hex}"
    locked.display_name = locked.timezone = ""
    locked.membership = None
    locked.save()
    trail.record(
        trail.Action.SUBJECT_FENCE, "subject", locked.id, at=at, subject_id=locked.id, epoch=locked.epoch
    )
    return {name: count or 0 for name, count in removed.items()}


# --- verification: a separate path, by the catalogue and not by STORES -----------------------------------------

_TABLES_OF_SUBJECTS = """
SELECT c.relname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attname = 'subject_id' AND NOT a.attisdropped
ORDER BY c.relname
"""
#: Tables that keep a subject's id on purpose: the request that led to the erasure, and the proof of it.
KEPT_TABLES = frozenset({"privacy_request", "receipt"})


def residue(subject_id: uuid.UUID) -> dict[str, int]:
    """Rows left of a subject, by table, read from the database's catalogue; an empty result proves an erasure.

    Any table with a ``subject_id`` is found, whether or not anybody thought of listing it.
    """
    tenant_id = scope.current().tenant_id
    left: dict[str, int] = {}
    with connection.cursor() as cursor:
        cursor.execute(_TABLES_OF_SUBJECTS)
        for table in [row[0] for row in cursor.fetchall() if row[0] not in KEPT_TABLES]:
            quoted = connection.ops.quote_name(table)
            cursor.execute(
                f"SELECT count(*) FROM {quoted} WHERE tenant_id = %s AND subject_id = %s",  # noqa: S608
                [tenant_id, subject_id],
            )
            count = cursor.fetchone()[0]
            if count:
                left[table] = count
    return left


# --- single facts and threads ----------------------------------------------------------------------------------


def purge_fact(fact: Fact, *, reason_code: str, at: datetime, redact: bool) -> None:
    """Remove one fact for good; the caller holds the subject's lock.

    With ``redact`` the quotes it rests on are blotted out of their turns, its words out of the answers that used
    it, and the summaries resting on any of those turns are destroyed. It is never learned again.
    """
    spans = list(fact.evidence.select_related("turn").exclude(turn__isnull=True))
    quotes = [link.turn.content[link.start : link.end] for link in spans]
    said = {fact.statement, *quotes, *fact.versions.values_list("statement", flat=True)}
    suppression.add(fact.subject_id, fact.statement, quotes, at=at)
    if redact:
        _redact(fact, spans, said, at)
    FactVersion.objects.filter(fact=fact).delete()
    Evidence.objects.filter(fact=fact).delete()
    RecalledFact.objects.filter(fact=fact).delete()
    Fact.objects.filter(supersedes=fact).update(supersedes=fact.supersedes_id)
    Fact.objects.filter(id=fact.id).delete()
    _drop_copies(fact.subject_id)
    trail.record(
        trail.Action.FACT_PURGE, "fact", fact.id, at=at, subject_id=fact.subject_id, reason_code=reason_code
    )


def _drop_copies(subject_id: uuid.UUID) -> None:
    """What repeats facts and turns elsewhere: stored answers, and what rebuilds have read or reported."""
    IdempotentAnswer.objects.filter(subject_id=subject_id).delete()
    Rebuild.objects.filter(subject_id=subject_id).delete()


def _redact(fact: Fact, spans: Sequence[Evidence], said: set[str], at: datetime) -> None:
    changed: list[Turn] = []
    for link in spans:
        turn = Turn.objects.select_for_update().get(id=link.turn_id)
        _rewrite(turn, blot(turn.content, link.start, link.end))
        _orphan_overlapping(link, at)
        changed.append(turn)
    words = sorted((w.strip() for w in said if len(w.strip()) >= _SHORTEST_WORDS), key=len, reverse=True)
    changed += _redact_repetitions(fact.subject_id, words, at)
    for thread in Thread.objects.filter(subject_id=fact.subject_id).filter(_holding("title", words)):
        Thread.objects.filter(id=thread.id).update(title=_blotted(thread.title, words))
    summaries.discard_covering(sorted({t.thread_id for t in changed}), [t.id for t in changed])


def _rewrite(turn: Turn, content: str) -> None:
    """Store a turn's blotted text; a title that was cut from the old text is cut anew."""
    thread = Thread.objects.get(id=turn.thread_id)
    if thread.title and " ".join(turn.content.split()).startswith(thread.title.rstrip("…")):
        Thread.objects.filter(id=thread.id).update(title=text.shorten(content, len(thread.title) + 1)[:200])
    turn.content = content
    turn.save(update_fields=["content"])


def blot(content: str, start: int, end: int) -> str:
    """``content`` with a stretch blacked out; its length stays, so that other spans keep their places."""
    return content[:start] + BLOT * (end - start) + content[end:]


def _orphan_overlapping(link: Evidence, at: datetime) -> None:
    """Other facts that rested on the blotted words stay; their source is marked as erased."""
    others = Evidence.objects.filter(turn_id=link.turn_id, start__lt=link.end, end__gt=link.start)
    others.exclude(fact_id=link.fact_id).update(turn=None, start=0, end=0, source_erased_at=at)


def _holding(field: str, words: Sequence[str]) -> Q:
    """Rows whose ``field`` holds any of the words, whatever the case."""
    wanted = Q(pk__in=[])
    for word in words:
        wanted |= Q(**{f"{field}__icontains": word})
    return wanted


def _redact_repetitions(subject_id: uuid.UUID, words: Sequence[str], at: datetime) -> list[Turn]:
    """Blot the words wherever the subject's turns repeat them: answers that recited them, the same said twice."""
    rows = Turn.objects.select_for_update().filter(subject_id=subject_id).filter(_holding("content", words))
    changed = []
    for turn in rows:
        content = _blotted(turn.content, words)
        if content != turn.content:
            _orphan_changed(turn, content, at)
            _rewrite(turn, content)
            changed.append(turn)
    return changed


def _orphan_changed(turn: Turn, content: str, at: datetime) -> None:
    for link in Evidence.objects.filter(turn=turn):
        if content[link.start : link.end] != turn.content[link.start : link.end]:
            Evidence.objects.filter(id=link.id).update(turn=None, start=0, end=0, source_erased_at=at)


def _blotted(content: str, words: Sequence[str]) -> str:
    for word in words:
        content = _blot_words(content, word)
    return content


def _blot_words(content: str, words: str) -> str:
    folded, wanted = content.lower(), words.lower()
    # Lower case may change a text's length in a few scripts; then only the exact words can be found by place.
    if len(folded) != len(content):
        return content.replace(words, BLOT * len(words))
    at = folded.find(wanted)
    while at >= 0:
        content = blot(content, at, at + len(words))
        at = folded.find(wanted, at + len(words))
    return content


def delete_thread(thread: Thread, *, forget: bool, at: datetime) -> int:
    """Delete a thread with all it holds; the caller holds the subject's lock. Returns how many facts were purged."""
    purged = 0
    if forget:
        for fact in _taught_only_by(thread):
            purge_fact(fact, reason_code="thread_deleted", at=at, redact=False)
            purged += 1
    turns = Turn.objects.filter(thread=thread)
    Evidence.objects.filter(turn__in=turns).update(turn=None, start=0, end=0, source_erased_at=at)
    RecalledFact.objects.filter(turn__in=turns).delete()
    Summary.objects.filter(thread=thread).delete()
    Job.objects.filter(thread=thread).delete()
    _drop_copies(thread.subject_id)
    Passage.objects.filter(thread=thread).delete()
    turns.delete()
    Thread.objects.filter(id=thread.id).delete()
    return purged


def _taught_only_by(thread: Thread) -> "QuerySet[Fact, Fact]":
    """Facts with evidence in this thread and none elsewhere; a human's own word is not the thread's."""
    here = Evidence.objects.filter(turn__thread=thread).values("fact_id")
    elsewhere = Evidence.objects.filter(fact_id__in=here, turn__isnull=False).exclude(turn__thread=thread)
    facts: QuerySet[Fact, Fact] = Fact.objects.filter(id__in=here, human=False)
    return facts.exclude(id__in=elsewhere.values("fact_id"))


def samples(subject_id: uuid.UUID, limit: int = 3) -> dict[str, list[str]]:
    """A few lines of what an erasure would remove, for the person who approves it."""
    facts = (
        Fact.objects.filter(subject_id=subject_id).order_by("-created_at").values_list("statement", flat=True)
    )
    threads = (
        Thread.objects.filter(subject_id=subject_id).annotate(n=Count("turns")).order_by("-last_turn_at")
    )
    return {
        "facts": list(facts[:limit]),
        "threads": [f"{thread.title or 'Untitled'} · {thread.n} turns" for thread in threads[:limit]],
    }
