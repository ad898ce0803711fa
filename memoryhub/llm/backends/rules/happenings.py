"""What has just happened, to the speaker or at their work, told without a date as well."""

from memoryhub.llm.backends.rules.events import PAST, WHEN_PAST
from memoryhub.llm.backends.rules.wording import Rule, as_said, rx

_JUST = r"(?: only)?(?: just| recently| finally)"
LATELY = rf"(?:{WHEN_PAST}|this (?:morning|afternoon)|earlier today|the other day|a few days ago|in (?:the )?(?:early |late )?(?:spring|summer|autumn|winter)|when (?:i|we) (?:was|were) [\w ]{{2,20}}?|at (?:the age of )?\d+|as an? (?:child|kid|teenager|student|baby|teen|toddler)|on \d+ \w+|on the \d+\w*|on \w+day)"
_NOT_LIFE = (
    r"(?!(?:up|in|out|it|them|her|him|you|this|that|these|one|your|a (?:message|mail|link|notice|ticket|reply|question|look|few|problem)|an? (?:e-?mail|error|update|"
    r"notification|warning)|the (?:app|update|same|following|page|link|wrong|instructions|new version|latest)|my (?:order|password|account|card|payment|"
    r"settings|browser|computer|phone)|back to)\b)"
)
_LIFE = (
    "took (?:early retirement|a (?:gap year|year|break|sabbatical|job|course|career break)|over|part in|time off|parental leave|maternity leave)|dropped out of|joined|bought|sold|adopted|graduated|moved (?:house|in|out|offices?)|moved into|retired|quit|lost|won|hired|founded|opened|closed|inherited|"
    "divorced|passed|failed|became|turned|published|submitted|launched|released|shipped|defended|signed|got (?:married|engaged|divorced|promoted|fired|"
    "hired|accepted|back from|my|our|the keys|a new job|a job|an? (?:offer|puppy|kitten|dog|cat|promotion|raise))|had (?:a baby|twins|surgery|an operation|"
    "our first|our second|a son|a daughter)|given birth|gave birth|broke|broken|torn|tore|sprained|finished (?:my|our|writing|school|university|high school|a)|"
    "completed|started (?:my|our|a new|university|college|school|secondary|chemo|therapy)|rented|planted|renovated|repainted|rebuilt|built|replaced|"
    "celebrated|come back from|came back from|returned from|recovered|been (?:promoted|diagnosed|made redundant|laid off|accepted|elected|hired)|enrolled|emigrated|refinanced|paid off|swapped|merged|acquired"
)
_THEM = (
    "client|customer|company|employer|team|landlord|landlady|supervisor|editor|publisher|bank|insurer|insurance|school|university|council|department|"
    "startup|union|board|investor|biggest client|main client|neighbours|neighbors|gym|club|band|office|shop|agent|contractor|builder|builders|lawyer|surgeon"
)
_THEY_DID = (
    "rejected|approved|accepted|signed|cancelled|canceled|terminated|raised|announced|closed|hired|laid off|promoted|offered|won|lost|moved|merged|"
    "acquired|bought|sold|opened|refused|turned down|dropped|chose|picked|agreed|went bankrupt|shut down|gave (?:us|me) notice|went on strike|renewed|"
    "increased|doubled|finished|launched|released|published|introduced|switched"
)
_SET = (
    "launch|release|deadline|migration|rollout|roll-out|go-live|event|opening|redesign|project|feature|sprint|workshop|kick-?off|pilot|beta|conference|"
    "wedding|renovation|survey|campaign|move|relaunch|test phase|milestone|tender|merger|exhibition|concert|premiere|start date|scope|rewrite|upgrade|"
    "offsite|fundraiser|festival|photo shoot|shoot|publication|delivery|presentation|demo|trial"
)


def _event(pattern: str, says: str, **more: object) -> Rule:
    return Rule("event", rx(pattern), says, "", None, as_said, "when", **more)  # type: ignore[arg-type]


RULES = (
    _event(
        r"(?:{I}|{HAVE}){ADV} (?P<value>(?:hurt|injured|pulled|burnt|burned|twisted|strained|sprained|dislocated|bruised|tore|torn|broke|broken|fractured) (?:my|a) (?:\w+ )?(?:back|shoulder|knee|ankle|wrist|arm|leg|foot|hand|finger|toe|thumb|neck|hip|rib|ribs|elbow|muscle|hamstring|achilles|meniscus|tooth|collarbone|nose|calf)\b[^,;!?\x00\n]{0,40}?){STOP}",
        "{value}",
    ),
    _event(
        r"(?:{I}{ADV} (?:was|were|got|have been|'ve been)|{HAVE}{ADV} been){ADV} (?P<value>(?:made redundant|promoted|laid off|fired|dismissed|diagnosed with|elected|accepted (?:to|into|at|for)|admitted to|offered (?:a|the) (?:job|place|position)|evicted|burgled|robbed|operated on|awarded|nominated|discharged from|transferred to|selected for|invited to (?:speak|present|join))\b[^,;!?\x00\n]{0,60}?){STOP}",
        "Was {value}",
    ),
    _event(
        rf"(?:{{I}}|{{HAVE}}){_JUST} (?P<value>(?:{_LIFE})\b(?: {_NOT_LIFE}[^,;!?\x00\n]{{2,90}}?)?){{STOP}}",
        "{value}",
    ),
    _event(
        rf"{{I}}{{ADV}} (?P<value>(?:{PAST}|{_LIFE})\b {_NOT_LIFE}[^,;!?\x00\n]{{2,70}}? {LATELY}){{STOP}}",
        "{value}",
    ),
    _event(
        r"{I}{ADV} (?P<value>(?:gave up|quit|stopped) (?:\w+ing|alcohol|sugar|meat|coffee|caffeine|dairy|cigarettes|gluten)\b(?: [^,;!?\x00\n]{2,40}?)?){STOP}",
        "{value}",
    ),
    _event(
        rf"{{MY}} (?P<value>(?:\w+ )?(?:{_THEM})(?: has| have)?(?: just| recently| finally)? (?:{_THEY_DID})\b(?! (?:my (?:payment|card|order)|the payment))[^,;!?\x00\n]{{0,80}}?){{STOP}}",
        "{value}",
    ),
    _event(
        rf"{{CLAUSE}}(?P<value>the (?:[\w-]+ )?(?:board|council|client|bank|landlord|committee|city|jury|publisher|court|embassy|university|investors?|customer|ministry|insurance|agency)(?: has| have)?(?: just| finally| now)? (?:{_THEY_DID}|granted) (?:our|my|us|me)\b[^,;!?\x00\n]{{0,60}}?){{STOP}}",
        "{value}",
    ),
    Rule(
        "project",
        rx(
            rf"(?:{{I}}|{{HAVE}}){{ADV}} (?P<what>postponed|pushed back|pushed|moved|delayed|brought forward|rescheduled|cancelled|canceled|dropped|shelved|scrapped|extended|paused|approved|finali[sz]ed|"
            rf"split|narrowed|frozen|froze|signed off on|put off) (?P<value>(?:the|our|my) (?:[\w-]+ ){{0,3}}?(?:{_SET})s?\b[^,;!?\x00\n]{{0,60}}?){{STOP}}"
        ),
        "{what} {value}",
        dating="when",
    ),
)
