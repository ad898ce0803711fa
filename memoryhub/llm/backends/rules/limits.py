"""Limits somebody lives under: deadlines, money, hours, rules."""

from memoryhub.llm.backends.rules.wording import Rule, course, rx, thing, words

_MONEY = r"[$€£¥]? ?\d[\d.,‚]*\s?(?:k|m|thousand|million|grand|bucks|quid|usd|eur|gbp|chf|dollars?|euros?|pounds?|francs?|kr|rupees|yen|€|\$|£)?\b"
_PER = r"(?: (?:a|per|each|every) (?:month|year|week|day|night|person|head|seat|user|item|trip))?"
_WORK = (
    r"(?:[\w'-]+ ){0,4}?(?:deadline|due date|submission|application|report|thesis|paper|draft|proposal|invoice|assignment|essay|tax return|"
    r"filing|manuscript|homework|dissertation|audit|abstract|rent|payment|contract|paperwork|form|forms|taxes|return|grant|project|work|offer|"
    r"chapter|slides|deck|presentation|registration|deposit|lease|visa|passport|exam|coursework|budget|bid|tender|prototype|migration|article|book|final version|first draft|renewal|everything|it|this|that|they|all of it|the whole thing)"
)
_MUST = r"(?:must(?: not)?|mustn't|has to|have to|needs? to|can't|cannot|can not|may not|is supposed to|should never|must never|must always|can only|may only|can never)"
_NO_REPAIR = r"(?!be (?:something|some|a|the|another|possible|perfect|right|ok|okay|fine|true|said|wrong)\b|(?:help|get|find|see|log|open|connect|load|figure|do|know|say|have been|wait|believe|tell|read|go on|come)\b)"


def _limit(pattern: str, says: str, says_not: str = "", **more: object) -> Rule:
    more = {"shape": thing} | more
    return Rule("constraint", rx(pattern), says, says_not, None, **more)  # type: ignore[arg-type]


RULES = (
    _limit(
        rf"{{I}}{{ADV}} (?:spend|pay|budget) (?P<value>(?:at most|max|no more than|up to|a maximum of|less than) {_MONEY}{_PER}(?: [\w ]{{2,30}}?)?){{STOP}}",
        "Spends {value}",
    ),
    _limit(
        rf"{{CLAUSE}}(?P<topic>(?:the |our |my |this )?{_WORK}(?: (?:for|of|with|on|to) [\w' &-]{{2,40}}?)?|(?:the|our|my) (?!baby|babies|order|package|parcel)[\w' -]{{2,30}}?)(?P<what> is| are|'s|'re) (?P<value>(?:(?:now|currently|already|actually|still) )*(?:due|owed)\b[^,;!?\x00\n]{{0,60}}?){{STOP}}",
        "{topic}{what} {value}",
        dating="until",
        needs_date=True,
        cues=words("due owed"),
    ),
    _limit(
        r"{CLAUSE}(?P<topic>(?:the |our |my |this )?(?:[\w'-]+ ){0,4}?(?:deadline|due date|cut-?off)(?: (?:for|of|with|on|to) [\w' &-]{2,40}?)?)(?P<what> is|'s| falls on| was moved to| got moved to| moved to| has moved to| is set for|:) (?P<value>(?={WHEN})[^,;!?\x00\n]{2,60}?){STOP}",
        "{topic}{what} {value}",
        dating="until",
        needs_date=True,
        cues=words("deadline due cutoff cut-off cut"),
    ),
    _limit(
        rf"{{CLAUSE}}(?P<topic>(?:the |our |my |this )?{_WORK}(?: (?:for|of|with|on|to) [\w' &-]{{2,40}}?)?) (?P<what>(?:must|has to|have to|needs? to) (?:be (?!perfect|good)\w+|go out|ship|arrive|go live|reach \w+|launch|land)) (?P<value>[^;!?\x00\n]{{0,50}}?(?:by|before|until|no later than|within|on) [^,;!?\x00\n]{{2,40}}?){{STOP}}",
        "{topic} {what} {value}",
        dating="until",
        needs_date=True,
        cues=words("must has have need needs"),
    ),
    _limit(
        r"{I}{ADV} (?P<what>must|have to|need to|have got to|'ve got to) (?P<value>(?:finish|submit|hand in|deliver|ship|file|pay|renew|send in|launch|complete|turn in|vacate|leave|move out|decide|publish|register|apply|hand over|have [\w ]{2,30}? (?:done|ready|finished))\b[^,;!?\x00\n]{0,60}?\b(?:by|before|until|no later than|within) [^,;!?\x00\n]{2,40}?){STOP}",
        "Must {value}",
        dating="until",
        needs_date=True,
    ),
    _limit(
        r"{CLAUSE}(?P<topic>it|this|everything|that|they|(?:the |our |my )?(?:whole |entire |final |new )?(?:[\w-]+ ){0,2}?(?:report|app|site|website|text|essay|paper|abstract|summary|letter|file|gift|trip|car|house|flat|apartment|bed|table|desk|meal|recipe|food|menu|venue|hotel|room|data|code|solution|design|presentation|talk|speech|video|document|product|package|whole thing|price|total)s?) (?P<what>(?:has|have|needs?) to (?:be|stay|fit|have|cost|work|run|remain|weigh|come in|last)|must (?:be|stay|fit|have|cost|work|run|remain|not)|can't (?:be|cost|exceed|have|weigh|leave|take)|cannot (?:be|cost|exceed|have|weigh|leave|take)|should not exceed|must not exceed|mustn't exceed) (?!something|some kind|possible|perfect|right|ok|okay|fine|true|wrong|done|fixed|a (?:way|bug|mistake|reason|problem)|the|because|that|real|serious|there){THING}",
        "{topic} {what} {value}",
        cues=words("has have need needs must can't cannot should mustn't"),
    ),
    _limit(
        r"{CLAUSE}(?P<topic>nothing|nobody|no one|no-one|none of (?:it|our \w+)|no \w+) (?P<value>(?:can|may|must|should|is allowed to|gets to|goes? (?:out|live|to)|leaves?|enters?|ships?|gets? \w+ed|is \w+ed)\b(?! (?:be done|help|seem|work|find))[^,;!?\x00\n]{3,90}?){STOP}",
        "{topic} {value}",
    ),
    _limit(
        r"{CLAUSE}(?P<topic>all|every|each|any|only) (?P<value>(?:[\w,.$€£‚]+ ){1,6}?(?:must|has to|have to|needs? (?:to|an?|two|three|sign-?off|approval|my|legal)|requires?|can only|may only|goes? through) (?!be (?:right|ok|fine))[^,;!?\x00\n]{3,90}?){STOP}",
        "{topic} {value}",
    ),
    _limit(
        rf"{{I}}{{ADV}} (?:can't|cannot|can not|cant|don't want to|do not want to|won't|mustn't|must not|am not allowed to|'m not allowed to|refuse to|shouldn't)(?: really)? (?P<what>spend|pay|go(?: over| above| beyond| past)?|exceed|afford|invest|budget)(?: more than| over| above| beyond)* (?P<value>{_MONEY}{_PER}(?: (?:on|for|in) [\w ]{{2,40}}?)?){{STOP}}",
        "Cannot {what} more than {value}",
    ),
    _limit(
        rf"(?:{{I}}(?:{{ADV}} can|'ve got| have| want to| could)|{{HAVE}}(?: got)?){{ADV}} (?:spend|pay|afford|invest)?(?: ?(?:up to|at most|max|a maximum of|around|about|only|roughly|no more than))+ (?P<value>{_MONEY}{_PER}(?: (?:to spend|on|for|in|max|total|available)(?: [\w ]{{2,40}}?)?)?){{STOP}}",
        "Budget is {value}",
    ),
    _limit(
        r"(?:{I}{ADV} have|{HAVE}(?: got)?|{CLAUSE}there's|{CLAUSE}there is) (?P<value>(?:an? |the |our |my )?(?:[\w'-]+ ){0,3}?deadline (?:[^,;!?\x00\n]{0,40}? )?(?={WHEN})[^,;!?\x00\n]{2,60}?){STOP}",
        "Has {value}",
        dating="until",
        needs_date=True,
    ),
    _limit(
        r"{I}{ADV} {CANT} (?P<value>[a-z]+ [^,;!?\x00\n]{2,60}? without (?!(?:(?-i:it)|them|getting|an? error|errors|crashing|losing|success|luck)\b)[^,;!?\x00\n]{3,40}?){STOP}",
        "Cannot {value}",
    ),
    _limit(
        r"{CLAUSE}(?P<topic>(?:the|our|my) [\w' -]{2,30}?) (?P<what>holds?|fits?|seats?|takes?|allows?|has room for|is limited to|accepts?|is capped at|caps) (?P<value>(?:at most|up to|only|max(?:imum)?|no more than|a maximum of|a max of) [^,;!?\x00\n]{1,40}?){STOP}",
        "{topic} {what} {value}",
    ),
    _limit(
        rf"{{I}}{{ADV}} (?:have|'ve got|got) (?P<value>{_MONEY}{_PER} to (?:spend|invest|play with|work with)(?: [\w ]{{2,40}}?)?){{STOP}}",
        "Has {value}",
    ),
    _limit(
        rf"{{CLAUSE}}(?:{{MY}} |the |an? |with an? |on an? |we have an? |i have an? )?(?:(?:total|monthly|max|maximum|whole|overall|travel|food|grocery|hosting|marketing|annual|yearly|weekly) )*(?:budget|limit|max|maximum|cap|price ceiling|spending limit)(?: for [\w' ]{{2,40}}?)?(?: is|'s| of|:)(?: about| around| roughly| only| strictly| max| at most| up to| under| below| capped at)* (?P<value>{_MONEY}{_PER})",
        "Budget is {value}",
        cues=words("budget limit max maximum cap ceiling"),
    ),
    _limit(
        r"{CLAUSE}(?:{I} have |{HAVE} (?:got )?|there's |there is )?(?P<value>no (?:budget|money|time|room|space) for [^,;!?\x00\n]{3,50}?){STOP}",
        "Has {value}",
        cues=words("no"),
    ),
    _limit(
        r"{CLAUSE}(?P<topic>(?:our|my|the) [\w' -]{2,30}?) (?P<what>can't|cannot|can not|must not|mustn't|may not|should not|shouldn't|can never|must never|should never) (?P<value>(?:go|be|drop|rise|fall|get|exceed|take|cost|run|last|grow)(?: (?:below|above|under|over|beyond|past|more|less|longer|later|higher|lower|heavier|bigger) (?:than )?)? ?(?=[^,;!?]{0,20}\d)[^,;!?\x00\n]{1,40}?){STOP}",
        "{topic} {what} {value}",
    ),
    _limit(
        r"we{ADV} (?P<what>always|never) (?P<value>(?!had|been|got|received|see|saw|get|have|know|seem|were|could|used|heard|thought|expected|asked|ordered|signed up|agreed)[a-z]+ [^,;!?\x00\n]{3,80}?){STOP}",
        "{what} {value}",
    ),
    _limit(
        r"{I}{ADV} {CANT} (?:use|install|buy|accept|store|share|hire|run|access) (?P<value>(?:any|third[- ]party|external|open[- ]source|cloud|personal|company|paid|foreign|proprietary|gpl|outside|customer|client|patient|production|american|us[- ]based|cash)\b(?! of (?:this|it|them))[^,;!?\x00\n]{2,60}?){STOP}",
        "Cannot use {value}",
    ),
    _limit(
        r"{I}{ADV} (?P<value>(?:get paid|am paid|'m paid|pay rent|have to pay|pay taxes|report|owe|earn|make) (?:on|every|twice|once|monthly|weekly|by|in|\d|[$€£]|around|about)[^,;!?\x00\n]{1,50}?){STOP}",
        "{value:third}",
    ),
    _limit(
        r"{HAVE} (?:got )?to (?P<value>(?:finish|submit|hand in|deliver|ship|file|pay|renew|send in|launch|complete|turn in|vacate|leave|move out|decide|publish|register|apply|hand over|be (?:out|done|finished|back))\b[^,;!?\x00\n]{0,60}?\b(?:by|before|until|no later than|within) [^,;!?\x00\n]{2,40}?){STOP}",
        "Must {value}",
        dating="until",
        needs_date=True,
    ),
    _limit(
        r"we{ADV}(?: only| exclusively) (?P<value>(?:ship|sell|accept|hire|use|deploy|work|deliver|operate|serve|support|buy|source|take|offer|release|publish|open|pay|invoice|bill|rent)\b (?!it\b|this\b|that\b)[^,;!?\x00\n]{2,70}?){STOP}",
        "Only {value}",
    ),
    _limit(
        rf"{{CLAUSE}}(?P<value>{_MONEY}{_PER}(?: for [\w ]{{2,25}}?)? (?:max|at most|tops|maximum|at the most|is (?:my|our|the) (?:limit|max|maximum|budget|cap)))\b",
        "Budget is {value}",
    ),
    _limit(
        rf"{{I}}(?:'d|{{ADV}} would)?{{ADV}} (?:prefer|like|want|need|try|have|hope) to (?:stay|keep (?:it|things|(?:the|our|my) [\w ]{{2,20}}?)|be|remain|spend) (?P<value>(?:under|below|within|less than|around|at most|no more than|max) {_MONEY}{_PER}(?: [\w ]{{2,30}}?)?){{STOP}}",
        "Wants to stay {value}",
    ),
    _limit(
        r"{CLAUSE}(?P<topic>our (?:\w+ )?\w+) (?P<what>only allows?|doesn't allow|don't allow|forbids?|prohibits?|requires?|insists? on|only accepts?) (?!me\b|us to (?:log|sign)\b){THING}",
        "{topic} {what} {value}",
    ),
    _limit(
        r"{I}{ADV} have to (?P<value>(?:take|avoid|wear|use|inject|check|eat|drink|carry|sleep|rest|limit|watch) (?!it\b|this\b|that\b|the (?:mouse|app|site|button|browser)\b)[^,;!?\x00\n]{2,40}?\b(?:every|daily|with|before|after|twice|because|when|at night|for my|all)\b[^,;!?\x00\n]{0,40}?){STOP}",
        "Has to {value}",
    ),
    _limit(
        r"{I}{ADV} only have (?P<value>(?:an?|one|two|three) (?!question|problem|issue|few|minute|sec|doubt|request|day|hour|week|couple)[^,;!?\x00\n]{3,60}?){STOP}",
        "Only has {value}",
        shape=course,
    ),
    _limit(
        r"{AM}{ADV} (?:online|on shift|at work|at my desk|in the office|available|working|in) (?P<value>from (?:\d|noon|mon|tue|wed|thu|fri|sat|sun)[^,;!?\x00\n]{2,40}?)(?<!today)(?<!tomorrow){STOP}",
        "Is available {value}",
    ),
    _limit(
        r"{I}{ADV} (?P<what>only have|only get|have just|have only) (?P<value>(?:\d+|an?|one|two|three|four|five|half an?|twenty|thirty|ten|fifteen|forty|sixty)[\w -]{0,12}? (?:minutes|mins|hours?|hrs|days?|weeks?|evenings?|weekends?|mornings?)(?: (?:a|per|each|every|to|for|in|on|between|before|off) [^,;!?\x00\n]{1,40}?)?){STOP}",
        "Only has {value}",
    ),
    _limit(
        r"{AM}(?: now| also| usually| currently| really)*(?P<what> only| not| never)? (?:available|free|reachable|around|in the office|at my desk|in) (?P<value>(?:after|before|from|until|between|on|till|in the|at|mon|tue|wed|thu|fri|sat|sun|week)[^,;!?\x00\n]{2,60}?)(?<!today)(?<!tomorrow){STOP}",
        "Is{what} available {value}",
    ),
    _limit(
        r"{I}{ADV} (?:can only|could only|can just) (?P<value>(?:do|meet|talk|call|work|travel|make|take|come|attend|eat|use|afford|train|fly|go|drink|cook|join|receive|accept|pay|open|reach|deploy|store|ship)\b[^,;!?\x00\n]{2,80}?){STOP}",
        "Can only {value}",
    ),
    _limit(
        r"{I}{ADV} (?P<what>don't|do not|dont|never|won't) (?P<value>(?:work|take calls|take meetings|do meetings|have meetings|answer \w+|check (?:email|mail|my phone)|deploy|release|ship|open|drive|fly|travel)(?: (?:on|in|after|before|at|over|during|past|with|outside))? (?!it\b|this\b|that\b|like\b|as\b|for me\b|well\b|anymore\b)[^,;!?\x00\n]{2,60}?){STOP}",
        "{what} {value}",
    ),
    _limit(
        r"{I}{ADV} (?P<what>won't|will not|refuse to|am not willing to|'m not willing to) (?P<value>(?:eat|drink|fly|use|buy|wear|work|sign|accept|pay|stay|travel|drive|take|touch|share|install|live|date|rent|share|give)\b (?!it\b|this\b|that\b|you\b|up\b|for (?:this|that)\b)[^,;!?\x00\n]{3,80}?){STOP}",
        "{what} {value}",
    ),
    _limit(
        r"{CLAUSE}(?P<topic>(?:{I}|legal|compliance|hr|it|security|{MY} (?:\w+ )?(?:company|boss|landlord|lease|contract|policy|employer|school|client|clients|insurance|visa|doctor|team|office|bank|auditor|auditors|legal team|security team|customers?|building|council))|(?:the |our )?(?:company|school|office|house|building) (?:policy|rules?)) (?P<what>forbids?|prohibits?|bans?|doesn't allow|don't allow|does not allow|won't allow|won't let (?:me|us)|doesn't let (?:me|us)|requires?|insists? (?:on|that)|only allows?|limits?|caps?|says no) {THING}",
        "{topic} {what} {value}",
        cues=words(
            "forbid forbids prohibit prohibits ban bans allow let requires require insist insists allows only limit limits cap caps says"
        ),
    ),
    _limit(
        r"(?:{AM}{ADV} not (?:allowed|permitted|supposed|able)|{I} aren't (?:allowed|permitted)|{AM}{ADV} (?:forbidden|prohibited|banned|required|obliged|obligated|bound|contractually bound)) (?P<what>to|from) (?!see|find|log|open|access|connect|get|reproduce|do|figure|load|install){THING}",
        "Is not allowed {what} {value}",
    ),
    _limit(
        r"{MY} (?:\w+ )?(?:rule|policy|limit|condition|requirement)(?: here)? is (?:that |to |no )?{THING}",
        "Rule: {value}",
    ),
    _limit(
        r"{CLAUSE}(?:at|by) (?:my|our) (?:company|office|school|work|firm|place),? {I}(?P<what>'re not allowed to| can't| cannot| must| have to| aren't allowed to| may not) {THING}",
        "At work: {what} {value}",
    ),
    _limit(
        r"{CLAUSE}(?P<topic>our \w+(?: \w+)?|the \w+|\w+s|customer \w+|client \w+|personal \w+|patient \w+|production \w+) (?P<what>must (?:not|never)|must be (?=at least|over|under|above|below|older|\d)|mustn't|may (?:not|never)|can never|must always|has to stay|have to stay|has to remain|must stay|must remain|are not allowed to|is not allowed to|aren't allowed to) {THING}",
        "{topic} {what} {value}",
        cues=words("must mustn't may can has have allowed"),
    ),
    _limit(
        r"{I}(?:'re| are) (?P<value>(?:closed|shut|open only|only open)(?: (?:on|from|after|before|between|for|until|in|at|mon|tue|wed|thu|fri|sat|sun|week|sun)\w*)[^,;!?\x00\n]{0,50}?)(?<!today)(?<!tomorrow){STOP}",
        "Is {value}",
        shape=course,
    ),
    _limit(
        r"{I}{ADV} need (?P<value>(?:[\w-]+ ){0,3}?(?:\w+-free|vegan|vegetarian|halal|kosher|wheelchair[- ]accessible|step-free|low[- ]\w+|hypoallergenic|ground[- ]floor|large[- ]print)\b[^,;!?\x00\n]{0,40}?){STOP}",
        "Needs {value}",
    ),
    _limit(
        r"{MY} (?P<topic>(?:daily |weekly |team |morning )?(?:stand-?up|sprint|fiscal year|financial year|tax year|office hours|opening hours|business hours|working hours|work hours|shift|lunch break|retro|release window|change freeze|code freeze|maintenance window|payroll|school run|working day|workday|week)s?) (?P<what>is|are|starts?|ends?|runs?|begins?|goes) (?P<value>(?=[^,;!?]{0,30}(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|noon|midnight|morning))[^,;!?\x00\n]{2,50}?){STOP}",
        "{topic} {what} {value}",
    ),
)
