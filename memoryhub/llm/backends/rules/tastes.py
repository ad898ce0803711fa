"""More ways to tell a taste or a habit than "I like": what somebody goes for, listens to, does at weekends."""

import re

from memoryhub.llm.backends.rules.preferences import liked
from memoryhub.llm.backends.rules.wording import Rule, rx, short, thing, words

_DOES = (
    "garden|knit|crochet|sew|quilt|paint|draw|bake|cook|run|jog|hike|climb|boulder|surf|ski|snowboard|sail|kayak|row|swim|cycle|bike|"
    "fish|hunt|camp|dance|sing|skate|box|fence|juggle|birdwatch|photograph|lift|brew|whittle|carve|forage|scuba dive|dive|paraglide|"
    "meditate|do (?:yoga|pilates|crossfit|pottery|ceramics|calligraphy|judo|karate|parkour|ballet|triathlons|crosswords|puzzles|improv|woodworking|photography)|"
    "coach|volunteer|ride (?:horses|motorbikes|my bike)|restore|collect|breed|keep bees|play"
)
SPORTS = (
    "climbing|bouldering|running|hiking|cycling|swimming|surfing|skiing|snowboarding|sailing|kayaking|fishing|camping|dancing|riding|rowing|"
    "jogging|birdwatching|birding|skating|hunting|foraging|diving|scuba diving|horse riding|trail running|geocaching|orienteering|gardening|knitting|"
    "baking|painting|photography|woodworking|pottery|yoga|pilates|karaoke"
)
_OFTEN = (
    r"(?:on (?:the )?weekends?|at (?:the )?weekends?|in (?:my|our) (?:free|spare) time|for fun|after work|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|"
    r"(?:most|every) (?:weekends?|evenings?|mornings?|days?|weeks?|sundays?|saturdays?|nights?|winters?|summers?)|(?:once|twice|three times|\d\w*(?: times| hours?)?) a (?:day|week|month)|"
    r"in the (?:mornings?|evenings?)|as a hobby|a lot|in (?:the )?(?:winter|summer|spring|autumn)|before work|in (?:a|the|our|my) [\w ]{2,25}?(?:band|choir|orchestra|club|team|league|group))"
)
_USUAL = "take|order|go for|choose|pick|buy|fly|drink|eat|drive|travel|book|stay|use|read|wear|cook|listen to|watch|work|get up|wake up|walk|cycle|bike|run|train|commute|shop|sit|sleep|start|finish|have(?! (?:an?|one|two|the|access|\\d)\b)|go|do|write|code|play"
_NOT_YOURS = r"(?!it\b|this\b|that\b|these\b|you\b|your\b|the (?:new|same|way|app|site|page|button)\b|to (?:know|see|ask|get|be able|cancel|thank|use|have|add|change|make|say|return|order|buy|book|do|go|hear|report|check|request|confirm|update|understand)\b)"


_WHEN = re.compile(
    r" (?:a lot|before|after|on|at|every|each|most|in|with|once|twice|three times|a few|about|around|for|as|when|while|during|during|several|\d+|all|whenever|to (?:relax|unwind|stay|keep))\b.*$",
    re.I,
)


def pursuit(value: str) -> str | None:
    """What is done for pleasure, without when, where and how often: "bake bread", "swim"."""
    said = thing(_WHEN.sub("", value))
    return said if said and len(said.split()) <= 5 else None


def _taste(pattern: str, says: str, says_not: str = "", attribute: str | None = None, **more: object) -> Rule:
    more = {"shape": thing} | more
    return Rule("preference", rx(pattern), says, says_not, attribute, **more)  # type: ignore[arg-type]


RULES = (
    _taste(
        r"{CLAUSE}(?:please )?(?:don't|do not|no|without|skip|leave out|hold|avoid)(?: the)?(?: (?:suggest|add|include|use|put|recommend|give me|bring|book|offer|pick|choose|propose|order|buy)(?: any)?)? (?P<value>(?!to\b)[\w' -]{3,30}?)(?: in it| please| at all| on it)?(?:,| -| –| because| since| as) (?P<here>(?:(?:i|we)(?:'ve| have)? (?:really |just |simply |absolutely )*(?:never liked|can't stand|hate|don't like|can't bear|dislike|detest|loathe)) (?:it|them|the (?:stuff|taste|smell|texture)))\b",
        "Dislikes {value}",
        "",
        "dislikes",
        shape=liked,
        cues=words("never stand hate like bear dislike detest loathe"),
    ),
    _taste(
        r"\bi{ADV} play (?:the )?(?P<value>(?!a\b|an\b|it\b|with\b|on\b|in\b|around\b|video|game\b|audio|role|part\b|song|file|victim|music\b|clip|recording|sound|back\b|this|that|my|any|devil|some|them|to\b|for\b|at\b)[a-z]+(?: (?:tennis|games|hockey|guitar|bass|football|clarinet|trumpet))?)(?=[.,;!]|$| (?:and|but|so|in|every|on|with|for|at|most|badly)\b)",
        "Plays {value}",
        "",
        "hobby",
    ),
    _taste(
        r"{I}{ADV} (?:hate|dislike|loathe|(?:don't|do not|dont|can't|cannot) (?:like|stand|enjoy|bear)) (?P<value>being (?!able|charged|sent|billed|logged)[^,;!?\x00\n]{3,50}?){STOP}",
        "Dislikes {value}",
        "",
        "dislikes",
    ),
    _taste(
        r"{I}{ADV} (?P<value>(?:rarely|hardly ever|almost never|never|seldom) (?:drink|smoke|cook|fly|drive|eat out|go out|sleep in|watch tv|eat breakfast|dine out|travel))(?=[.,;!]|$| (?:and|but|so|these|any)\b)",
        "{value}",
    ),
    _taste(
        r"{I}{ADV} (?P<value>(?:go to|hit) (?:the (?:gym|pool|range|climbing gym|opera|theatre|theater|sauna|mosque)|yoga|pilates|spin class|church|choir|ballet|dance class|crossfit|a book club)\b[^,;!?\x00\n]{0,30}?){STOP}",
        "{value:third}",
        "",
        "hobby",
        shape=pursuit,
    ),
    _taste(
        rf"{{HAVE}}{{ADV}} been (?:playing|practi[sc]ing|doing|collecting|learning|taking|teaching myself) (?:the )?(?P<value>guitar|piano|violin|drums|bass|cello|flute|saxophone|ukulele|banjo|harp|trumpet|chess|tennis|football|golf|yoga|pilates|karate|judo|ballet|pottery|stamps|coins|vinyl|{SPORTS})\b",
        "Plays or does {value}",
        "",
        "hobby",
    ),
    _taste(
        r"{AM}{ADV} (?P<value>an? (?:very |really |pretty |bit of a |notoriously )?(?:early|late|heavy|light|slow|fast|picky|fussy|big|keen|good|bad|terrible|restless|voracious|adventurous|lazy|nervous|confident|careful|messy|tidy|visual|hands-on|social) (?:riser|sleeper|eater|reader|cook|drinker|driver|learner|walker|swimmer|flyer|flier|traveller|traveler|listener|planner|spender|saver|smoker|baker|runner|writer))\b",
        "Is {value}",
    ),
    _taste(
        r"{HAVE}{ADV} always (?:really |much )*(?:liked|enjoyed|loved|preferred|been (?:a fan of|into|fond of|keen on)) {THING}",
        "Likes {value}",
        "",
        "likes",
        shape=liked,
        split=True,
    ),
    _taste(
        r"{HAVE}{ADV} never (?:really |much )*(?:liked|enjoyed|loved|cared for|been (?:a fan of|into|fond of|keen on)) {THING}",
        "Does not like {value}",
        "",
        "dislikes",
        shape=liked,
        split=True,
    ),
    _taste(
        r"{HAVE}{ADV} always (?:hated|disliked|avoided|loathed) {THING}",
        "Dislikes {value}",
        "",
        "dislikes",
        shape=liked,
        split=True,
    ),
    _taste(
        r"{I}{ADV} (?:take|drink|have|eat|want) (?P<value>my (?:coffee|tea|steak|eggs|espresso|whisky|toast|curry|pizza|burger|martini) [^,;!?\x00\n]{2,40}?){STOP}",
        "Takes {value}",
        "",
        "likes",
    ),
    _taste(
        r"{AM}{ADV} (?:learning|teaching myself|trying to learn|taking lessons in)(?: how)?(?: to)?(?: play)? (?:the )?(?P<value>guitar|piano|violin|drums|bass|cello|flute|saxophone|ukulele|banjo|harp|accordion|trumpet|clarinet|chess|tennis|golf|knit|crochet|sew|paint|surf|sail|ski|swim|dance|draw|bake|pottery|calligraphy|juggle)\b",
        "Is learning {value}",
        "",
        "hobby",
    ),
    _taste(
        r"{I}{ADV}(?P<neg> (?:do not|don't|dont|no longer)) (?P<what>eat|drink|smoke|watch|wear|buy|read|do) (?P<value>(?!it\b|that\b|this\b)[^,;!?\x00\n]{2,50}?)(?: any ?more| any longer)(?=[.,;!]|$| )",
        "",
        "Does not {what} {value}",
        "likes",
        shape=short,
    ),
    _taste(
        rf"{{I}}{{ADV}} (?P<what>only|rarely|hardly ever|almost never|mostly|mainly|always|usually|normally|typically|generally|tend to|try to|often|never) (?P<value>(?:{_USUAL})\b {_NOT_YOURS}(?!need|want|been)[^,;!?\x00\n]{{2,80}}?){{STOP}}",
        "{what} {value}",
    ),
    _taste(
        r"{I}{ADV} (?:listen to|read|watch|drink|eat|cook|bake)(?P<how> mostly| mainly| only| a lot of| lots of| tons of| too much| loads of) (?!(?:on|in|at|from|with|for|to|about)\b){THING}",
        "Likes {value}",
        "",
        "likes",
    ),
    _taste(
        rf"{{AM}}{{ADV}} (?:really |very |totally |huge |super |big )*(?:into|fond of|keen on|crazy about|obsessed with|partial to|passionate about|addicted to|a sucker for|big on|a (?:big |huge |massive |total |lifelong |real )*(?:fan|lover|admirer) of|nuts about|mad about|hooked on) (?!how\b|what\b){_NOT_YOURS}{{THING}}",
        "Likes {value}",
        "",
        "likes",
    ),
    _taste(
        r"{AM}{ADV} (?P<neg>not) (?:really |very |much |exactly |that |a |so |the |big |huge |too )*(?:into|fond of|keen on|crazy about|big on|fan of|person for|one for) {THING}",
        "",
        "Does not like {value}",
        "likes",
        shape=liked,
    ),
    _taste(
        r"{CLAUSE}(?:not |never )(?:really |much |exactly )*(?:a (?:big |huge )?fan of|into|keen on|big on|fond of) {THING}",
        "Does not like {value}",
        "",
        "dislikes",
        shape=liked,
        split=True,
    ),
    _taste(
        rf"{{I}}(?:'d)?{{ADV}} (?:would |'d )?(?:much |far )?(?:prefer|rather(?: have| take| go with| use| do| get)?) (?!be \w+ing\b|we\b|they\b|he\b|she\b){_NOT_YOURS}{{THING}}",
        "Prefers {value}",
    ),
    _taste(
        r"{I}{ADV} (?:can't|cant|cannot|can not|could never) (?:stand|bear|stomach|deal with) {THING}",
        "Dislikes {value}",
        "",
        "dislikes",
        shape=liked,
        split=True,
    ),
    _taste(
        r"{I}{ADV} (?:hate|loathe|detest|despise|dislike|dread|find (?=[^,]{3,30} (?:annoying|boring|exhausting|disgusting))) {THING}",
        "Dislikes {value}",
        "",
        "dislikes",
        shape=liked,
        split=True,
    ),
    _taste(
        r"{CLAUSE}no (?P<value>[\w -]{2,30}?), (?:i|we) (?:can't stand|hate|can't bear|don't like|dislike|really don't like)\b",
        "Dislikes {value}",
        "",
        "dislikes",
    ),
    _taste(
        r"{CLAUSE}(?P<value>[\w' -]{3,40}?) (?:is|are) (?:not|n't) (?:really )?(?:my (?:thing|cup of tea|style|jam)|for me)(?=[.,;!]|$)",
        "Does not like {value}",
        "",
        "dislikes",
        shape=liked,
        split=True,
        cues=words("my me"),
    ),
    _taste(
        r"{CLAUSE}(?P<value>[\w' -]{3,40}?) (?:is|are|works?) (?:always |usually |much |way )?(?P<how>my (?:thing|jam|go-to|favou?rite|cup of tea)|best for me|better for me|easier for me|easiest for me)(?=[.,;!]|$| (?:and|but|so)\b)",
        "{value} is {how}",
        shape=liked,
        cues=words("my me"),
    ),
    _taste(
        r"{MY} (?:go-to|usual|standard|default|regular|comfort|guilty) (?P<what>[a-z]+(?: [a-z]+)?) (?:is|are) {THING}",
        "Usual {what} is {value}",
        "",
        "likes",
    ),
    _taste(
        r"{AM}{ADV} (?P<value>(?:more of an? |very much an? |definitely an? |an? (?:big |real |total |huge |serious )?)[\w -]{3,25}? (?:person|guy|lover|fan|nerd|geek|nut|type|girl|fanatic|enthusiast|addict|reader|drinker|eater|collector|gamer|runner|cyclist|hiker|birder))(?=[.,;!]|$| (?:and|but|so|myself|than|who|at)\b)",
        "Is {value}",
    ),
    _taste(
        r"{AM}{ADV} (?P<value>(?:an? )?(?:keen|avid|passionate|amateur|hobby|enthusiastic|serious|casual|weekend|lifelong|competitive|recreational|long-distance) [\w -]{3,30}?)(?=[.,;!]|$| (?:and|but|so|who|with|in|at)\b)",
        "Is {value}",
        "",
        "hobby",
    ),
    _taste(
        rf"{{I}}{{ADV}} (?P<value>(?:{_DOES})\b[^,;!?\x00\n]{{0,50}}? ?{_OFTEN}){{STOP}}",
        "{value:third}",
        "",
        "hobby",
        shape=pursuit,
    ),
    _taste(
        rf"{{I}}{{ADV}} (?:(?:often|regularly|sometimes|mostly) )?(?P<value>go (?:{SPORTS})(?: and (?:{SPORTS}))?\b[^,;!?\x00\n]{{0,40}}?){{STOP}}",
        "{value:third}",
        "",
        "hobby",
        shape=pursuit,
    ),
    _taste(
        rf"{{CLAUSE}}{_OFTEN},? (?:i|we)(?: usually| mostly| often| always| like to| love to)* (?P<value>(?!have to|need|must|am|was|got|had|can't|don't|will|')[^,;!?\x00\n]{{3,60}}?){{STOP}}",
        "{value:third} in free time",
        "",
        "hobby",
        shape=pursuit,
    ),
    _taste(
        r"{I}{ADV} (?P<value>(?:collect|restore|brew|breed|keep|build|paint|play|sing|grow) (?:old |vintage |antique |my own |model |classic |miniature |in an? |heirloom |first edition |rare )[^,;!?\x00\n]{2,50}?){STOP}",
        "{value:third}",
        "",
        "hobby",
        shape=pursuit,
    ),
    _taste(
        r"{MY} (?:main |biggest |other |favou?rite |great )?(?:hobby|hobbies|passion|pastime|thing)(?: outside work)?(?: is|'s| are| include) {THING}",
        "Hobby: {value}",
        "",
        "hobby",
    ),
    _taste(
        r"{I}{ADV} (?:took up|have taken up|got into|have gotten into|picked up|gave in to) (?P<value>(?!the phone|my|your|a call)[^,;!?\x00\n]{3,40}?)(?= (?:last|this|two|a|in|during|recently)\b|[.,;!]|$)",
        "Took up {value}",
        "",
        "hobby",
    ),
    _taste(
        r"{I}{ADV} (?P<value>work (?:best|better)\b[^,;!?\x00\n]{0,60}?){STOP}",
        "{value:third}",
    ),
    _taste(
        r"{I}{ADV} (?:find|think) (?P<value>[\w' -]{3,40}? (?:easier|nicer|more readable|clearer|better) (?:to read |to follow )?(?:than|in|as|with) [^,;!?\x00\n]{2,40}?){STOP}",
        "Finds {value}",
        doubtful=False,
    ),
)
