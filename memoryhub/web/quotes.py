"""Evidence as the quote component shows it: the span with what stands around it."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from memoryhub.chat.used import excerpt
from memoryhub.memory.models import Evidence, Fact, Subject


@dataclass(frozen=True)
class Quote:
    """What was said, the span a fact rests on, who said it and when."""

    before: str
    span: str
    after: str
    speaker: str
    said_at: datetime | None
    url: str
    turn_public_id: str = ""
    erased_at: datetime | None = None


def quote(link: Evidence, speaker: str, *, url: str = "") -> Quote:
    """The quote of a piece of evidence; its ``turn`` joined."""
    turn = link.turn
    if turn is None:
        return Quote("", "", "", speaker, None, "", erased_at=link.source_erased_at)
    words = excerpt(link)
    return Quote(
        before=words.before,
        span=words.span,
        after=words.after,
        speaker=speaker,
        said_at=turn.said_at,
        url=url,
        turn_public_id=turn.public_id,
    )


def operator_url(link: Evidence) -> str:
    """The turn in the operators' view of its thread."""
    if link.turn is None:
        return ""
    thread_id = f"thr_{link.turn.thread_id.hex}"
    return f"{reverse('threads:detail', args=[thread_id])}#{link.turn.public_id}"


def of_fact(fact: Fact, subject: Subject) -> list[Quote]:
    """All quotes of a fact whose evidence is prefetched, for operators."""
    return [quote(link, subject.label, url=operator_url(link)) for link in fact.evidence.all()]


def first_of(fact: Fact, speaker: str) -> Quote | None:
    """The first quote of a fact whose evidence is prefetched."""
    link = next(iter(fact.evidence.all()), None)
    return quote(link, speaker) if link is not None else None
