"""Where somebody lives and which clock they live by."""

import re

from memoryhub.llm.backends.rules.wording import Rule, cities, place, rx, tidy, words

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
    return _WIDE.get(name) or cities().get(name)


def _zone(pattern: str, says_not: str = "") -> Rule:
    return Rule("profile", rx(pattern), "Timezone is {value}", says_not, "timezone", zone)


def _city(pattern: str, says: str = "Lives in {value}", says_not: str = "", **more: object) -> Rule:
    attribute = "city" if says.startswith("Lives in") else None
    return Rule("profile", rx(pattern), says, says_not, attribute, place, named=True, **more)  # type: ignore[arg-type]


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
        r"(?:{I}|{HAVE}){ADV}(?: \w+ and i)? (?:moved|relocated)(?: back| over| here| out)?(?: from [\w ,]{2,40}?)? to {PLACE}",
        dating="since",
    ),
    _city(
        r"\b(?:i'm|i am){ADV}{NOT} in (?P<value>(?-i:[A-Z][\w'-]+(?: [A-Z][\w'-]+)?))(?=[.,;!)]|$| (?:and|but|so|any ?more)\b)",
        "Lives in {value}",
        "Does not live in {value}",
        doubtful=True,
    ),
    _city(r"(?:{I}|{HAVE}){ADV}(?: been)? (?:lived|living) in {PLACE} (?=for|since)", dating="since"),
    _city(r"{I} (?:used to live|lived) in {PLACE}(?! (?:for|since))", "Used to live in {value}"),
    _city(r"{AM}{ADV}{NOT}{ADV} (?:originally )?from {PLACE}", "Is from {value}", "Is not from {value}"),
    _city(r"{I} (?:grew up|was raised) in {PLACE}", "Grew up in {value}"),
    _city(r"{CLAUSE}(?:now |currently )?(?:based|living) in {PLACE}(?=[.,;]|$| now\b)"),
    _city(r"{MY} (?:home town|hometown|home city)(?: is|'s) {PLACE}", "Home town is {value}"),
)
