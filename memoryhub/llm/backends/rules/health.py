"""What somebody's body does not allow: conditions, allergies, diets."""

from memoryhub.llm.backends.rules.wording import Rule, course, rx, short, thing, tidy, words

_CONDITIONS = (
    r"(?:type [12] )?diabetes|asthma|epilepsy|adhd|add|dyslexia|dyscalculia|autism|coeliac(?: disease)?|celiac(?: disease)?|crohn'?s(?: disease)?|ibs|"
    r"colitis|migraines?|arthritis|osteoporosis|tinnitus|vertigo|pcos|endometriosis|eczema|psoriasis|hay ?fever|anxiety|depression|insomnia|"
    r"gout|sciatica|scoliosis|fibromyalgia|lupus|ms|multiple sclerosis|parkinson'?s|hypertension|hypothyroidism|an(?:a)?emia|reflux|gerd|"
    r"sleep apn(?:o)?ea|rsi|carpal tunnel|long covid|ptsd|ocd|narcolepsy|h(?:a)?emophilia|histamine intolerance|"
    r"(?:high|low) (?:blood pressure|cholesterol|blood sugar)|(?:a )?(?:bad|weak|slipped|herniated|dodgy|torn|sore|stiff|frozen|chronic|fused|artificial)(?: \w+)?(?: (?:back|knees?|hips?|shoulders?|disc|disk|ankles?|wrists?|heart|neck|pain|fatigue|meniscus|acl))|"
    r"(?:a )?(?:heart|thyroid|kidney|liver|skin|lung|hearing|vision) (?:condition|disease|problems?|issues?|loss|murmur|impairment)|"
    r"(?:a )?(?:pacemaker|hearing aids?|prosthesis|prosthetic leg|stoma|insulin pump|sensitive (?:stomach|skin)|knee injury|back injury|concussion)"
)
_HAD = r"(?:{I}{ADV} (?:have|suffer from|live with|got|struggle with|deal with)|{HAVE}(?: got)?|{HAVE}{ADV} (?:got|had)|{I}{ADV} (?:was|am|got) (?:just |recently )?diagnosed with|{HAVE}{ADV} been diagnosed with|{AM}{ADV} (?:diagnosed with|dealing with|living with|suffering from|recovering from))"
_DIETS = (
    "vegans|vegetarians|coeliacs|diabetics|vegan|vegetarian|pescatarian|pescetarian|flexitarian|coeliac|celiac|(?:lactose|gluten|dairy|fructose|histamine)[- ]intolerant|"
    "(?:gluten|dairy|sugar|lactose|nut|meat|alcohol|caffeine)[- ]free|diabetic|type [12] diabetic|pre-?diabetic|teetotal|colou?r[- ]?blind|"
    "dyslexic|deaf|hard of hearing|blind|visually impaired|asthmatic|epileptic|keto|halal|kosher|plant[- ]based|low[- ]carb|autistic|"
    "immunocompromised|h(?:a)?emophiliac|paleo|sober|raw vegan|an insomniac|a coeliac|a celiac"
)


def _has(pattern: str, says: str, says_not: str = "", **more: object) -> Rule:
    more = {"shape": thing} | more
    return Rule("constraint", rx(pattern), says, says_not, None, **more)  # type: ignore[arg-type]


RULES = (
    _has(
        r"{I}{ADV} (?:take|am on|'m on|use|need|carry|inject|wear) (?P<value>(?:an? |daily |some )?(?:[\w-]+ ){0,2}?(?:medication|meds|blood thinners|insulin|antidepressants|statins|beta blockers|antihistamines|painkillers|inhaler|epipen|steroids|thyroxine|warfarin|metformin|lithium|blood pressure tablets|tablets for [\w ]{2,25}?|pills for [\w ]{2,25}?|hearing aids?|wheelchair|walking stick|crutches|cpap|pacemaker))(?=[.,;!?]|$| (?:and|so|but|for|every|twice|daily|because|since)\b)",
        "Takes or uses {value}",
    ),
    _has(
        r"{I}{ADV} (?:have|need|'ve got|ought|am supposed) to (?P<value>(?:avoid|stay away from|keep away from|cut out|limit|watch|be careful with|stay off|lay off|go easy on|rest|take it easy|wear|sit down|keep my|eat (?:every|low|less|more|at|before|small|gluten|soft)|drink (?:a lot|plenty|less|more)|take (?:my|a break|breaks|tablets|insulin|medication))\b(?! (?:it|this|that)\b)[^,;!?\x00\n]{0,60}?){STOP}",
        "Has to {value}",
    ),
    _has(
        rf"{_HAD} (?:an? |some |really |very |pretty |fairly |quite |severe |mild |chronic )*(?P<value>{_CONDITIONS})\b",
        "Has {value}",
    ),
    _has(
        r"{I}{ADV} (?:don't|dont|do not) (?P<what>do|touch|have|eat|drink|use) (?P<value>(?:dairy|gluten|caffeine|alcohol|meat|red meat|pork|beef|seafood|fish|sugar|nuts|carbs|lactose|eggs|shellfish|spicy food|spicy|processed food|wheat|soy|grains)(?: (?:or|and) \w+)?)(?=[.,;!]|$| (?:so|and|but|because|at|for)\b)",
        "Does not {what} {value}",
    ),
    _has(
        r"{I}{ADV} (?:get|suffer from|am prone to) (?:really |very |terrible |bad |awful |severe |horrible )*(?P<value>(?:motion sick(?:ness)?|travel ?sick|travel sickness|car ?sick|sea ?sick|migraines?|hives|heartburn|vertigo|cluster headaches|nosebleeds|panic attacks|rashes|dizzy|nervous (?=in|on|when|around)|anxious (?=in|on|when|around)|claustrophobic|panicky|out of breath|headaches?|sunburnt?|cold sores|bad reactions?|seasonal allergies|altitude sickness|cramps|hangry)\b[^,;!?\x00\n]{0,40}?){STOP}",
        "Gets {value}",
    ),
    _has(
        r"{MY} (?P<value>(?:knees?|back|hips?|shoulders?|eyesight|hearing|heart|eyes|stomach|skin|memory|ankles?|wrists?|hands|lungs|immune system|neck|left \w+|right \w+) (?:is|are|isn't|aren't)(?: not)?(?: really| pretty| very| quite| so)? (?:shot|bad|weak|poor|great|terrible|fused|sensitive|fragile|gone|ruined|wrecked|stiff|limited|arthritic|good|strong))(?=[.,;!]|$| (?:so|and|but|since|from|enough)\b)",
        "{value}",
        shape=short,
    ),
    _has(
        r"(?:{AM}|{HAVE}{ADV} been){ADV} on (?P<value>(?:[\w-]+ ){0,3}?(?:medication|meds|pills|insulin|antidepressants|blood thinners|statins|steroids|beta blockers|hrt|ssris|metformin|warfarin|lithium))\b",
        "Is on {value}",
    ),
    _has(
        rf"{{AM}}{{ADV}} (?:not |a |strictly |fully |mostly |100% )*(?P<value>{_DIETS})(?=[.,;!?)]|$| (?:and|so|but|since|for|as|because|now|by|which|myself|except)\b| -| –)",
        "Is {value}",
    ),
    _has(rf"{{HAVE}}{{ADV}} been (?:a |strictly |fully |mostly )*(?P<value>{_DIETS})\b", "Is {value}"),
    _has(
        rf"(?:{{I}}{{ADV}} (?:went|became|turned|go|follow|eat|keep|stick to|do)|{{AM}}{{ADV}} (?:on|following|eating|doing|keeping|trying))(?: an?)?(?: strict| mostly| strictly)? (?P<value>{_DIETS}|(?:[\w-]+ )?diet)\b",
        "Is {value}",
    ),
    _has(
        rf"{{CLAUSE}}(?:strict |lifelong |fellow )?(?P<value>{_DIETS}) here\b",
        "Is {value}",
        cues=words("here"),
    ),
    _has(
        r"(?:{I}{ADV} have|{HAVE}(?: got)?|{I} suffer from|i got) (?:an? |some |really |very |quite )*(?P<value>(?:(?:bad|severe|mild|serious|life-threatening|strong|slight) )?(?:\w+ ){0,2}(?:allerg(?:y|ies)|intolerances?|sensitivity)(?: to [\w ,]{2,40}?)?){STOP}",
        "Has {value}",
    ),
    _has(
        r"{AM}{ADV}{NOT}(?: \w+ly| very| quite| super)? (?P<what>intolerant|sensitive|allergic|lactose intolerant|sensitive|prone) to {THING}",
        "Is {what} to {value}",
        "Is not {what} to {value}",
    ),
    _has(
        r"{I}{ADV} (?:can't|cant|cannot|can not|shouldn't|mustn't|am not allowed to|'m not allowed to|am not supposed to|'m not supposed to) (?P<what>eat|drink|have|digest|tolerate|lift|run|sit|stand for|fly|drive|take|handle|swim|jump|kneel|climb|hear|see (?=colou?rs|well|far|anything)|use my|walk|wear|smell|touch|sleep on|bend|consume) (?!it\b|this\b|that\b|these\b|your\b|the (?:button|page|link|file|option|screen|message|video|logo|menu)\b|been\b|access\b|both\b|you\b|into\b|what\b|how\b|why\b){THING}",
        "Cannot {what} {value}",
        shape=course,
    ),
    _has(
        r"{CLAUSE}(?P<value>[\w' -]{2,30}?) (?P<what>gives? me (?:migraines|hives|heartburn|a rash|headaches|stomach ?aches?|cramps|(?:the )?jitters|anxiety|nightmares|vertigo|acid reflux|gas|bloating|palpitations|acne|nosebleeds|insomnia)|makes? me (?:sick|ill|nauseous|itch|sneeze|throw up)|doesn't agree with me|upsets? my stomach|triggers? my [\w ]{2,20}?)(?=[.,;!]|$| (?:so|and|but)\b)",
        "{value} {what}",
        shape=short,
        cues=words("me my"),
    ),
    _has(
        r"{AM}{ADV} (?P<value>pregnant|\w+ (?:weeks|months) pregnant|breastfeeding|in a wheelchair|left-handed|a wheelchair user|a non-?smoker|on (?:blood thinners|insulin|antidepressants|beta blockers|statins|medication|a low[- ]\w+ diet|warfarin|crutches|dialysis|chemo)|half deaf|deaf in [\w ]{3,15}|short-sighted|nearsighted|scared of heights|afraid of flying|afraid of heights)(?=[.,;!?)]|$| (?:and|so|but|since|for|because|with|now|after)\b)",
        "Is {value}",
        shape=tidy,
    ),
    _has(
        r"{MY} (?:doctor|gp|cardiologist|dietitian|dentist|physio|physiotherapist|surgeon|consultant) (?P<what>says i (?:can't|must|should|have to|need to)|told me (?:to|not to|no)|said (?:no|to avoid|not to|to cut|to stop)|says (?:no|to avoid|not to)|wants me to|has me on|put me on|has put me on|forbade|banned|ordered) {THING}",
        "Doctor {what} {value}",
    ),
)
