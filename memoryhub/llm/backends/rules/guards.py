"""What must not become a fact: questions, suppositions, wishes, other people's words, fiction."""

import re

_ASKING = re.compile(
    r"(?:(?:what|when|where|who|whom|whose|which|why|how)(?:'s|'re)? (?:is|are|was|were|am|do|does|did|can|could|should|"
    r"will|would|has|have|had|time|kind|much|many|often|long|about|to|if)(?:n't)?\b"
    r"|(?:do|does|did|am|is|are|was|were|can|could|would|will|should|shall|may|have|has|had)(?:n't)? "
    r"(?:i|we|you|my|our|your|the|it|there|this|that|these|he|she|they|anyone|anybody|someone)\b)",
    re.I,
)
_SUPPOSED = re.compile(
    r"\b(?:if|unless|suppose|supposing|imagine|imagining|pretend|pretending|say i|let's say|what if|as though|"
    r"hypothetically|for example|e\.g\.|for instance|assume|assuming|whether|in case|wish|wished|"
    r"had i|were i|once i|until i|dreamt?|dreamed|joking|kidding|just like|used in)\b",
    re.I,
)
# These suppose only in their own clause.
_MODAL = re.compile(r"\b(?:would|could|might|should|(?<!\d )(?-i:may)(?! \d))\b", re.I)
# A condition that is over before what is said: "if it matters, I'm in Rome".
_ASIDE = re.compile(
    r"\b(?:if (?:it|that) (?:helps|matters)|in case (?:it|that) (?:helps|matters)|if you (?:must|need to|want to) know|in case you(?:'re| are) wondering)\b",
    re.I,
)
_FICTION = re.compile(
    r"\b(?:my character|in (?:the|my|this) (?:story|novel|game|role-?play|scene|script|dream)|role-?play|"
    r"the narrator|the protagonist|the sentence|translate|proofread|rephrase|rewrite this|paraphrase)\b",
    re.I,
)
_REPORTED = re.compile(
    r"\b(?!i\b|we\b)[\w']+(?: \w+)? (?:said|says|say|thinks?|thought|claims?|claimed|told \w+|tells \w+|believes?|"
    r"wrote|writes|asks?|asked|heard|insists?|insisted|assumes?|assumed|joked|quoted)(?: that)?[ ,:]*$",
    re.I,
)
_AS_SAID = re.compile(
    r"\b(?:as|like) (?:i|we)(?:'ve| have)? (?:already |just )?(?:said|told (?:you|them)|mentioned|wrote|explained)"
    r"(?: before| earlier| already| last time)?[ ,:]*$",
    re.I,
)
_BEFORE_CLAUSE = re.compile(
    r"(?:^|[,;:(–—-]|\b(?:and|but|so|or|because|cause|since|that|though|although|also|well|yes|yeah|no|ok|okay|as|plus|"
    r"then|know|mean|realise|realize|personally|still|while|where|when|yesterday|today|tomorrow|week|month|year|spring|summer|autumn|fall|winter|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|job|role|life|career|past|position|(?:19|20)\d\d|hi|hey|hello|say|fyi|btw|now)|\w+ly)$",
    re.I,
)
_DOUBT = re.compile(
    r"\b(?:i think(?! about| of)|i guess|i believe|i suppose|maybe|perhaps|probably|possibly|not sure|kind of|sort of|apparently|"
    r"i assume|as far as i know|more or less|presumably|allegedly)\b",
    re.I,
)


_TURN = re.compile(
    r"(?:,(?: so| and| but)?|:| -| –| so| and| but) (?=(?:(?:any|what|what's|which|how|how's|where|when|who|why)\b|"
    r"(?:can|could|do|does|did|is|are|should|would|will|got)(?:n't)? (?:i|we|you|my|our|it|that|this|there|the|any|they|he|she)\b)|(?<=, )(?:can|could|do|does|did|is|are|should|would|will)\b)",
    re.I,
)
# A reason given with a question is told: "can you leave out the nuts, since I'm allergic?"
_REASON = re.compile(
    r",? \b(?:because|since|as|cause|cuz|given that|now that|considering) (?=(?:i|i'm|im|i've|we|we're|we've|my|our)\b)",
    re.I,
)


def told_before_asking(sentence: str) -> str:
    """What is told at the head of a question: "I'm vegan" of "I'm vegan, any ideas?"; empty when it only asks.

    "I'm on the free plan, right?" asks whether it is so, and tells nothing.
    """
    turn = _TURN.search(sentence)
    if turn is None or _ASKING.match(sentence):
        return ""
    return sentence[: turn.start()]


def told_after_asking(sentence: str) -> int | None:
    """Where the reason begins that is told with a question; ``None`` when there is none."""
    reason = _REASON.search(sentence)
    return reason.end() if reason else None


def asks(sentence: str) -> bool:
    """It is a question, with or without its mark."""
    return sentence.rstrip("\"')] ").endswith("?") or bool(_ASKING.match(sentence))


def is_fiction(sentence: str) -> bool:
    """It speaks of a story, or hands over a text to work on."""
    return bool(_FICTION.search(sentence))


def is_supposed(before: str) -> bool:
    """What stands before a match makes it a condition, a wish or an example."""
    before = _ASIDE.sub("", before)
    return bool(_SUPPOSED.search(before) or _MODAL.search(before.rpartition(",")[2]))


def _tail(before: str) -> str:
    """The end of ``before``; cut short, a word stands before it, so that it does not look like a beginning."""
    before = before.rstrip()
    return before if len(before) <= _NEAR else "x" + before[-_NEAR:]


def is_reported(before: str) -> bool:
    """Somebody else is said to say it."""
    near = before[-_NEAR:]
    return bool(_REPORTED.search(near)) and not _AS_SAID.search(near)


def is_relative(before: str) -> bool:
    """What stands before a match makes it a part of another clause: "what I like", "the job I love"."""
    return not _BEFORE_CLAUSE.search(_tail(before))


#: So many characters before a match tell who says it.
_NEAR = 80
_THEN_DOUBT = re.compile(
    r",? ?(?:but )?(?:i think|i guess|i believe|i suppose|i assume|not (?:\w+ )?sure|maybe[?.!]*$|probably|if i remember|afaik|as far as i know|or (?:something|so|maybe))\b",
    re.I,
)


def is_doubted(before: str, said: str, after: str) -> bool:
    """The speaker is not sure of what is ``said``: in its own words, at the head of its clause, or right after it."""
    head = re.split(r"[,:]", before)[-1]
    return bool(_DOUBT.search(head) or _DOUBT.search(said) or _THEN_DOUBT.match(after))
