"""What somebody means to do, deadlines, and what happened to them, with the dates they name."""

from memoryhub.llm.backends.rules.wording import Rule, as_said, course, rx

_MEETING = (
    "meeting|appointment|interview|call|flight|exam|deadline|surgery|operation|presentation|demo|launch|wedding|"
    "conference|offsite|workshop|talk|trip|vacation|holiday|dentist appointment|doctor's appointment|check-?up|viva|defen[cs]e|"
    "audit|review|release|go-live|marathon|concert|anniversary|party|reservation|hearing|visit"
)
_DONE = (
    "quit \\w+ing|got married|got engaged|got divorced|got promoted|got fired|got laid off|had a baby|had surgery|had an operation|"
    "had an accident|bought a (?:house|flat|car|bike|boat|dog|cat)|sold (?:my|our) (?:house|flat|car)|"
    "broke my (?:leg|arm|ankle|wrist|foot|hand|nose|collarbone)|sprained my \\w+|passed my [\\w ]{2,40}?|"
    "failed my [\\w ]{2,40}?|finished my (?:degree|phd|thesis|masters?|studies|dissertation)|quit my job|"
    "lost my job|changed jobs|retired|was diagnosed with [\\w ]{2,40}?|ran (?:a|the|my first) [\\w ]{0,30}?marathon|"
    "was promoted|was born|won (?:a|an|the) [\\w ]{3,40}?|launched (?:my|our|the) [\\w ]{3,40}?|"
    "shipped (?:my|our|the) [\\w .]{3,40}?|released (?:my|our|the)? ?[\\w .]{3,40}?"
)


def _plan(pattern: str, says: str, says_not: str = "", **more: object) -> Rule:
    return Rule("plan", rx(pattern), says, says_not, None, course, "until", **more)  # type: ignore[arg-type]


def _event(pattern: str, says: str, **more: object) -> Rule:
    return Rule("event", rx(pattern), says, "", None, as_said, "when", **more)  # type: ignore[arg-type]


RULES = (
    _plan(
        r"(?:{I} plan|{AM}{ADV} planning|{I} intend|{AM}{ADV} hoping|{I} aim|{AM}{ADV} aiming)(?P<neg> not)? to {THING}",
        "Plans to {value}",
        "Plans not to {value}",
    ),
    _plan(
        r"{AM}{ADV} trying to (?P<value>(?:cut (?:down|back|out)|lose|quit|stop|give up|save|learn|reduce|eat (?:less|more|better)|drink less|sleep more|become|get (?:better|fit|healthier|into))\b(?! (?:it|this|that)\b)[^,;!?\x00\n]{0,80}?){STOP}",
        "Is trying to {value}",
    ),
    _plan(
        r"\b(?:i|we)'d (?:really )?(?:love|like) to (?P<value>(?:learn|become|travel|live|retire|move|write a|run a|start a)\b[^,;!?\x00\n]{2,80}?){STOP}",
        "Would like to {value}",
    ),
    _plan(r"{AM}{ADV} planning (?P<value>(?:an?|our|my|the) [\w' -]{3,80}?){STOP}", "Is planning {value}"),
    _plan(
        r"{MY} (?:main |big |long-term |current |next )?(?:goal|aim|objective|target|dream)(?: this year| for \w+| here)? is (?:to )?{THING}",
        "Goal: {value}",
    ),
    _plan(
        r"\bi want to (?P<value>(?:learn|become|run|lose|save|quit|write|start|move|travel|visit|buy|build|finish|get better at|switch|retire)\b[^,;!?\x00\n]{2,100}?){STOP}",
        "Wants to {value}",
    ),
    _plan(
        r"{AM}{ADV} (?P<what>training for|preparing for|studying for|saving (?:up )?for|learning|applying (?:for|to)|looking for (?=a job|a new job|an? apartment|a flat|a house|an? \w+ job)) ?{THING}",
        "Is {what} {value}",
    ),
    _plan(r"(?:{I}|{HAVE}){ADV} started (?P<what>learning|studying) {THING}", "Is {what} {value}"),
    _plan(
        r"{AM}{ADV} (?:going to|gonna|about to) (?!need|have to|be able|assume|say|guess|ask|try|bed|sleep|lunch|see|go\b)(?P<value>[a-z][^,;!?\x00\n]{2,100}?){STOP}",
        "Is going to {value}",
        needs_date=True,
    ),
    _plan(
        r"{AM}{ADV} (?P<what>flying|travell?ing|moving|going|driving|heading|relocating|switching|starting|getting married|having|visiting|meeting|leaving|attending|giving|running|presenting|launching|releasing|shipping|hosting|taking) ?(?P<value>[^;!?\x00\n]{2,100}?){STOP}",
        "Is {what} {value}",
        needs_date=True,
    ),
    _plan(
        r"{I}(?:'ll| will|'m going to) (?P<what>be (?:in|at|on|away|out|off|travell?ing)|go|fly|travel|move|visit|meet|start|attend|present|launch|return|arrive|leave|ship|release) ?(?P<value>[^;!?\x00\n]{2,100}?){STOP}",
        "Will {what} {value}",
        needs_date=True,
    ),
    _plan(
        rf"(?:{{I}} have|{{HAVE}} got|{{HAVE}}|{{CLAUSE}}(?:there's|there is)) (?P<value>(?:an? |my |the |our )?(?:[\w'-]+ ){{0,3}}(?:{_MEETING})\b[^;!?\x00\n]{{0,80}}?){{STOP}}",
        "Has {value}",
        needs_date=True,
    ),
    _plan(
        rf"{{CLAUSE}}(?P<value>(?:the |our |my )(?:[\w'-]+ ){{0,4}}(?:{_MEETING}|due date|go live|submission|renewal|contract|milestone|beta|project|report|thesis|paper|draft|proposal|invoice)(?: (?:with|for|of) [\w' &-]{{2,30}}?)?) (?P<what>is(?= {{WHEN}})|ends|starts|begins|is due|is on|is by|is scheduled for|is set for|is planned for|has to be (?:done|ready|finished)|needs to be (?:done|ready|finished)|must be (?:done|ready|finished)|happens|takes place|is happening|expires|closes|was moved to|moved to|got moved to|goes live|will be)(?P<more> [^;!?\x00\n]{{2,70}}?){{STOP}}",
        "{value} {what}{more}",
        needs_date=True,
    ),
    _plan(
        r"{I} (?P<what>launch|ship|release|go live|fly|leave|move|graduate|retire|present|start|finish|depart|travel) (?P<value>[^;!?\x00\n]{2,60}?){STOP}",
        "{what:third} {value}",
        needs_date=True,
    ),
    _event(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?P<value>{_DONE})(?P<more> [^;!?\x00\n]{{2,60}}?)?{{STOP}}",
        "{value}{more}",
    ),
    _event(
        r"{I}{ADV} (?P<value>(?:went|travell?ed|flew|drove|visited|attended|met|started|finished|completed|bought|sold|joined|left|lost|won|ran|signed|hired|fired|adopted|broke|opened|published|submitted)\b(?! (?:it|them|her|him|you|this|that|one|up|somewhere|something)\b)[^;!?\x00\n]{2,90}?){STOP}",
        "{value}",
        needs_date=True,
    ),
)
