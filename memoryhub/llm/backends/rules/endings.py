"""What ended and what began: left, gave up, cancelled, took up, joined."""

from memoryhub.llm.backends.rules.listing import parts
from memoryhub.llm.backends.rules.profile import PLAN, TIER, about_self, small
from memoryhub.llm.backends.rules.tastes import SPORTS
from memoryhub.llm.backends.rules.wording import Rule, place, rx, short, tidy

_MORE = r"(?: any ?more| any longer)"
_TO_DO = r"(?P<value>(?!it\b|this\b|that\b|them\b|on\b|my\b|our\b|trying|waiting|looking|asking|hope|something|doing|being|the)[^,;!?\x00\n]{3,40}?)"
_END = r"(?=[.,;!?()]|$| (?:because|since|after|when|but|and|so|last|this|in|a|two|three|some|at|years?|months?|during|recently|again|instead|too|as|over|for)\b)"
_CONSUMED = "smoking|drinking|alcohol|sugar|meat|coffee|caffeine|dairy|gluten|vaping|social media|cigarettes|gambling|eating|working|using|taking|paying|going out"


def pastime(value: str) -> str | None:
    """Something done for pleasure, in at most four words."""
    said = tidy(value)
    return said if said and said[0].islower() and len(said.split()) <= 4 and len(parts(said)) == 1 else None


def _hobby(pattern: str, says: str, says_not: str = "") -> Rule:
    return Rule("preference", rx(pattern), says, says_not, "hobby", pastime, dating="since")


RULES = (
    about_self(
        r"{AM}{ADV}(?P<neg> not| no longer)(?: working| employed)? (?:at|with) {PROPERVALUE}"
        + f"(?:{_MORE})?"
        + r"(?=[.,;!?]|$| (?:and|but|so|since|because)\b)",
        "Works at {value}",
        "Does not work at {value}",
        "employer",
        shape=place,
    ),
    about_self(
        rf"(?:{{I}}|{{HAVE}}){{ADV}}(?P<neg> cancelled| canceled| ended| dropped| quit| let go of)(?: my| our| the)?(?: annual| monthly| yearly)? {TIER}(?: {PLAN}| membership| account| trial)",
        "Is on the {value} plan",
        "Is no longer on the {value} plan",
        "plan",
        shape=small,
    ),
    about_self(
        rf"{{I}}{{ADV}}(?P<neg> don't| do not| dont) (?:have|own|keep) (?P<value>(?:an?|any|my|our|the) [^,;!?\x00\n]{{2,30}}?){_MORE}",
        "Has {value}",
        "Does not have {value}",
        shape=short,
    ),
    about_self(
        r"{I}{ADV}(?P<neg> no longer) (?:have|own|keep) (?P<value>(?:an?|any|my|our|the) [^,;!?\x00\n]{2,30}?){STOP}",
        "Has {value}",
        "Does not have {value}",
        shape=short,
    ),
    Rule(
        "event",
        rx(
            r"(?:{I}|{HAVE}){ADV} (?P<value>(?:sold|gave away|got rid of|given away|gotten rid of) (?:my|our|the) (?:\w+ )?(?:car|house|flat|bike|boat|piano|motorbike|van|caravan|tv|television|cabin|cottage|laptop|sofa|horse|shop|business|company|land|farm)(?: [^,;!?\x00\n]{2,40}?)?){STOP}"
        ),
        "{value}",
        shape=tidy,
        dating="when",
    ),
    _hobby(
        rf"(?:{{I}}|{{HAVE}}){{ADV}}(?P<neg> given up| gave up| quit| stopped(?: doing| playing| going)?) (?:the )?(?!{_CONSUMED}){_TO_DO}{_END}",
        "Does {value}",
        "No longer does {value}",
    ),
    _hobby(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?:taken up|took up|got into|gotten into|got back into|picked up|started (?:playing|doing|going)|discovered) (?:the )?(?!{_CONSUMED}|university|college|medical|law school|art school|a car|an? accident|trouble)(?P<value>(?!it\b|this\b|that\b|them\b|the phone|my\b|your\b|a call|to\b)[^,;!?\x00\n]{{3,40}}?){_END}",
        "Took up {value}",
    ),
    _hobby(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?:started|switched to|changed to|moved on to) (?P<value>(?:{SPORTS}|crocheting|sewing|drawing|sketching|quilting|singing|fencing|boxing|skiing|weaving|beekeeping|brewing|journaling|meditating|embroidery|ballet|judo|karate|chess|tennis|golf)){_END}",
        "Took up {value}",
    ),
)
