"""Whom somebody works for, and as what."""

from memoryhub.llm.backends.rules.jobs import AT, CHIEF, HEADS, JOB, NEXT, WORKPLACES, employer, job_rule
from memoryhub.llm.backends.rules.wording import Rule, place, rx, short, thing, tidy

RULES = (
    employer(
        rf"{{I}}{{ADV}}{{NO}}{{ADV}} work(?: remotely| full[- ]time| part[- ]time)?(?: as an? [\w -]{{3,40}}?)? {AT}",
        says_not="Does not work at {value}",
    ),
    employer(r"{CLAUSE}(?:here|over here|back here|we) at {PROPERVALUE}", "Works at {value}"),
    employer(rf"(?:{{AM}}|{{HAVE}}){{ADV}}(?: been)? (?:working|employed)(?: as an? [\w -]{{3,40}}?)? {AT}"),
    employer(
        r"(?:{I}|{HAVE}){ADV} joined {NAMED}(?=[.,;!]|$| as\b| in\b| last\b| this\b| (?:two|three|four|five|six|a|\d+)\b| and\b)"
    ),
    employer(
        r"(?:{I}|{HAVE}){ADV} started(?: working| a new job| my new job| a job| as an? [\w -]{3,40}?)? (?:at|for) {NAMED}"
    ),
    employer(
        rf"{{AM}}{{ADV}} (?:an? |the )(?:(?-i:[A-Za-z][\w/-]*) ){{0,4}}(?:{HEADS}) (?:at|for) {{NAMED}}"
    ),
    employer(
        r"{I}{ADV} (?:run|manage|lead|head|handle|oversee|coordinate|look after) (?:the (?:[\w&-]+ ){1,4}?|(?:[\w&-]+ )?(?:support|operations|sales|marketing|finance|logistics|engineering|it|design|recruiting|procurement|product|hr) )(?:at|for) (?P<value>{PROPER})"
    ),
    employer(
        r"{AM}{ADV} (?:an? |the |part of the |in the )(?:[\w&-]+ ){0,2}(?:team|company|group|crew|shop|agency|startup|department)(?: of [\w-]+)? at (?P<value>{PROPER})"
    ),
    employer(
        r"{I}{ADV} (?:was|were|worked|spent [\w ]{2,20}?) (?:with|at|for) (?P<value>{PROPER})(?= for [\w ]{1,14}? (?:years|months)\b| until\b| from (?:19|20)\d\d| before\b)",
        "Used to work at {value}",
        attribute="past_employer",
    ),
    employer(
        r"{AM} (?:now |currently |still |back )?(?:at|with) {PROPERVALUE}(?= (?:now|these days|nowadays|as an?|in (?:the )?\w+ (?:team|department))\b)"
    ),
    employer(r"{HAVE}{ADV} been \w+ing (?!to\b)[\w' -]{0,40}?(?:at|for) {PROPERVALUE}(?= (?:for|since)\b)"),
    Rule(
        "profile",
        rx(
            rf"{{I}}{{ADV}} work(?:[ -](?!with|on|out|as|hard)[\w-]+){{0,3}}? (?P<where>at|for|in) (?P<value>an? (?:[\w-]+ ){{0,3}}(?:{WORKPLACES})(?: in (?-i:[A-Z])[\w -]{{2,30}}?)?)(?=[.,;!]|$| (?:and|but|so|as|where|with|on|i|we|near|outside|since|which|that)\b)"
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
    employer(r"{MY} (?:employer|company)(?: is|'s)(?: called| named)? {NAMED}"),
    employer(
        r"(?:{I}|{HAVE}){ADV} (?:left|quit|lost|resigned from|gave up) (?:my|a|our) (?:\w+ )?(?:job|position|role|post) (?:at|with) {PROPERVALUE}",
        "Used to work at {value}",
        attribute="past_employer",
    ),
    employer(
        r"(?:{I}|{HAVE}){ADV} (?:left|quit|resigned from) {NAMED}",
        "No longer works at {value}",
    ),
    employer(
        r"{I} (?:used to work|worked) (?:at|for) {NAMED}",
        "Used to work at {value}",
        attribute="past_employer",
    ),
    employer(
        r"{I}{ADV} (?:run|own|founded|co-founded|started) (?:a company called |a startup called )(?P<value>[^\W\d_][\w'&+.-]*)",
        "Runs {value}",
    ),
    job_rule(rf"{{I}} work{{ADV}}(?: [\w '-]{{2,40}}?)? as (?:an? |the )?{JOB}", "Works as {value:job}"),
    job_rule(
        rf"{{AM}}{{ADV}}(?: working)?(?: as)?{{NOT}} (?:an?|the) {JOB}",
        "Is {value:job}",
        "Is not {value:job}",
    ),
    job_rule(
        rf"{{MY}} (?:job title|job|role|title|position|profession|occupation)(?: is|'s)(?: an?| the)? {JOB}",
        "Job title is {value}",
    ),
    job_rule(
        rf"(?:(?:i was|i got|i've been|i have been|i've just been|i just got){{ADV}} promoted to|i became) (?:an? |the )?{JOB}",
        "Is {value:job}",
    ),
    job_rule(rf"{{CLAUSE}}(?<=, )(?:an?|the) {JOB}(?= (?:at|from|in|based|with)\b)", "Is {value:job}"),
    job_rule(rf"{{AM}}{{ADV}} (?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?), (?:\d\d, )?{JOB}{NEXT}", "Is {value:job}"),
    job_rule(
        rf"(?:{{I}} work|{{AM}}{{ADV}} working|{{HAVE}} been working|{{I}} started){{ADV}} (?:at|for) [\w .&'-]{{2,40}}? as (?:an?|the|their) {JOB}",
        "Works as {value:job}",
    ),
    job_rule(rf"{{AM}}{{ADV}} (?P<value>{CHIEF}) (?:at|of)\b", "Is {value:job}"),
    employer(rf"{{AM}}{{ADV}} (?:the |an? )?(?:{CHIEF})(?: and (?:{CHIEF}))? (?:of|at) {{NAMED}}"),
    employer(
        rf"{{AM}}{{ADV}} (?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?), (?:(?-i:[A-Za-z][\w/-]*) ){{0,4}}(?:{HEADS}) (?:at|for|with) {{NAMED}}"
    ),
    Rule(
        "profile",
        rx(
            rf"{{CLAUSE}}(?<=, )(?:an?|the) (?:(?-i:[A-Za-z][\w/-]*) ){{0,4}}(?:{HEADS}) (?:at|for) {{NAMED}}"
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
)
