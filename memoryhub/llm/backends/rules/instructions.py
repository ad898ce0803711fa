"""Standing instructions, kept word for word, and what somebody asks to be remembered."""

import re
from collections.abc import Iterator

from memoryhub.llm.backends.rules import guards, speech
from memoryhub.llm.backends.rules.sentences import Sentence
from memoryhub.llm.backends.rules.wording import LANGUAGES, Found

_VERBS = (
    "use|call|send|include|add|write|suggest|answer|reply|respond|ask|mention|explain|apologi[sz]e|translate|share|"
    "email|e-mail|book|schedule|remind|assume|start|begin|end|say|show|give|recommend|keep|make|put|format|speak|"
    "talk|tell|address|refer|cite|quote|check|confirm|double-check|run|deploy|delete|touch|change|commit|push|merge|"
    "order|buy|pay|contact|notify|cc|copy|sign|greet|avoid|skip|provide|summari[sz]e|end|convert|round|sort|list|"
    "return|prefer|default|be|do|let|try|remember|warn|link|attach|open|close|stick|limit|follow|consider|treat|"
    "name|label|tag|test|document|comment|indent|wrap|spell|reference|stop|leave|interrupt|disturb|repeat|forget|"
    "phone|text|message|ping|escalate|approve|charge|refund|ship|invoice|phrase|highlight|mark"
)
_PLEASE = r"(?:(?:please|pls|ok|okay|so|and|also|oh|one more thing|hey|just)[,:]? )*"
_FROM_NOW = r"(?:from now on|going forward|from here on(?: out)?|in (?:the )?future|as of now|for (?:all )?future (?:replies|answers|conversations|reference))"
_YOU = r"(?:i(?:'d| would)? (?:want|like|need|prefer) you to |you (?:should|must|need to|have to) |(?:make|be) sure (?:to |you |that you )|i'd (?:appreciate|prefer) it if you )"

_SURE = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"^{_PLEASE}(?:always|never|don't ever|do not ever) (?:{_VERBS})\b",
        rf"^{_PLEASE}{_FROM_NOW},? {_PLEASE}(?:always |never |only |do not |don't |{_YOU})?(?:{_VERBS})\b",
        rf"^{_PLEASE}(?:do not|don't|only |always )? ?(?:{_VERBS})\b.* {_FROM_NOW}$",
        rf"^{_PLEASE}(?:always |only )?(?:answer|reply|respond|speak|talk)(?: to me| me)?(?: only)? in (?:{LANGUAGES})(?=[.,;!]|$| (?:please|pls|only|from now on)\b)",
        rf"^{_PLEASE}{_YOU}(?:always|never|only) (?:{_VERBS})\b",
        rf"^{_PLEASE}(?:whenever|every time|each time|any time|anytime) (?:i|we)\b.{{3,120}}, {_PLEASE}(?:always |never |do not |don't |you (?:should|must) )?(?:{_VERBS})\b",
        rf"^{_PLEASE}(?:when|if) (?:i|we) (?:ask|say|mention|request|send|share|write|use|paste|upload)\b.{{2,120}},? {_PLEASE}(?:always|never|only|i mean|it means|that means|it always means)\b",
        r"^(?:please |pls )?(?:keep|make) (?:all )?(?:your|the) (?:answers|replies|responses|messages|explanations|emails) (?:\w+ ){0,2}(?:short|brief|concise|simple|formal|informal|detailed|terse|to the point|friendly|polite|under|below|less)\b",
        r"^(?:please |pls )?(?:address|refer to) me (?:as|by)\b",
        r"\bno (?:more|need for any) (?:emojis?|bullet points?|exclamation marks?|small talk|jargon|apologies|disclaimers)\b",
    )
)
_WISHED = re.compile(
    rf"(?:could|can|would|will) you (?:please )?"
    rf"(?:(?:always|never|from now on) (?:{_VERBS})\b|(?:{_VERBS})\b.* {_FROM_NOW}\??$)",
    re.I,
)
_MAYBE = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"^{_PLEASE}(?:do not|don't|stop|quit|avoid|refrain from) (?:{_VERBS}|\w+ing)\b",
        rf"^(?:please |pls )(?:always|only) (?:{_VERBS})\b",
    )
)
_CONCLUDED = re.compile(
    rf"(?P<told>(?:i|i'm|i've|my|we|we're|we've|our)\b[^\x00]{{4,160}}?)(?:, so|,| so| and so) (?P<order>(?:please |pls )?"
    rf"(?:(?:always|never|only|don't|do not) (?:{_VERBS})|just (?:write|text|message|email|e-mail|call|give|tell|show|send))\b.*)$",
    re.I | re.DOTALL,
)
# Habits of an answer: a wish about one of these is hardly ever meant once.
_HABIT = re.compile(
    r"\b(?:emojis?|emoticons?|bullets?|bullet points|markdown|jargon|tables?|exclamation|apologi\w+|disclaimers?|"
    r"ever|again|any ?more|all the time|every time|call(?:ing)? me|small talk|filler|passive voice|acronyms|slang|"
    r"formal|informal|first name|last name|swear\w*|sugar-?coat\w*|lectur\w+|follow-up questions|summar\w+ at)\b",
    re.I,
)
_ONCE = re.compile(
    r"\b(?:never ?mind|don't (?:worry|bother|know|think|mind|panic|be|mention it)|stop (?:it|there|here|now)|this time|"
    r"for now|just this once|in this (?:one|case|email|file|message|draft|reply)|yet|today|right now)\b",
    re.I,
)
_SUSPICIOUS = re.compile(
    r"https?://|www\.|\b(?:system prompt|previous instructions|all instructions|developer mode|jailbreak|ignore (?:all|any|the|your)|"
    r"api[ _-]?keys?|passwords?|tool call|function call|you must always|exfiltrat\w+|<\|)|\b(?:system|assistant|developer):",
    re.I,
)
_REMEMBER = re.compile(
    r"^(?:(?:please|pls|can you|could you|also|ok|okay|so|and|hey|i (?:want|need|would like|'d like) you to),? ?)*"
    r"(?:remember(?: that| this)?|keep in mind(?: that)?|bear in mind(?: that)?|(?:make a )?note(?: to self)?(?: that)?|"
    r"don't forget(?: that)?|do not forget(?: that)?|take note(?: that)?|for (?:the record|your records|future reference)|fyi|save this|"
    r"you should know(?: that)?|let it be known that)(?P<mark>[:,] ?| )(?P<rest>\S.{4,})$",
    re.I | re.DOTALL,
)
_CLEAR = re.compile(r"(?:that|this|note|record|records|reference|fyi)[:,]? $|: ?$", re.I)
# Said to the listener about the listener, as people do to people: nothing to keep.
_YOURS = re.compile(r"\b(?:you|your|yourself)\b", re.I)
_OWN = re.compile(r"(?:i|i'm|i've|my|we|we're|we've|our|the)\b", re.I)
_NOT_TOLD = re.compile(
    r"(?:when|how|what|why|who|where|if|me|him|her|us|the time|to ask|to tell|the (?:one|day|movie)|i (?:asked|said|told)|you (?:said|told)|last)\b",
    re.I,
)


def instruction(sentence: Sentence) -> Found | None:
    """The standing instruction that ``sentence`` is, doubtful when it may be meant once or steers suspiciously."""
    text = _body(sentence.text)
    wished = bool(_WISHED.match(text))
    if (
        (guards.asks(sentence.text) and not wished)
        or guards.is_fiction(sentence.text)
        or _ONCE.search(text)
        or "\x00" in text
    ):
        return None
    sure = wished or any(pattern.search(text) for pattern in _SURE)
    if not sure and not any(pattern.search(text) for pattern in _MAYBE):
        return None
    habit = sure or bool(_HABIT.search(text))
    if not habit and not re.match(r"(?:please|pls)\b", text, re.I):
        return None
    doubtful = bool(_SUSPICIOUS.search(text)) or not habit
    return _found("instruction", text, sentence, text, doubtful)


def concluded(sentence: Sentence) -> Iterator[Found]:
    """The standing instruction at the end of what somebody tells of themself: "I'm on nights, so don't call early"."""
    match = _CONCLUDED.match(sentence.text)
    if match is None or guards.asks(sentence.text) or guards.is_supposed(match["told"]):
        return
    text = _body(match["order"])
    if "\x00" not in text and not _ONCE.search(text):
        yield _found(
            "instruction",
            text,
            Sentence(text, sentence.start + match.start("order")),
            text,
            bool(_SUSPICIOUS.search(text)),
        )


def asked_to_remember(sentence: Sentence) -> tuple[Sentence, str] | None:
    """What follows "remember that …" as a sentence of its own, and the words themselves."""
    match = _REMEMBER.match(sentence.text)
    if match is None or _NOT_TOLD.match(match["rest"]):
        return None
    return Sentence(match["rest"], sentence.start + match.start("rest")), match["rest"]


def remembered(sentence: Sentence, rest: Sentence) -> Iterator[Found]:
    """The fact to keep when no rule knows better what was asked to be remembered."""
    text = _body(rest.text)
    if guards.asks(sentence.text) or "\x00" in text:
        return
    order = re.match(
        rf"(?:to|you (?:must|should|need to)|always|never)\b (?:always |never )?(?:{_VERBS})\b", text, re.I
    )
    if order:
        kept = re.sub(r"^to ", "", text, flags=re.I)
        yield _found("instruction", speech.capital(kept), rest, text, bool(_SUSPICIOUS.search(text)))
        return
    told = bool(_CLEAR.search(sentence.text[: rest.start - sentence.start]))
    if not (told or _OWN.match(text)) or _YOURS.search(text):
        return
    yield _found(_kind_of(text), speech.impersonal(text), rest, text, bool(_SUSPICIOUS.search(text)))


def _kind_of(text: str) -> str:
    if re.search(
        r"\b(?:must|mustn't|never|only|not allowed|cannot|can't|forbidden|at most|at least)\b", text, re.I
    ):
        return "constraint"
    return "profile" if re.match(r"(?:i|i'm|i've|my|we|we're|our)\b", text, re.I) else "project"


def _body(text: str) -> str:
    return text.rstrip(" .!?;,\n\r\t")


def _found(kind: str, statement: str, sentence: Sentence, text: str, doubtful: bool) -> Found:
    return Found(kind, None, None, statement, sentence.start, sentence.start + len(text), doubtful)
