"""What somebody means to do, with the dates they name."""

from memoryhub.llm.backends.rules.wording import Rule, course, rx

_MEETING = (
    "meeting|appointment|interview|call|flight|exam|surgery|operation|presentation|demo|launch|wedding|"
    "conference|offsite|workshop|talk|trip|vacation|holiday|dentist appointment|doctor's appointment|check-?up|viva|defen[cs]e|"
    "audit|review|release|go-live|marathon|concert|anniversary|party|reservation|hearing|visit"
)


def _plan(pattern: str, says: str, says_not: str = "", **more: object) -> Rule:
    return Rule("plan", rx(pattern), says, says_not, None, course, "until", **more)  # type: ignore[arg-type]


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
        r"\b(?:i|we)'d (?:really )?(?:love|like) to (?P<value>(?:learn|become|travel|live|retire|move|write (?:a|my)|run (?:a|my|the)|start (?:a|my)|climb|hike|do an?|go back to|take up|open (?:a|my))\b[^,;!?\x00\n]{2,80}?){STOP}",
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
        rf"(?:{{I}} have|{{HAVE}} got|{{HAVE}}|{{CLAUSE}}(?:there's|there is)) (?P<value>(?!\w+ed\b|been\b|had\b|put\b|got\b|done\b)(?:an? |my |the |our )?(?:[\w'-]+ ){{0,3}}(?:{_MEETING})s?\b[^;!?\x00\n]{{0,80}}?){{STOP}}",
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
    _plan(
        r"(?:{I}{ADV} (?:would|'d)|\b(?:i'd|we'd|id)){ADV} (?:really )?(?:love|like) to (?P<value>[a-z][^,;!?\x00\n]{2,70}? (?:one day|some ?day|eventually|before i [^,;!?]{2,20}?|this year|next year|at some point|next (?:summer|winter|spring|autumn|fall|month))){STOP}",
        "Would like to {value}",
    ),
    _plan(
        r"{AM}{ADV} (?P<what>training for|preparing for|studying for|saving(?: up)? (?:for|to)|applying (?:for|to)|looking for (?=a (?:new )?job|an? (?:[\w-]+ ){0,2}(?:apartment|flat|house|place|job|role|position|flatmate|roommate|nanny|co-?founder|office|studio)\b)|house[- ]hunting|job[- ]hunting|expecting|hoping to|planning to|planning on|intending to|aiming (?:to|for)|getting ready (?:for|to)|in the process of|on track to|due to|set to|counting down to|organi[sz]ing|renovating|remodell?ing) ?(?!this\b|that\b|it\b|you\b|see\b|get (?:some|a) (?:help|answer)|hear\b|find out|my (?:order|package|refund|parcel)|an? (?:answer|reply|refund|update))(?P<value>[^,;!?\x00\n]{2,90}?){STOP}",
        "Is {what} {value}",
    ),
    _plan(
        r"{CLAUSE}(?:it's|its|it is) (?:my|our|my \w+'s|our \w+'s) (?P<value>(?:\w+ )?(?:birthday|anniversary|wedding|graduation|exam|surgery|last day|first day|due date)) (?P<more>(?={WHEN})[^,;!?\x00\n]{2,40}?){STOP}",
        "{value} {more}",
        needs_date=True,
    ),
    _plan(
        r"{AM}{ADV} (?:going to|gonna|about to) (?P<value>(?:cut (?:my|our|down|back)|quit (?:my|smoking|drinking)|move (?:to|in|abroad|out|back|house)|retire|sell (?:my|our)|buy (?:an?|my|our) (?:\w+ )?(?:house|flat|car|place|apartment|boat|bike)|open (?:an?|my|our)|leave (?:my|the) (?:job|company)|study|become|adopt|propose|go (?:part[- ]time|freelance|back to (?:school|uni|university))|start (?:an?|my|our) (?:business|company|family|blog|degree|job|phd|course|new job))\b[^,;!?\x00\n]{0,70}?){STOP}",
        "Is going to {value}",
    ),
    _plan(
        r"{CLAUSE}(?:hoping|planning|aiming) to (?!see\b|get (?:some|a) (?:help|answer)|hear\b|find out){THING}",
        "Plans to {value}",
    ),
    _plan(
        r"{I}{ADV} (?:want to|wanna|want) (?P<value>(?:learn|become|run|lose|save|quit|move|travel|visit|retire|get (?:better|fit|fitter|back into|into|married|certified|a (?:dog|cat|puppy))|buy a (?:house|flat|car|place|boat|home)|build (?:a|my|our) (?:own )?(?:house|shed|cabin|company|business|pc)|open (?:a|my|our)|start (?:a|my|our)|finish (?:my|our|the)|write a (?:book|novel)|go back to|switch (?:careers|jobs)|apply|cut (?:down|back)|sell (?:my|our)|pay off|climb|hike|do a|study|take up|stop)\b[^,;!?\x00\n]{0,80}?){STOP}",
        "Wants to {value}",
    ),
    _plan(
        r"{AM}{ADV} (?P<what>(?!being\b|getting an?\b|having (?:trouble|issues|problems)|using|trying|looking|wondering|running into|seeing|asking|writing (?:to|you)|still|not\b|unable|having an? (?:issue|problem|error)|getting (?:errors|the|this))[a-z]+ing)(?P<value> [^;!?\x00\n]{2,100}?)(?<! today)(?<! right now){STOP}",
        "Is {what} {value}",
        needs_date=True,
    ),
    _plan(
        r"(?:{I}|{HAVE}){ADV} (?P<what>booked|signed up for|registered for|enrolled in|enrolled for|bought tickets (?:for|to)|have tickets (?:for|to)|'ve got tickets (?:for|to)|got tickets (?:for|to)|accepted a (?:job|position|place|offer) (?:at|in|with)|got into|have a place at) (?P<value>(?!it\b|this\b|that\b)[^,;!?\x00\n]{3,70}?){STOP}",
        "{what} {value}",
    ),
    _plan(
        r"{I}(?:'ll| will) (?:be )?(?P<value>(?:moving|starting|flying|travell?ing|visiting|in (?-i:[A-Z])|on (?:holiday|vacation|leave|parental leave|maternity leave|sabbatical)|away|turning|retiring|leaving|launching|back|gone|out of (?:the )?(?:office|town)|joining|opening|getting married|turn|retire|join|open|become)\b[^;!?\x00\n]{0,80}?){STOP}",
        "Will be {value}",
        needs_date=True,
    ),
    _plan(
        r"{MY} (?P<value>(?:new job|holidays?|vacation|trip|honeymoon|maternity leave|parental leave|sabbatical|semester|course|internship|contract(?: (?:with|at|for) [\w' ]{2,25}?)?|lease(?: on [\w' ]{2,25}?)?|visa|surgery|operation|wedding|move|flight|exams?|finals?|probation|notice period|chemo|physio|baby|baby shower|due date|thesis defen[cs]e|defen[cs]e|school|kitchen renovation|renovation)) (?P<what>starts|begins|is|ends|runs out|expires|runs|is due|finishes|takes place|is scheduled for|will be) (?P<more>(?={WHEN})[^;!?\x00\n]{2,60}?){STOP}",
        "{value} {what} {more}",
        needs_date=True,
    ),
    _plan(
        r"{I}(?: are|'re) (?P<value>getting married|having a baby|having twins|expecting|opening a \w+|moving (?:house|offices?|in together)|emigrating)\b(?P<more>[^,;!?\x00\n]{0,60}?){STOP}",
        "Is {value}{more}",
    ),
    _plan(
        r"{AM}{ADV} (?P<value>getting (?:married|divorced|a divorce|a (?:dog|cat|puppy|kitten|tattoo|visa)|my (?:degree|licen[cs]e|phd))|having a baby|having twins|emigrating|retiring|quitting my job|leaving my job|changing jobs|moving (?:house|in together|abroad|out|back home))\b(?P<more>[^,;!?\x00\n]{0,60}?){STOP}",
        "Is {value}{more}",
    ),
)
