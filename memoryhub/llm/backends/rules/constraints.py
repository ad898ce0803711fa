"""What somebody can not, may not or must: diets, allergies, rules, budgets."""

from memoryhub.llm.backends.rules.wording import Rule, rx, short, thing, tidy, words

_DIET = (
    r"(?:a |an )?(?:strict )?(?P<value>vegan|vegetarian|pescatarian|pescetarian|flexitarian|coeliac|celiac|"
    r"lactose[- ]intolerant|gluten[- ]intolerant|gluten[- ]free|diabetic|type [12] diabetic|teetotal|teetotaler|colou?r[- ]?blind|"
    r"dyslexic|deaf|hard of hearing|blind|visually impaired|left-handed|asthmatic|epileptic|keto|halal|kosher)\b"
)


_HABITUAL = (
    "deploy|release|ship|work|travel|fly|drive|eat|drink|smoke|use|share|store|send|call|answer|accept|sign|buy|pay|lend|"
    "run|merge|push|commit|book|meet|schedule|take|touch|delete|give|go|wear|cook|sleep|open|start|stay"
)


_DAYS = "(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekday|weekend|morning|afternoon|evening|night)s?"
_TIMES = rf"{_DAYS}(?:(?: and | or |, ){_DAYS}| {_DAYS})*"


def _must(pattern: str, says: str, says_not: str = "", **more: object) -> Rule:
    return Rule("constraint", rx(pattern), says, says_not, None, thing, **more)  # type: ignore[arg-type]


RULES = (
    _must(
        rf"{{I}} never (?P<what>{_HABITUAL}) {{THING}}",
        "Never {what:third} {value}",
    ),
    _must(r"{AM}{ADV} [\w-]+,? and (?P<here>allergic to {THING})", "Is allergic to {value}", split=True),
    _must(
        r"{AM}{ADV}(?: severely| very| highly| mildly)?{NOT}(?: severely| very| highly)? allergic to {THING}",
        "Is allergic to {value}",
        "Is not allergic to {value}",
        split=True,
    ),
    _must(
        r"(?:{I} have|{HAVE}|{I} suffer from|i've got) (?:an? )?(?:\w+ )?(?P<value>[\w-]+(?: [\w-]+)?) allerg(?:y|ies)\b",
        "Has a {value} allergy",
    ),
    Rule(
        "constraint",
        rx(rf"{{AM}}{{ADV}}{{NOT}} {_DIET}(?! (?:option|recipe|restaurant|food|menu|dish|spot|alley))"),
        "Is {value}",
        "Is not {value}",
        shape=tidy,
    ),
    Rule(
        "constraint",
        rx(rf"(?:{{I}}|{{HAVE}}){{ADV}} (?:became|went|been|turned) {_DIET}"),
        "Is {value}",
        shape=tidy,
        dating="since",
    ),
    Rule(
        "constraint",
        rx(rf"{{CLAUSE}}(?:as|being) {_DIET}(?=[,.]| i\b|$| myself\b)"),
        "Is {value}",
        shape=tidy,
        cues=words("as being"),
    ),
    Rule(
        "preference",
        rx(
            r"{I}{ADV} (?:do not|don't|dont|never|rarely|hardly ever) eat (?P<value>(?:breakfast|lunch|dinner|sweets|desserts?|fast food|late|out|much|between meals)\b[^,;!?\x00\n]{0,40}?){STOP}"
        ),
        "Does not eat {value}",
    ),
    _must(r"{I}{ADV} (?:do not|don't|dont|can't|cannot|can not|never) eat {THING}", "Does not eat {value}"),
    _must(
        r"{I}{ADV} (?:can't|cannot|can not|(?:do not|don't|dont|never) (?=drink (?:any )?(?:alcohol|milk|wine|beer|spirits))) ?drink {THING}",
        "Does not drink {value}",
    ),
    Rule(
        "preference",
        rx(r"{I}{ADV} (?:do not|don't|dont|never) drink (?!alcohol|any\b){THING}"),
        "Does not drink {value}",
    ),
    Rule(
        "constraint",
        rx(r"{I} (?:do not|don't|dont) drink(?: alcohol)?(?=[.,;!]|$| anymore| any more)"),
        "Does not drink alcohol",
        shape=tidy,
    ),
    _must(
        r"{I} (?P<what>use a wheelchair|have asthma|have diabetes|have epilepsy|have adhd|have dyslexia|have a bad back|have a pacemaker)\b",
        "{what:third}",
    ),
    _must(
        r"{I}{ADV} {CANT} (?P<what>attend|work|travel|fly|drive|smoke|commit|relocate|leave|host|swim|cook|commute|meet|climb|stay up|miss|lose) (?!it\b|this\b|that\b|out\b|on it|any longer){THING}",
        "Cannot {what} {value}",
    ),
    _must(
        r"(?:{I}{ADV} (?:may not|must not|mustn't|are not allowed to|aren't allowed to|'re not allowed to)|{AM}{ADV} not (?:allowed|permitted) to) (?P<what>[a-z]+) {THING}",
        "Cannot {what} {value}",
    ),
    _must(
        rf"{{CLAUSE}}(?:(?:i|we) )?(?:can't|cannot) (?:do|make) (?P<value>{_TIMES})(?=[.,;!]|$| (?:and|because|since|as|at)\b)",
        "Cannot do {value}",
    ),
    _must(
        rf"(?:{{I}} (?:don't|do not|never|can't|cannot) work|{{AM}}{{ADV}} (?:not available|unavailable|never available|not free|off))(?: on| in the| in)? (?P<value>{_TIMES})(?=[.,;!]|$| (?:and|because|since|as)\b)",
        "Is not available on {value}",
    ),
    _must(
        r"{CLAUSE}(?P<topic>everything|nothing|all (?:of (?:it|our \w+)|(?:the |our )?\w+)) (?P<what>(?:has to|have to|must|needs? to) (?!be (?:perfect|ok|okay|fine|right|done)\b)(?:stay|remain|fit|be|run|go)|(?:can|may) (?:be|go|leave)(?! (?:done|found|helped|said))|(?:is|are) allowed to) {THING}",
        "{topic} {what} {value}",
    ),
    _must(
        r"{I}{ADV} (?:can only|am only available|'m only available) (?!imagine|hope|say|guess|assume|wish|dream|think){THING}",
        "Can only {value}",
    ),
    _must(
        r"{CLAUSE}(?:{I}|our \w+|{MY} company|legal|compliance|company policy){ADV} (?:must|have to|has to|requires? us to|required to|need to|are required to|'re required to) (?P<what>comply with|keep|stay (?:under|within|below|on)|support|remain|run on|host|store|be (?:gdpr|hipaa|soc ?2|iso)[ \w-]*) ?{THING}",
        "Must {what} {value}",
    ),
    Rule(
        "constraint",
        rx(
            r"{MY} (?:\w+ )?budget(?: for [\w ]{2,30}?)?(?: is|'s| of)(?: only| about| around| at most| up to| roughly)* (?P<value>[$€£¥]? ?\d[\d.,‚]*\s?(?:k|m|thousand|million|usd|eur|gbp|dollars|euros|pounds)?(?: (?:a|per) (?:month|year|week|day|person))?)"
        ),
        "Budget is {value}",
        shape=short,
    ),
    _must(
        r"{CLAUSE}(?P<topic>(?:the|our) [a-z][\w -]{2,40}?) (?P<what>must not|must never|must always|must be (?=\w+ed\b)|may not|is not allowed to|is never allowed to|cannot be|can't be|has to be|is required to) ?{THING}",
        "{topic} {what} {value}",
    ),
    _must(
        r"{CLAUSE}(?P<topic>(?:the |our )?(?-i:[A-Za-z])[\w]*(?: [\w-]+){0,3}) (?P<what>is not allowed|isn't allowed|is allowed|is forbidden|is prohibited|is off limits|is mandatory)(?P<value> [\w ]{2,50})?{STOP}",
        "{topic} {what} {value}",
        cues=words("allowed forbidden prohibited limits mandatory"),
    ),
)
