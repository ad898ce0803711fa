"""A turn's text cut into sentences that keep their place in it, without code, quotations and quoted lines."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LIMIT = 700
_HIDDEN = re.compile(
    r"""```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`"""  # code
    r"""|^[ \t]*>.*$"""  # quoted lines
    r"""|"[^"\n]{2,300}"|“[^”\n]{2,300}”|«[^»\n]{2,300}»|(?<!\w)'[^'\n]{2,200}[.!?,]'(?!\w)"""  # speech
    r"""|<[^<>\n]{1,200}>""",  # markup
    re.DOTALL | re.MULTILINE,
)
#: Stands for the comma within a number, which ends no clause: "3,200".
COMMA = "\u201a"
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_END = re.compile(r"[.!?]+[\"')\]]*(?=\s|$)|[;\n]+|\s[—–]\s|…")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|mr|mrs|ms|dr|st|vs|etc|approx|inc|ltd|no|jr|sr|u\.s|a\.m|p\.m)|\b[A-Z])\.$", re.I
)


@dataclass(frozen=True)
class Sentence:
    """``text`` stands at ``start`` in the turn, character for character, hidden parts blanked out."""

    text: str
    start: int

    @property
    def asks(self) -> bool:
        return self.text.rstrip("\"')] ").endswith("?")


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of ``text``, in order. One of more than 700 characters is read to there."""
    readable = _THOUSANDS.sub(COMMA, _HIDDEN.sub(_blank, text.replace("’", "'")))
    start = 0
    for end in _ends(readable):
        yield from _trimmed(readable, start, end)
        start = end


def _blank(match: re.Match[str]) -> str:
    # A mark stands for what was said, so that no rule reads across the gap.
    return "\x00" * len(match.group())


def _ends(text: str) -> Iterator[int]:
    for match in _END.finditer(text):
        if not _ABBREVIATION.search(text[max(0, match.start() - 8) : match.end()]):
            yield match.end()
    yield len(text)


def _trimmed(text: str, start: int, end: int) -> Iterator[Sentence]:
    piece = text[start : min(end, start + _LIMIT)]
    body = piece.lstrip(" \t\r\n-*•\x00")
    if body.strip(" .!?;\n\r\t\x00"):
        yield Sentence(body.rstrip(), start + len(piece) - len(body))
