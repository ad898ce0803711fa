"""What was found, as JSON: recalled facts and turns with their scores, and prompts made of them."""

from typing import Any

from memoryhub import ids
from memoryhub.api import presenting
from memoryhub.llm.types import Message
from memoryhub.memory.context import Context
from memoryhub.memory.recall import LeftOutFact, Recall, RecalledFact, RecalledTurn


def fact(item: RecalledFact) -> dict[str, Any]:
    """A recalled fact, its score and the parts of it at full precision."""
    return {
        "fact": presenting.fact(item.fact),
        "score": item.score,
        "score_parts": {
            "cosine": item.cosine,
            "keyword": item.keyword,
            "recency": item.recency,
            "trust": item.trust,
            "exact": item.exact,
            "pinned": item.pinned,
            "feedback": item.feedback,
            "stale": item.stale,
        },
        "ranks": item.ranks or None,
        "reason": item.reason,
    }


def turn(item: RecalledTurn) -> dict[str, Any]:
    """A past turn that was found: where it says what matters, its score and the parts of it."""
    episode = item.episode
    return {
        "turn": ids.public("turn", episode.turn_id),
        "thread": ids.public("thr", episode.thread_id),
        "seq": episode.seq,
        "role": item.role,
        "speaker": episode.speaker,
        "text": item.text,
        "start": episode.start,
        "end": episode.end,
        "said_at": presenting.stamp(episode.said_at),
        "score": episode.score,
        "score_parts": {
            "cosine": episode.cosine,
            "keyword": episode.keyword,
            "context": episode.context,
            "thread_words": episode.thread_words,
            "thread_cosine": episode.thread_cosine,
            "recency": episode.recency,
        },
        "ranks": {"meaning": episode.cosine_rank, "keywords": episode.keyword_rank},
    }


def left_out(item: LeftOutFact) -> dict[str, Any]:
    """A fact that did not come back, and why; its words are for ``GET /facts/{id}``."""
    return {
        "fact": ids.public("fact", item.fact_id),
        "reason": item.reason,
        "score": item.score,
        "cosine": item.cosine,
        "keyword": item.keyword,
        "duplicate_of": ids.public("fact", item.duplicate_of) if item.duplicate_of else None,
    }


def recall(found: Recall, *, explain: bool) -> dict[str, Any]:
    """What a recall found, best first."""
    shown: dict[str, Any] = {
        "data": [fact(item) for item in found.facts],
        "turns": [turn(item) for item in found.turns],
        "considered": found.considered,
        "left_out": [{"count": found.below_floor, "reason": "below_floor"}] if found.below_floor else [],
        "degraded": found.degraded,
    }
    if explain:
        shown["explanation"] = {
            "source": found.source,
            "tokens": found.tokens,
            "left_out": [left_out(item) for item in found.left_out],
        }
    return shown


def _message(row: Message) -> dict[str, str]:
    return {"role": row.role, "content": row.content}


def context(built: Context) -> dict[str, Any]:
    """A prompt with what it is made of."""
    return {
        "messages": [_message(row) for row in built.messages],
        "block": built.block,
        "tokens": built.tokens,
        "sections": [{"name": s.name, "tokens": s.tokens} for s in built.sections],
        "facts": [fact(item) for item in built.facts],
        "instructions": [{"id": row.public_id, "statement": row.statement} for row in built.instructions],
        "left_out": [{"what": i.what, "count": i.count, "reason": i.reason} for i in built.left_out],
        "stable_fingerprint": built.fingerprint,
        "degraded": built.degraded,
    }
