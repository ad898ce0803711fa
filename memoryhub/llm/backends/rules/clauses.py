"""Where the speaker begins to speak of themself: at "I" and "my", and where either is left out.

"I'm 67 and live in Bergen" says "I live in Bergen" too: what follows the "and" is read as if the subject stood there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memoryhub.llm.backends.rules.sentences import Sentence

_SPEAKER = re.compile(r"\b(?:i|we|im|ive|my|our)\b", re.I)
_SUBJECT = re.compile(r"\b(?:i|we|im|ive)\b", re.I)
_CLAUSE = frozenset({"CLAUSE"})
_START = frozenset({"CLAUSE", "START"})
_NEW_CLAUSE = re.compile(
    r"(?:[,:(]|\s[-–—]|\b(?:and|but|so|because|cause|since|as|that|although|though|while|now|then|also|or|plus|hi|hey|hello)\b,?)(?: (?:and|but|so|because|since|that|now|also|then))* (?=\S)",
    re.I,
)
_AM = ("'m", " am", "'re", " are")
_HAVE = ("'ve", " have")

_NOW = r"(?:(?:now|also|then|currently|mostly|usually|still|just|recently|already|finally|originally) )*"
_DOING = (
    "live|lives? with|work|teach|study|have (?:a|an|one|two|three|four|five|no|my|type)|own|use|prefer|love|hate|like|enjoy|"
    "speak|play|drive|manage|lead|freelance|volunteer|don't (?:eat|drink|like|drive|have|own|use|work|speak)|never|"
    "can't (?:eat|drink|stand|drive|have|do|work|use|afford)|can only|only (?:eat|drink|use|work)|am|was born|grew up|"
    "commute|collect|rent|sing"
)
_DONE = (
    "moved|relocated|joined|started (?:at|as|working|a|my|learning)|left|quit|switched|graduated|studied|retired|got (?:a|an|two|married|engaged|"
    "divorced|promoted|laid)|adopted|bought|sold|lost my|broke my|retrained|became|stopped (?:eating|drinking|using|smoking)|"
    "used to|raised in|born in|got back|worked (?:at|for|as)|lived in|have been (?:a|an|on|in|with|at|vegan|vegetarian|\\w+ing)|been (?:a|an|living|working|freelancing|"
    "using|vegan|vegetarian|on the|at|with|in)"
)
_BEING = (
    r"[1-9]\d(?=[,.]|$| and)|based|living (?:in|near|with|on)|working (?:at|as|for|on|from)|allergic|married|retired|from (?-i:[A-Z])|vegan\b|vegetarian\b|"
    r"pregnant|not a (?:fan|morning|big)|self-employed|lactose|on the \w+ (?:plan|tier)|a (?:single )?(?:mum|mom|dad|mother|father|parent)|"
    r"(?:training|saving|studying|preparing) for|trying to|hoping to|planning (?:to|a|an|our|my)|learning (?-i:[A-Z])|"
    r"mainly using|using (?-i:[A-Z])|more of an?"
)
_JOINED = r"(?:,? (?:and|but|then|plus|so)|,| -| –)"
_AND_DO = re.compile(rf"{_JOINED} (?={_NOW}(?:{_DOING}|{_DONE})\b)", re.I)
# After "and" and "but" any word may be the speaker's verb; after a comma or "so" it may as well be an order's.
_AND_ANY = re.compile(
    rf",? (?:and|but|and then|but then) (?={_NOW}(?!(?:i|we|im|ive|i'm|my|our|the|an?|you|your|he|she|it|it's|they|this|that|these|those|there|to|in|on|"
    r"at|for|with|of|from|by|if|when|while|what|how|where|who|which|why|is|are|please|can you|could you|would|do|does|did|any|some|"
    r"one|two|her|his|their|its|also|then|now|so|because|not|no|let|make|keep it|tell|show|give|send)\b)[a-z']{2,}(?! (?:is|are|was|were|can|will|has|isn't|aren't|would|should|sounds?|looks?)\b))",
    re.I,
)
_AND_AM = re.compile(rf"{_JOINED} (?={_NOW}(?:{_BEING}))", re.I)
# "We're flying out on Monday and coming back on Friday": only after what the speaker is doing.
_AND_ING = re.compile(rf",? (?:and|but|and then|before|then) (?={_NOW}[a-z]+ing\b)", re.I)
_DOING_SO = re.compile(r"(?:'m|'re| am| are) (?:\w+ )?[a-z]+ing\b", re.I)
_OTHERS = re.compile(r"\b(?:you|he|she|they|who|which|people)\b", re.I)
_FIRST_DO = re.compile(
    rf"(?={_NOW}(?:{_DONE}|(?:live|work) (?:in|at|for|as)\b|love \w+ing|hate \w+ing|have (?:a|two|three) |can only\b))",
    re.I,
)
_FIRST_AM = re.compile(rf"(?={_NOW}(?:{_BEING}))", re.I)
# Between the speaker's "I" and the "and": the verb after it belongs to these.
_NOT_ALONE = re.compile(
    r"\b(?:to|can|could|would|will|might|should|must|let|help|you|he|she|they|who|which|people|somebody|someone|everyone|"
    r"wife|husband|partner|friend|brother|sister|colleague|boss|son|daughter|mother|father|mum|mom|dad)\b|'(?:ll|d)\b",
    re.I,
)


@dataclass(frozen=True)
class Opening:
    """``text`` read from ``at``, where ``words`` of the speaker stand. ``shift`` leads from a place in ``text`` to the
    one in the turn, ``first`` is the first place in the turn that was really said, and ``before`` what was before it."""

    text: str
    at: int
    words: frozenset[str]
    shift: int
    first: int
    before: str


def openings(sentence: Sentence) -> Iterator[Opening]:
    """Every place in ``sentence`` where a clause of the speaker's begins."""
    text = sentence.text
    for match in _SPEAKER.finditer(text):
        yield _opening(sentence, match.start(), _said(text, match))
    yield _opening(sentence, 0, _START)
    for match in _NEW_CLAUSE.finditer(text):
        yield _opening(sentence, match.end(), _CLAUSE)
    yield from _left_out(sentence)


def _opening(sentence: Sentence, at: int, words: frozenset[str]) -> Opening:
    text = sentence.text
    return Opening(text, at, words, sentence.start, sentence.start + at, text[:at])


def _said(text: str, match: re.Match[str]) -> frozenset[str]:
    word = match.group().lower()
    if word in ("my", "our"):
        return frozenset({"MY"})
    following = text[match.end() : match.end() + 5].lower()
    if word == "im" or following.startswith(_AM):
        return frozenset({"AM"})
    return frozenset({"HAVE", "I"}) if word == "ive" or following.startswith(_HAVE) else frozenset({"I"})


def _left_out(sentence: Sentence) -> Iterator[Opening]:
    """The clauses whose subject stands before an "and", or nowhere since the sentence begins with the verb."""
    text = sentence.text
    begun: set[tuple[int, str]] = set()
    for pattern, subject in ((_AND_DO, "I "), (_AND_ANY, "I "), (_AND_AM, "I'm ")):
        for match in pattern.finditer(text):
            if (match.end(), subject) not in begun and _goes_on(text[: match.start()]):
                begun.add((match.end(), subject))
                yield _understood(sentence, match.end(), subject)
    for match in _AND_ING.finditer(text):
        if _is_doing(text[: match.start()]):
            yield _understood(sentence, match.end(), "I'm ")
    if _FIRST_DO.match(text):
        yield _understood(sentence, 0, "I ")
    elif _FIRST_AM.match(text):
        yield _understood(sentence, 0, "I'm ")


def _goes_on(before: str) -> bool:
    """The last subject in ``before`` is the speaker, who may go on after it."""
    subjects = list(_SUBJECT.finditer(before))
    return bool(subjects) and not _NOT_ALONE.search(before, subjects[-1].end())


def _is_doing(before: str) -> bool:
    subjects = list(_SUBJECT.finditer(before))
    if not subjects or not _DOING_SO.match(before, subjects[-1].end()):
        return False
    return not _OTHERS.search(before, subjects[-1].end())


def _understood(sentence: Sentence, at: int, subject: str) -> Opening:
    words = frozenset(
        {"AM"} if subject == "I'm " else {"I", "HAVE"} if sentence.text[at : at + 4] == "have" else {"I"}
    )
    first = sentence.start + at
    text = subject + sentence.text[at:]
    return Opening(text, 0, words, first - len(subject), first, sentence.text[:at])
