"""Which words tell the assistant how to behave from now on, and which only what to do next.

An order stands when it says so ("always", "from now on", "whenever you ..."), when it is about the way of answering
("be blunt", "use metric units"), or when a lasting reason comes with it ("don't call before noon, I work nights").
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memoryhub.llm.backends.rules import guards
from memoryhub.llm.backends.rules.ordering import (
    ANSWERS,
    ANY_VERB,
    BEGINS,
    CASE,
    DONT,
    FROM_NOW,
    HABIT,
    LASTING,
    LEAD,
    MANNER,
    MANNER_ADJ,
    TALK,
    VERBS,
)

_SURE = tuple(
    re.compile(rf"{pattern}", re.I)
    for pattern in (
        rf"(?:always|never|{DONT} ever|only ever) {ANY_VERB}\b",
        rf"{FROM_NOW}[,:]? (?:{LEAD})(?:you (?:should|must|can) |i(?:'d| would)? (?:want|like|need|prefer) (?:you |it if you )?(?:to )?)?(?:{BEGINS}|no \w+|{MANNER})",
        rf"{CASE}[,:]? {LEAD}(?:{BEGINS}|you (?:should|must|can|need to|have to)\b|no \w+|{MANNER}|i mean|it (?:always )?means|that means)",
        rf"{BEGINS}[^\n]{{0,140}}?[, ] ?{LASTING}$",
        rf"only (?:{VERBS})\b",
        r"(?:plain|simple|short|easy|small|normal) (?:words|language|english|sentences|answers),? (?:please|pls|only)",
        r"(?!i\b|we\b|you\b)\w[\w' -]{2,40} only,? (?:please|pls)$",
        rf"{BEGINS}[^\n]{{0,140}}? {FROM_NOW}\b",
        rf"{DONT} (?:send|call|text|message|book|schedule|ring|e-?mail|contact|remind|notify|plan|arrange|deliver|disturb)\b[^\n,]{{0,60}} (?:before|after|between|during|at night|at (?:the )?weekends?|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b",
        rf"(?:{MANNER})",
        r"(?:no|nothing) \w[\w' -]{1,40},? (?:please|pls|thanks|ever|at all|any ?more)$",
        r"no (?!one|body|problem|idea|way|need|worr|luck|clue|doubt|matter|more|longer|wonder|reason|signal|answer|reply|response|access|change|error)\w[\w' -]{1,30} (?:in|on|at|before|after|with) (?:the |my |our |any )?\w[\w ]{1,20}$",
        rf"(?:make|be) sure (?:to |you |that you )(?:always|never|{BEGINS}[^\n]{{0,140}}? {LASTING}$)",
    )
)
_YOU = (
    r"(?:i(?:'d| would| really|'d really)? ?(?:want|like|need|prefer|love|appreciate|expect) (?:it if )?you(?:'d| would| could)? ?(?:to )?|"
    r"i(?: really)? (?:don't|dont|do not) want you to (?=\w)|i'd rather you |i'd (?:appreciate|prefer|like|love) it if you (?:could |would )?|it(?:'d| would) (?:help|be (?:great|nice|good|helpful)) if you (?:could |would )?|"
    r"you (?:should|must|need to|have to|can|may|are to|shouldn't|mustn't|don't (?:need|have) to|do not (?:need|have) to|needn't|never need to|never have to) |"
    r"feel free to |there's no need to |no need to |it's (?:ok|okay|fine) to |i need )"
)
_WISHED = re.compile(
    rf"{LEAD}{_YOU}(?:please |just |not )?(?:always|never|only|stop \w+ing|didn't|don't|{MANNER}|{BEGINS}[^\n]{{0,140}}?(?: {LASTING}$|\b{HABIT})|skip|explain the (?:basics|obvious))",
    re.I,
)
_DEMANDED = re.compile(
    rf"{LEAD}(?:i(?: really)? (?:don't|dont|do not) want you to \w|i(?: really)? (?:like|love|prefer|appreciate|hate|dislike|don't like|can't stand) (?:it )?(?:when|if) you \w|(?:i'd like|i want|i need|i'd love|give me|send me|show me|email me) (?:an?|the|my|all|only|no) [^,\x00]{{2,80}} (?:every|each|daily|weekly|monthly)\b|(?:every|each) (?:single )?(?:day|week|month|morning|evening|time|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b[^,\x00]{{0,40}},? (?:i'd like|i want|i need|please|{BEGINS}))",
    re.I,
)
_GOVERNED = re.compile(
    rf"(?:anything|everything|all \w+|any \w+|every \w+|your (?:{ANSWERS})) (?:that )?(?:you (?:{TALK})\w* )?(?:(?:for|to) (?:me|us) )?(?:should|must|has to|have to|needs? to|shouldn't|mustn't|can't)(?: always| never| only)? (?:be|have|use|include|go|start|end|fit|stay|come|contain|say|mention)\b",
    re.I,
)
# "You don't have to explain the basics to me."
_SPARED = re.compile(
    rf"{LEAD}(?:you (?:don't|do not|dont|never) (?:need|have) to|you needn't|(?:there's )?no need to) (?:explain|repeat|apologi[sz]e|tell me|remind|show|list|ask|thank|be so|spell|walk me|justify|define|describe|go over|teach)\b",
    re.I,
)
_ASKED = re.compile(
    rf"{LEAD}(?:could|can|would|will) you (?:please |maybe |just |kindly |try to |also )*(?:(?:always|never|not|stop|{FROM_NOW},?) (?:{VERBS}|\w+ing)\b|(?:{MANNER})|(?:{VERBS})\b[^\x00]{{0,140}}? {LASTING}\??$|be (?:more )?(?:{MANNER_ADJ}))",
    re.I,
)
_ASKED_ONCE = re.compile(
    r"\b(?:explain|walk me through|give me|use|write|answer|reply|check|list|add|include|show|break|ask|confirm)\b",
    re.I,
)
_MAYBE = re.compile(
    rf"(?:{DONT}|stop|quit|avoid|refrain from|no need to|skip|leave out) \w+|(?:keep|make) it (?:\w+ )?(?:{MANNER_ADJ})\b",
    re.I,
)
_ONCE = re.compile(
    r"\b(?:never ?mind|(?:don't|dont|do not) (?:judge|laugh|shoot|blame|hate|@|tell anyone|ask me (?:why|how)|at me|worry|bother(?! with)|know|think|mind|panic|be|mention it|get me wrong|forget|have(?! to)|understand|see|want(?! you)|need(?! to)|like|even|really)|stop (?:it|there|here|now)|this time|"
    r"for now|just this once|(?:in|for|on|with) this (?:one|case|email|file|message|draft|reply|function|paragraph|report|essay|letter|question|task|ticket|order|trip)|yet|right now|"
    r"the (?:first|second|last|next) (?:one|paragraph|line|sentence|section|bullet|draft|version)|let me know|make sure it|the (?:above|attached)|below(?! \w+ (?:as|in|with|to)\b))\b",
    re.I,
)
_TODAY = re.compile(r"\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week))\b", re.I)
_LASTS = re.compile(rf"\b(?:always|never|{FROM_NOW})\b|^{LEAD}(?:{MANNER})", re.I)
_LEAD = re.compile(LEAD, re.I)
_HEAD = re.compile(rf"{LEAD}(?:(?:{CASE}|{FROM_NOW})[,:]? {LEAD})?", re.I)
_GIVEN = re.compile(
    r"(?:,| -| –)? \(?(?:because|since|as|cause|cuz) (?:i|i'm|i've|we|we're|my|our|it|it's|they|the|this|that|there)\b|(?:,| -| –| \() ?(?:i|i'm|i've|im|we|we're|we've|my|our|it|it's|its|that|that's|they|the|there|nobody|no one|he|she|this|"
    r"doctor's|thanks|thx|ok|lol|not everyone|some of us|otherwise)\b|,? (?:and|but|or) (?:i|i'm|my|we|our|the|it|that)\b",
    re.I,
)
_NEXT = re.compile(
    rf"(?:,|;|,? and|,? but|,? or) (?=(?:please |also |then )*(?:never|always|{DONT}|please)\b(?!\W*$))|, (?:and |then |also )*(?=(?:{VERBS}|avoid) (?!and\b|or\b)(?![^,]* instead\b))",
    re.I,
)
# "always use PowerShell, never bash": the second half has no verb of its own and says nothing without the first.
_CONTRAST = re.compile(
    rf"(?:[,;]|,? (?:and|but)) ?(?:never|not) (?!(?:{VERBS})\b)[\w' +#./-]{{1,40}}[.!]*$", re.I
)
_FOLLOWS = re.compile(rf"(?:please |also |then )*(?:{BEGINS}|never|always|no )", re.I)
# "so low sodium recipes only"
_RESTRICTS = re.compile(
    r"(?:please |pls )?(?!i\b|we\b|it\b|that\b|the\b|my\b|you\b)[\w' -]{3,40} only$|(?:please )?(?:no|nothing) [\w' -]{3,40}$|(?:please |pls )?(?:skip|leave out|avoid|drop|spare me)\b",
    re.I,
)
# "so no long walks": it bars something, and does not say for how long.
_BARRED = re.compile(r"(?:please |pls )?(?:no|nothing) (?!more\b|need\b)\w", re.I)
# "so break tasks into small steps": nothing that lies before us is meant.
_GENERAL = re.compile(
    rf"{LEAD}(?!(?:please )?(?:let|look|find|search|suggest|recommend|book|plan|pick|choose|draft|order|propose|offer|compare|check|calculate|schedule|prepare|create|report|buy|write|give|show|add|send|get|print)\b)(?:{VERBS})\b(?!.*\b(?:this|it|that|the|these|those|an?|my|our|one|them|him|her|now|back|up|go|come|look|try|help|check|fix|let)\b).+$",
    re.I,
)
_PASSING = re.compile(
    r"\b(?:right now|today|in a (?:hurry|rush|meeting)|this week|at the moment|late|driving|on my phone|about to|running out|currently)\b",
    re.I,
)


@dataclass(frozen=True)
class Order:
    """An order at ``[start, end)`` of a sentence. ``sure``: it holds beyond this once."""

    start: int
    end: int
    sure: bool


def orders(text: str) -> Iterator[Order]:
    """The orders in a sentence that stand or may stand, in order."""
    at, stood = 0, False
    for start, joined in _beginnings(text):
        if start < at:
            continue
        end = _end(text, start)
        sure = _holds(text, start, end, joined, stood)
        if sure is not None:
            yield Order(start, end, sure)
            at, stood = end, stood or sure


def _beginnings(text: str) -> Iterator[tuple[int, str]]:
    """Where an order may begin, each with what joins it to the words before."""
    yield 0, ""
    for match in _BOUNDARY.finditer(text):
        yield match.end(), (match.group().strip(" ,:-–") or match.group().strip()).lower()


_BOUNDARY = re.compile(r"(?:(?:,|:| -| –) (?:(?:so|and|but|then) )?| (?:so|and|but|then) )(?=\w)", re.I)


def _end(text: str, start: int) -> int:
    """Where the order ends: before its reason, and before the next order."""
    head = _HEAD.match(text, start)
    begin = head.end() if head else start
    following = _NEXT.search(text, begin + 3)
    if following and _CONTRAST.match(text, following.start()):
        following = None
    ends = [match.start() for match in (_GIVEN.search(text, begin), following) if match]
    return min(ends, default=len(text))


def _holds(text: str, start: int, end: int, joined: str, stood: bool) -> bool | None:
    """Whether the order holds beyond this once; ``None`` when it is none."""
    order, before, after = text[start:end].rstrip(" ,"), text[:start], text[end:]
    if " " not in order:
        return None
    if joined == "so" and _BARRED.match(order):
        return False
    if start and not _may_begin(order, before, joined, stood):
        return None
    if stands(order) or (stood and _FOLLOWS.match(order) and not _is_once(order)):
        return True
    reason = (bool(start) and _reason(before)) or _reason(after)
    if reason and re.match(
        r"(?:please |pls )?just (?:write|text|message|email|e-mail|call|give|tell|show|send)\b", order, re.I
    ):
        return True
    if joined == "so" and _RESTRICTS.match(order) and reason:
        return False
    if (
        joined == "so"
        and reason
        and _GENERAL.match(order)
        and not _is_once(order)
        and not _TODAY.search(order)
    ):
        return True
    if not may_stand(order):
        return None
    if reason:
        return True
    return False if re.match(r"(?:please|pls)\b|(?:keep|make) it", order, re.I) else None


def _may_begin(order: str, before: str, joined: str, stood: bool) -> bool:
    """After "I live here and ..." a bare "never" tells what the speaker does."""
    if joined == "so" or stood or re.match(r"(?:please|pls)\b", order, re.I):
        return not guards.is_supposed(before)
    if _is_governed(order) or _WISHED.match(order) or _DEMANDED.match(order) or _SPARED.match(order):
        return not guards.is_supposed(before)
    if joined == "," and re.match(r"(?:don't|dont|do not|just)\b", order, re.I):
        return not guards.is_supposed(before)
    told = re.search(r"\b(?:i|we|i'm|you|he|she|they|who|to|it)\b", before, re.I)
    return not told and joined in (",", "and", "but", ":", "-", "–")


def _reason(words: str) -> bool:
    """A lasting reason of the speaker's is given."""
    return bool(
        re.search(r"\b(?:i|i'm|im|i've|we|we're|my|our|us|me)\b", words, re.I)
    ) and not _PASSING.search(words)


def stands(order: str) -> bool:
    """It says itself that it holds beyond this once."""
    rest = order[_lead(order) :]
    if _is_once(rest):
        return False
    if re.match(r".{0,40}\b(?:please|pls) no \w", order, re.I):
        return True
    return any(pattern.match(rest) for pattern in _SURE) or bool(
        _is_governed(order) or _WISHED.match(order) or _SPARED.match(order) or _DEMANDED.match(order)
    )


def may_stand(order: str) -> bool:
    """It may hold beyond this once: "don't ..." and "keep it ..."."""
    rest = order[_lead(order) :]
    return bool(_MAYBE.match(rest)) and not _is_once(rest) and not _TODAY.search(rest)


def _is_governed(order: str) -> bool:
    """ "Anything you schedule should be in Mountain Time": what the assistant makes, not what is made for it."""
    match = _GOVERNED.match(order)
    return bool(match) and bool(re.search(r"\b(?:you|your)\b", match.group(), re.I)) if match else False


def is_asked(question: str) -> bool:
    """A question that asks for something to be so from now on: "could you keep your answers short from now on?"."""
    match = _ASKED.match(question)
    if match is None or _is_once(question):
        return False
    lasting = re.search(rf"\b(?:always|never|stop|not)\b|{FROM_NOW}", question, re.I) or re.search(
        rf"{LASTING}\??$", question, re.I
    )
    return bool(lasting) or not _ASKED_ONCE.search(match.group())


def _is_once(order: str) -> bool:
    if _ONCE.search(order):
        return True
    return bool(_TODAY.search(order)) and not _LASTS.search(order)


def _lead(order: str) -> int:
    match = _LEAD.match(order)
    return match.end() if match else 0
