"""What a pattern can only begin with, read off its source, so that hopeless ones are never tried.

A pattern of the rules begins with words of the speaker's or at a clause, then adverbs and denials that may be left
out, then mostly one of a few words. Where the source does not tell, nothing is claimed.
"""

import re

from memoryhub.llm.backends.rules.wording import PARTS

_OPENERS = (
    ("START", PARTS["CLAUSE"] + "^"),
    *((name, PARTS[name]) for name in ("AM", "HAVE", "MY", "I", "CLAUSE")),
)
# How a pattern may begin with the speaker written by hand.
_BY_HAND = re.compile(r"(?:\\b)?(?:\(\?:)?(?:i|we)(?:[ '(|\\]|$)")
_BY_HAND_OPENS = frozenset({"I", "AM"})
_SKIPPED = (PARTS["ADV"], PARTS["NOT"], PARTS["NO"])
_GROUP = re.compile(r"\((?:\?:|\?P<\w+>)")
_AHEAD = re.compile(r"\(\?[!=]")
_ARTICLE = re.compile(r"an\? ")
_LETTER = re.compile(r"[a-z] ")
_LETTERS = re.compile(r"[a-z']{3}(?![?*{])|[a-z']{2}(?=[ )]|$)")
_SUBJECT = re.compile(r"(?:\\b)?(?:i|we)(?:'ve|'m)?(?=[ (])")


def openers(source: str) -> frozenset[str]:
    """Which of the speaker's words a match of the pattern ``source`` begins with; empty when it may begin with others."""
    known = next((name for name, opener in _OPENERS if source.startswith(opener)), "")
    if known or _BY_HAND.match(source):
        return frozenset({known}) if known else _BY_HAND_OPENS
    found: set[str] = set()
    branches, _ = _branches(source)
    for branch in branches:
        inner = openers(branch)
        if not inner:
            return inner
        found |= inner
    return frozenset(found)


def leads(source: str) -> frozenset[str]:
    """The first three letters of the word after the opener and its adverbs; empty when they can not be told."""
    opener = next((opener for _, opener in _OPENERS if source.startswith(opener)), "")
    by_hand = _SUBJECT.match(source)
    if not opener and by_hand is None:
        branches, end = _branches(source)
        each = [leads(branch + source[end:]) for branch in branches]
        return frozenset().union(*each) if each and all(each) else frozenset()
    rest = source[len(opener) or (by_hand.end() if by_hand else 0) :]
    while skipped := next((part for part in _SKIPPED if rest.startswith(part)), ""):
        rest = rest[len(skipped) :]
    if opener.startswith(PARTS["CLAUSE"]):
        return _letters(rest)
    # "I'd" is one word of the text.
    return frozenset({"i" + rest[:2], "we'"}) if rest.startswith("'") else _spaced(rest)


def _spaced(source: str) -> frozenset[str]:
    """The letters after a space, which may stand before a group or within an optional one: " go" or "(?: to| at)? go"."""
    if source.startswith(" "):
        return _letters(source[1:])
    branches, end = _branches(source)
    if source[end : end + 1] not in ("?", "*"):
        return frozenset()
    each = [*map(_spaced, branches), _spaced(source[end + 1 :])]
    return frozenset().union(*each) if branches and all(each) else frozenset()


def _after_opener(source: str) -> str | None:
    for _, opener in _OPENERS:
        if source.startswith(opener):
            return source[len(opener) :]
    branches, end = _branches(source)
    plain = {opener for _, opener in _OPENERS}
    return source[end:] if branches and all(branch in plain for branch in branches) else None


def _letters(source: str) -> frozenset[str]:
    while _AHEAD.match(source):
        source = source[_closing(source) + 1 :]
    if _ARTICLE.match(source):
        return frozenset({"a", "an"})
    word = _LETTERS.match(source) or _LETTER.match(source)
    if word:
        return frozenset({word.group().strip()})
    branches, end = _branches(source)
    each = [_letters(branch) for branch in branches]
    if source[end : end + 1] in ("?", "*"):
        each.append(_letters(source[end + 1 :]))
    return frozenset().union(*each) if each and all(each) else frozenset()


def _branches(source: str) -> tuple[list[str], int]:
    """The branches of the group that ``source`` begins with and where the group ends; none when it begins with none."""
    opening = _GROUP.match(source)
    if opening is None:
        return [], 0
    end = _closing(source)
    branches, depth, start = [], 0, opening.end()
    for place in range(opening.end(), end):
        mark = source[place] if source[place - 1] != "\\" else ""
        depth += (mark == "(") - (mark == ")")
        if mark == "|" and depth == 0:
            branches.append(source[start:place])
            start = place + 1
    return [*branches, source[start:end]], end + 1


def _closing(source: str) -> int:
    depth = 0
    for place, mark in enumerate(source):
        if place and source[place - 1] == "\\":
            continue
        depth += (mark == "(") - (mark == ")")
        if depth == 0:
            return place
    return len(source)
