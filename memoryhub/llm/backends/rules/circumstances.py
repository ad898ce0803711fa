"""Schooling, nationality, measures, belongings: what else there is to know about somebody."""

from memoryhub.llm.backends.rules.profile import PLAN, SPOKEN, TIER, about_self, capitalised, small
from memoryhub.llm.backends.rules.wording import LANGUAGES, Rule, short, tidy, words

_NATIONS = "american|british|english|scottish|welsh|irish|canadian|australian|german|french|spanish|italian|dutch|polish|portuguese|brazilian|mexican|indian|chinese|japanese|korean|turkish|greek|swedish|norwegian|danish|finnish|swiss|austrian|belgian|czech|russian|ukrainian|nigerian|kenyan|ghanaian|egyptian|moroccan|argentinian|argentine|chilean|colombian|peruvian|filipino|filipina|vietnamese|thai|indonesian|malaysian|pakistani|bangladeshi|iranian|israeli|lebanese|syrian|romanian|hungarian|bulgarian|croatian|serbian|estonian|latvian|lithuanian|slovak|slovenian|icelandic|south african|new zealander|kiwi|catalan|taiwanese|singaporean"
_DEGREE = r"(?:phd|ph\.d\.?|doctorate|degree|master's(?: degree)?|masters|master|mba|bachelor's(?: degree)?|bachelors|bachelor|bsc|msc|ba|ma|undergrad|diploma|apprenticeship|law degree|postdoc|residency)"
_PRONOUNS = (
    r"(?P<value>(?:she|he|they|xe|ze|ey)/(?:her|him|them|they|she|he|hers|his|theirs|xem|zir|em)(?:/\w+)?)"
)


def _education(pattern: str, says: str, **more: object) -> Rule:
    return about_self(pattern, says, attribute="education", shape=short, **more)  # type: ignore[arg-type]


RULES = (
    about_self(
        rf"{{CLAUSE}}(?:it's |its |i'm |my pronouns: |pronouns: |pronouns are |\()?{_PRONOUNS}(?=[.,;!?)]|$| (?:please|pls|here|btw|for me)\b)",
        "Pronouns are {value}",
        attribute="pronouns",
        shape=small,
        cues=words("she he they xe ze ey"),
    ),
    about_self(
        r"{CLAUSE}(?:you can |please |pls |just |feel free to |best to )*(?:(?:reach|contact|email|e-mail|mail|write(?: to)?) me (?:at|on|via|under)|(?:my )?(?:work |personal )?e-?mail:|(?:the|my) address is) (?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
        "Email is {value}",
        attribute="email",
        shape=lambda value: value.rstrip("."),
        cues=words("me email e mail address"),
    ),
    about_self(
        r"{MY} (?:work |personal |new |mobile |cell |phone |main )*(?:number|phone|mobile|cell)(?: number)?(?: is|'s|:) (?P<value>\+?\d[\d ()-]{5,18}\d)",
        "Phone number is {value}",
        shape=tidy,
    ),
    about_self(
        r"{CLAUSE}(?:it's|its|it is|the new one is|the number is)(?: now)? (?P<value>\+?\d[\d ()-]{5,18}\d)(?= now\b|[.,;!]|$)",
        "Phone number is {value}",
        shape=tidy,
        cues=words("it's its it number one"),
    ),
    _education(
        r"i{ADV} (?:studied|majored in|read)(?<!read) (?P<value>(?!hard|a lot|all|for|until|with|it|this|that|the (?:docs|manual))[^,;!?\x00\n]{2,50}?)(?= (?:in|at) (?-i:[A-Z])|[.,;!?()\x00\n]|$| (?:and|but|so|for|before|until|then|because|years?)\b)",
        "Studied {value}",
    ),
    _education(
        rf"(?:i|i've){{ADV}} (?:have|hold|got|did|finished|completed|am doing|am finishing|doing|finishing|do|earned|started|am working on|'ve got|received|took) (?:an?|my|the) (?P<what>(?:\w+ )?{_DEGREE})(?: degree)? (?:in|on|at|from) (?P<value>[^,;!?\x00\n]{{2,50}}?)(?:(?= (?:in|at|from) (?-i:[A-Z]))|{{STOP}})",
        "Has a {what} in {value}",
    ),
    _education(
        rf"{{AM}}{{ADV}} (?:doing|finishing|starting|working on|writing|pursuing|completing|in) (?:an?|my|the) (?P<what>(?:\w+ )?{_DEGREE})(?: degree)?(?: (?:in|on|at|from) (?P<value>[^,;!?\x00\n]{{2,50}}?))?{{STOP}}",
        "Is doing a {what} in {value}",
    ),
    _education(
        r"(?:i|i've){ADV} graduated(?: from| in| with| of) (?P<value>[^,;!?\x00\n]{2,60}?)(?= (?:in|last|this|with|two|three|\d+)\b|[.,;!?()\x00\n]|$| (?:and|but|so)\b)",
        "Graduated from {value}",
        dating="when",
    ),
    _education(
        r"i{ADV} (?:went to|attended|go to|attend) (?P<value>(?:(?-i:[A-Z][\w'-]+) ){0,3}(?:university|college|school|law school|med school|art school|uni|academy|polytechnic|conservatory|high school)(?: (?:of|in|at) (?-i:[A-Z])[\w ]{2,30}?)?){STOP}",
        "Went to {value}",
    ),
    _education(
        r"{MY} (?:degree|phd|master's|masters|background|major|bachelor's|diploma|training) (?:is|was) in (?P<value>[^,;!?\x00\n]{2,50}?){STOP}",
        "Degree is in {value}",
    ),
    about_self(
        rf"{{AM}}{{ADV}} (?P<what>learning|taking lessons in|studying) {SPOKEN}",
        "Is {what} {value}",
        shape=capitalised,
    ),
    about_self(
        rf"{{HAVE}}{{ADV}} (?:been|started) learning {SPOKEN}", "Is learning {value}", shape=capitalised
    ),
    about_self(
        rf"{{CLAUSE}}{SPOKEN} is(?:n't| not)? (?P<what>my (?:first|second|third|native|mother) (?:language|tongue))",
        "{value} is {what}",
        shape=capitalised,
    ),
    about_self(
        rf"{{MY}} (?P<value>{LANGUAGES}) is (?:much |far |a lot |way |a bit |slightly |still )*(?:better|stronger|more fluent) than (?:my|our) \w+",
        "Speaks {value} best",
        attribute="language",
        shape=capitalised,
    ),
    about_self(
        rf"{{CLAUSE}}(?P<value>(?:{LANGUAGES})) (?:isn't|is not|wasn't) my (?:first|native|mother|main|best|strongest) (?:language|tongue)",
        "{value} is not their first language",
        shape=capitalised,
    ),
    about_self(
        rf"{{MY}} (?P<value>{LANGUAGES}) (?P<how>(?:is|isn't|is not) (?:pretty |very |still |quite |really |not )?(?:bad|rusty|basic|good|decent|perfect|native|excellent|patchy|better|improving|not great|non-existent|passable|quite good|fluent|weak|poor|limited|terrible|ok|okay|so-so|great|shaky))(?! today)",
        "{value} {how}",
        shape=capitalised,
    ),
    about_self(
        r"{AM}{ADV}{NOT} (?P<value>[1-9]\d)(?=[.,;!(]|$| (?:and|but|now|so|with|next|this|years?)\b)",
        "Is {value} years old",
        "Is not {value} years old",
        shape=tidy,
    ),
    about_self(
        r"{I}{ADV} (?P<value>(?:don't|do not|dont) (?:drive|own (?:an?|any) (?:\w+ )?\w+|have (?:an?|any|a) (?:\w+ )?(?:car|bike|tv|television|dishwasher|oven|freezer|garden|yard|balcony|kids|children|pets|credit card|smartphone|printer|licen[cs]e|driver's licen[cs]e|driving licen[cs]e|degree|microwave|blender|air fryer|dryer|washing machine|garage|landline)))(?=[.,;!]|$| (?:and|so|but|myself|yet|because|here|at)\b)",
        "{value}",
        shape=tidy,
    ),
    about_self(
        rf"{{AM}}{{ADV}}{{NOT}} (?:an? |half |originally |half-)?(?P<value>(?:{_NATIONS})(?:[- ](?:{_NATIONS}))?(?: citizen)?)(?=[.,;!]|$| (?:and|but|so|living|by birth|originally)\b)",
        "Is {value}",
        "Is not {value}",
        shape=capitalised,
    ),
    about_self(
        r"{I}{ADV} (?:drive|ride|own) (?P<value>an? (?:\w+ ){0,2}?(?:(?-i:[A-Z])[\w-]+|(?:19|20)\d\d [\w-]+|car|van|truck|motorbike|motorcycle|scooter|hybrid|electric car|e-bike)(?: (?-i:[A-Z0-9])[\w-]*)*)(?=[.,;!?]|$| (?:with|and|so|but|from|to|that|for|which|since)\b)",
        "Drives {value}",
        shape=short,
    ),
    about_self(
        r"{I}{ADV} (?:have|'ve got|got) (?P<value>(?:an?|my) (?:\w+ )?(?:mortgage|loan|pension|savings account|student loans?|credit card|insurance|policy|account|contract|lease) (?:with|at|from|through) (?-i:[A-Z])[\w &-]{1,25}?)(?=[.,;!?]|$| (?:and|so|but|that|for|until|at)\b)",
        "Has {value}",
        shape=short,
    ),
    about_self(
        r"{HAVE}{ADV} been (?P<value>an? (?:\w+ )?(?:member|customer|subscriber|user|client|patient|tenant|volunteer|donor|resident)(?: (?:of|with|at) [\w ]{2,25}?)? (?:since|for) [^,;!?\x00\n]{2,25}?){STOP}",
        "Has been {value}",
        shape=tidy,
    ),
    _education(
        r"i{ADV} (?:did|spent|have|completed) (?:\w+) (?:years?|semesters?) (?:of|at|in|studying) (?P<value>[^,;!?\x00\n]{0,25}?(?:school|college|university|uni|law|medicine|engineering|art|music|physics|biology|nursing|architecture)){STOP}",
        "Did {value}",
    ),
    about_self(
        r"{AM}{ADV} (?:about |around |roughly )?(?P<value>\d(?:'|ft|\.\d\d? ?m\b| ?foot|\d\d ?cm)[^,;!?\x00\n]{0,40}?|\d{2,3} ?(?:kg|lbs|pounds|kilos|cm)(?: tall)?)(?=[.,;!?]|$| (?:and|so|but|what)\b)",
        "Is {value}",
        shape=short,
    ),
    about_self(
        r"{I}{ADV} (?P<what>weigh|wear(?: a)?|take a) (?P<value>(?:about |around |roughly )?(?:size )?(?:\d[\w.]*(?: ?(?:kg|lbs|pounds|kilos|stone))?|small|medium|large|x+l|glasses|contact lenses|contacts|hearing aids)(?: in [\w ]{2,20}?)?)(?=[.,;!?]|$| (?:and|so|but|what|all)\b)",
        "{what:third} {value}",
        shape=short,
    ),
    about_self(
        r"{MY} (?P<what>(?:shoe|dress|ring|clothing|shirt|bra|collar|waist) size|blood type|height|weight|address|post ?code|zip(?: code)?|licen[cs]e plate|(?:account|customer|member|membership|policy|seat|passport|employee|student|vat|tax|room|flat|house|locker|frequent flyer) (?:number|id|code)|user ?name|user id|(?:github|twitter|instagram|discord|slack) (?:handle|name|username)|handle|website|star sign|religion|major|minor|car|bike|surname|last name|middle name|maiden name|nickname|pb|personal best|record|resting heart rate|iban|first language|dream job|salary|income|rent|mortgage|pension|instrument) (?:is|are|'s|was) (?!not\b|wrong|missing|broken|gone|down|showing|still|being|on\b|in\b|saying|asking|telling|the (?:one|same|worst|best)|so\b|too\b|very\b|really\b|a (?:mess|problem|pain|nightmare)|incorrect|invalid|correct|locked|empty){THING}",
        "{what} is {value}",
    ),
    about_self(
        r"{I}{ADV} (?:have|own|rent) (?P<value>an? (?:\w+ ){0,2}?(?:house|cabin|cottage|flat|apartment|garden|greenhouse|pool|balcony|boat|sailboat|allotment|farm|farmhouse|motorhome|camper(?: van)?|caravan|electric car|hybrid|motorbike|workshop|studio|veggie patch|vegetable garden|backyard|yard|terrace|wood stove|fireplace|heat pump|solar panels|3d printer|piano|sewing machine|air fryer|slow cooker|pressure cooker|instant pot|stand mixer|gas stove|induction hob|garage|home gym)(?: (?:in|on|near|by|outside|with) [^,;!?\x00\n]{2,30}?)?)(?=[.,;!?]|$| (?:and|so|but|that|which|where|we)\b)",
        "Has {value}",
    ),
    about_self(
        r"{I}{ADV} (?P<value>(?:don't|do not|dont|never) (?:use social media|use facebook|watch (?:tv|television|the news)|wear (?:makeup|perfume|glasses|jewellery|jewelry)|smoke|vape|gamble|cook|bake|cycle|swim|ski|like driving|speak (?:any )?\w+|have (?:a )?(?:facebook|instagram|social media|siblings|children|family)|own (?:a|any) \w+))(?: at all)?(?=[.,;!]|$| (?:and|so|but|very|any ?more)\b)",
        "{value}",
        shape=tidy,
    ),
    about_self(
        r"{MY} (?P<what>manager|boss|doctor|gp|dentist|vet|bank|gym|provider|isp|insurer|insurance|university|school|landlord|supervisor|lawyer|accountant|therapist|advisor|team lead) is (?:called |named |at |with )?{PROPERVALUE}(?=[.,;!]|$| (?:and|but|so)\b)",
        "{what} is {value}",
        shape=tidy,
    ),
    about_self(
        r"{HAVE}{ADV} never (?P<value>(?:been (?:on|to|in|married|abroad|skiing|camping)|flown|driven|learned|learnt|smoked|lived|owned|skied|voted|broken a bone|left|ridden|cooked|baked)\b(?! (?:it|this|that)\b)[^,;!?\x00\n]{0,50}?){STOP}",
        "Has never {value}",
        shape=tidy,
    ),
    about_self(
        rf"{{I}}{{ADV}} (?:have|hold|got|'ve got) (?P<value>(?:an? |dual )?(?:{_NATIONS})(?: and (?:{_NATIONS}))? (?:passport|citizenship|nationality|visa)|an? (?:work permit|green card|residence permit|blue card|driving licen[cs]e|driver's licen[cs]e|pilot's licen[cs]e|motorcycle licen[cs]e|disability card|student visa|work visa))",
        "Has {value}",
        shape=tidy,
    ),
    about_self(
        r"{CLAUSE}(?:it's|its|it is)(?: now)? (?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
        "Email is {value}",
        attribute="email",
        shape=lambda value: value.rstrip("."),
    ),
    about_self(
        r"{I}{ADV} spend (?P<value>(?:my|our|the|most|half|every|\w+ months) [\w' ]{2,25}? in (?-i:[A-Z])[^,;!?\x00\n]{2,50}?){STOP}",
        "Spends {value}",
    ),
    about_self(r"{CLAUSE}as an? (?P<value>[1-9]\d)[- ]year[- ]old\b", "Is {value} years old", shape=tidy),
    about_self(r"{AM}{ADV} an? (?P<value>[1-9]\d)[- ]year[- ]old\b", "Is {value} years old", shape=tidy),
    about_self(
        rf"{{AM}}{{ADV}}{{NOT}} an? {TIER} (?:{PLAN} )?(?:user|customer|subscriber|member|account|holder)",
        "Is on the {value} plan",
        "Is not on the {value} plan",
        "plan",
        shape=small,
    ),
    about_self(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?:pay for|bought|got|have|purchased|use|signed up for|subscribed to|took out|renewed|went with|'ve got|subscribe to)(?: the| a| an| your| our| my)* {TIER} {PLAN}",
        "Is on the {value} plan",
        attribute="plan",
        shape=small,
        dating="since",
    ),
    about_self(
        rf"{{AM}}{{ADV}}{{NOT}} on (?:the |your |a )?(?P<value>(?-i:[A-Z][\w+]*(?: [A-Z][\w+]*)?)) {PLAN}",
        "Is on the {value} plan",
        "Is not on the {value} plan",
        "plan",
        shape=small,
    ),
    about_self(
        rf"{{CLAUSE}}on (?:the |your |a )?{TIER} {PLAN}",
        "Is on the {value} plan",
        attribute="plan",
        shape=small,
    ),
)
