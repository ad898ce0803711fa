"""The words and shapes that the rules about work share."""

import re

from memoryhub.llm.backends.rules.wording import Rule, place, rx, short, thing, tidy, words

HEADS = (
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
JOB = rf"(?P<value>(?:(?-i:[A-Za-z][\w/-]*) ){{0,4}}(?:{HEADS}))\b(?!'s|-)"
A = "(?:an? |the |our |their )"
AT = r"(?:at|for) (?:a company called |the )?{NAMED}"
WORKPLACES = (
    "bakery|school|hospital|bank|university|college|clinic|company|startup|start-up|agency|firm|restaurant|caf[eé]|bar|shop|"
    "store|factory|warehouse|museum|library|laboratory|lab|studio|nursery|kindergarten|hotel|charity|ngo|ministry|"
    "consultancy|newspaper|publisher|theat(?:re|er)|pharmacy|farm|brewery|garage|supermarket|call cent(?:re|er)|"
    "law firm|care home|salon|gym|gallery|non-?profit"
)
CHIEF = "ceo|cto|cfo|coo|ciso|cpo|founder|co-founder|cofounder|owner|president|managing director"
BUSINESS = rf"(?:{WORKPLACES}|business|practice|blog|newsletter|podcast|channel|shop|truck|stall|guesthouse|b&b|hostel|vineyard|boutique|platform|webshop|salon|kennel)"
FIELDS = (
    "marketing|sales|hr|human resources|finance|it|insurance|logistics|construction|education|healthcare|health care|real estate|"
    "advertising|retail|hospitality|banking|accounting|procurement|customer (?:support|service|success)|support|consulting|"
    "manufacturing|agriculture|tech|fintech|biotech|pharma|publishing|journalism|law|research|academia|government|public health|"
    "social work|product|operations|legal|compliance|engineering|security|data|design|music|film|gaming|fashion|tourism|"
    "catering|transport|shipping|recruiting|recruitment|pr|qa|devops|events|fundraising|local government|the public sector|"
    "the [a-z]+ (?:department|industry|sector|business|trade|team|office)"
)
NEXT = r"(?=[.,;!]|$| (?:at|for|from|in|of|based|with|and|since|here)\b)"


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


def job_rule(pattern: str, says: str, says_not: str = "", **more: object) -> Rule:
    return Rule("profile", rx(pattern), says, says_not, "job_title", job, dating="since", **more)  # type: ignore[arg-type]


def employer(
    pattern: str,
    says: str = "Works at {value}",
    says_not: str = "",
    attribute: str | None = "employer",
    *,
    named: bool = True,
) -> Rule:
    shape = place if named else without_article
    return Rule("profile", rx(pattern), says, says_not, attribute, shape, dating="since", named=named)


def does(pattern: str, says: str, says_not: str = "") -> Rule:
    return Rule("profile", rx(pattern), says, says_not, None, thing, dating="since")


def was(pattern: str, says: str) -> Rule:
    return Rule("profile", rx(pattern), says, "", None, job)
