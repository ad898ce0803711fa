"""What somebody does, said as what they are, were, do or run."""

from memoryhub.llm.backends.rules.jobs import (
    BUSINESS,
    FIELDS,
    HEADS,
    JOB,
    WORKPLACES,
    A,
    does,
    employer,
    job_rule,
    was,
)
from memoryhub.llm.backends.rules.wording import Rule, place, rx, short, words

RULES = (
    job_rule(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?:started|got|landed|accepted|took|begun|began) (?:an?|my|the) (?:new )?(?:job|role|position) as {A}?{JOB}",
        "Works as {value:job}",
    ),
    employer(
        r"(?:{I}|{HAVE}){ADV} (?:started|got|landed|accepted|took|begun|began) (?:an?|my|the) (?:new )?(?:job|role|position)(?: as an? [\w -]{3,40}?)? (?:at|with) {PROPERVALUE}"
    ),
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
    does(
        r"{AM}{ADV} (?P<value>an? (?:[\w-]+ ){0,4}?(?:student|undergrad|undergraduate|freshman|sophomore|postgrad|phd candidate|trainee|apprentice)(?: (?:in|of) (?!my\b|the\b)[\w ]{3,30}?)?){STOP}",
        "Is {value}",
    ),
    job_rule(rf"{{HAVE}}{{ADV}} been {A}{JOB}", "Is {value:job}"),
    job_rule(
        rf"{{AM}}{{ADV}} (?:training|retraining|studying|qualifying) (?:as|to be|to become) {A}{JOB}",
        "Is training as {value:job}",
    ),
    job_rule(
        rf"{{I}}{{ADV}} (?:retrained|trained|qualified|freelance|volunteer|consult|moonlight|intern|started(?: out)?|started working|serve|act){{ADV}} as {A}?{JOB}",
        "Works as {value:job}",
    ),
    job_rule(
        rf"{{AM}}{{ADV}} (?:freelancing|working|volunteering|employed|interning|retraining){{ADV}} as {A}?{JOB}",
        "Works as {value:job}",
    ),
    job_rule(
        rf"{{AM}}{{ADV}}(?: a| an)? {JOB} by (?:trade|profession|training|day|background)\b",
        "Is {value:job}",
    ),
    job_rule(
        rf"{{CLAUSE}}(?:^as|speaking as|being) {A}{JOB}(?=,? (?:i|i'm|my|we|it)\b|[,.])", "Is {value:job}"
    ),
    job_rule(
        rf"{{CLAUSE}}^(?:(?:hi|hey|hello)[,!]? )?(?:i'm|i am|im|my name is|my name's|this is) (?-i:[A-Z][\w'-]+)(?: (?-i:[A-Z])[\w'-]+)?(?:, [\w' ]{{1,15}})?, (?P<here>(?:an? )?{JOB})(?=[,.]|$| (?:and|at|from|in|based|with|who)\b)",
        "Is {value:job}",
    ),
    job_rule(rf"{{CLAUSE}}{JOB} here(?=[,.!]|$)", "Is {value:job}", cues=words("here")),
    job_rule(
        rf"{{MY}} (?:day |full[- ]time |current |main )?(?:job|work) is (?:as |being )?{A}{JOB}",
        "Is {value:job}",
    ),
    job_rule(
        rf"{{I}}{{ADV}} (?:was|were|got|have been|{{HAVE}} been){{ADV}} (?:hired|promoted|appointed|elected|made) (?:as |to )?{A}?{JOB}",
        "Is {value:job}",
    ),
    was(
        rf"{{I}}{{ADV}} (?:was|used to be|used to work as|worked as|had a job as) {A}{JOB}",
        "Used to be {value:job}",
    ),
    does(
        rf"{{I}}{{ADV}} (?P<what>teach|lecture|tutor|coach|train|drive|restore|repair|fix|sell|design|build|make|write|translate|edit|groom|breed|clean|grow|farm|import|export|audit) (?P<value>[^,;!?\x00\n]{{2,60}}? (?:at|for|in) (?:an? |the |our |my )?(?:[\w-]+ ){{0,3}}(?:{WORKPLACES})(?: (?:in|near) (?-i:[A-Z])[\w-]+)?|[^,;!?\x00\n]{{2,50}}? (?:for a living|for work|professionally)){{STOP}}",
        "{what:third} {value}",
    ),
    does(
        r"{I}{ADV} (?P<what>teach|lecture|tutor|coach) (?P<value>(?!you|them|him|her|it|myself|me|us)[^,;!?\x00\n]{2,60}?){STOP}",
        "{what:third} {value}",
    ),
    does(
        rf"{{I}}{{ADV}} (?P<what>run|own|manage|operate|opened|founded|co-founded|started|inherited|took over|have|set up) (?P<value>(?:an?|my own|our own|my|the|two|three)(?: (?!bunch|couple|lot)[\w'&-]+){{0,4}} {BUSINESS}s?(?: (?:in|near|outside|called|named|for|about|with|that) [^,;!?\x00\n]{{2,50}}?)?){{STOP}}",
        "{what:third} {value}",
    ),
    does(
        r"{I}{ADV} (?P<what>manage|lead|head up|head|oversee|supervise|coordinate|handle|look after|do) (?P<value>(?:the|our|all|a team of|all of the|all our) (?:[\w&'-]+ ){0,3}?(?:books|accounts|payroll|marketing|support|logistics|inventory|website|purchasing|bookkeeping|accounting|scheduling|it|team|warehouse|recruiting|social media|desk|developers|engineers|people|nurses|designers|front desk|kitchen|reception|rota|finances)(?: (?:at|for|in|of) [\w' &-]{2,40}?)?){STOP}",
        "{what:third} {value}",
    ),
    does(
        r"{AM}{ADV} (?P<what>responsible for|in charge of|part of|on) (?P<value>(?:the|our|all|a) (?:[\w&'-]+ ){0,3}?(?:books|accounts|payroll|marketing|support|logistics|inventory|website|purchasing|hiring|scheduling|it|team|warehouse|recruiting|social media|board|committee|desk|budget)(?: (?:at|for|in|of) [\w' &-]{2,40}?)?){STOP}",
        "Is {what} {value}",
    ),
    does(
        rf"{{I}}{{ADV}}{{NO}} (?:work|am employed){{ADV}} in (?P<value>{FIELDS})(?: (?:at|for) (?:an? |the )[^,;!?\x00\n]{{2,40}}?)?{{STOP}}",
        "Works in {value}",
        "Does not work in {value}",
    ),
    does(
        r"{I}{ADV} work(?:[ -](?!with|on|out|as|hard|together)[\w-]+){0,3}? (?P<where>at|for) (?P<value>(?:an?|the|my) (?!moment|same|time|office|weekends?|night|computer|desk|problem|bug|project|task|ticket|top|end|beginning|most|loss|issue|pc|laptop|feature|report)(?:[\w'-]+ ){0,3}?[\w'-]+(?: (?:in|near|outside) (?-i:[A-Z])[\w-]+)?){STOP}",
        "Works {where} {value}",
    ),
    does(
        r"{I}{ADV} (?P<value>(?:mentor|report to|supervise|homeschool|foster|referee|volunteer|serve on|sit on|belong to|commute|rent(?! out)|sublet|live on (?:the|a) (?:\w+ )?(?:floor|farm|boat|houseboat|ranch|campus|island|barge)|live (?:off-grid|in a (?:van|converted van|houseboat|tiny house|shared flat|flatshare|caravan|trailer|dorm|hostel))|share (?:a|an|my) (?:flat|apartment|house|room|car|office)|tutor|freelance|consult|blog|translate|interpret|breed|farm|raise)(?: (?!it\b|this\b|that\b|them\b|you\b|the (?:bug|issue|error)|up\b|getting|having|seeing|trying|in mind|track)[^,;!?\x00\n]{2,60}?)?){STOP}",
        "{value:third}",
    ),
    does(
        rf"{{AM}}{{ADV}} (?P<where>at|with|for) (?P<value>an? (?:[\w-]+ ){{0,4}}?(?:{WORKPLACES})(?: (?:in|called|named|that|with) [^,;!?\x00\n]{{2,40}}?)?){{STOP}}",
        "Works {where} {value}",
    ),
    does(
        r"{AM}{ADV} (?P<value>an? (?:\w+ )?(?:team|family|company|startup|nonprofit|non-profit|charity|agency|firm|studio|practice|business|school|clinic)(?: of (?:\w+)(?: people)?)?)(?= (?:in|at|that|with|based|of|called)\b|[,.]|$| and\b)",
        "Is {value}",
    ),
    does(
        r"{I}{ADV} (?P<what>study|major in|am studying|'m studying) (?P<value>(?!this|it|that|how|for)[^,;!?\x00\n]{3,60}?){STOP}",
        "Studies {value}",
    ),
    does(
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
    does(
        r"{AM}{ADV} (?P<value>an? (?:[a-z-]+ ){0,3}?(?!vegetarian\b|pescatarian\b|flexitarian\b|fruitarian\b|riser|sleeper|eater|reader|drinker|lover|fan\b|driver of|cook\b|walker|user|customer|subscriber|member|beginner|believer|sucker|loser|number|matter|bother|other|order|error|winner|goner|stranger|newcomer|bit\b|player|monster|disaster|bummer|no-brainer|factor|major|minor|elephant|instant|constant|important|human|better|bigger|later|former|super)(?:[a-z-]{2,}(?:er|or|ist|ian|ant|eer|smith|wright|monger)|[a-z]+(?:man|woman)|veteran|expat|immigrant|introvert|extrovert|native|muslim|jew|catholic|hindu|twin|rookie|citizen|refugee|people person|perfectionist|minimalist|morning person))(?=[.,;!(]|$| (?:and|but|so|at|in|with|from|who|by|living|working|for|since|myself)\b)",
        "Is {value}",
    ),
    job_rule(
        r"{I}{ADV} work(?:ed)?(?: [\w '-]{2,30}?)? as an? (?P<value>(?!team\b|group\b|whole\b)[a-z][\w-]*(?: [\w-]+){0,3}?)(?=[.,;!]|$| (?:at|for|in|and|but|now|so|on|with|since|here)\b)",
        "Works as {value:job}",
    ),
    does(
        r"{AM}{ADV} (?P<value>an? (?!bit|little|few|long|step|couple of|lot|week|day|month|year|mess|huge|big fan|paying|new (?:user|customer)|user|customer|subscriber|member|minute|second|hour)(?:[\w-]+ ){0,4}?(?:shop|household|family|couple|band|church|parish|club|co-?op|collective|practice|school|nonprofit|non-profit|charity|startup|company|agency|firm|studio|business|cooperative|association|foundation|council|department|publisher|distributor|retailer|manufacturer|wholesaler|clinic|team|bakery|brewery|hotel|restaurant|library|museum|farm|people)\b(?: (?:of|with|in|from|that|for|near) [^,;!?\x00\n]{2,40}?)?){STOP}",
        "Is {value}",
    ),
    does(
        r"{I}{ADV} (?P<value>do (?:[\w-]+ ){1,3}?(?:work |stuff |jobs |consulting )?for (?:an?|the|two|three|four|several|some|small|local|various|my|our) (?!you\b|me\b|now\b|moment|time|first|last)[^,;!?\x00\n]{3,40}?){STOP}",
        "{value:third}",
    ),
    does(
        r"{AM}{ADV} (?P<value>(?:completely |totally |pretty |fairly |quite |relatively |very |brand )?new to (?!this\b|here\b|the\b|your\b|it\b|that\b|you\b|me\b)[^,;!?\x00\n]{2,40}?){STOP}",
        "Is {value}",
    ),
    employer(
        r"\bi'd been (?:at|with|working (?:at|for)) {PROPERVALUE}(?= (?:for|since|until)\b)",
        "Used to work at {value}",
        attribute="past_employer",
    ),
    employer(r"{HAVE}{ADV} been (?:at|with) {PROPERVALUE}(?= (?:for|since)\b)"),
    employer(
        rf"{{HAVE}}{{ADV}} been (?:an? |the )(?:(?-i:[A-Za-z][\w/-]*) ){{0,4}}(?:{HEADS}) (?:at|for|with) {{PROPERVALUE}}"
    ),
    employer(
        r"{I}{ADV} (?:work|consult|freelance|teach|volunteer|drive|intern)(?: [\w '-]{1,40}?)? (?:at|for) {PROPERVALUE}(?=[.,;!]|$| (?:and|but|so|as|in|where|since|on|which|part|full|doing)\b)"
    ),
    employer(
        rf"{{AM}}{{ADV}} (?:at|with) (?:an? (?:[\w-]+ ){{0,4}}(?:{WORKPLACES}) (?:called|named) |the (?:[\w-]+ )?team at ){{PROPERVALUE}}"
    ),
    employer(
        rf"{{I}}{{ADV}} (?:run|own|manage|opened|founded|co-founded|have) (?:an? |my own )(?:[\w-]+ ){{0,4}}{BUSINESS} (?:called|named) {{PROPERVALUE}}",
        "Runs {value}",
    ),
    employer(
        r"{MY} (?:own )?(?:company|business|startup|employer|shop|studio|bakery|agency|firm|restaurant|caf[eé]),? (?:called |is called |is named )?{PROPERVALUE}(?=[.,;!]|$| (?:is|has|sells|makes|does|offers|runs)\b)",
        "Runs {value}",
    ),
    employer(
        rf"{{I}} (?:used to work|worked){{ADV}} (?:at|for) (?P<value>(?:the |an? )(?:[\w-]+ ){{0,3}}(?:{WORKPLACES}|council|government|post office|army|navy|railway|police|ministry|embassy|airline|airport|fire brigade|newspaper)){{STOP}}",
        "Used to work at {value}",
        attribute="past_employer",
        named=False,
    ),
)
