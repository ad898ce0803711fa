"""What somebody's days, body and purse leave room for: "I can't type for long", "Tuesday evenings are taken"."""

from memoryhub.llm.backends.rules.wording import Rule, course, rx

_DAYS = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|mornings?|afternoons?|evenings?|nights?|lunchtimes?|school holidays|august)"
_PART = rf"(?:(?:my |our |all |most )?{_DAYS}(?: (?:mornings?|afternoons?|evenings?|nights?|lunchtimes?))?(?:(?: and |, | and the | or )(?:{_DAYS})(?: (?:mornings?|afternoons?|evenings?|nights?))?){{0,3}})"
_ABLE = (
    "type|walk|stand(?= (?:for|up|long|all))|sit|lift|carry|drive|swim|run|jog|bend|kneel|climb|dance|cycle|ride|work|come|attend|eat|drink|digest|leave|stay|host|fly|travel|commute|"
    "meet|pay|spend|afford|sleep|smoke|park|hang|drill|cook|bake|use (?:my|the (?:oven|kitchen|lift|stairs|garden|car)|any|more|third)|do (?:mornings|evenings|weekends|nights|any|more|much|stairs|heights|heavy|long|early|late|high|yoga|sport|sports|mon|tue|wed|thu|fri|sat|sun)|take (?:calls|time off|more|any|the (?:car|train|bus)|painkillers|ibuprofen|aspirin|on|holidays|days off|leave)|"
    "be (?:there|away|in (?:the office|two)|out|late|home|back|reached|disturbed)|make (?:any noise|noise|it (?:before|after|on)|calls|phone calls|mon|tue|wed|thu|fri|sat|sun|mornings|evenings|weekends)|go (?:before|after|on|out|above|over|in|to (?:work|bed)|up|down|abroad|anywhere|without)|"
    "have (?:pets|a (?:dog|cat|pet)|dairy|gluten|nuts|visitors|guests|milk|alcohol|caffeine|sugar|meat|anything|any|fish|shellfish|lactose|wheat|soy|eggs|candles|spicy)|keep (?:pets|a dog|a cat|animals)|wear|hear|see (?:well|colou?rs|far|without)|smell|concentrate|focus|read (?:small|without|for)|study|train|exercise|practi[sc]e|play|"
    "start|finish|stop before|answer (?:the phone|calls|e-?mails?)|pick up the kids|work out|share|store|install|deploy|release|ship|change the (?:date|walls|layout|colou?rs)|paint the|move (?:the|my|out|in) (?:date|arm|neck|before|until)|touch|breathe|tolerate|handle|manage (?:more|stairs|mornings)|rest|give up|raise my|turn my|look at (?:a screen|screens)|stay up|get up|wake up|get (?:there|away|off work|home|out of bed) (?:before|until|on|after|without)|get time off"
)
_TIME = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|half an?|twenty|thirty|ten|fifteen|forty|forty-five|sixty|a few|a couple of)(?:[ -]\w+){0,2}? ?(?:minutes?|mins|hours?|hrs|days?|weeks?|months?|evenings?|weekends?|mornings?|nights?)"
_ABOUT = r"(?:only |just |about |around |roughly |at most |maybe |exactly |no more than |up to |less than |a maximum of )"


def _limit(pattern: str, says: str, **more: object) -> Rule:
    more = {"shape": course} | more
    return Rule("constraint", rx(pattern), says, "", None, **more)  # type: ignore[arg-type]


RULES = (
    _limit(
        r"{CLAUSE}(?<=so )(?:i|we)(?: really| always| only)? need (?P<value>(?!help|advice|ideas|someone|somebody|you\b|a (?:way|quote|list|comparison|summary|template|text|letter|plan|recipe|hand)|some (?:help|advice|ideas))[^,;!?\x00\n]{3,40}? (?:with|without|near|within|that (?:is|are|has|have|fits?|works?)) [^,;!?\x00\n]{2,30}?){STOP}",
        "Needs {value}",
    ),
    _limit(
        r"{CLAUSE}(?P<value>(?:money|time|space|cash|storage|the budget|our budget|my budget) is (?:really |very |pretty |a bit |quite )?(?:tight|short|limited|scarce)(?: [^,;!?\x00\n]{2,30}?)?){STOP}",
        "{value}",
        cues=frozenset(["money", "time", "space", "cash", "storage", "budget"]),
    ),
    _limit(
        r"{CLAUSE}(?:(?<=so )|(?<=, ))(?P<value>only (?:[\w-]+ ){1,3}(?:with|without|that|under|below|in|near|before|after) (?!you\b|me\b)[^,;!?\x00\n]{2,40}?)(?: please)?{STOP}",
        "{value}",
        cues=frozenset(["only"]),
    ),
    _limit(
        rf"{{I}}(?:{{ADV}}| simply| usually| probably)* {{CANT}}(?: really| always| usually| ever| even)? (?P<value>(?:drive|swim|cycle|ride|(?:{_ABLE})\b(?! (?:it|this|that|them|these|into|properly (?:in|on) (?:the|your))\b)[^,;!?\x00\n]{{2,80}}?))(?<! today)(?<! right now){{STOP}}",
        "Cannot {value}",
    ),
    _limit(
        r"{I}(?:{ADV}| simply| usually)* {CANT} (?P<value>(?!(?:log|sign|open|access|connect|load|find|see|download|upload|install|get (?:it|this|that|the|my|into|past|through|an? (?:answer|response))|reach (?:you|anyone|the)|figure|tell|seem|believe|remember|print|save|export|submit|send|wait)\b)[a-z]+ [^,;!?\x00\n]{0,50}?(?:before|until|till|after|past|later than|earlier than|longer than|more than) (?:\d|noon|midnight|half|six|seven|eight|nine|ten|eleven|twelve|one|two|three|four|five|the \w+|my \w+|school|work|lunch|dinner|dark|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|an? \w+|about)[^,;!?\x00\n]{0,30}?){STOP}",
        "Cannot {value}",
    ),
    _limit(
        r"{I}{ADV} (?:don't|do not|dont) want to (?P<value>(?!(?:know|lose|have to|be charged|pay for (?:it|this|that))\b)[a-z]+ [^,;!?\x00\n]{0,50}?(?:before|until|after|without|more than|less than|longer than|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|at night|alone) ?[^,;!?\x00\n]{1,40}?){STOP}",
        "Does not want to {value}",
    ),
    _limit(
        rf"{{CLAUSE}}(?P<value>{_PART} (?:is|are)(?: always| usually| already| all| both| completely)? (?:taken|booked|out|off|full|blocked|reserved|busy|no good|impossible|off limits|difficult|sacred|family time|packed|tight|hectic|chaotic|crazy|hard|difficult|quiet|the worst|too busy|spoken for|blocked off|not possible|my (?:only )?(?:day off|days off|free (?:day|evening|morning|afternoon)s?))(?: for [^,;!?\x00\n]{{2,30}}?)?)(?=[.,;!]|$| (?:so|and|but|because|for|with|until)\b)",
        "{value}",
        cues=frozenset(["is", "are"]),
    ),
    _limit(
        rf"{{CLAUSE}}(?P<value>{_PART} (?:don't|doesn't|never|only|do not|does not)(?: really)? (?:work|suits?|works?)(?: well)?(?: for (?:me|us))?)(?=[.,;!]|$| (?:so|and|but|because)\b)",
        "{value}",
        cues=frozenset(["don't", "doesn't", "never", "only", "not", "do", "does"]),
    ),
    _limit(
        rf"(?:{{I}}{{ADV}} (?:have|get)|{{HAVE}}{{ADV}}(?: got)?) (?P<value>{_ABOUT}+{_TIME}(?: [^,;!?\x00\n]{{2,60}}?)?){{STOP}}",
        "Has {value}",
    ),
    _limit(
        rf"(?:{{I}}{{ADV}} (?:have|get)|{{HAVE}}{{ADV}}(?: got)?) (?P<value>{_TIME} (?:a|per|each|every|before|until|between|left)\b[^,;!?\x00\n]{{1,50}}?){{STOP}}",
        "Has {value}",
    ),
    _limit(
        r"(?:{I}{ADV} have|{HAVE}{ADV}(?: got)?) (?P<value>(?:only )?until (?:the |next |this |end of )?\w[^,;!?\x00\n]{2,40}?){STOP}",
        "Has {value}",
        dating="until",
    ),
    _limit(
        r"{I}{ADV} (?:have|'ve got|need|must|have got) ?(?:to )?(?P<value>(?:be (?:home|back|there|out(?: of (?:the|my|our) [\w ]{2,15}?)?|in bed|at (?:work|the \w+|my \w+)|in (?:the office|town|\w+)|done|finished|up|ready|gone|on site|offline|online)|leave(?: the \w+| work| home| for \w+)?|catch (?:the|my) \w+|pick up (?:my|our|the) \w+|collect (?:my|our|the) \w+) (?:by|before|at|until|no later than|every)\b[^,;!?\x00\n]{1,40}?){STOP}",
        "Has to {value}",
    ),
    _limit(
        r"{CLAUSE}(?P<value>the (?:\w+ )?(?:exam|test|submission|hand-?in|deadline|final exam|finals|viva|oral exam|closing date|cut-?off|handover) (?:is|are|falls) (?={WHEN})[^,;!?\x00\n]{2,50}?){STOP}",
        "{value}",
        dating="until",
        needs_date=True,
        cues=frozenset(
            [
                "exam",
                "test",
                "submission",
                "hand",
                "handin",
                "deadline",
                "finals",
                "viva",
                "date",
                "cutoff",
                "cut",
                "handover",
            ]
        ),
    ),
    _limit(
        r"{CLAUSE}(?P<value>only (?:[\w-]+ ){1,4}?(?:that |which |where )?i can (?:reach|get to|eat|afford|use|do|carry|read|drive|walk)\b[^,;!?\x00\n]{0,40}?){STOP}",
        "{value}",
        cues=frozenset(["only"]),
    ),
    _limit(
        r"{CLAUSE}(?P<value>(?:it|that|this|everything|the (?:whole )?\w+(?: \w+)?) (?:must|has to|have to|needs to|should|shouldn't|can't|mustn't|cannot)(?: not)? (?:cost|take|be (?:under|below|less than|no more than|within|vegan|vegetarian|halal|kosher|gluten-free|nut-free|dairy-free|wheelchair[- ]accessible|finished|ready|done|delivered|submitted|with [^,;!?]{2,25}?|in (?:by|before)))\b[^,;!?\x00\n]{0,60}?(?:\d|friday|monday|tuesday|wednesday|thursday|saturday|sunday|month|week|vegan|vegetarian|halal|kosher|-free|accessible|christmas|easter|january|february|march|april|may|june|july|august|september|october|november|december)[^,;!?\x00\n]{0,30}?){STOP}",
        "{value}",
        cues=frozenset(["must", "has", "have", "needs", "should", "shouldn't", "can't", "mustn't", "cannot"]),
    ),
    _limit(
        r"{I}{ADV} (?:can|could) (?:spend|pay|afford|go up to|manage)(?: at most| up to| no more than| around| about| roughly| only| maybe)* (?P<value>[$€£]? ?\d[\d.,‚]*(?: ?(?:k|euros?|pounds?|dollars?|a (?:month|week|night|year|day|head|person)|per \w+|on|for|max|at most|in total|kronor|francs?|€|£|\$))*[^,;!?\x00\n]{0,30}?){STOP}",
        "Can spend {value}",
    ),
)
