"""Who somebody is: name, pronouns, language, birthday, age, subscription."""

from memoryhub.llm.backends.rules.wording import LANGUAGES, Rule, proper, rx, short, tidy

_TIERS = "free|basic|starter|hobby|personal|team|pro|plus|premium|business|enterprise|growth|scale|trial|standard|professional|ultimate|unlimited|family|student|individual|gold|silver|bronze|platinum"
TIER = rf"(?P<value>(?:{_TIERS})(?: (?:plus|pro|annual|monthly|yearly))?)"
PLAN = r"(?:plan|tier|subscription|package|licen[cs]e)"
_BIT = r"(?:(?:much|any|a word of|enough|a (?:bit|little) of|a little|some|basic|fluent|conversational|broken|decent|good|rusty|school) )?"
SPOKEN = rf"(?P<value>{_BIT}(?:{LANGUAGES})(?:(?:,? and |, ){_BIT}(?:{LANGUAGES}))*)"
_MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*"
_DATE = rf"(?P<value>(?:the )?\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}(?:,? \d{{4}})?|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?|\d{{4}}-\d\d-\d\d)"


def capitalised(value: str) -> str | None:
    tidied = tidy(value)
    return (
        ", ".join(word if " " in word else word[:1].upper() + word[1:] for word in tidied.split(", "))
        if tidied
        else None
    )


def small(value: str) -> str | None:
    return value.lower()


def about_self(
    pattern: str, says: str, says_not: str = "", attribute: str | None = None, **more: object
) -> Rule:
    return Rule("profile", rx(pattern), says, says_not, attribute, **more)  # type: ignore[arg-type]


RULES = (
    about_self(
        r"(?:{MY} pronouns are|i use|{I} go by|i prefer) (?P<value>(?:she|he|they|xe|ze|ey)/(?:her|him|them|they|hers|his|theirs|xem|zir|em)(?:/\w+)?)",
        "Pronouns are {value}",
        attribute="pronouns",
        shape=small,
    ),
    about_self(
        rf"{{MY}} (?:native|first|mother|preferred|main) (?:language|tongue)(?: is|'s) {SPOKEN}",
        "Language is {value}",
        attribute="language",
        shape=capitalised,
    ),
    about_self(
        rf"{{I}}{{ADV}}{{NO}}{{ADV}} (?:speak|understand|read) (?:native |both |mainly )?{SPOKEN}",
        "Speaks {value}",
        "Does not speak {value}",
        shape=capitalised,
        split=True,
    ),
    about_self(
        rf"{{AM}}{{ADV}}{{NOT}} (?:a native |native |fluent in )(?:in |both )?{SPOKEN}(?: speaker)?",
        "Speaks {value}",
        "Is not fluent in {value}",
        shape=capitalised,
        split=True,
    ),
    about_self(
        rf"{{MY}} birthday(?: is|'s)(?: on)? {_DATE}", "Birthday is {value}", attribute="birthday", shape=tidy
    ),
    about_self(rf"i was born on {_DATE}", "Birthday is {value}", attribute="birthday", shape=tidy),
    about_self(
        r"i was born (?P<how>in|and raised in) (?P<value>(?:19|20)\d\d)", "Was born in {value}", shape=tidy
    ),
    about_self(r"i was born (?:and raised )?in {PLACE}", "Was born in {value}", shape=proper, named=True),
    about_self(
        r"{AM}{ADV}{NOT} (?P<value>[1-9]\d)(?: years? old|yo\b| y/o|(?=[.,!]|$| and\b))",
        "Is {value} years old",
        "Is not {value} years old",
        shape=tidy,
    ),
    about_self(
        r"(?:i have|i've got|i hold|i did|i finished) an? (?P<what>phd|doctorate|degree|master's(?: degree)?|masters|mba|bachelor's(?: degree)?) in {THING}",
        "Has a {what} in {value}",
        attribute="education",
        shape=short,
    ),
    about_self(r"\bi{ADV} turned (?P<value>[1-9]\d)\b", "Is {value} years old", shape=tidy),
    about_self(
        r"{MY} (?:work |personal |new |main )?e-?mail(?: address)?(?: is(?: now)?|'s|:| (?:has )?changed to) (?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
        "Email is {value}",
        attribute="email",
        shape=lambda value: value.rstrip("."),
    ),
    about_self(
        rf"{{AM}}{{ADV}}{{NOT}} (?:subscribed to|on|using|paying for)(?: the| your| a| an)?(?: annual| monthly| yearly| new| old| current| discounted)? {TIER}(?: {PLAN}|(?=[.,!]|$| (?:now|again)\b))",
        "Is on the {value} plan",
        "Is not on the {value} plan",
        "plan",
        shape=small,
        dating="since",
    ),
    about_self(
        rf"(?:{{I}}|{{HAVE}}|{{MY}} (?:company|team|account|organi[sz]ation)(?: was| has been| has| is)?){{ADV}} (?:just )?"
        rf"(?:upgraded|downgraded|switched|moved|changed|migrated|went|gone|converted)(?: (?:our|my) \w+)?(?: from (?:the )?\w+(?: {PLAN})?)?(?: back| over)? (?:to|onto)(?: the| your| a)? {TIER}(?: {PLAN}|(?=[.,!]|$| (?:now|again|in|last|this|yesterday|on)\b))",
        "Is on the {value} plan",
        attribute="plan",
        shape=small,
        dating="since",
    ),
    about_self(
        rf"{{MY}} (?:current )?(?:plan|subscription|tier)(?: is|'s)(?P<neg> not)?(?: the| now)* {TIER}(?: one| {PLAN})?",
        "Is on the {value} plan",
        "Is not on the {value} plan",
        "plan",
        shape=small,
    ),
    about_self(
        rf"{{I}}{{NO}} have (?:the|a|an) {TIER} {PLAN}",
        "Is on the {value} plan",
        "Is not on the {value} plan",
        "plan",
        shape=small,
    ),
)
