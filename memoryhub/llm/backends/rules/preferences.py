"""What somebody likes, dislikes, prefers, does for fun and works with."""

import re

from memoryhub.llm.backends.rules.wording import Rule, course, rx, short, thing, words

_HABITS = (
    "work|start|finish|wake|get up|go|eat|drink|run|travel|commute|shop|cook|train|meet|take|skip|sleep|order|buy|wear|"
    "read|listen|watch|drive|cycle|walk|fly|stay"
)
_THE = "sea|ocean|mountains|beach|outdoors|opera|theat(?:re|er)|cinema|rain|snow|cold|heat|city|countryside|dark|gym"
# What is liked for the moment, or can not be understood without what was said before.
_NO_LIKING = re.compile(
    rf"(?:the (?!(?:{_THE})\b)|is|are|was|were|and|or|of|how|what|when|where|you|your|everything|all|being|seeing|"
    r"hearing|talking|chatting|to (?:know|see|hear|ask|try|get|understand|think|be able|use|have|make|add|change|thank|"
    r"say|do|go)\b)\b"
    r"|.*\b(?:it|this|that|these|those|him|her|his|their|its|he|she|they|them|you|your|yours|here|there)\b",
    re.I,
)


def liked(value: str) -> str | None:
    """Something that can be liked beyond this moment."""
    said = thing(value)
    return None if said is None or _NO_LIKING.match(said) else said


def preferred(value: str) -> str | None:
    """What is preferred, with what it is preferred to."""
    said = course(value) if value[:3] == "to " else thing(value)
    return (
        None
        if said is None or re.match(r"(?:not to say|the (?:first|second|last|other|former|latter))\b", said)
        else said
    )


def _prefers(pattern: str, says: str, says_not: str = "", **more: object) -> Rule:
    return Rule("preference", rx(pattern), says, says_not, None, preferred, **more)  # type: ignore[arg-type]


def _likes(pattern: str, says: str, attribute: str = "likes", says_not: str = "") -> Rule:
    return Rule("preference", rx(pattern), says, says_not, attribute, liked, split=True)


RULES = (
    _likes(r"\bi (?:do not|don't|dont) want (?!to\b){THING}", "Does not want {value}", "dislikes"),
    Rule(
        "preference",
        rx(
            r"{AM}{ADV}{NOT} (?P<value>an? (?:early bird|night owl|(?:morning|night|cat|dog|coffee|tea) person))\b"
        ),
        "Is {value}",
        "Is not {value}",
        shape=thing,
    ),
    _prefers(r"{I}{ADV}{NO}{ADV} prefer {THING}", "Prefers {value}", "Does not prefer {value}"),
    _prefers(
        r"{I}(?:'d|{ADV} would){ADV} (?:rather|prefer to|much rather|sooner) (?P<what>(?!be\b|have\b|know\b|not say\b|see\b|ask\b)[a-z]+) {THING}",
        "Would rather {what} {value}",
    ),
    _prefers(r"{I}'d{ADV} rather have {THING}", "Would rather have {value}"),
    _prefers(r"{MY} (?:strong |personal )?preference is(?: for| to)? {THING}", "Prefers {value}"),
    _likes(r"\bi{ADV} like {THING}", "Likes {value}"),
    _likes(r"\bi{ADV} love {THING}", "Loves {value}"),
    _likes(r"\bi{ADV} (?:enjoy|adore) {THING}", "Enjoys {value}"),
    _likes(
        r"\b(?:i'm|i am){ADV} (?:a (?:big |huge )?fan of|fond of|keen on|really into|into|obsessed with|passionate about) {THING}",
        "Likes {value}",
    ),
    _likes(
        r"\bi{ADV} (?:hate|dislike|detest|despise|loathe|can't stand|cannot stand|can't bear) {THING}",
        "Dislikes {value}",
        "dislikes",
    ),
    _likes(
        r"\bi{ADV}(?P<neg> (?:do not|don't|dont)){ADV} (?:like|enjoy|love|care for) {THING}",
        "Likes {value}",
        says_not="Does not like {value}",
    ),
    _likes(
        r"\b(?:i'm|i am){ADV}(?P<neg> not) (?:a (?:big |huge )?fan of|fond of|keen on|into) {THING}",
        "Likes {value}",
        says_not="Does not like {value}",
    ),
    Rule(
        "preference",
        rx(
            r"{MY} (?:all[- ]time )?favou?rite (?P<what>(?!one|bit|moment|memory|is|way)[a-z][a-z -]{1,40}?) (?:is|are|has always been|was always) (?P<neg>not )?{THING}"
        ),
        "Favourite {what} is {value}",
        "Favourite {what} is not {value}",
        "likes",
        thing,
    ),
    Rule(
        "preference",
        rx(
            r"{CLAUSE}(?P<value>(?-i:[A-Z][\w'+#-]*)(?: [\w'+#-]+){0,3}) is {MY} (?:all[- ]time )?favou?rite (?P<what>(?!one|bit|moment|memory|is|way)[a-z][a-z -]{1,30}?){STOP}"
        ),
        "Favourite {what} is {value}",
        "",
        "likes",
        thing,
        cues=words("my our"),
    ),
    Rule(
        "preference",
        rx(
            r"{CLAUSE}(?:in my (?:free|spare) time,? i|on weekends,? i|at weekends,? i)(?: usually| mostly| often)* {THING}"
        ),
        "{value:third} in free time",
        "",
        "hobby",
        thing,
    ),
    Rule(
        "preference",
        rx(r"{MY} hobb(?:y|ies) (?:is|are|include) {THING}"),
        "Hobby: {value}",
        "",
        "hobby",
        thing,
    ),
    Rule(
        "preference",
        rx(
            r"\bi{ADV}(?: often| regularly)?(?P<neg> don't)? (?P<what>play|practi[sc]e|collect|go) (?:the )?(?P<value>(?:guitar|piano|violin|drums|bass|cello|flute|saxophone|chess|tennis|football|soccer|basketball|volleyball|badminton|golf|hockey|rugby|cricket|padel|squash|poker|video games|board games|yoga|meditation|judo|karate|climbing|bouldering|running|hiking|cycling|swimming|surfing|skiing|snowboarding|sailing|kayaking|fishing|camping|stamps|coins|vinyl records|vinyl)(?: and \w+)?)\b"
        ),
        "{what:third} {value}",
        "Does not {what} {value}",
        "hobby",
        short,
    ),
    Rule(
        "preference",
        rx(
            rf"\bi{{ADV}} (?P<how>usually|normally|typically|generally|tend to|prefer to) (?P<value>(?:{_HABITS})\b[^,;!?\x00\n]{{2,90}}?){{STOP}}"
        ),
        "{how} {value:third}",
        shape=thing,
    ),
    Rule(
        "profile",
        rx(
            r"{I}{ADV}(?P<neg> don't| do not)?{ADV} work (?P<value>(?:from home|remotely|part[- ]time|full[- ]time|night shifts|nights|weekends|mornings|evenings|shifts|freelance|flexible hours)\b[^,;!?\x00\n]{0,60}?){STOP}"
        ),
        "Works {value}",
        "Does not work {value}",
        shape=short,
    ),
)
