"""That somebody of a family, or an animal, is there: "my sister is getting married" says that there is a sister."""

import re

from memoryhub.llm.backends.rules.people import ANIMAL, FAMILY, MANY, without_article
from memoryhub.llm.backends.rules.wording import Rule, rx, words

_KIN = (
    rf"nieces and nephews|brothers and sisters|(?:{FAMILY})s?|in-laws|(?:mother|father|sister|brother|son|daughter)s?-in-law|grandparents|grandkids|grandchildren|grandsons?|"
    "granddaughters?|step-?(?:son|daughter|mother|mum|mom|father|dad|brother|sister)s?|children|babies|toddlers?|teenagers?|newborn|twins|boys|girls|"
    "(?:ex-|ex )(?:wife|husband)|great-(?:aunt|uncle|grandmother|grandfather)|half-(?:brother|sister)|nieces and nephews|brothers and sisters|sisters and brothers|sons and daughters|godson|goddaughter|nan|gran|granny|hubby|missus|other half"
)
_WHICH = (
    r"(?:(?:older|younger|elder|eldest|oldest|youngest|little|big|baby|twin|late|elderly|teenage|only|middle|first|two|three|four|five|"
    r"six|adult|grown-up|\d+|\w+-year-old|new|own|lovely|dear|pregnant|dutch|german|french|italian|spanish|polish|american|\w+ese|\w+ian) ){0,3}"
)
_NAME = r"(?-i:[A-Z][\w'-]+)"
_AFTER = r"(?=[.,;!?()'’:]|$| (?!(?:name|phone|email|account|card|address|app|number|order|language|tongue|board|says|said|thinks|told|tells|used to say|always says|keeps saying|asked|asks)\b))"
_KEPT = r"(?:(?!(?:new|the|is|was|are|has|for|with|of|and|in|on)\b)[\w-]+ ){0,2}?"
_NOT_KIN = words("baby kids girls boys")
_ARTICLE = re.compile(r"^(?:an?|my|our|the) ", re.I)


def kinsfolk(value: str) -> str | None:
    """Who they are, without an article."""
    said = without_article(value)
    return None if said is None or said.lower() in _NOT_KIN else said


def animal(value: str) -> str | None:
    """The animals with their names: "dog Bruno", "two cats, Miso and Pepper"."""
    said = _ARTICLE.sub("", value).strip()
    return said if len(said.split()) <= 8 else None


def _kin(pattern: str, says: str, attribute: str = "family", **more: object) -> Rule:
    more = {"shape": kinsfolk} | more
    return Rule("profile", rx(pattern), says, "", attribute, **more)  # type: ignore[arg-type]


#: Before those of ``people``, whose values are shorter.
PETS = (
    _kin(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?:have|got|own|keep|adopted|have got) (?P<value>(?:{MANY} )(?:[\w-]+ ){{0,3}}?{ANIMAL}s?, {_NAME}(?:(?:, | and |, and ){_NAME}){{0,4}})",
        "Has {value:one}",
        "pet",
        shape=animal,
    ),
    _kin(
        rf"{{MY}} (?P<value>{_KEPT}{ANIMAL}s?,? {_NAME}(?:(?:, | and |, and ){_NAME}){{0,3}})(?=[.,;!?)(']|$| (?!(?:food|insurance|hair|bed|vet)\b)[a-z])",
        "Has {value:one}",
        "pet",
        shape=animal,
        aside=True,
    ),
)

RULES = (
    _kin(
        rf"\bwith (?P<here>(?P<value>(?:one|two|three|four|five|six|twin) (?:[\w-]+ ){{0,2}}?(?:{_KIN}|kids?|child(?:ren)?|boys?|girls?)))(?=[.,;!?]|$| (?:and|who|so|but|in|at)\b)",
        "Has {value}",
        aside=True,
    ),
    _kin(
        r"\bthe (?P<value>kids|twins|grandkids)\b(?! (?:menu|club|section|table|of|room|at))",
        "Has {value}",
        aside=True,
    ),
    _kin(rf"{{MY}} (?P<value>{_WHICH}(?:{_KIN})){_AFTER}", "Has {value:one}", aside=True),
    _kin(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?:have|got|have got|'ve got) (?P<value>(?:{MANY} )(?:[\w-]+ ){{0,2}}?(?:{_KIN}))(?=[.,;!?(:]|$| (?!to\b)[a-z])",
        "Has {value:one}",
    ),
    _kin(
        r"(?:{I}|{HAVE})[^,;!?\x00\n]{3,50}? and (?P<here>(?P<value>another (?:baby|child|boy|girl) on the way))",
        "Has {value}",
        aside=True,
    ),
    _kin(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?:have|own|keep|got|have got|'ve got) [^,;!?\x00\n]{{3,50}}? and (?P<here>(?P<value>{MANY} (?:\w+ )?{ANIMAL}s?))(?=[.,;!?(]|$| (?:and|who|so|but|to|in|at)\b)",
        "Has {value:one}",
        "pet",
        shape=animal,
        aside=True,
    ),
    _kin(
        rf"{{MY}} (?P<value>{_KEPT}{ANIMAL}s?)(?=[.,;!?)(']|$| (?!(?:food|insurance|hair|bed|house|park|video|photos?|pictures?|walker|sitter)\b)[a-z])",
        "Has {value:one}",
        "pet",
        shape=animal,
        aside=True,
    ),
)
