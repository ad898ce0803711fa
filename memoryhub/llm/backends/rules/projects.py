"""What somebody is working on, and what was decided in it."""

from memoryhub.llm.backends.rules.wording import TOOLS, Rule, rx, thing


def _project(pattern: str, says: str, **more: object) -> Rule:
    return Rule("project", rx(pattern), says, "", None, thing, **more)  # type: ignore[arg-type]


RULES = (
    _project(
        r"{AM}{ADV} (?P<what>working on|building|migrating|rewriting|porting|developing|launching(?![^,;!?]*\b(?:on|next|in|this) )|rolling out|prototyping|redesigning|refactoring|replacing|designing|writing) {THING}",
        "Is {what} {value}",
    ),
    _project(
        r"{MY} (?:current |side |main |new |big )?project(?: is|'s)(?: called| named| about| to)? {THING}",
        "Project is {value}",
    ),
    _project(
        r"(?:{I}|{HAVE}|{I} have|{I} all){ADV} (?:decided|agreed|chosen|chose|settled) (?P<what>to|on using|on) {THING}",
        "Decided {what} {value}",
    ),
    _project(
        r"{AM}{ADV} (?:going to |gonna )?(?P<what>switch(?:ing)?|migrat(?:e|ing)|mov(?:e|ing)) (?P<off>(?:all |everything |our [\w ]{2,30}? )?from [\w .+#-]{2,40}? to|(?:our [\w ]{2,30}? )to) {THING}",
        "Is {what} {off} {value}",
    ),
    _project(r"{MY} (?:tech )?stack is {THING}", "Stack is {value}"),
    _project(
        r"(?:{I}|{HAVE}){ADV} (?P<what>moved|migrated|switched) (?P<off>(?:our [\w ]{2,30}? |everything |from [\w .+#-]{2,40}? )?to) (?P<value>"
        + f"(?:{TOOLS})"
        + r"(?: \d[\d.]*)?)\b",
        "{what} {off} {value}",
        dating="since",
    ),
    _project(
        r"{CLAUSE}(?:we|our (?:stack|backend|frontend|app|team|company|product|service|project|website|site|database|infrastructure)){ADV} (?:runs?|is (?:built|written|hosted|deployed)) (?P<what>on|in|with) {THING}",
        "Stack runs {what} {value}",
    ),
    _project(
        r"(?:{AM}|{HAVE} been){ADV} (?:in the middle of|busy|knee[- ]deep in|halfway through|currently|about to start|working on)? ?(?P<what>building|migrating|rewriting|porting|developing|launching(?![^,;!?]*\b(?:on|next|in|this) )|rolling out|prototyping|redesigning|refactoring|replacing|designing|writing|coding|creating|restoring|converting|composing|editing|researching|renovating|training|putting together|recording|producing|translating|curating|digiti[sz]ing|planting|remodell?ing) (?P<value>(?:an?|the|my|our|all|some|new|out|two|three)\b (?!(?:reply|email|message|complaint|mistake|few changes|list|error|mess|change|ticket|bug report)\b)[^,;!?\x00\n]{3,100}?){STOP}",
        "Is {what} {value}",
    ),
    _project(
        r"(?:{AM}|{HAVE} been|{HAVE} started){ADV} (?P<what>working on|busy with|collaborating on|hacking on|tinkering with) {THING}",
        "Is {what} {value}",
    ),
    _project(
        r"{MY} (?P<what>thesis|dissertation|startup|novel|book|app|side project|project|research|phd|master's thesis|paper|podcast|blog|product|game|new album|documentary|capstone|current project|team's project) (?:is |'s |deals with |looks at |covers |explores |focuses on |tracks |helps |studies |examines )(?:all |mainly |mostly )?(?P<value>(?:about|on|an?|the|called|how|to|whether|people|for|with)\b[^,;!?\x00\n]{3,100}?){STOP}",
        "{what}: {value}",
    ),
    _project(
        r"(?:{I}|{HAVE}|{I} have|{I} all|{MY} (?:team|board|company)){ADV}(?: all| finally| just| ultimately)* (?:decided|agreed|chosen|chose|settled|opted|picked|voted|are going|'re going|elected)(?P<what> to| on| for| with| that| against| not to| using)? {THING}",
        "Decided{what} {value}",
    ),
    _project(
        r"{I}{ADV} ended up (?P<what>choosing|going with|going for|picking|buying|using|hiring|switching to|dropping|with) {THING}",
        "Ended up {what} {value}",
    ),
    _project(
        r"{I}{ADV} went (?P<what>with|for) (?!you\b|me\b|my\b|it\b|a (?:walk|run|swim|ride|hike|drive)\b|lunch|dinner|coffee|drinks){THING}",
        "Decided on {value}",
    ),
    _project(
        r"(?:{AM}){ADV} (?:going|sticking|proceeding|moving ahead) (?P<what>with|for) (?!you\b|me\b|my (?:wife|husband|family|friends|kids)){THING}",
        "Decided on {value}",
    ),
    _project(
        r"{CLAUSE}the (?:decision|plan|agreement|verdict) (?:is|was)(?: now)? (?:to |that ){THING}",
        "Decided to {value}",
    ),
    _project(
        r"{MY} (?:app|product|tool|site|platform|service|startup|company|game|library|package|team|shop|store|nonprofit|business)(?: \w+)? (?P<what>helps|tracks|lets|sells|makes|builds|matches|teaches|connects|offers|does|develops|ships|provides|manages|publishes|rents|produces) {THING}",
        "{what} {value}",
    ),
)
