"""Family, pets, and what is said about other people: kept as theirs, and held as doubtful."""

from memoryhub.llm.backends.rules.wording import Rule, proper, rx, short, thing, tidy

_FAMILY = (
    "wife|husband|partner|spouse|girlfriend|boyfriend|fianc[ée]e?|son|daughter|kid|child|baby|mother|mum|mom|father|"
    "dad|brother|sister|twin|grandmother|grandma|grandfather|grandpa|aunt|uncle|cousin|niece|nephew"
)
_OTHERS = (
    "friend|best friend|colleague|coworker|co-worker|boss|manager|teammate|neighbou?r|roommate|flatmate|client|"
    "customer|therapist|doctor|teacher|assistant|cofounder|co-founder|intern|landlord|team lead|ex"
)
_CHILDREN = "(?:(?:eldest|oldest|youngest|younger|older|little|\\w+) )?(?:sons?|daughters?|kids?|child|children|baby|twins|boys?|girls?)"
_AGE = "(?:\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen)"
_PETS = "dog|cat|puppy|kitten|rabbit|hamster|parrot|horse|pony|turtle|tortoise|guinea pig|goldfish|snake|lizard|ferret|budgie|chicken"
_PERSON = r"(?P<value>(?-i:[A-Z][\w'-]+(?: [A-Z][\w'-]+)?))"
_SAYING = (
    r"(?P<does>is|isn't|is not|has|doesn't|does not|lives|works|likes|loves|hates|prefers|wants|needs|uses|speaks|"
    r"can't|cannot|won't|never|always|enjoys|plays|studies|moved|turned|turns|got|just got)"
)


def _family(pattern: str, says: str, attribute: str = "family", **more: object) -> Rule:
    return Rule("profile", rx(pattern), says, "", attribute, proper, **more)  # type: ignore[arg-type]


RULES = (
    _family(
        rf"{{MY}} (?P<who>{_FAMILY})(?:'s name is| is (?:called|named)|, named|,| named| called)? {_PERSON}(?=[.,;!]|$| (?:is|has|and|works|lives|likes|loves|who|will|was|just|turns|turned)\b)",
        "Has a {who} called {value}",
    ),
    _family(rf"i'm married to {_PERSON}", "Is married to {value}"),
    Rule(
        "profile",
        rx(
            r"{AM}{ADV}{NOT} (?P<value>married|engaged|divorced|single|widowed|pregnant)(?=[.,;!]|$| and\b| with\b| but\b| since\b)"
        ),
        "Is {value}",
        "Is not {value}",
        shape=tidy,
        dating="since",
    ),
    Rule(
        "profile",
        rx(
            r"(?:{I}|{HAVE}|{MY} (?:husband|wife|partner) and i){ADV} (?:have|got|have got) (?P<value>(?:an?|one|two|three|four|five|six|\d|twin) (?:\w+ ){0,2}(?:kids?|children|child|sons?|daughters?|boys?|girls?|brothers?|sisters?|siblings|grandchildren|twins))"
        ),
        "Has {value}",
        "",
        "family",
        short,
    ),
    _family(
        rf"(?:{{I}} have|{{I}} got|{{I}} adopted|{{HAVE}}(?: got)?|{{I}} just (?:got|adopted)) an? (?:\w+ )?(?P<who>{_PETS}) (?:named|called) {_PERSON}",
        "Has a {who} called {value}",
        "pet",
    ),
    _family(
        rf"{{MY}} (?P<who>{_PETS})(?:'s name is| is (?:called|named)|, named|,| named| called)? {_PERSON}(?=[.,;!]|$| (?:is|has|and|likes|loves|who|will|was|just)\b)",
        "Has a {who} called {value}",
        "pet",
    ),
    Rule(
        "profile",
        rx(
            rf"(?:{{I}} have|{{I}} own|{{I}} adopted|{{HAVE}}(?: got)?) (?P<value>(?:an?|one|two|three|four|five|\d) (?:\w+ ){{0,2}}(?:{_PETS})s?)(?=[.,;!]|$| and\b| at home\b)"
        ),
        "Has {value}",
        "",
        "pet",
        short,
    ),
    Rule(
        "profile",
        rx(
            rf"{{MY}} (?P<value>{_CHILDREN}) (?P<does>(?:just |has |have |is |are )?(?:turns?|turned|turning) {_AGE}|(?:is|are) {_AGE}(?= (?:and|years?|now|today|this|next|on|in)\b|[.,;!]|$)"
            r"|(?:goes|go) to|attends?|(?:was|were) born)(?P<more> [^,;!?\x00\n]{2,60}?)?{STOP}"
        ),
        "{value} {does}{more}",
        "",
        "family",
        short,
    ),
    Rule(
        "profile",
        rx(rf"{{MY}} (?P<who>(?:{_FAMILY}|{_OTHERS})(?:,? (?-i:[A-Z][\w'-]+))?),? {_SAYING} {{THING}}"),
        "{who} {does} {value}",
        shape=thing,
        about_other=True,
    ),
)
