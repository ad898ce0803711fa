"""What somebody tells of their life in the plain present: "we close every January", "I look after the garden".

Read last: what a rule of its own knows goes first. Verbs of living and working are taken with whatever they are said of;
those of seeing, trying and needing tell of the moment and are not among them.
"""

from memoryhub.llm.backends.rules.wording import Rule, course, rx

_LIVING = (
    "live|lodge|reside|share|rent|sublet|let out|own|keep(?! \\w+ing)|raise|breed|grow|farm|produce|make|bake|brew|cook for|cater|sew|build|repair|restore|fix|sell|"
    "import|export|distribute|supply|ship|deliver|design|paint|teach|tutor|coach|train|lecture|mentor|supervise|manage|run|operate|lead|head|chair|"
    "organi[sz]e|coordinate|oversee|handle|look after|care for|take care of|foster|homeschool|babysit|childmind|volunteer|serve|work|freelance|consult|"
    "commute|cycle|walk|drive|ride|travel|fly|sail|swim|climb|hike|ski|surf|dance|sing|play|perform|practi[sc]e|rehearse|study|research|write|edit|translate|"
    "interpret|publish|blog|podcast|record|photograph|film|draw|collect|belong|attend|go to|meet|host|guide|treat|nurse|examine|represent|advise|audit|"
    "invoice|employ|recruit|support|maintain|administer|program|develop|moderate|assist|report to|answer to|spend|save|put aside|set aside|donate|invest|pay|"
    "earn|owe|sleep|get up|wake up|go to bed|start work|finish work|start|finish|close|open|eat|drink|wear|take|follow|speak|read|listen to|watch|subscribe|"
    "suffer from|live with|struggle with|vote|pray|fast|celebrate|observe|meditate|garden|fish|hunt|camp|referee|umpire|judge|sponsor|heat|cook|shop|order from|bank with|"
    "have lived|have worked|lodge|board|co-own|tend|care|mind|stock|test|inspect|plan|install|clean|cut|groom|tailor|weave|knit|fundraise|campaign|intern|temp|job-share"
)
_THINGS = (
    r"(?! (?:in (?:fear|hope|hopes|the past|peace|denial)\b|it|this|that|them|these|those|you|your|him|her|the (?:error|problem|issue|app|page|site|link|file|files|script|command|commands|test|tests|code|program|query|build|update|installer|server|"
    r"button|same|following|migration|backup|import|export|report|function|loop|browser|printer|device|instructions|steps|default|latest|wrong|ticket|dialog|menu|settings|export)|an? (?:error|warning|message|blank|white|black|"
    r"strange|weird|script|query|test|command|file|request|look|screenshot|question|problem|photo|picture|decision|mistake|payment|call|call to|list|copy|break|guess|note|test|report|list)|into|up\b(?! with)|out of|sure|sense|"
    r"trouble|issues|problems|off|down|over|again|fine|as expected|correctly|properly|well\b|perfectly|npm|pip|git|docker|sudo|python|cargo|mvn|make|bash|back to you|attention|by the way|to (?:know|see|say|ask|be|get|have|do|make|check|use)|for (?:a refund|the (?:order|wrong))|(?:in|with|on|for|at|from|by|to|of) (?:it|this|that|them|these|those|you|him|her|both|all)|\w+ (?:it|that|this|them) |out (?:when|what|how|why|if)|(?:a lot|much|too much|too|so|very|on top)\b)\b)"
)
_NOW = r"(?<! today)(?<! now)(?<! yet)(?<! tonight)(?<! this morning)"
_HOME = (
    "house|cabin|cottage|flat|apartment|garden|greenhouse|pool|balcony|boat|sailboat|allotment|farm|motorhome|camper(?: van)?|caravan|car|van|bike|motorbike|scooter|workshop|studio|"
    "yard|terrace|stove|fireplace|heat pump|solar panels|printer|3d printer|piano|sewing machine|air fryer|oven|microwave|dishwasher|freezer|fridge|washing machine|dryer|slow cooker|blender|stand mixer|"
    "garage|gym|lift|cellar|attic|spare room|guest room|lodger|flatmate|flatmates|housemates?|cleaner|nanny|au pair|childminder|assistant|employees|staff|tenants?|apprentice|interns?|wheelchair|licen[cs]e|driving licen[cs]e|"
    "passport|visa|work permit|residence permit|mortgage|loan|student loan|savings|pension|season ticket|railcard|membership|subscription|credit card|bank account|smartphone|landline|phone|tablet|laptop|computer|tv|television|camera|telescope|"
    "kiln|loom|drone|turntable|record collection|tattoos?|beard|sweet tooth|green thumb|accent|stammer|part-time job|full-time job|second job|side job|side business|night job|blog|podcast|newsletter|youtube channel|"
    "kitchen|bathroom|bathtub|living room|courtyard|orchard|vineyard|field|pond|tent|trailer|roof rack|child seat|e-bike|electric car|company car|tractor|stall|shop|business|practice|company"
)


def _plain(pattern: str, says: str, says_not: str = "", **more: object) -> Rule:
    more = {"shape": course, "dating": "since"} | more
    return Rule("profile", rx(pattern), says, says_not, **more)  # type: ignore[arg-type]


RULES = (
    _plain(
        r"{I}(?: usually| always| mostly| normally| often| mainly| both)* (?P<value>(?:(?:take|ride|catch|get) the (?:train|bus|tube|metro|ferry|tram|subway)|cycle|walk|bike|drive|commute|travel) to (?:work|school|the office|uni|university|college)\b[^,;!?\x00\n]{0,40}?){STOP}",
        "{value:third}",
    ),
    _plain(
        rf"{{I}}(?: also| both| all| still| mostly| mainly| currently| now| usually| normally| sometimes| often| always| only| mainly| actually| just)* (?P<value>(?:{_LIVING})\b{_THINGS} [^,;!?\x00\n]{{3,90}}?){_NOW}{{STOP}}",
        "{value:third}",
    ),
    _plain(
        rf"(?:{{I}}{{ADV}} (?:have|have got|'ve got|own|got)|{{HAVE}}{{ADV}}(?: got)?) (?P<value>(?:an?|two|three|four|five|six|\d+|my own|our own|no|several|only one) (?:(?!question|problem|issue|error)[\w-]+ ){{0,4}}?(?:{_HOME})s?\b(?: (?:in|on|near|by|outside|with|from|at|for|of|that) [^,;!?\x00\n]{{2,40}}?)?)(?=[.,;!?]|$| (?:and|so|but|that|which|where|we|here)\b)",
        "Has {value}",
    ),
    _plain(
        rf"(?:{{I}}{{ADV}}(?P<neg> don't| do not| dont)(?: actually| even)? (?:have|own)|{{HAVE}}n't got|{{I}} haven't got|{{I}} have not got) (?P<value>(?:an?|any|my own|our own) (?:[\w-]+ ){{0,3}}?(?:{_HOME})s?\b(?: (?:in|at|on|of) [^,;!?\x00\n]{{2,30}}?)?)(?=[.,;!?]|$| (?:and|so|but|here|yet|because|myself)\b)",
        "Does not have {value}",
        "Does not have {value}",
    ),
    _plain(
        r"{AM}{ADV} (?P<value>(?:(?:four|five|six) (?:foot|feet|ft)|in charge of|responsible for|on the (?:board|committee|council|night shift|early shift|late shift)|in (?:my|the|his|her|our) (?:\w+ )?(?:year|semester|twenties|thirties|forties|fifties|sixties|seventies|eighties|term)|part of (?:an?|the)|based out of|between jobs|"
        r"(?:good|bad|terrible|hopeless|useless|great|not good|not great|not very good|no good) (?:at|with)|new (?:to|in)|used to|afraid of|scared of|terrified of|short|tall|very tall|quite tall|left-handed|right-handed|short-sighted|long-sighted|a (?:complete |total |absolute )?beginner|an? (?:[\w-]+ )?(?:beginner|novice|speaker|member|owner|carer|mother|father|widow|widower|veteran|graduate|grandmother|grandfather|vegetarian|resident|citizen|tenant|landlord|homeowner|immigrant))\b[^,;!?\x00\n]{0,60}?)(?<! this)(?<! it)(?<! that){STOP}",
        "Is {value}",
    ),
    _plain(
        r"{CLAUSE}(?P<value>(?:half|most|part|all|a third|many)(?: of)? (?:the|our|my) (?:team|class|family|company|office|staff|group|department|band|students|colleagues|customers|clients|guests) (?:is|are|has|have|works?|lives?|speaks?|prefers?|eats?|comes?|sits?|can't|don't)\b[^,;!?\x00\n]{2,50}?){STOP}",
        "{value}",
    ),
    _plain(
        r"{CLAUSE}(?P<value>[\w' -]{3,30} (?:is|are) (?:my|our) (?:strongest|weakest|worst|best|main|only|first) (?:subjects?|languages?|market|client|customers?|income|weakness|strength|instrument|day off|day))(?=[.,;!?]|$| (?:and|so|but|at|in)\b)",
        "{value}",
        cues=frozenset(["my", "our"]),
    ),
    _plain(
        r"{I}{ADV} (?P<value>know how to (?!use (?:it|this|that)|do (?:it|this|that)|fix|get\b)[^,;!?\x00\n]{3,50}?){STOP}",
        "{value:third}",
    ),
    _plain(
        r"{AM}{ADV} not (?P<value>an? (?!fan\b|big fan|problem|issue|bug|robot|bot\b|member of your|user|customer|lot|bit|(?:morning|night|cat|dog|coffee|tea) person)[^,;!?\x00\n]{3,40}?){STOP}",
        "Is not {value}",
    ),
    _plain(
        r"{CLAUSE}(?P<value>(?:one|two|three|four|five|half|most|some|all|none|both) of us (?:are|is|have|has|live|lives|work|works|speak|speaks|eat|eats|drink|don't|can't)\b[^,;!?\x00\n]{2,50}?){STOP}",
        "{value}",
        cues=frozenset(["us"]),
    ),
    _plain(
        r"{I}{ADV} (?P<value>(?:grew up|was raised|was brought up|were brought up|was born) (?!in (?-i:[A-Z]))[^,;!?\x00\n]{3,60}?){STOP}",
        "{value}",
    ),
    _plain(
        r"{AM}{ADV} (?P<value>the (?:[\w-]+ ){0,3}?(?:secretary|chair|chairman|chairwoman|chairperson|captain|treasurer|organi[sz]er|caretaker|head|manager|owner|lead|leader|coach|conductor|founder|coordinator|oldest|eldest|youngest|one who \w+)\b[^,;!?\x00\n]{0,50}?){STOP}",
        "Is {value}",
    ),
    _plain(
        r"(?:{AM}|{HAVE} been){ADV} (?P<value>(?:living|lodging|renting|sharing|staying with|working|teaching|studying(?! for)|training(?! for)|volunteering|caring for|looking after|raising|managing|running|retired|self-employed|freelancing|teaching myself|taking (?:an? )?(?:[\w-]+ ){0,2}(?:class|classes|course|lessons)|seeing a (?:therapist|physio|chiropractor)|learning(?: how)?(?: to)?)\b(?! (?:on|with) (?:this|that|it|the)\b)(?! out\b| into\b| low\b| late\b)(?![^,;!?\x00\n]{0,60}\b(?:this (?:week|weekend|month)|today|tomorrow|tonight|next)\b)(?: [^,;!?\x00\n]{2,70}?)?)(?<! on this)(?<! on it){STOP}",
        "Is {value}",
    ),
)
