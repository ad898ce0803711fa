"""Where somebody lives and which clock they live by."""

import re

from memoryhub.llm.backends.rules.wording import Rule, Shape, cities, is_town, place, rx, tidy, words

_ABBREVIATIONS = words(
    "cet cest gmt utc bst wet west eet eest msk est edt cst cdt mst mdt pst pdt et pt ist jst kst sgt hkt aest aedt "
    "acst awst nzst nzdt brt art sast wib pht"
)
_WIDE = {
    "pacific": "America/Los_Angeles",
    "mountain": "America/Denver",
    "central": "America/Chicago",
    "eastern": "America/New_York",
    "central european": "CET",
    "eastern european": "EET",
    "british": "Europe/London",
    "japan": "Asia/Tokyo",
    "indian": "Asia/Kolkata",
}
_ZONE = (
    r"(?P<value>(?-i:[A-Z][a-z]+/[A-Z][\w/+-]+)|(?:utc|gmt)\s?[+-]\s?\d{1,2}(?::\d\d)?|"
    rf"(?:{'|'.join(sorted(_ABBREVIATIONS, key=len, reverse=True))})\b)"
)
_BY_NAME = r"(?P<value>(?:[A-Za-z]+(?: [A-Za-z]+)?))"


def zone(value: str) -> str | None:
    """The zone as the database names it where a city or offset tells, else as said."""
    said = tidy(value) or ""
    if re.match(r"(?:utc|gmt)\s?[+-]", said, re.I) or said.lower() in _ABBREVIATIONS:
        return said.upper().replace(" ", "")
    if "/" in said:
        return said
    name = said.lower().removesuffix(" standard").removesuffix(" summer")
    # A country may have several zones, and its time is told all the same.
    named = f"{said} time" if said[:1].isupper() and is_town(said) else None
    return _WIDE.get(name) or cities().get(name) or named


def _zone(pattern: str, says_not: str = "") -> Rule:
    return Rule("profile", rx(pattern), "Timezone is {value}", says_not, "timezone", zone)


def _city(
    pattern: str, says: str = "Lives in {value}", says_not: str = "", shape: Shape = place, **more: object
) -> Rule:
    attribute = "city" if says.startswith("Lives in") and " near " not in says else None
    return Rule("profile", rx(pattern), says, says_not, attribute, shape, named=True, **more)  # type: ignore[arg-type]


_HERE = r"(?P<value>(?-i:[A-Z][\w'-]+(?: [A-Z][\w'-]+)?))(?=[.,;!)]|$| (?:and|but|so|now|where|any ?more)\b)"
# Who is somewhere for a while does not live there.
_NO_VISIT = (
    r"(?![^\x00]{0,80}\b(?:this week|today|tonight|tomorrow|until|till|right now|at the moment|conference|trip|holiday|vacation|visiting|"
    r"weekend|airport|hotel|for work|for a|back home|next week)\b)"
)


def known_town(value: str) -> str | None:
    """A place that is known by its name."""
    return value if is_town(value) else None


RULES = (
    _zone(
        rf"{{MY}} (?:local )?time ?zone(?: is|'s| setting is|:)(?: now)? (?:set to )?(?P<neg>not )?{_ZONE}",
        "Timezone is not {value}",
    ),
    _zone(
        rf"{{MY}} (?:local )?time ?zone(?: is|'s|:)(?: now)? (?P<neg>not )?{_BY_NAME}(?: time)?(?=[.,;!)]|$)",
        "Timezone is not {value}",
    ),
    _zone(
        rf"{{AM}}{{ADV}}{{NOT}}{{ADV}} (?:on|in) (?:the )?{_ZONE}(?: time(?: ?zone)?)?(?=[.,;!)]|$| )",
        "Timezone is not {value}",
    ),
    _zone(
        rf"{{AM}}{{ADV}}{{NOT}}{{ADV}} (?:on|in) (?:the )?{_BY_NAME} time(?: ?zone)?\b",
        "Timezone is not {value}",
    ),
    _zone(
        rf"{{I}} (?:work|live|operate|run){{ADV}} (?:on|in) (?:the )?(?:{_ZONE}|(?P<named>[A-Za-z]+) time)(?: time(?: ?zone)?|(?=[.,;!)]|$| ))"
    ),
    _zone(
        r"{CLAUSE}(?:(?:so|that's|which is) )*(?P<value>(?:utc|gmt)\s?[+-]\s?\d{1,2}(?::\d\d)?)(?=[.,;!)]|$)"
    ),
    # Before the projects: people move as well as systems do.
    Rule(
        "plan",
        rx(
            r"{AM}{ADV}(?: going to| gonna| about to)? (?:mov(?:e|ing)|relocat(?:e|ing))(?P<off>(?: back| over| house)*(?: from (?-i:[A-Z])[\w -]{1,30}?)?) to {PLACE}(?P<more> [^,;!?\x00\n]{2,40}?)?{STOP}"
        ),
        "Is moving{off} to {value}{more}",
        shape=place,
        dating="until",
    ),
    _city(
        r"{I}{ADV}{NO}{ADV} (?:live|reside|am living|am based) in {PLACE}",
        says_not="Does not live in {value}",
        dating="since",
    ),
    _city(
        r"{AM}{ADV}{NOT}{ADV} (?:living|based|located|residing)(?: out of| in| near| at) {PLACE}",
        says_not="Is not based in {value}",
        dating="since",
    ),
    _city(
        r"(?:{I}|{HAVE}){ADV}(?: \w+ and i)? (?:moved|relocated)(?: back| over| here| out)?(?: from [\w ,]{2,40}?)? to (?![^,;.!?]{2,40}? (?:when (?:i|we) (?:was|were)|at the age|as an? (?:child|kid|teenager|student|baby|teen|toddler))\b){PLACE}",
        dating="since",
    ),
    _city(
        rf"{{AM}}{{ADV}}{{NOT}} in {_HERE}{_NO_VISIT}", says_not="Does not live in {value}", shape=known_town
    ),
    _city(rf"{{AM}}{{ADV}}(?P<neg> not) in {_HERE} any ?more\b", says_not="Does not live in {value}"),
    _city(rf"{{AM}}{{ADV}}{{NOT}} in {_HERE}", says_not="Does not live in {value}", doubtful=True),
    _city(r"(?:{I}|{HAVE}){ADV}(?: been)? (?:lived|living) in {PLACE} (?=for|since|all)", dating="since"),
    _city(
        r"(?:{HAVE}){ADV} (?:always )?lived in {PROPERVALUE}(?=[.,;!]|$| (?:for|since|all|and|but|most|now)\b)",
        dating="since",
    ),
    _city(r"{I} (?:used to live|lived) in {PLACE}(?! (?:for|since))", "Used to live in {value}"),
    _city(r"{AM}{ADV}{NOT}{ADV} (?:originally )?from {PLACE}", "Is from {value}", "Is not from {value}"),
    _city(r"{I} (?:grew up|was raised|raised) in {PLACE}", "Grew up in {value}"),
    _city(r"{CLAUSE}(?:now |currently )?(?:based|living) in {PLACE}(?=[.,;]|$| now\b)"),
    _city(
        r"{CLAUSE}(?:home|home base)(?: is|'s| has been) (?:now |currently |actually )?{PROPERVALUE}",
        dating="since",
    ),
    _city(
        r"{I}{ADV}{NO}{ADV} live(?: [\w'-]+){0,6}? (?:in|near|outside|close to|just outside)(?: of)? (?:an? [\w -]{3,20}? (?:outside|near|in|of|close to)(?: of)? )?(?P<value>{PROPER}(?:, {PROPER})?)",
        "Lives in or near {value}",
        "Does not live in {value}",
        dating="since",
    ),
    _city(
        r"{AM}{ADV} (?:living|based|located|staying|renting|settled)(?: [\w'-]+){0,5}? (?:in|near|outside|close to|just outside)(?: of)? (?:an? [\w -]{3,20}? (?:outside|near|in|of|close to)(?: of)? )?(?P<value>{PROPER}(?:, {PROPER})?)",
        "Lives in or near {value}",
        dating="since",
    ),
    _city(
        r"{HAVE}{ADV} been (?:living |based |back )?in {PROPERVALUE}(?= (?:for|since|ever since)\b)",
        dating="since",
    ),
    _city(r"{CLAUSE}(?:out |over |up |down |back )?here in {PROPERVALUE}"),
    _city(
        r"{MY} (?:new |own |small |little |old |main |head )?(?:flat|apartment|house|place|home|studio|office|shop|headquarters|hq|farm|company|team|clinic|school|bakery|restaurant)(?:'s| is| are)?(?: based| located)? in {PROPERVALUE}"
    ),
    _city(
        r"{AM}{ADV} (?:an? |the )(?:(?!trip|conference|meeting|hotel|airport|train|holiday|vacation)[\w-]+ ){1,4}(?:based |living )?in {PROPERVALUE}(?=[.,;!]|$| (?:and|with|so|but|who|that|working)\b)"
    ),
    _city(
        r"{I}{ADV} (?:work|teach|freelance|practise|practice)(?: [\w'-]+){0,6}? (?P<here>in {PROPERVALUE})(?=[.,;!]|$| (?:\w+ days?|on|most|every|and|but|so|now|as)\b)",
        "Works in {value}",
    ),
    _city(r"(?:{I}|{HAVE}){ADV} (?:settled|rent(?: an? \w+)?) (?:down )?in {PROPERVALUE}"),
    _city(r"{MY} (?:home town|hometown|home city)(?: is|'s) {PLACE}", "Home town is {value}"),
)
