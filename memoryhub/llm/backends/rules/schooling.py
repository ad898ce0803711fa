"""What somebody learned or learns, with where."""

from memoryhub.llm.backends.rules.wording import Rule, rx, thing, tidy

_DEGREE = r"(?:(?:[\w-]+ )?(?:phd|ph\.d\.?|doctorate|degree|master's(?: degree)?|masters|mba|bachelor's(?: degree)?|bachelors|bsc|msc|ba|ma|diploma|certificate|law degree|teaching degree|nursing degree|qualification|a-levels?|apprenticeship))"
_COURSE = r"(?:(?:an? |the |my )?(?:[\w-]+ ){0,3}?(?:course|class|classes|module|bootcamp|boot camp|diploma|certificate|workshop|programme|program|training|lessons|night school|a-levels?|gcses?|apprenticeship|traineeship))"
_STUDENT = r"(?:student|undergrad|undergraduate|postgrad|postgraduate|freshman|sophomore|phd candidate|phd student|trainee|apprentice)"
_SUBJECT = r"(?P<value>(?!hard\b|a lot\b|all\b|for\b|until\b|with\b|it\b|this\b|that\b|the (?:docs|manual)|how\b|my\b|your\b|abroad)[^,;!?()\x00\n]{2,60}?)"
_END = r"(?=[.,;!?()\x00\n]|$| in (?-i:[A-Z])| (?:and (?:now|i|i'm|am|have|work|then|want|need|the|my|our|it|we|that|there)|the rest|but|so|for (?:my|a|the)|before|until|then|because|last|this|these|right|at the moment|in (?:19|20)\d\d|years?|while|which|where|when|after|with (?:the|a)|in the)\b)"


def _school(pattern: str, says: str, **more: object) -> Rule:
    more = {"shape": thing, "attribute": "education"} | more
    return Rule("profile", rx(pattern), says, dating="since", **more)  # type: ignore[arg-type]


#: Before those of ``circumstances``, whose values are shorter.
RULES = (
    _school(
        r"i{ADV} (?:studied|majored in|read(?= (?:law|english|history|classics|maths|physics|philosophy|medicine|chemistry|biology|economics|geography|politics|theology)\b)) (?P<value>(?!hard\b|a lot\b|all\b|for\b|until\b|with\b|it\b|this\b|that\b|how\b|my\b|your\b)[^,;!?()\x00\n]{2,40}?(?: at (?:the )?(?-i:[A-Z])[\w' ]{1,30}?)?)(?= in (?-i:[A-Z])|[.,;!?()\x00\n]|$| (?:and (?:now|i|i'm|am|have|work|then)|but|so|before|until|then|because|years?|in (?:19|20)\d\d|a (?:long|few))\b)",
        "Studied {value}",
    ),
    _school(
        rf"(?:i|i've|i have){{ADV}} (?:have|hold|got|did|finished|completed|earned|took|received|'ve got|just finished|just got) (?:an?|my|the) (?P<value>{_DEGREE} (?:in|on) (?!january|february|march|april|may\b|june|july|august|september|october|november|december|(?:19|20)\d\d|the (?:spring|summer|autumn|winter))[^,;!?()\x00\n]{{2,50}}?)(?:(?= (?:from|at|in) (?-i:[A-Z]))|{_END})",
        "Has a {value}",
    ),
    _school(
        rf"(?:{{AM}}{{ADV}} (?:doing|taking|finishing|starting|following|attending|in|enrolled (?:in|on)|on)|{{I}}{{ADV}} (?:do|take|attend|go to|have|started|signed up for)|{{HAVE}}{{ADV}} (?:started|signed up for|enrolled (?:in|on)|begun|been doing|been taking)) {_COURSE} (?:in|on|for|about) {_SUBJECT}{_END}",
        "Takes a course in {value}",
    ),
    _school(
        rf"{{AM}}{{ADV}} (?:studying|majoring in|reading(?= (?:law|english|history|classics|maths|physics|philosophy|medicine)\b)) {_SUBJECT}{_END}",
        "Is studying {value}",
    ),
    _school(rf"{{I}}{{ADV}} (?:study|major in) {_SUBJECT}{_END}", "Studies {value}"),
    _school(
        rf"(?:{{AM}}|{{MY}} name(?:'s| is)) (?-i:[A-Z][\w'-]+)(?: (?-i:[A-Z])[\w'-]+)?,? (?:and (?:i'm )?|\d\d, )?(?P<here>(?P<value>(?:an? )?(?:[\w-]+ ){{0,4}}?{_STUDENT})(?: (?:in|at|from|of) [\w' ]{{2,30}}?)?)(?=[.,;!?()]|$| (?:and|but|so|with|working|writing)\b)",
        "Is {value}",
        attribute=None,
        shape=tidy,
    ),
)
