"""What happened to somebody, with the time it happened at."""

from memoryhub.llm.backends.rules.wording import Rule, as_said, rx, words

_DONE = (
    "quit \\w+ing|got married|got engaged|got divorced|got promoted|got fired|got laid off|had a baby|had surgery|had an operation|had a (?:stroke|miscarriage|heart attack|car accident|concussion|knee replacement|hip replacement|c-section)|became (?:a|an) (?:dad|mum|mom|father|mother|parent|uncle|aunt|grandmother|grandfather|grandparent)|became parents|moved in together|separated|broke up with my [\\w ]{2,20}|got (?:my|our) (?:[\\w']+ ){1,3}(?:licence|license|degree|certificate|citizenship|visa|green card|passport)|defended my (?:thesis|phd|dissertation)|gave birth|became a citizen|got a (?:new job|promotion|raise|divorce|puppy|kitten|dog)|lost (?:my|our) (?:[\\w]+ ){0,2}(?:dad|mum|mom|father|mother|brother|sister|grandmother|grandfather|dog|cat|job|house|baby)|tore my [\\w ]{2,20}|fractured my [\\w ]{2,20}|burned down|opened (?:my|our) [\\w ]{3,40}?|"
    "had an accident|bought a (?:house|flat|car|bike|boat|dog|cat)|sold (?:my|our) (?:house|flat|car)|"
    "broke my (?:leg|arm|ankle|wrist|foot|hand|nose|collarbone)|sprained my \\w+|passed my [\\w ]{2,40}?|"
    r"failed my [\w ]{2,40}?|finished my (?:degree|phd|thesis|masters?|studies|dissertation)|quit my job|"
    r"lost my job|changed jobs|retired|was diagnosed with [\w ]{2,40}?|ran (?:a|the|my first) [\w ]{0,30}?marathon|"
    r"was promoted|was born|won (?:a|an|the) [\w ]{3,40}?|launched (?:my|our|the) [\w ]{3,40}?|"
    r"shipped (?:my|our|the) [\w .]{3,40}?|released (?:my|our|the)? ?[\w .]{3,40}?"
)


PAST = (
    "went|travell?ed|flew|drove|visited|attended|met|started|finished|completed|bought|sold|joined|left|lost|won|ran|signed|hired|fired|adopted|"
    "broke|opened|published|submitted|moved|quit|became|got|had|lived|graduated|retired|launched|released|founded|merged|closed|raised|acquired|"
    "rescued|inherited|divorced|married|hiked|climbed|cycled|walked|passed|failed|defended|presented|spoke|performed|ran|fell|crashed|tore|injured|"
    "hurt|sprained|renovated|planted|celebrated|rebuilt|built|rewrote|replaced|migrated|redesigned|upgraded|ported|switched|wrote|made|painted|learned|learnt|taught|studied|worked|interned|volunteered|relocated|remortgaged|refinanced|sold|converted|turned|welcomed|buried|took up|gave up|gave birth|dropped out|came back|returned|emigrated|immigrated|enrolled|rebranded|stopped|spent"
)
WHEN_PAST = (
    r"(?:(?:in (?:19|20)\d\d|last (?:spring|summer|autumn|fall|winter|week|weekend|month|year|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter)|"
    r"yesterday|(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d+|a couple of|a few|several) (?:days?|weeks?|months?|years?) ago|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|"
    r"(?:earlier )?this (?:spring|summer|winter|january|february|month|week|year)|(?:back )?in the (?:spring|summer|autumn|winter)|over (?:christmas|easter|the (?:holidays|summer|winter)|new year)|recently|on (?:mon|tues|wednes|thurs|fri|satur|sun)day))"
)
_NO_OBJECT = r"(?! (?:it|them|her|him|you|this|that|these|one|up|somewhere|something|an? (?:error|message|email|notification|question|problem|issue|call|answer|response|reply|refund|charge|parcel|package|delivery|letter|bill|invoice|warning|ticket|timeout|crash|bug|quote)|the (?:error|email|message|app|update|refund|page|site|package|parcel|order|invoice|wrong|same)|to (?:work|do|the (?:page|site|settings|next))|my (?:order|password|account|card|subscription|package|bill|invoice|statement|money)|charged|billed|\d|back to you)\b)"


def _event(pattern: str, says: str, **more: object) -> Rule:
    return Rule("event", rx(pattern), says, "", None, as_said, "when", **more)  # type: ignore[arg-type]


RULES = (
    _event(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?P<value>{_DONE})(?P<more> [^;!?\x00\n]{{2,60}}?)?{{STOP}}",
        "{value}{more}",
    ),
    _event(
        r"{I}{ADV} (?P<value>(?:went|travell?ed|flew|drove|visited|attended|met|started|finished|completed|bought|sold|joined|left|lost|won|ran|signed|hired|fired|adopted|broke|opened|published|submitted)\b(?! (?:it|them|her|him|you|this|that|one|up|somewhere|something)\b)[^;!?\x00\n]{2,90}?){STOP}",
        "{value}",
        needs_date=True,
    ),
    _event(
        rf"{{CLAUSE}}{WHEN_PAST},? (?:i|we|(?:my|our) (?:\w+ )?\w+)(?: both| finally| also| just)* (?P<value>(?:{PAST})\b{_NO_OBJECT}[^;!?\x00\n]{{2,90}}?){{STOP}}",
        "{value}",
        cues=words("in last yesterday ago this over recently back earlier on"),
    ),
    _event(
        rf"{{I}}{{ADV}} (?P<value>(?:{PAST})\b{_NO_OBJECT}(?:[^,;!?\x00\n]|,(?! (?:i|we|so|and|but|my|our|it|the|now|then|he|she|they)\b)){{2,70}}? {WHEN_PAST}){{STOP}}",
        "{value}",
    ),
    _event(
        r"{I}{ADV} (?P<value>(?:got back|came back|returned) from (?!lunch|work\b|the (?:gym|shop|store|office|meeting)|a (?:walk|run|meeting|break)|you|school)[^,;!?\x00\n]{3,60}?){STOP}",
        "{value}",
    ),
    _event(
        r"{MY} (?P<value>(?:house|flat|car|dad|mum|mom|father|mother|grandmother|grandfather|grandma|grandpa|dog|cat|company|startup|team|divorce|daughter|son|first child|baby|book|paper|shop|wife|husband) (?:burned down|flooded|died|passed away|was (?:stolen|born|acquired|bought|sold|founded|diagnosed|published|accepted)|got (?:stolen|acquired|published|accepted)|came out|went through|closed|went bankrupt|had (?:surgery|a stroke|a baby|an operation))(?P<more> [^,;!?\x00\n]{2,50}?)?){STOP}",
        "{value}",
    ),
)
