"""What somebody does for a living, and what they are working on."""

from memoryhub.llm.backends.rules.wording import TOOLS, Rule, place, rx, short, thing, tidy, words

_HEADS = (
    "engineer|developer|programmer|designer|manager|director|analyst|scientist|researcher|architect|consultant|"
    "administrator|admin|lead|nurse|doctor|surgeon|physician|dentist|pharmacist|vet|veterinarian|therapist|"
    "psychologist|teacher|professor|lecturer|tutor|student|lawyer|attorney|paralegal|accountant|auditor|bookkeeper|"
    "writer|author|editor|journalist|translator|photographer|artist|musician|chef|cook|baker|barista|farmer|"
    "gardener|carpenter|plumber|electrician|mechanic|driver|pilot|officer|firefighter|paramedic|librarian|"
    "archivist|recruiter|marketer|salesperson|founder|co-founder|cofounder|owner|ceo|cto|cfo|coo|ciso|cpo|vp|"
    "president|partner|freelancer|contractor|coach|trainer|planner|technician|operator|specialist|coordinator|"
    "assistant|secretary|intern|apprentice|strategist|product owner|scrum master|head of [a-z]+|vp of [a-z]+|"
    "director of [a-z]+|sre|dba|biologist|chemist|physicist|economist|statistician|mathematician|hairdresser|"
    "postdoc|phd student|solicitor|midwife|paediatrician|pediatrician|radiologist|optician|surveyor|realtor"
)
_JOB = rf"(?P<value>(?:(?-i:[A-Za-z][\w/-]*) ){{0,4}}(?:{_HEADS}))\b(?!'s)"
_AT = r"(?:at|for) (?:a company called |the )?{NAMED}"
_WORKPLACES = (
    "bakery|school|hospital|bank|university|college|clinic|company|startup|start-up|agency|firm|restaurant|caf[eé]|bar|shop|"
    "store|factory|warehouse|museum|library|laboratory|lab|studio|nursery|kindergarten|hotel|charity|ngo|ministry|"
    "consultancy|newspaper|publisher|theat(?:re|er)|pharmacy|farm|brewery|garage|supermarket|call cent(?:re|er)|"
    "law firm|care home|salon|gym|gallery|non-?profit"
)
_CHIEF = "ceo|cto|cfo|coo|ciso|cpo|founder|co-founder|cofounder|owner|president|managing director"
_NEXT = r"(?=[.,;!]|$| (?:at|for|from|in|of|based|with|and|since|here)\b)"


def job(value: str) -> str | None:
    """A job's title without what only describes the person."""
    words = (tidy(value) or "").split()
    while words and words[0].lower() in _DESCRIBING:
        words.pop(0)
    return None if not words or any(word.lower() in _NO_JOB for word in words) else " ".join(words)


_DESCRIBING = words("only sole a an the big good great very busy proud happy new former lucky just")
_NO_JOB = words("my your his her their our is was not and or who that looking for with to like")


def _job(pattern: str, says: str, says_not: str = "", **more: object) -> Rule:
    return Rule("profile", rx(pattern), says, says_not, "job_title", job, dating="since", **more)  # type: ignore[arg-type]


def _employer(
    pattern: str, says: str = "Works at {value}", says_not: str = "", attribute: str | None = "employer"
) -> Rule:
    return Rule("profile", rx(pattern), says, says_not, attribute, place, dating="since", named=True)


def _project(pattern: str, says: str, **more: object) -> Rule:
    return Rule("project", rx(pattern), says, "", None, thing, **more)  # type: ignore[arg-type]


RULES = (
    _employer(
        rf"{{I}}{{ADV}}{{NO}}{{ADV}} work(?: remotely| full[- ]time| part[- ]time)?(?: as an? [\w -]{{3,40}}?)? {_AT}",
        says_not="Does not work at {value}",
    ),
    _employer(
        rf"(?:{{AM}}|{{HAVE}}){{ADV}}(?: been)? (?:working|employed)(?: as an? [\w -]{{3,40}}?)? {_AT}"
    ),
    _employer(
        r"(?:{I}|{HAVE}){ADV} joined {NAMED}(?=[.,;!]|$| as\b| in\b| last\b| this\b| (?:two|three|four|five|six|a|\d+)\b| and\b)"
    ),
    _employer(
        r"(?:{I}|{HAVE}){ADV} start(?:ed)?(?: working| a new job| my new job| a job| as an? [\w -]{3,40}?)? (?:at|for) {NAMED}"
    ),
    _employer(
        rf"{{AM}}{{ADV}} (?:an? |the )(?:(?-i:[A-Za-z][\w/-]*) ){{0,4}}(?:{_HEADS}) (?:at|for) {{NAMED}}"
    ),
    _employer(
        r"{I}{ADV} (?:run|manage|lead|head|handle|oversee|coordinate|look after) (?:the (?:[\w&-]+ ){1,4}?|(?:[\w&-]+ )?(?:support|operations|sales|marketing|finance|logistics|engineering|it|design|recruiting|procurement|product|hr) )(?:at|for) (?P<value>{PROPER})"
    ),
    _employer(
        r"{AM}{ADV} (?:an? |the |part of the |in the )(?:[\w&-]+ ){0,2}(?:team|company|group|crew|shop|agency|startup|department)(?: of [\w-]+)? at (?P<value>{PROPER})"
    ),
    _employer(
        r"{I}{ADV} (?:was|were|worked|spent [\w ]{2,20}?) (?:with|at|for) (?P<value>{PROPER})(?= for [\w ]{1,14}? (?:years|months)\b| until\b| from (?:19|20)\d\d| before\b)",
        "Used to work at {value}",
        attribute="past_employer",
    ),
    Rule(
        "profile",
        rx(
            rf"{{I}}{{ADV}} work(?:[ -](?:full|part)[ -]time| remotely| mostly)* (?P<where>at|for|in) (?P<value>an? (?:[\w-]+ ){{0,3}}(?:{_WORKPLACES})(?: in (?-i:[A-Z])[\w -]{{2,30}}?)?)(?=[.,;!]|$| (?:and|but|so|as|where|with|on)\b)"
        ),
        "Works {where} {value}",
        shape=thing,
        dating="since",
    ),
    Rule(
        "profile",
        rx(
            r"{AM}{ADV} (?P<value>the (?:only|sole|main|lead) (?:[\w-]+ ){1,3}?(?:person|guy|one))(?=[.,;!]|$| (?:in|on|at|here|and)\b)"
        ),
        "Is {value}",
        shape=short,
    ),
    _employer(r"{MY} (?:employer|company)(?: is|'s)(?: called| named)? {NAMED}"),
    _employer(
        r"(?:{I}|{HAVE}){ADV} (?:left|quit|resigned from) {NAMED}",
        "No longer works at {value}",
    ),
    _employer(
        r"{I} (?:used to work|worked) (?:at|for) {NAMED}",
        "Used to work at {value}",
        attribute="past_employer",
    ),
    _employer(
        r"{I}{ADV} (?:run|own|founded|co-founded|started) (?:a company called |a startup called )(?P<value>[^\W\d_][\w'&+.-]*)",
        "Runs {value}",
    ),
    _job(rf"{{I}} work{{ADV}}(?: [\w '-]{{2,40}}?)? as (?:an? |the )?{_JOB}", "Works as {value:job}"),
    _job(
        rf"{{AM}}{{ADV}}(?: working)?(?: as)?{{NOT}} (?:an?|the) {_JOB}",
        "Is {value:job}",
        "Is not {value:job}",
    ),
    _job(
        rf"{{MY}} (?:job title|job|role|title|position|profession|occupation)(?: is|'s)(?: an?| the)? {_JOB}",
        "Job title is {value}",
    ),
    _job(
        rf"(?:(?:i was|i got|i've been|i have been|i've just been|i just got){{ADV}} promoted to|i became) (?:an? |the )?{_JOB}",
        "Is {value:job}",
    ),
    _job(rf"{{CLAUSE}}(?<=, )(?:an?|the) {_JOB}(?= (?:at|from|in|based|with)\b)", "Is {value:job}"),
    _job(rf"{{AM}}{{ADV}} (?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?), {_JOB}{_NEXT}", "Is {value:job}"),
    _job(
        rf"(?:{{I}} work|{{AM}}{{ADV}} working|{{HAVE}} been working|{{I}} started){{ADV}} (?:at|for) [\w .&'-]{{2,40}}? as (?:an?|the|their) {_JOB}",
        "Works as {value:job}",
    ),
    _job(rf"{{AM}}{{ADV}} (?P<value>{_CHIEF}) (?:at|of)\b", "Is {value:job}"),
    _employer(rf"{{AM}}{{ADV}} (?:the |an? )?(?:{_CHIEF})(?: and (?:{_CHIEF}))? (?:of|at) {{NAMED}}"),
    _employer(
        rf"{{AM}}{{ADV}} (?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?), (?:(?-i:[A-Za-z][\w/-]*) ){{0,4}}(?:{_HEADS}) (?:at|for|from|with) {{NAMED}}"
    ),
    Rule(
        "profile",
        rx(rf"{{CLAUSE}}(?<=, )(?:an?|the) (?:(?-i:[A-Za-z][\w/-]*) ){{0,4}}(?:{_HEADS}) (?:at|for|from) {{NAMED}}"),
        "Works at {value}",
        attribute="employer",
        shape=place,
        named=True,
    ),
    Rule(
        "profile",
        rx(
            r"{I}{ADV} (?:lead|manage|head|run) (?P<value>(?:the|a|our) [\w &-]{2,40}? (?:team|department|group|org|practice|unit)(?: (?:at|of|in) [\w &-]{2,30})?)(?=[.,;!]|$| and\b)"
        ),
        "Leads {value}",
        shape=short,
    ),
    Rule(
        "profile",
        rx(
            r"{AM}{ADV} (?P<value>retired|self-employed|unemployed|freelancing|a freelancer|on parental leave|on sabbatical|between jobs)\b"
        ),
        "Is {value}",
        shape=tidy,
    ),
    _project(
        r"{AM}{ADV} (?P<what>working on|building|migrating|rewriting|porting|developing|launching|rolling out|prototyping|redesigning|refactoring|replacing|designing|writing) {THING}",
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
)
