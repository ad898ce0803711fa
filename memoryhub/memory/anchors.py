"""What a summary must not lose: the numbers, names and identifiers of decisions, constraints and open questions.

Sentences are recognised by their words in five languages; what is checked are the exact tokens in them, since a
summary may say a thing in other words but not with another number.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_WEIGHTY = re.compile(
    r"\b(?:decid\w*|agreed?|chose|choose|settled|must|never|always|only|limit\w*|budget\w*|deadline|due|by (?:mon|tues|wednes|thurs|fri)day"
    r"|require\w*|constraint\w*|goal\w*|open question|unclear|not sure|todo|to do|need(?:s|ed)? to|plan(?:s|ned)? to|will"
    r"|entschied\w*|beschlossen|muss|müssen|nie|immer|nur|grenze|frist|ziel|offen|unklar|soll|wollen|brauchen"
    r"|décid\w*|convenu|doit|doivent|jamais|toujours|seulement|limite|délai|objectif|reste à|il faut"
    r"|decid\w*|acordad\w*|debe|deben|nunca|siempre|solo|límite|plazo|objetivo|pendiente|hay que)\b"
    r"|决定|必须|从不|总是|只能|上限|预算|截止|目标|待定|需要|计划",
    re.I,
)
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?。！？](?=\d)[^.!?。！？\n]*)*[.!?。！？]?")
_TOKEN = re.compile(
    r"[A-Za-z]{1,10}-\d[\w-]*|\d[\d.,:/]*\d|\d|\b[A-Z][A-Za-z0-9]*[A-Z0-9][A-Za-z0-9]*\b|(?<=[a-z,;] )[A-ZÄÖÜÉ][\w-]{2,}"
)
_MOST = 30


@dataclass(frozen=True)
class Anchor:
    """A token that must stay, and the sentence it stood in."""

    token: str
    sentence: str


def anchors(texts: Iterable[str]) -> list[Anchor]:
    """The anchors of some texts, each token once, in order; at most 30, the latest ones."""
    found: dict[str, Anchor] = {}
    for text in texts:
        for sentence in (match.group().strip() for match in _SENTENCE.finditer(text)):
            if _WEIGHTY.search(sentence):
                for token in _TOKEN.findall(sentence):
                    found.pop(token, None)
                    found[token] = Anchor(token, sentence)
    return list(found.values())[-_MOST:]


def missing(wanted: Sequence[Anchor], summary: str) -> list[Anchor]:
    """The anchors whose token the summary does not hold."""
    return [anchor for anchor in wanted if anchor.token not in summary]


def patched(summary: str, lost: Sequence[Anchor], most_words: int) -> str:
    """The summary with the sentences of lost anchors added, its own end cut as far as needed to stay within the words."""
    sentences: list[str] = []
    room = most_words // 2
    for anchor in reversed(lost):
        words = len(anchor.sentence.split())
        if anchor.sentence not in sentences and words <= room:
            sentences.insert(0, anchor.sentence)
            room -= words
    kept = summary.split()[: most_words - sum(len(s.split()) for s in sentences)]
    return " ".join([*kept, *sentences])
