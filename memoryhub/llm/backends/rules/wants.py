"""What somebody wants for themself and will do, in words of their own: never what they want done for them now."""

from memoryhub.llm.backends.rules.wording import POINTS, Rule, course, rx

_SOON = (
    r"(?:(?:in|by|before|for|from|at|around|over|during|on) (?:the |early |late |mid-?)*(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"spring|summer|autumn|fall|winter|christmas|easter|new year|weekend|holidays|end of|beginning of|(?:mon|tues|wednes|thurs|fri|satur|sun)day|20\d\d|\d+(?:st|nd|rd|th)\b)|"
    r"(?:next|this|coming) (?:year|month|week|weekend|spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december|term|semester|season|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|"
    r"one day|some ?day|eventually|soon|later this (?:year|month|week)|when i retire|tomorrow|within (?:a|two|three|the next) \w+|in (?:a|two|three|four|five|six|\d+|a few) (?:weeks|months|years|days)|in a year)"
)
_LIFE = (
    "learn|become|run (?:a|my|the)|lose|save|quit|move|travel|visit|retire|open|start|sell|build|write a|write my|climb|hike|cycle|walk the|sail|drive (?:through|across|around|along|down|up|to)|"
    "go (?:back to|to|on a|hiking|skiing|camping|freelance|part[- ]time|abroad|vegan|vegetarian|sailing|self-employed)|take (?:up|a (?:gap|year|course|sabbatical|break|trip))|adopt|get (?:fit|fitter|married|into|certified|in shape|"
    "better at|a (?:dog|cat|puppy|degree|mortgage|tattoo|motorbike|new job|job)|my (?:licen[cs]e|degree|driving licen[cs]e)|started with|out of debt|promoted)|buy (?:a|an|our|my) (?:\\w+ ){0,2}?(?:house|flat|car|place|boat|home|apartment|van|bike|piano|plot|farm|"
    "motorbike|camper(?: van)?|e-bike|cabin|cottage)|renovate|redo (?:the|our|my)|remodel|plant|grow|set up (?:a|my|our) (?:\\w+ )?(?:business|company|shop|stall|studio|charity|practice)|launch|cut (?:down|back|out)|give up|stop|pay off|apply (?:for|to)|study|do (?:a|an|my) (?:\\w+ )?(?:"
    "marathon|phd|master's|masters|degree|course|triathlon|apprenticeship|internship|exchange|ironman|half marathon)|finish (?:my|our|the)|have (?:a|another) (?:baby|child|family)|have kids|raise|teach|publish|record|join|train (?:for|to|as)|switch (?:careers|jobs|to)|change (?:careers|jobs)|host|"
    "qualify|graduate|emigrate|settle|expand|hire|swim|volunteer|replace (?:my|our|the)|convert|turn (?:the|my|our)|rent out|sublet|extend|insulate|install solar|try (?:out )?(?:pottery|yoga|climbing|surfing|skiing)|read more|spend more time|work (?:less|abroad|part[- ]time|from)"
)
_NOT_NOW = (
    r"(?!(?:know|see|ask|make sure|check|understand|find out|cancel|return|change my|update my|add|log|speak|talk|thank|report|say|be able|have (?:you|it|this|that|the option)|use (?:it|this|that|the)|"
    r"get (?:a refund|my money|some|an answer|the|it|this|rid|this|help|started)|send|tell|show|give|share|hear|confirm|request|complain|avoid|be (?:sure|clear)|do (?:this|that|it)|need|try (?:it|this|that)|let|order|book a table|print|export|import|download|upload|"
    r"fix|convert this|turn (?:it|this|that)|put (?:it|this)|point out|clarify|discuss|plan something|go (?:with|for|over|through)|write (?:an? (?:e-?mail|letter|message|reply|short|note))|buy (?:it|this|that|some|a (?:gift|present)))\b)"
)


def _plan(pattern: str, says: str, **more: object) -> Rule:
    return Rule("plan", rx(pattern), says, "", None, course, "until", **more)  # type: ignore[arg-type]


_WANT = r"(?:{I}(?:{ADV} (?:want|hope|wish|would like|would love|'d like|mean|intend|plan|am hoping)|'d(?: really)? (?:like|love))|{AM}{ADV} (?:hoping|planning|intending|aiming|determined|keen|eager|dying|about|set|going|looking)) to"

RULES = (
    _plan(
        r"{AM}{ADV} (?P<value>giving (?:an?|the|my) (?:[\w-]+ )?(?:speech|talk|lecture|toast|presentation|workshop|concert|recital|party|keynote)\b[^,;!?\x00\n]{0,50}?){STOP}",
        "Is {value}",
    ),
    _plan(
        r"{CLAUSE}(?P<value>(?:the|my|our) (?!(?:error|problem|issue|bug|outage|message|sale|offer|trial|deadline|exam|test|submission)\b)(?:[\w-]+ )?[\w-]+ (?:starts?|begins?|ends?) (?={WHEN})(?!at |every|each|on \w+days)[^,;!?\x00\n]{2,40}?){STOP}",
        "{value}",
        needs_date=True,
        cues=frozenset(["start", "starts", "begin", "begins", "end", "ends"]),
    ),
    _plan(
        r"{CLAUSE}(?P<value>(?:it|they|the (?:course|class|trip|job|lease|semester|school|term|conference|wedding|party|festival|workshop|season|move|surgery|operation|interview|flight|ceremony|funeral)) (?:starts?|begins?|takes? place|is happening|kicks? off|lasts?|runs?|is(?= on| in)) (?={WHEN})[^,;!?\x00\n]{2,40}?){STOP}",
        "{value}",
        needs_date=True,
        cues=frozenset(
            [
                "start",
                "starts",
                "begin",
                "begins",
                "takes",
                "take",
                "is",
                "kicks",
                "kick",
                "lasts",
                "last",
                "runs",
                "run",
            ]
        ),
    ),
    _plan(
        rf"(?:{_WANT}) (?P<value>(?:{_LIFE})\b(?! (?:it|this|that|them)\b)[^,;!?\x00\n]{{0,90}}?){{STOP}}",
        "Wants to {value}",
    ),
    _plan(
        rf"(?:{_WANT}) (?P<value>{_NOT_NOW}[a-z]+\b[^,;!?\x00\n]{{2,80}}? {_SOON}(?: [\w ]{{1,30}}?)?){{STOP}}",
        "Wants to {value}",
    ),
    _plan(
        rf"{{AM}}{{ADV}} trying to (?P<value>(?:(?:{_LIFE}|eat|drink|exercise|sleep|walk|cook|use less|waste less|be (?:more|less|a better)|go to bed|get up)\b(?! (?:it|this|that|them)\b)[^,;!?\x00\n]{{2,70}}?|(?:read|do|write|practi[sc]e|swim|meditate|play|knit|paint)\b[^,;!?\x00\n]{{2,40}}? (?:a|per|each|every) (?:day|week|month|year|night|morning|evening)[^,;!?\x00\n]{{0,30}}?)){{STOP}}",
        "Is trying to {value}",
    ),
    _plan(
        r"{I}(?:{ADV} (?:promised|offered|volunteered|arranged|signed up|agreed)|'ve (?:promised|offered|volunteered|arranged|agreed)) to (?P<value>(?:help|give|bring|host|drive|teach|speak|write|make|bake|cook|organi[sz]e|run|do|lead|take|look after|stay|join|be|play|sing|pick)\b[^,;!?\x00\n]{2,60}?){STOP}",
        "Will {value}",
    ),
    _plan(
        rf"(?:{_WANT}) (?P<value>{_NOT_NOW}(?!(?:set up|change|update|cancel|report|request|submit|use|log|test|run|open|start|look|make|compare|display|write|print|calculate|set up (?:an?|the|my) (?:account|server|env\w*|printer|router)|sort|filter|round|sum|count|access|connect|pass|call|allow|replace|merge|split|delete|remove|improve|buy|pay|reach|reset|stay|keep|edit|create|format|parse|test|switch on|mention|invite|inform|note|start by|hand in|attach|bring up|recommend|schedule|reschedule|order|reserve|upgrade|downgrade|renew|extend)\b){POINTS}[a-z]+ (?!to\b)[^,;!?\x00\n]{{3,80}}?){{STOP}}",
        "Wants to {value}",
    ),
    _plan(
        r"{I}{ADV} want to (?P<value>(?:sell|work|live|study|train|teach|perform|eat|sleep|drink|exercise|spend)\b (?!it\b|this\b|that\b|the\b|with you|on (?:this|that))[^,;!?\x00\n]{2,60}?){STOP}",
        "Wants to {value}",
    ),
    _plan(
        r"{AM}{ADV} (?:thinking (?:of|about)|considering|toying with the idea of|playing with the idea of) (?P<value>(?!it\b|this\b|that\b|how\b|what\b|whether\b|you\b|(?:using|writing|asking|returning|cancel\w+)\b)\w+ing\b[^,;!?\x00\n]{2,70}?){STOP}",
        "Is thinking of {value}",
    ),
    _plan(
        r"{I}(?:'ll| will)(?: also| probably| both| all)* (?P<value>(?:have (?:an?|our|my|two|three|guests|visitors|friends|family)|bring|stay|rent|take (?:the|our|my|a|two|three)|drive|camp|sleep|cook|host|spend|celebrate|"
        r"be (?:staying|travelling|traveling|driving|flying|camping|taking|bringing|hosting|sharing|working|studying|living|having|on (?:\w+ )?(?:leave|holiday|vacation|sabbatical)|away|abroad|back (?:in|on|at|from)|in (?-i:[A-Z])|there|joined|twelve|ten|eight|six|four|five)|start|move|travel|arrive|leave|fly|visit|join|meet|turn|retire|graduate|finish|run|attend|teach|give (?:a|the))\b"
        r"(?! (?:it|this|that|them|you|a look|a moment|to (?:ask|wait|check))\b)[^,;!?\x00\n]{0,80}?){STOP}",
        "Will {value}",
    ),
    _plan(
        rf"(?:{{CLAUSE}}{_SOON},? (?:i|we)) (?P<value>(?:start|begin|leave|fly|move|return|travel|retire|graduate|join|turn|go|take over|open|launch|finish)\b[^,;!?\x00\n]{{2,60}}?){{STOP}}",
        "Will {value}",
        cues=frozenset(["next", "this", "tomorrow", "in", "on", "from", "at", "by", "soon", "later"]),
    ),
    _plan(
        rf"{{I}}{{ADV}} (?P<value>(?:get married|start|begin|leave|fly|move|return|travel|retire|graduate|turn|take over|finish)\b(?: [^,;!?\x00\n]{{2,50}}?)? {_SOON}(?: [\w ]{{1,20}}?)?){{STOP}}",
        "Will {value}",
    ),
    _plan(
        rf"{{AM}}{{ADV}} (?P<value>(?!(?:having|getting|seeing|trying|looking (?!after)|working|running|using|still|stuck|unable|not|wondering|writing|waiting)\b)[a-z]+ing\b(?: [^,;!?\x00\n]{{2,60}}?)? {_SOON}(?: [\w ]{{1,30}}?)?){{STOP}}",
        "Is {value}",
    ),
    _plan(
        r"{MY} (?P<value>(?:parents|mother|father|mum|mom|dad|sister|brother|in-laws|cousins?|friends|grandparents|son|daughter|family|wife|partner|girlfriend) (?:is|are) (?:due|coming|visiting|staying|moving in|flying in)\b[^,;!?\x00\n]{0,60}?){STOP}",
        "{value}",
    ),
)
