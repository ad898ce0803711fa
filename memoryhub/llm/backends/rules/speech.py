"""From the first person to none: "I like my coffee black" becomes "Likes their coffee black"."""

import re

_SHIFTS = {
    "i'm": "they are",
    "i am": "they are",
    "we're": "they are",
    "i've": "they have",
    "we've": "they have",
    "i'll": "they will",
    "we'll": "they will",
    "i'd": "they would",
    "i": "they",
    "we": "they",
    "me": "them",
    "us": "them",
    "my": "their",
    "our": "their",
    "mine": "theirs",
    "ours": "theirs",
    "myself": "themselves",
    "ourselves": "themselves",
    "am": "are",
}
_SHIFT = re.compile(
    r"\b(?:"
    + "|".join(sorted((re.escape(word) for word in _SHIFTS), key=len, reverse=True))
    + r")\b(?![/.])",
    re.I,
)
_US = re.compile(r"\bUS\b")
_OPENINGS = (
    (re.compile(r"(?:i am|i'm|im|we are|we're) ", re.I), "Is "),
    (re.compile(r"(?:i have|i've|we have|we've) ", re.I), "Has "),
    (re.compile(r"(?:i was|we were) ", re.I), "Was "),
    (re.compile(r"(?:i|we) (?:do not|don't|dont) ", re.I), "Does not "),
    (re.compile(r"(?:i|we) (?:can't|cannot|can not) ", re.I), "Cannot "),
    (re.compile(r"(?:i|we) (can|will|must|should|would|could|may|might|had|did|never|used to) ", re.I), None),
    (re.compile(r"(?:i'll|we'll) ", re.I), "Will "),
    (re.compile(r"(?:my|our) ", re.I), ""),
)
_VERB = re.compile(
    r"(?:i|we) ((?:also |really |always |usually |often |only |still |mostly |just )?)([a-z]+)\b", re.I
)
_NO_ARTICLE = {"ceo", "cto", "cfo", "coo", "ciso", "cpo", "vp", "president"}
_IRREGULAR = {"have": "has", "do": "does", "go": "goes", "be": "is", "am": "is", "are": "is"}


# "Older brother" is one, "two cats" and "children" are not.
_ONE_ONLY = re.compile(
    r"(?!(?:an?|my|our|the|one|two|three|four|five|six|seven|several|some|no|twins?|\d+(?![- ]?(?:year|month|week)))\b)(?!.*(?<!s)s$|.*(?:children|kids|people|in-laws)$).*",
    re.I,
)


class Words(str):
    """Text for a template: ``{x:third}`` puts its first word into the third person, ``{x:job}`` gives a title its
    article, ``{x:one}`` whatever is one."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        if spec == "job":
            return with_article(self)
        if spec == "one":
            return with_article(self) if _ONE_ONLY.fullmatch(self) else str(self)
        return third(self) if spec == "third" else str(self)


def with_article(title: str) -> str:
    """ "a data engineer", "an auditor", "CTO"."""
    if title.split()[-1].lower() in _NO_ARTICLE or " of " in title.lower():
        return title
    return f"{'an' if title[:1].lower() in 'aeiou' else 'a'} {title}"


def third(phrase: str) -> str:
    """``phrase`` with its first verb in the third person: "use a wheelchair" to "uses a wheelchair"."""
    verb, _, rest = phrase.partition(" ")
    return f"{_third(verb)} {rest}".strip()


def _third(verb: str) -> str:
    low = verb.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low.endswith("ed") and not low.endswith(("eed", "bed", "wed", "ded")):
        return verb  # past already
    if low.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def no_longer(statement: str) -> str:
    """ "Does not live in Berlin" as "No longer lives in Berlin": it was so, and ended."""
    if statement.startswith("Does not "):
        return f"No longer {third(statement.removeprefix('Does not '))}"
    return statement.replace(" not ", " no longer ", 1)


def shifted(text: str) -> str:
    """``text`` with the speaker's pronouns replaced by "they"."""
    # "US" is a country and "us" is not.
    kept = _US.sub("U\x00S", text)
    return _SHIFT.sub(lambda match: _SHIFTS[match[0].lower()], kept).replace("U\x00S", "US")


def impersonal(clause: str) -> str:
    """A first-person clause as a statement without a subject; other clauses only get a capital."""
    for opening, replacement in _OPENINGS:
        match = opening.match(clause)
        if match:
            head = match[1].capitalize() + " " if replacement is None else replacement
            return capital(head + shifted(clause[match.end() :]))
    verb = _VERB.match(clause)
    if verb and not verb[2].lower().endswith("ed"):
        return capital(verb[1] + _third(verb[2]) + shifted(clause[verb.end() :]))
    if verb:
        return capital(verb[1] + verb[2] + shifted(clause[verb.end() :]))
    return capital(shifted(clause))


def capital(text: str) -> str:
    """``text`` with its first letter a capital."""
    return text[:1].upper() + text[1:]
