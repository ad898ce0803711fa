"""Standing instructions, kept word for word, and what somebody asks to be remembered."""

import re
from collections.abc import Iterator

from memoryhub.llm.backends.rules import guards, ordering, orders, speech
from memoryhub.llm.backends.rules.sentences import COMMA, Sentence
from memoryhub.llm.backends.rules.wording import Found

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


def standing(sentence: Sentence) -> list[Found]:
    """The standing instructions in ``sentence``, doubtful when they may be meant once or steer suspiciously."""
    text = _body(sentence.text)
    if guards.is_fiction(text) or text.startswith("\x00"):
        return []
    if guards.asks(sentence.text):
        return [_order(text, sentence, 0, sure=True)] if orders.is_asked(text) else []
    return [
        _order(text[order.start : order.end].rstrip(" ,-–"), sentence, order.start, sure=order.sure)
        for order in orders.orders(text)
        if order.sure or "\x00" not in text
    ]


def _order(text: str, sentence: Sentence, at: int, *, sure: bool) -> Found:
    doubtful = bool(_SUSPICIOUS.search(text)) or not sure
    return _found("instruction", text, Sentence(text, sentence.start + at), text, doubtful)


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
        rf"(?:to|you (?:must|should|need to)|always|never)\b (?:always |never )?(?:{ordering.VERBS})\b",
        text,
        re.I,
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
    statement = statement.replace(COMMA, ",")
    return Found(kind, None, None, statement, sentence.start, sentence.start + len(text), doubtful)
