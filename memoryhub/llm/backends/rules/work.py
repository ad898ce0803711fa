"""What somebody does for a living."""

import re

from memoryhub.llm.backends.rules.wording import Rule, place, rx, short, thing, tidy, words

_HEADS = (
    "engineer|developer|programmer|designer|manager|director|analyst|scientist|researcher|architect|consultant|"
    "administrator|admin|lead|nurse|doctor|surgeon|physician|dentist|pharmacist|vet|veterinarian|therapist|"
    "psychologist|teacher|professor|lecturer|tutor|lawyer|attorney|paralegal|accountant|auditor|bookkeeper|"
    "writer|author|editor|journalist|translator|photographer|artist|musician|chef|cook|baker|barista|farmer|"
    "gardener|carpenter|plumber|electrician|mechanic|driver|pilot|officer|firefighter|paramedic|librarian|"
    "archivist|recruiter|marketer|salesperson|founder|co-founder|cofounder|owner|ceo|cto|cfo|coo|ciso|cpo|vp|"
    "president|partner|freelancer|contractor|coach|trainer|planner|technician|operator|specialist|coordinator|"
    "assistant|secretary|intern|apprentice|strategist|product owner|scrum master|head of [a-z]+|vp of [a-z]+|"
    "director of [a-z]+|sre|dba|biologist|chemist|physicist|economist|statistician|mathematician|hairdresser|"
    "postdoc|solicitor|midwife|paediatrician|pediatrician|radiologist|optician|surveyor|realtor|"
    "worker|agent|broker|banker|trader|buyer|sales rep|representative|clerk|cashier|waiter|waitress|bartender|caretaker|"
    "janitor|cleaner|builder|roofer|welder|machinist|captain|sailor|soldier|detective|judge|notary|priest|pastor|carer|"
    "caregiver|nanny|au pair|homemaker|landlord|landlady|tester|dev|sysadmin|treasurer|actuary|underwriter|copywriter|"
    "blogger|podcaster|streamer|florist|butcher|brewer|potter|tailor|jeweller|goldsmith|trainee|"
    "pensioner|stay-at-home (?:mum|mom|dad|parent)|tax adviser|advis[eo]r|buyer|principal|"
    "headmaster|superintendent|foreman|dispatcher|courier|guard|ranger|beekeeper|winemaker|bookseller|shopkeeper|"
    "interpreter|producer|illustrator|animator|novelist|poet|actor|actress|singer|dancer|choreographer|drummer|conductor|"
    "physiotherapist|physio|osteopath|nutritionist|dietitian|dietician|anaesthetist|cardiologist|dermatologist|"
    "neurologist|gp|hygienist|orthodontist|speech therapist|childminder|civil servant|policy officer|council(?:l)?or|"
    "mayor|diplomat|geologist|ecologist|astronomer|historian|archaeologist|anthropologist|linguist|sociologist|"
    "bricklayer|glazier|joiner|locksmith|decorator|landscaper|arborist|fisherman|vintner|sommelier|host|concierge|"
    "flight attendant|air traffic controller|seamstress|stylist|beautician|tattooist|upholsterer|luthier|restorer"
)
_JOB = rf"(?P<value>(?:(?-i:[A-Za-z][\w/-]*) ){{0,4}}(?:{_HEADS}))\b(?!'s|-)"
_A = "(?:an? |the |our |their )"
_AT = r"(?:at|for) (?:a company called |the )?{NAMED}"
_WORKPLACES = (
    "bakery|school|hospital|bank|university|college|clinic|company|startup|start-up|agency|firm|restaurant|caf[eé]|bar|shop|"
    "store|factory|warehouse|museum|library|laboratory|lab|studio|nursery|kindergarten|hotel|charity|ngo|ministry|"
    "consultancy|newspaper|publisher|theat(?:re|er)|pharmacy|farm|brewery|garage|supermarket|call cent(?:re|er)|"
    "law firm|care home|salon|gym|gallery|non-?profit"
)
_CHIEF = "ceo|cto|cfo|coo|ciso|cpo|founder|co-founder|cofounder|owner|president|managing director"
_BUSINESS = rf"(?:{_WORKPLACES}|business|practice|blog|newsletter|podcast|channel|shop|truck|stall|guesthouse|b&b|hostel|vineyard|boutique|platform|webshop|salon|kennel)"
_FIELDS = (
    "marketing|sales|hr|human resources|finance|it|insurance|logistics|construction|education|healthcare|health care|real estate|"
    "advertising|retail|hospitality|banking|accounting|procurement|customer (?:support|service|success)|support|consulting|"
    "manufacturing|agriculture|tech|fintech|biotech|pharma|publishing|journalism|law|research|academia|government|public health|"
    "social work|product|operations|legal|compliance|engineering|security|data|design|music|film|gaming|fashion|tourism|"
    "catering|transport|shipping|recruiting|recruitment|pr|qa|devops|events|fundraising|local government|the public sector|"
    "the [a-z]+ (?:department|industry|sector|business|trade|team|office)"
)
_NEXT = r"(?=[.,;!]|$| (?:at|for|from|in|of|based|with|and|since|here)\b)"


def job(value: str) -> str | None:
    """A job's title without what only describes the person."""
    words = (tidy(value) or "").split()
    while words and words[0].lower() in _DESCRIBING:
        words.pop(0)
    return None if not words or any(word.lower() in _NO_JOB for word in words) else " ".join(words)


def without_article(value: str) -> str | None:
    """A workplace that has no name: "city council"."""
    said = short(value)
    return re.sub(r"^(?:the|an?) ", "", said, flags=re.I) if said else None


_DESCRIBING = words("only sole a an the big good great very busy proud happy new former lucky just")
_NO_JOB = words("my your his her their our is was not and or who that looking for with to like")


def _job(pattern: str, says: str, says_not: str = "", **more: object) -> Rule:
    return Rule("profile", rx(pattern), says, says_not, "job_title", job, dating="since", **more)  # type: ignore[arg-type]


def _employer(
    pattern: str,
    says: str = "Works at {value}",
    says_not: str = "",
    attribute: str | None = "employer",
    *,
    named: bool = True,
) -> Rule:
    shape = place if named else without_article
    return Rule("profile", rx(pattern), says, says_not, attribute, shape, dating="since", named=named)


def _does(pattern: str, says: str, says_not: str = "") -> Rule:
    return Rule("profile", rx(pattern), says, says_not, None, thing, dating="since")


def _was(pattern: str, says: str) -> Rule:
    return Rule("profile", rx(pattern), says, "", None, job)


# What somebody does, said as what they are, were, do or run.
_MORE = (
    Rule(
        "profile",
        rx(
            r"{AM}{ADV} an? (?:[\w-]+ ){0,4}?(?:student|undergrad|undergraduate|freshman|sophomore|junior|senior|postgrad|postdoc|phd candidate)(?: in [\w ]{3,30}?| of [\w ]{3,30}?)? at (?:the )?{PROPERVALUE}"
        ),
        "Studies at {value}",
        "",
        "education",
        place,
        dating="since",
    ),
    _does(
        r"{AM}{ADV} (?P<value>an? (?:[\w-]+ ){0,4}?(?:student|undergrad|undergraduate|freshman|sophomore|postgrad|phd candidate|trainee|apprentice)(?: (?:in|of) (?!my\b|the\b)[\w ]{3,30}?)?){STOP}",
        "Is {value}",
    ),
    _job(rf"{{HAVE}}{{ADV}} been {_A}{_JOB}", "Is {value:job}"),
    _job(
        rf"{{AM}}{{ADV}} (?:re)?(?:training|studying|qualifying) (?:as|to be|to become) {_A}{_JOB}",
        "Is training as {value:job}",
    ),
    _job(
        rf"{{I}}{{ADV}} (?:retrained|trained|qualified|freelance|volunteer|consult|moonlight|intern|started(?: out)?|started working|serve|act){{ADV}} as {_A}?{_JOB}",
        "Works as {value:job}",
    ),
    _job(
        rf"{{AM}}{{ADV}} (?:freelancing|working|volunteering|employed|interning|retraining){{ADV}} as {_A}?{_JOB}",
        "Works as {value:job}",
    ),
    _job(
        rf"{{AM}}{{ADV}}(?: a| an)? {_JOB} by (?:trade|profession|training|day|background)\b",
        "Is {value:job}",
    ),
    _job(
        rf"{{CLAUSE}}(?:^as|speaking as|being) {_A}{_JOB}(?=,? (?:i|i'm|my|we|it)\b|[,.])", "Is {value:job}"
    ),
    _job(
        rf"{{CLAUSE}}^(?:(?:hi|hey|hello)[,!]? )?(?:i'm|i am|im|my name is|my name's|this is) (?-i:[A-Z][\w'-]+)(?: (?-i:[A-Z])[\w'-]+)?(?:, [\w' ]{{1,15}})?, (?P<here>(?:an? )?{_JOB})(?=[,.]|$| (?:and|at|from|in|based|with|who)\b)",
        "Is {value:job}",
    ),
    _job(rf"{{CLAUSE}}{_JOB} here(?=[,.!]|$)", "Is {value:job}", cues=words("here")),
    _job(
        rf"{{MY}} (?:day |full[- ]time |current |main )?(?:job|work) is (?:as |being )?{_A}{_JOB}",
        "Is {value:job}",
    ),
    _job(
        rf"{{I}}{{ADV}} (?:was|were|got|have been|{{HAVE}} been){{ADV}} (?:hired|promoted|appointed|elected|made) (?:as |to )?{_A}?{_JOB}",
        "Is {value:job}",
    ),
    _was(
        rf"{{I}}{{ADV}} (?:was|used to be|used to work as|worked as|had a job as) {_A}{_JOB}",
        "Used to be {value:job}",
    ),
    _does(
        rf"{{I}}{{ADV}} (?P<what>teach|lecture|tutor|coach|train|drive|restore|repair|fix|sell|design|build|make|write|translate|edit|groom|breed|clean|grow|farm|import|export|audit) (?P<value>[^,;!?\x00\n]{{2,60}}? (?:at|for|in) (?:an? |the |our |my )?(?:[\w-]+ ){{0,3}}(?:{_WORKPLACES})(?: (?:in|near) (?-i:[A-Z])[\w-]+)?|[^,;!?\x00\n]{{2,50}}? (?:for a living|for work|professionally)){{STOP}}",
        "{what:third} {value}",
    ),
    _does(
        r"{I}{ADV} (?P<what>teach|lecture|tutor|coach) (?P<value>(?!you|them|him|her|it|myself|me|us)[^,;!?\x00\n]{2,60}?){STOP}",
        "{what:third} {value}",
    ),
    _does(
        rf"{{I}}{{ADV}} (?P<what>run|own|manage|operate|opened|founded|co-founded|started|inherited|took over|have|set up) (?P<value>(?:an?|my own|our own|my|the|two|three)(?: (?!bunch|couple|lot)[\w'&-]+){{0,4}} {_BUSINESS}s?(?: (?:in|near|outside|called|named|for|about|with|that) [^,;!?\x00\n]{{2,50}}?)?){{STOP}}",
        "{what:third} {value}",
    ),
    _does(
        r"{I}{ADV} (?P<what>manage|lead|head up|head|oversee|supervise|coordinate|handle|look after|do) (?P<value>(?:the|our|all|a team of|all of the|all our) (?:[\w&'-]+ ){0,3}?(?:books|accounts|payroll|marketing|support|logistics|inventory|website|purchasing|bookkeeping|accounting|scheduling|it|team|warehouse|recruiting|social media|desk|developers|engineers|people|nurses|designers|front desk|kitchen|reception|rota|finances)(?: (?:at|for|in|of) [\w' &-]{2,40}?)?){STOP}",
        "{what:third} {value}",
    ),
    _does(
        r"{AM}{ADV} (?P<what>responsible for|in charge of|part of|on) (?P<value>(?:the|our|all|a) (?:[\w&'-]+ ){0,3}?(?:books|accounts|payroll|marketing|support|logistics|inventory|website|purchasing|hiring|scheduling|it|team|warehouse|recruiting|social media|board|committee|desk|budget)(?: (?:at|for|in|of) [\w' &-]{2,40}?)?){STOP}",
        "Is {what} {value}",
    ),
    _does(
        rf"{{I}}{{ADV}}{{NO}} (?:work|am employed){{ADV}} in (?P<value>{_FIELDS})(?: (?:at|for) (?:an? |the )[^,;!?\x00\n]{{2,40}}?)?{{STOP}}",
        "Works in {value}",
        "Does not work in {value}",
    ),
    _does(
        r"{I}{ADV} work(?:[ -](?!with|on|out|as|hard|together)[\w-]+){0,3}? (?P<where>at|for) (?P<value>(?:an?|the|my) (?!moment|same|time|office|weekends?|night|computer|desk|problem|bug|project|task|ticket|top|end|beginning|most|loss|issue|pc|laptop|feature|report)(?:[\w'-]+ ){0,3}?[\w'-]+(?: (?:in|near|outside) (?-i:[A-Z])[\w-]+)?){STOP}",
        "Works {where} {value}",
    ),
    _does(
        r"{I}{ADV} (?P<value>(?:mentor|report to|supervise|homeschool|foster|referee|volunteer|serve on|sit on|belong to|commute|rent(?! out)|sublet|live on (?:the|a) (?:\w+ )?(?:floor|farm|boat|houseboat|ranch|campus|island|barge)|live (?:off-grid|in a (?:van|converted van|houseboat|tiny house|shared flat|flatshare|caravan|trailer|dorm|hostel))|share (?:a|an|my) (?:flat|apartment|house|room|car|office)|tutor|freelance|consult|blog|translate|interpret|breed|farm|raise)(?: (?!it\b|this\b|that\b|them\b|you\b|the (?:bug|issue|error)|up\b|getting|having|seeing|trying|in mind|track)[^,;!?\x00\n]{2,60}?)?){STOP}",
        "{value:third}",
    ),
    _does(
        rf"{{AM}}{{ADV}} (?P<where>at|with|for) (?P<value>an? (?:[\w-]+ ){{0,4}}?(?:{_WORKPLACES})(?: (?:in|called|named|that|with) [^,;!?\x00\n]{{2,40}}?)?){{STOP}}",
        "Works {where} {value}",
    ),
    _does(
        r"{AM}{ADV} (?P<value>an? (?:\w+ )?(?:team|family|company|startup|nonprofit|non-profit|charity|agency|firm|studio|practice|business|school|clinic)(?: of (?:\w+)(?: people)?)?)(?= (?:in|at|that|with|based|of|called)\b|[,.]|$| and\b)",
        "Is {value}",
    ),
    _does(
        r"{I}{ADV} (?P<what>study|major in|am studying|'m studying) (?P<value>(?!this|it|that|how|for)[^,;!?\x00\n]{3,60}?){STOP}",
        "Studies {value}",
    ),
    _does(
        r"{AM}{ADV} (?P<what>studying|majoring in|doing an? (?:phd|master's|masters|degree|apprenticeship|traineeship|internship|bachelor's|mba)|in (?:my|the) (?:first|second|third|fourth|final|last|1st|2nd|3rd) year (?:of|at)) ?(?P<value>(?!this|it|that|how|for)[^,;!?\x00\n]{3,70}?){STOP}",
        "Is {what} {value}",
    ),
    Rule(
        "profile",
        rx(
            r"(?:{HAVE}{ADV} been|{AM}{ADV}) (?P<value>freelancing|self-employed|retired|unemployed|out of work|job[- ]hunting|contracting|on (?:parental|maternity|paternity|sick) leave)\b"
        ),
        "Is {value}",
        shape=short,
        dating="since",
    ),
    _does(
        r"{AM}{ADV} (?P<value>an? (?:[a-z-]+ ){0,3}?(?!riser|sleeper|eater|reader|drinker|lover|fan\b|driver of|cook\b|walker|user|customer|subscriber|member|beginner|believer|sucker|loser|number|matter|bother|other|order|error|winner|goner|stranger|newcomer|bit\b|player|monster|disaster|bummer|no-brainer|factor|major|minor|elephant|instant|constant|important|human|better|bigger|later|former|super)(?:[a-z-]{2,}(?:er|or|ist|ian|ant|eer|smith|wright|monger)|[a-z]+(?:man|woman)|veteran|expat|immigrant|introvert|extrovert|native|muslim|jew|catholic|hindu|twin|rookie|citizen|refugee|people person|perfectionist|minimalist|morning person))(?=[.,;!(]|$| (?:and|but|so|at|in|with|from|who|by|living|working|for|since|myself)\b)",
        "Is {value}",
    ),
    _job(
        r"{I}{ADV} work(?:ed)?(?: [\w '-]{2,30}?)? as an? (?P<value>(?!team\b|group\b|whole\b)[a-z][\w-]*(?: [\w-]+){0,3}?)(?=[.,;!]|$| (?:at|for|in|and|but|now|so|on|with|since|here)\b)",
        "Works as {value:job}",
    ),
    _does(
        r"{AM}{ADV} (?P<value>an? (?!bit|little|few|long|step|couple of|lot|week|day|month|year|mess|huge|big fan|paying|new (?:user|customer)|user|customer|subscriber|member|minute|second|hour)(?:[\w-]+ ){0,4}?(?:shop|household|family|couple|band|church|parish|club|co-?op|collective|practice|school|nonprofit|non-profit|charity|startup|company|agency|firm|studio|business|cooperative|association|foundation|council|department|publisher|distributor|retailer|manufacturer|wholesaler|clinic|team|bakery|brewery|hotel|restaurant|library|museum|farm|people)\b(?: (?:of|with|in|from|that|for|near) [^,;!?\x00\n]{2,40}?)?){STOP}",
        "Is {value}",
    ),
    _does(
        r"{I}{ADV} (?P<value>do (?:[\w-]+ ){1,3}?(?:work |stuff |jobs |consulting )?for (?:an?|the|two|three|four|several|some|small|local|various|my|our) (?!you\b|me\b|now\b|moment|time|first|last)[^,;!?\x00\n]{3,40}?){STOP}",
        "{value:third}",
    ),
    _does(
        r"{AM}{ADV} (?P<value>(?:completely |totally |pretty |fairly |quite |relatively |very |brand )?new to (?!this\b|here\b|the\b|your\b|it\b|that\b|you\b|me\b)[^,;!?\x00\n]{2,40}?){STOP}",
        "Is {value}",
    ),
    _employer(
        r"\bi'd been (?:at|with|working (?:at|for)) {PROPERVALUE}(?= (?:for|since|until)\b)",
        "Used to work at {value}",
        attribute="past_employer",
    ),
    _employer(r"{HAVE}{ADV} been (?:at|with) {PROPERVALUE}(?= (?:for|since)\b)"),
    _employer(
        rf"{{HAVE}}{{ADV}} been (?:an? |the )(?:(?-i:[A-Za-z][\w/-]*) ){{0,4}}(?:{_HEADS}) (?:at|for|with) {{PROPERVALUE}}"
    ),
    _employer(
        r"{I}{ADV} (?:work|consult|freelance|teach|volunteer|drive|intern)(?: [\w '-]{1,40}?)? (?:at|for) {PROPERVALUE}(?=[.,;!]|$| (?:and|but|so|as|in|where|since|on|which|part|full|doing)\b)"
    ),
    _employer(
        rf"{{AM}}{{ADV}} (?:at|with) (?:an? (?:[\w-]+ ){{0,4}}(?:{_WORKPLACES}) (?:called|named) |the (?:[\w-]+ )?team at ){{PROPERVALUE}}"
    ),
    _employer(
        rf"{{I}}{{ADV}} (?:run|own|manage|opened|founded|co-founded|have) (?:an? |my own )(?:[\w-]+ ){{0,4}}{_BUSINESS} (?:called|named) {{PROPERVALUE}}",
        "Runs {value}",
    ),
    _employer(
        r"{MY} (?:own )?(?:company|business|startup|employer|shop|studio|bakery|agency|firm|restaurant|caf[eé]),? (?:called |is called |is named )?{PROPERVALUE}(?=[.,;!]|$| (?:is|has|sells|makes|does|offers|runs)\b)",
        "Runs {value}",
    ),
    _employer(
        rf"{{I}} (?:used to work|worked){{ADV}} (?:at|for) (?P<value>(?:the |an? )(?:[\w-]+ ){{0,3}}(?:{_WORKPLACES}|council|government|post office|army|navy|railway|police|ministry|embassy|airline|airport|fire brigade|newspaper)){{STOP}}",
        "Used to work at {value}",
        attribute="past_employer",
        named=False,
    ),
)

RULES = (
    _employer(
        rf"{{I}}{{ADV}}{{NO}}{{ADV}} work(?: remotely| full[- ]time| part[- ]time)?(?: as an? [\w -]{{3,40}}?)? {_AT}",
        says_not="Does not work at {value}",
    ),
    _employer(r"{CLAUSE}(?:here|over here|back here|we) at {PROPERVALUE}", "Works at {value}"),
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
            rf"{{I}}{{ADV}} work(?:[ -](?!with|on|out|as|hard)[\w-]+){{0,3}}? (?P<where>at|for|in) (?P<value>an? (?:[\w-]+ ){{0,3}}(?:{_WORKPLACES})(?: in (?-i:[A-Z])[\w -]{{2,30}}?)?)(?=[.,;!]|$| (?:and|but|so|as|where|with|on|i|we|near|outside|since|which|that)\b)"
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
    _job(rf"{{AM}}{{ADV}} (?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?), (?:\d\d, )?{_JOB}{_NEXT}", "Is {value:job}"),
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
        rx(
            rf"{{CLAUSE}}(?<=, )(?:an?|the) (?:(?-i:[A-Za-z][\w/-]*) ){{0,4}}(?:{_HEADS}) (?:at|for|from) {{NAMED}}"
        ),
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
    *_MORE,
)
