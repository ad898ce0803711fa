"""What is always so in somebody's days: "I put aside 300 a month", "we spend every Christmas in Santiago"."""

from memoryhub.llm.backends.rules.wording import Rule, course, rx

_EACH = (
    r"(?:(?:every|each|most|all) (?:other |single |second |third )?(?:day|week|month|year|morning|afternoon|evening|night|weekend|summer|winter|spring|autumn|fall|christmas|easter|"
    r"term|quarter|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekday|days|weeks|mornings|evenings|weekends|nights|few (?:days|weeks|months))|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on week(?:days|ends)|at (?:the )?weekends?|at night|in the (?:mornings|evenings|afternoons|summers|winters)|"
    r"(?:about |around )?(?:an?|one) (?:book|film|movie|hour|day|lesson|session|class|mile|page|chapter|coffee|portion|litre|pint|euro|kilo|run|swim|walk|trip|shift|game|match|box|bottle) (?:a|per|each|every) (?:day|week|month|year|fortnight|night)|(?:once|twice|(?:two|three|four|five|six|\d+)(?: [\w-]+){0,2}? (?:times?|days?|nights?|mornings?|evenings?|hours?|shifts?|pages?|lessons?|classes)?|[$€£]?\d[\d.,‚]*(?: \w+)?) (?:a|per|each) (?:day|week|month|year|fortnight|night)|(?:mon|tues|wednes|thurs|fri)days? to (?:mon|tues|wednes|thurs|fri|satur|sun)days?|daily|weekly|monthly|all year round|these days)"
)
_NOT_SO = (
    r"(?!(?:get (?!through|up|by|around|paid)|got|see|saw|keep \w+ing|have (?:an?|the|this|that) (?:error|problem|issue|question)|need|try|tried|want|wait|lose|fail|forget|find|hear|think|know|guess|hope|wonder|understand|mean|am|was|were|did|had|can't|cannot|can|could|don't (?:get|see|know|understand|have)|"
    r"will|would|should|might|may|must|just|have to|click|log|open|restart|refresh|receive|pay (?:for )?(?:you|your)|like|love|hate|wish|ask|said|told|made|went|came|bought|started)\b)"
)
_MINE = (
    "shifts?|hours|working hours|commute|schedule|rota|working week|classes|lessons|rehearsals|team|office|shop|company|school|practice|club|choir|band|lectures|meetings|salary|rent|lease|mortgage|"
    "contract|garden|flat|house|kitchen|car|boss|job|work|studio|practice|course|seminars?|training|weekly call|day|days"
)
_THEY_DO = "change|changes|take|takes|start|starts|end|ends|begin|begins|rotate|rotates|vary|varies|meet|meets|open|opens|close|closes|run|runs|last|lasts|cost|costs|go|goes|come|comes|fall|falls|happen|happens|finish|finishes|is|are|has|have|faces|only has|only have|sits|gets"


def _habit(pattern: str, says: str, **more: object) -> Rule:
    return Rule("profile", rx(pattern), says, "", None, course, **more)  # type: ignore[arg-type]


RULES = (
    _habit(
        rf"{{I}}(?: also| usually| always| still| mostly| often| normally| both| all)* (?P<value>{_NOT_SO}(?:(?:run|swim|work|travel|commute|train|fly|cook|cycle|jog|meditate|exercise|practi[sc]e|rehearse|walk|teach|volunteer|fast|meet)|(?-i:[a-z]+)(?! (?:an? (?:error|message|warning)|this|that|your)\b) [^,;!?\x00\n]{{2,70}}?) {_EACH}(?: [^,;!?\x00\n]{{2,40}}?)?){{STOP}}",
        "{value:third}",
    ),
    _habit(
        r"{I}(?: also| usually| always| still| mostly| often| normally| only)* (?P<value>(?:read|watch|listen to|check|answer|write|do|use|take|see|play|hear|open|follow|get|have) (?:them|it|everything|most things|your \w+|these|all of it|you) (?:all )?(?:on|from|through|in|over|via|while|with) (?:my|our|the|a|an)\b[^,;!?\x00\n]{2,40}?)(?<! today)(?<! now){STOP}",
        "{value:third}",
    ),
    _habit(
        rf"{{MY}} (?P<value>(?:\w+ )?(?:{_MINE})(?: always| usually| only| mostly)? (?:{_THEY_DO})\b[^,;!?\x00\n]{{0,50}}? ?\b(?:{_EACH}|at (?:\d|half|noon|midnight|six|seven|eight|nine|ten|five)[\w :]*?|(?:\d+|an?|half an?|two|three|ninety|forty|twenty|thirty|fifty) (?:minutes?|hours?)(?: each way| by \w+| on foot| on the \w+)?)){{STOP}}",
        "{value}",
    ),
)
