"""Which words tell the assistant how to behave from now on, and which only what to do next.

An order stands when it says so ("always", "from now on", "whenever you ..."), when it is about the way of answering
("be blunt", "use metric units"), or when a lasting reason comes with it ("don't call before noon, I work nights").
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memoryhub.llm.backends.rules import guards
from memoryhub.llm.backends.rules.wording import LANGUAGES

VERBS = (
    "use|call|send|include|add|write|suggest|answer|reply|respond|ask|mention|explain|apologi[sz]e|translate|share|"
    "email|e-mail|book|schedule|remind|assume|start|begin|end|say|show|give|recommend|keep|make|put|format|speak|"
    "talk|tell|address|refer|cite|quote|check|confirm|double-check|run|deploy|delete|touch|change|commit|push|merge|"
    "order|buy|pay|contact|notify|cc|copy|sign|greet|avoid|skip|provide|summari[sz]e|convert|round|sort|list|"
    "return|prefer|default|be|do|let|try|remember|warn|link|attach|open|close|stick|limit|follow|consider|treat|"
    "name|label|tag|test|document|comment|indent|wrap|spell|reference|stop|leave|interrupt|disturb|repeat|forget|"
    "phone|text|message|ping|escalate|approve|charge|refund|ship|invoice|phrase|highlight|mark|flag|point|get|go|"
    "take|mind|focus|break|bring|offer|propose|draft|print|display|install|create|edit|modify|remove|rename|move|"
    "save|store|log|track|count|calculate|compare|plan|cook|pick|choose|split|verify|lint|abbreviate|bold|capitali[sz]e|"
    "hold|push|assign|report|update|post|print|read|look|review|set|turn|work|stay|come|guess|invent|lecture|sugarcoat|"
    "sugar-coat|bother|hesitate|expect|drop|cut|alert|number|group|prioriti[sz]e|favou?r|describe|teach|correct|fix|"
    "exclude|ignore|omit|fill|hide|spam|upsell|nag|judge|sell|rely|import|rewrite|refactor|squash|rebase|bump|cap|ring"
)
#: A word after "always" or "never" that is no order's verb.
_NO_VERB = (
    r"(?!(?:\w+ing|\w+ed|\w*[^s\W]s|a|an|the|been|had|was|were|got|went|did|thought|knew|saw|heard|understood|said|too|again|in|on|at|"
    r"more|gonna|happy|glad|nice|good|great|better|ready|late|there|here|i|we|you|it|he|she|they|so|enough|happen|once|mind|"
    r"have|seem|able|my|our|this|that|want|need|felt|found|tried|worth|fun|hungry|tired|know|came|left|had|made|took)\b)"
)
_ANY_VERB = rf"{_NO_VERB}[a-z][a-z-]+"
LEAD = r"(?:(?:please|pls|plz|ok|okay|so|and|also|oh|but|then|well|hey|hi|just|btw|by the way|kindly|fyi|(?:yes|no)(?=[,.!])|thanks|thank you|cool|great|perfect|(?:one|a) (?:more|last|other|quick|small) (?:thing|request|note|ask|favou?r)|(?:quick|small|last|side) (?:note|request|thing|ask)|(?:one|general|house|ground|golden|simple|my|standing) (?:rules?|requests?|instructions?)|rules?|remember|important|note|for next time)(?: here| for you)?[,:!.]* |(?:- |– ))*"
_FROM_NOW = r"(?:from now on(?:wards)?|from here on(?: out| in)?|from this point(?: on| forward)?|from today(?: on)?|going forward|moving forward|in (?:the )?future|as of now|next time|starting (?:now|today)|for (?:all )?future (?:\w+|reference)|for next time|henceforth)"
_TALK = "answer|reply|respond|write|explain|say|use|give|suggest|recommend|quote|show|draft|summari[sz]e|generate|create|make|talk|speak|email|mention|refer|send|add|edit|review|refactor|translate|format|code|book|schedule|plan|propose|name|list|help|do|are|'re|change|touch|build|fix|convert|calculate|provide|cite|tell|message|contact|call|run|commit|push|work|test|order|pick"
_I_ASK = "ask|say|mention|request|send|share|write|use|paste|upload|type|post|tell|give|talk|quote|ping|text|message|call|want|need|order|forget|misspell|make a mistake|get something wrong|switch"

_NOT_SOON = r"(?!you(?:'re| are) (?:done|ready|finished|back|free|there|at it)|you (?:get|have|can|finish))"
_CASE = (
    rf"(?:(?:when|whenever|every time|each time|any ?time) {_NOT_SOON}you (?:{_TALK})\b[^,\x00]{{0,100}}"
    rf"|(?:when|whenever|every time|each time|any ?time) {_NOT_SOON}you(?:'re| are) \w+ing\b[^,\x00]{{0,100}}"
    rf"|(?:whenever|every time|each time|any ?time) (?:you|i|we|my|our|there|something|someone|anyone|a|an|the)\b[^,\x00]{{2,100}}"
    rf"|(?:when|if) (?:i|we) (?:ever )?(?:{_I_ASK})\b[^,\x00]{{1,100}}"
    rf"|(?:when|whenever) (?:writing|answering|replying|talking|speaking|coding|drafting|explaining|quoting|summari[sz]ing|suggesting|recommending|scheduling|booking|editing|reviewing|translating|making|giving)\b[^,\x00]{{0,80}}"
    r"|if (?:you(?:'re| are) (?:unsure|not sure|in doubt|uncertain)|you (?:don't|do not) know|in doubt|unsure|you (?:can't|cannot|don't|aren't|are not|notice|spot|think)|(?:something|anything|it)(?:'s| is| isn't) (?:un)?clear)[^,\x00]{0,80}"
    r"|(?:for|in|on|with) (?:all|any|every|each|everything|anything|future|your)\b[^,:\x00]{2,80}"
    r"|(?:for|in|on|with) (?:my|our) (?:[\w-]+ ){0,2}[\w-]+s"
    r"|before (?:you )?(?:commit|push|merg|delet|send|deploy|chang|mak|book|order|buy|edit|run|publish|answer|suggest|writ)\w*\b[^,\x00]{0,60}"
    r"|(?:as a (?:general )?rule|by default|in general|generally|unless i (?:say|tell you|ask)[^,\x00]{0,40}|until further notice|at all times))"
)
#: At the end of an order: it holds more than once.
_LASTING = (
    rf"(?:{_FROM_NOW}|every (?:single )?time\b.*|each time\b.*|always|whenever\b.*|unless (?:i|we) .*|until i say.*|by default|at all times|"
    rf"when(?:ever)? you (?:{_TALK})\b.*|when (?:i|we) (?:{_I_ASK})\b.*|(?:when|while) (?:writing|answering|replying|talking|speaking|coding|drafting|explaining|quoting)\b.*|"
    r"in (?:all |any |every )?(?:of )?(?:your|future) .*|in (?:all|any|every|anything|everything|whatever) .*|in (?:my|our) (?:[\w-]+ ){0,2}[\w-]+s|"
    r"without (?:asking|checking|my|telling|confirming|running|warning|consulting|letting)\b.*|"
    r"before (?:you )?(?:commit|push|merg|delet|send|deploy|chang|mak|book|order|buy|answer|suggest|start|do|edit|run|post|publish|charg|cancel)\w*\b.*|"
    r"(?:as|if|when) (?:needed|you go|i ask|in doubt|unsure|you(?:'re| are) (?:unsure|not sure))|(?:every|each) (?:day|week|month|morning|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b.*)"
)
_MANNER_ADJ = (
    "short|brief|concise|simple|formal|informal|detailed|terse|to the point|friendly|polite|casual|professional|direct|blunt|"
    "honest|specific|patient|gentle|thorough|light|succinct|crisp|plain|straightforward|practical|critical|tight|neutral|snappy|"
    "kind|sarcastic|funny|serious|warm|frank|precise|minimal|compact|readable|low[- ]key|jargon[- ]free"
)
_ANSWERS = "answers?|replies|reply|responses?|messages?|explanations?|emails?|e-mails|summaries|texts?|suggestions|tone|language|code|comments|sentences|paragraphs|drafts|letters|updates|reports|subject lines|mails"
_STYLE = (
    r"metric|imperial|celsius|fahrenheit|kilomet(?:er|re)s|kilos?|kg|grams|24[- ]hour|12[- ]hour|british|american|uk|us|plain|simple|simpler|short|"
    r"formal|informal|bullet|bullets|markdown|euros?|pounds|dollars|iso|type hints|tabs|spaces|single quotes|double quotes|snake_case|camelcase|"
    r"first names?|last names?|gender[- ]neutral|proper|everyday|layman's|active voice|passive voice|oxford commas?|numbered lists|lower ?case|headings|examples|"
    r"tables|(?:small|big|large|easy) words|inclusive|he|she|they|my (?:first|last|full|nick)\s?name|f-strings|async|pytest|conventional commits|semicolons"
)
_HOW = rf"in (?:only )?(?:{LANGUAGES}|plain \w+|simple \w+|layman's terms|bullet points|bullets|short sentences|full sentences|lower ?case|markdown|plain text|prose|metric|one sentence|a few sentences|small steps|everyday \w+|the (?:first|third) person|british english|american english)\b"
# A wish about one of these is hardly ever meant once.
HABIT = (
    r"(?:emojis?|emoticons?|smileys?|bullets?|bullet points|markdown|jargon|tables?|exclamation\w*|apologi\w+|disclaimers?|"
    r"all the time|every time|call(?:ing)? me|small talk|filler|fluff|passive voice|acronyms|slang|buzzwords|clich[eé]s|"
    r"formal\w*|informal\w*|first name|last name|swear\w*|sugar-?coat\w*|lectur\w+|preach\w*|moraliz\w+|follow-up questions|summar\w+ at|"
    r"pleasantries|preambles?|intros?|introductions?|basics|caveats|flatter\w*|compliments?|anglicisms|abbreviations|em[- ]dashes|hashtags|"
    r"placeholders?|semicolons|capital letters|all caps|sorry|beat around|hold back|baby ?talk|patroni[sz]\w+|upsell\w*|ads|promotions?|newsletters?|"
    r"phone calls?|voice ?mails?|cold calls?|guess\w*|invent\w*|make (?:things|stuff|facts|numbers|sources) up|make up (?:facts|numbers|sources|things))"
)
_MANNER = (
    rf"(?:keep|make) (?:all )?(?:(?:of )?(?:your|the|my|any|all|our) )?(?:{_ANSWERS}|things|everything|them) (?:\w+ ){{0,3}}?(?:{_MANNER_ADJ}|under|below|less|within|to (?:a|one|two|three|max|maximum|\d+)|in (?:{LANGUAGES}))\b"
    rf"|be (?:more |as |very |really |brutally |completely |totally |extra |super |a bit (?:more )?|a little (?:more )?)?(?:{_MANNER_ADJ})\b(?! (?:this time|here|in this))"
    rf"|(?:get|come|go|cut) (?:straight |right |directly )?to the (?:point|chase)"
    rf"|(?:skip|drop|leave out|cut|spare me|no need for|you can skip|stop with|lose) (?:all |out )?(?:the |any |your |all the )?(?:\w+ )?{HABIT}"
    rf"|(?:answer|reply|respond|write|speak|talk|explain|communicate|text|email|message|converse|put it|phrase (?:it|things))(?: (?:to |with )?me| back| everything| things| it| all \w+| only| always)* {_HOW}"
    rf"|(?:use|stick (?:to|with)|prefer|write in|work in|default to|give me|go with|switch to) (?:only |just |the )?(?:{_STYLE})\b"
    rf"|(?:explain|walk me through|break) (?:\w+ ){{0,3}}?(?:like|as if|as though|as you go|step[- ]by[- ]step|simply|in (?:plain|simple|small|short)|slowly|down into)"
    rf"|(?:address|refer to|greet|treat|talk to|speak to|write to) me (?:as|by|like|with|in|formally|informally|the way)\b"
    rf"|assume (?:that )?(?:i|i'm|i've|we|we're|i am|basic|no (?:prior )?knowledge|my)\b"
    rf"|(?:ask|check with|consult|warn|tell|notify|alert|confirm with|run it by|run (?:\w+ )?(?:past|by)) (?:me |us )?(?:\w+ )?(?:first|before|beforehand|if (?:you're|anything|something|in doubt|unsure))\b"
    rf"|(?:cite|include|give|list|link|add|name|show)(?: me)? (?:your |the |all (?:your )?)?(?:sources|references|citations)"
    rf"|(?:sign|address|format|start|begin|end|number|label|date) (?:all |any |every |the |my |your )?(?:{_ANSWERS}|invoices|files|commits|tickets|headings|steps)s? (?:with|as|by|in|to|off)\b"
    rf"|(?:stop|quit|cut out|enough with) (?:the )?(?:suggest|recommend|send|us|add|say|call|apologi[sz]|ask|remind|repeat|assum|put|writ|start|end|mak|giv|includ|show|offer|tell|sign|lectur|explain|propos|schedul|cc|book|pushing|quot|mention|email|messag|text|ring|hedg|try)\w*ing\b"
    rf"|(?:remind|ping|nudge|email|text|message|send) me (?:[^,\x00]{{0,60}} )?(?:every|each|once a|twice a|daily|weekly|monthly)\b"
    rf"|(?:give|show|quote|list|state|put|write|convert|express|tell)(?: me)? (?:all |any |the |my |your |me )*(?:prices|amounts|costs|dates|times|units|numbers|measurements|temperatures|distances|weights|sums|figures|totals|quantities|recipes|code|examples|sizes|names) (?:in|with|as) \w"
    r"|(?:don't|dont|do not|never|avoid) (?:use|say|write|using|saying|writing) (?:the |any )?(?:words?|phrases?|terms?|names?|expressions?|swear words|contractions)\b"
    rf"|no (?:more |need for (?:any )?)?{HABIT}"
    rf"|(?:don't|dont|do not) (?:ever )?(?:{VERBS}|\w+)\b[^,\x00]{{0,60}}?\b{HABIT}"
    rf"|(?:don't|dont|do not) (?:apologi[sz]e|lecture|sugar-?coat|hold back|patroni[sz]e|assume|guess|nag|preach|flatter|repeat (?:yourself|my|the question|what i)|waffle|ramble|hedge|upsell|call me|sugar coat|dumb (?:it|things) down|talk down)\b"
    rf"|(?:limit|restrict|cap) (?:yourself|your \w+|it|all \w+|answers|replies) to\b"
)
_BEGINS = rf"(?:always |never |only |just |do not |don't |dont |not |avoid |please |pls |stop )*(?:{VERBS})\b"
_DONT = r"(?:do not|don't|dont)"

_SURE = tuple(
    re.compile(rf"{pattern}", re.I)
    for pattern in (
        rf"(?:always|never|{_DONT} ever|only ever) {_ANY_VERB}\b",
        rf"{_FROM_NOW}[,:]? (?:{LEAD})(?:you (?:should|must|can) |i(?:'d| would)? (?:want|like|need|prefer) (?:you |it if you )?(?:to )?)?(?:{_BEGINS}|no \w+|{_MANNER})",
        rf"{_CASE}[,:]? {LEAD}(?:{_BEGINS}|you (?:should|must|can|need to|have to)\b|no \w+|{_MANNER}|i mean|it (?:always )?means|that means)",
        rf"{_BEGINS}[^\n]{{0,140}}?[, ] ?{_LASTING}$",
        rf"only (?:{VERBS})\b",
        r"(?:plain|simple|short|easy|small|normal) (?:words|language|english|sentences|answers),? (?:please|pls|only)",
        r"(?!i\b|we\b|you\b)\w[\w' -]{2,40} only,? (?:please|pls)$",
        rf"{_BEGINS}[^\n]{{0,140}}? {_FROM_NOW}\b",
        rf"(?:{_MANNER})",
        r"no \w[\w' -]{1,40},? (?:please|pls|thanks|ever|at all|any ?more)$",
        r"no (?!one|body|problem|idea|way|need|worr|luck|clue|doubt|matter|more|longer|wonder|reason|signal|answer|reply|response|access|change|error)\w[\w' -]{1,30} (?:in|on|at|before|after|with) (?:the |my |our |any )?\w[\w ]{1,20}$",
        rf"(?:make|be) sure (?:to |you |that you )(?:always|never|{_BEGINS}[^\n]{{0,140}}? {_LASTING}$)",
    )
)
_YOU = (
    r"(?:i(?:'d| would| really|'d really)? ?(?:want|like|need|prefer|love|appreciate|expect) (?:it if )?you(?:'d| would| could)? ?(?:to )?|"
    r"i(?: really)? (?:don't|dont|do not) want you to (?=\w)|i'd rather you |i'd (?:appreciate|prefer|like|love) it if you (?:could |would )?|it(?:'d| would) (?:help|be (?:great|nice|good|helpful)) if you (?:could |would )?|"
    r"you (?:should|must|need to|have to|can|may|are to|shouldn't|mustn't|don't (?:need|have) to|do not (?:need|have) to|needn't|never need to|never have to) |"
    r"feel free to |there's no need to |no need to |it's (?:ok|okay|fine) to |i need )"
)
_WISHED = re.compile(
    rf"{LEAD}{_YOU}(?:please |just |not )?(?:always|never|only|stop \w+ing|didn't|don't|{_MANNER}|{_BEGINS}[^\n]{{0,140}}?(?: {_LASTING}$|\b{HABIT})|skip|explain the (?:basics|obvious))",
    re.I,
)
_DEMANDED = re.compile(
    rf"{LEAD}(?:i(?: really)? (?:don't|dont|do not) want you to \w|i(?: really)? (?:like|love|prefer|appreciate|hate|dislike|don't like|can't stand) (?:it )?(?:when|if) you \w|(?:i'd like|i want|i need|i'd love|give me|send me|show me|email me) (?:an?|the|my|all|only|no) [^,\x00]{{2,80}} (?:every|each|daily|weekly|monthly)\b|(?:every|each) (?:single )?(?:day|week|month|morning|evening|time|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b[^,\x00]{{0,40}},? (?:i'd like|i want|i need|please|{_BEGINS}))",
    re.I,
)
_GOVERNED = re.compile(
    rf"(?:anything|everything|all \w+|any \w+|every \w+|your (?:{_ANSWERS})) (?:that )?(?:you (?:{_TALK})\w* )?(?:(?:for|to) (?:me|us) )?(?:should|must|has to|have to|needs? to|shouldn't|mustn't|can't)(?: always| never| only)? (?:be|have|use|include|go|start|end|fit|stay|come|contain|say|mention)\b",
    re.I,
)
# "You don't have to explain the basics to me."
_SPARED = re.compile(
    rf"{LEAD}(?:you (?:don't|do not|dont|never) (?:need|have) to|you needn't|(?:there's )?no need to) (?:explain|repeat|apologi[sz]e|tell me|remind|show|list|ask|thank|be so|spell|walk me|justify|define|describe|go over|teach)\b",
    re.I,
)
_ASKED = re.compile(
    rf"{LEAD}(?:could|can|would|will) you (?:please |maybe |just |kindly |try to |also )*(?:(?:always|never|not|stop|{_FROM_NOW},?) (?:{VERBS}|\w+ing)\b|(?:{_MANNER})|(?:{VERBS})\b[^\x00]{{0,140}}? {_LASTING}\??$|be (?:more )?(?:{_MANNER_ADJ}))",
    re.I,
)
_ASKED_ONCE = re.compile(
    r"\b(?:explain|walk me through|give me|use|write|answer|reply|check|list|add|include|show|break|ask|confirm)\b",
    re.I,
)
_MAYBE = re.compile(
    rf"(?:{_DONT}|stop|quit|avoid|refrain from|no need to|skip|leave out) \w+|(?:keep|make) it (?:\w+ )?(?:{_MANNER_ADJ})\b",
    re.I,
)
_ONCE = re.compile(
    r"\b(?:never ?mind|(?:don't|dont|do not) (?:judge|laugh|shoot|blame|hate|@|tell anyone|ask me (?:why|how)|at me|worry|bother(?! with)|know|think|mind|panic|be|mention it|get me wrong|forget|have(?! to)|understand|see|want(?! you)|need(?! to)|like|even|really)|stop (?:it|there|here|now)|this time|"
    r"for now|just this once|(?:in|for|on|with) this (?:one|case|email|file|message|draft|reply|function|paragraph|report|essay|letter|question|task|ticket|order|trip)|yet|right now|"
    r"the (?:first|second|last|next) (?:one|paragraph|line|sentence|section|bullet|draft|version)|let me know|make sure it|the (?:above|attached)|below)\b",
    re.I,
)
_TODAY = re.compile(r"\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week))\b", re.I)
_LASTS = re.compile(rf"\b(?:always|never|{_FROM_NOW})\b|^{LEAD}(?:{_MANNER})", re.I)
_LEAD = re.compile(LEAD, re.I)
_HEAD = re.compile(rf"{LEAD}(?:(?:{_CASE}|{_FROM_NOW})[,:]? {LEAD})?", re.I)
_GIVEN = re.compile(
    r"(?:,| -| –)? \(?(?:because|since|as|cause|cuz) (?:i|i'm|i've|we|we're|my|our|it|it's|they|the|this|that|there)\b|(?:,| -| –| \() ?(?:i|i'm|i've|im|we|we're|we've|my|our|it|it's|its|that|that's|they|the|there|nobody|no one|he|she|this|"
    r"doctor's|thanks|thx|ok|lol|not everyone|some of us|otherwise)\b|,? (?:and|but|or) (?:i|i'm|my|we|our|the|it|that)\b",
    re.I,
)
_NEXT = re.compile(
    rf"(?:,|;|,? and|,? but|,? or) (?=(?:please |also |then )*(?:never|always|{_DONT}|please)\b)|, (?:and |then |also )*(?=(?:{VERBS}|avoid) (?!and\b|or\b)(?![^,]* instead\b))",
    re.I,
)
_FOLLOWS = re.compile(rf"(?:please |also |then )*(?:{_BEGINS}|never|always|no )", re.I)
# "so low sodium recipes only"
_RESTRICTS = re.compile(
    r"(?:please |pls )?(?!i\b|we\b|it\b|that\b|the\b|my\b|you\b)[\w' -]{3,40} only$|(?:please )?(?:no|nothing) [\w' -]{3,40}$|(?:please |pls )?(?:skip|leave out|avoid|drop|spare me)\b",
    re.I,
)
# "so break tasks into small steps": nothing that lies before us is meant.
_GENERAL = re.compile(
    rf"{LEAD}(?:{VERBS})\b(?!.*\b(?:this|it|that|the|these|those|an?|my|our|one|them|him|her|now|back|up|go|come|look|try|help|check|fix|let)\b).+$",
    re.I,
)
_PASSING = re.compile(
    r"\b(?:right now|today|in a (?:hurry|rush|meeting)|this week|at the moment|late|driving|on my phone|about to|running out|currently)\b",
    re.I,
)


@dataclass(frozen=True)
class Order:
    """An order at ``[start, end)`` of a sentence. ``sure``: it holds beyond this once."""

    start: int
    end: int
    sure: bool


def orders(text: str) -> Iterator[Order]:
    """The orders in a sentence that stand or may stand, in order."""
    at, stood = 0, False
    for start, joined in _beginnings(text):
        if start < at:
            continue
        end = _end(text, start)
        sure = _holds(text, start, end, joined, stood)
        if sure is not None:
            yield Order(start, end, sure)
            at, stood = end, stood or sure


def _beginnings(text: str) -> Iterator[tuple[int, str]]:
    """Where an order may begin, each with what joins it to the words before."""
    yield 0, ""
    for match in _BOUNDARY.finditer(text):
        yield match.end(), (match.group().strip(" ,:-–") or match.group().strip()).lower()


_BOUNDARY = re.compile(r"(?:(?:,|:| -| –) (?:(?:so|and|but|then) )?| (?:so|and|but|then) )(?=\w)", re.I)


def _end(text: str, start: int) -> int:
    """Where the order ends: before its reason, and before the next order."""
    head = _HEAD.match(text, start)
    begin = head.end() if head else start
    ends = [match.start() for match in (_GIVEN.search(text, begin), _NEXT.search(text, begin + 3)) if match]
    return min(ends, default=len(text))


def _holds(text: str, start: int, end: int, joined: str, stood: bool) -> bool | None:
    """Whether the order holds beyond this once; ``None`` when it is none."""
    order, before, after = text[start:end].rstrip(" ,"), text[:start], text[end:]
    if start and not _may_begin(order, before, joined, stood):
        return None
    if stands(order) or (stood and _FOLLOWS.match(order) and not _is_once(order)):
        return True
    reason = (bool(start) and _reason(before)) or _reason(after)
    if reason and re.match(
        r"(?:please |pls )?just (?:write|text|message|email|e-mail|call|give|tell|show|send)\b", order, re.I
    ):
        return True
    if joined == "so" and _RESTRICTS.match(order) and reason:
        return False
    if (
        joined == "so"
        and reason
        and _GENERAL.match(order)
        and not _is_once(order)
        and not _TODAY.search(order)
    ):
        return True
    if not may_stand(order):
        return None
    if reason:
        return True
    return False if re.match(r"(?:please|pls)\b|(?:keep|make) it", order, re.I) else None


def _may_begin(order: str, before: str, joined: str, stood: bool) -> bool:
    """After "I live here and ..." a bare "never" tells what the speaker does."""
    if joined == "so" or stood or re.match(r"(?:please|pls)\b", order, re.I):
        return not guards.is_supposed(before)
    if _is_governed(order) or _WISHED.match(order) or _DEMANDED.match(order) or _SPARED.match(order):
        return not guards.is_supposed(before)
    if joined == "," and re.match(r"(?:don't|dont|do not|just)\b", order, re.I):
        return not guards.is_supposed(before)
    told = re.search(r"\b(?:i|we|i'm|you|he|she|they|who|to|it)\b", before, re.I)
    return not told and joined in (",", "and", "but", ":", "-", "–")


def _reason(words: str) -> bool:
    """A lasting reason of the speaker's is given."""
    return bool(
        re.search(r"\b(?:i|i'm|im|i've|we|we're|my|our|us|me)\b", words, re.I)
    ) and not _PASSING.search(words)


def stands(order: str) -> bool:
    """It says itself that it holds beyond this once."""
    rest = order[_lead(order) :]
    if _is_once(rest):
        return False
    if re.match(r".{0,40}\b(?:please|pls) no \w", order, re.I):
        return True
    return any(pattern.match(rest) for pattern in _SURE) or bool(
        _is_governed(order) or _WISHED.match(order) or _SPARED.match(order) or _DEMANDED.match(order)
    )


def may_stand(order: str) -> bool:
    """It may hold beyond this once: "don't ..." and "keep it ..."."""
    rest = order[_lead(order) :]
    return bool(_MAYBE.match(rest)) and not _is_once(rest) and not _TODAY.search(rest)


def _is_governed(order: str) -> bool:
    """ "Anything you schedule should be in Mountain Time": what the assistant makes, not what is made for it."""
    match = _GOVERNED.match(order)
    return bool(match) and bool(re.search(r"\b(?:you|your)\b", match.group(), re.I)) if match else False


def is_asked(question: str) -> bool:
    """A question that asks for something to be so from now on: "could you keep your answers short from now on?"."""
    match = _ASKED.match(question)
    if match is None or _is_once(question):
        return False
    lasting = re.search(rf"\b(?:always|never|stop|not)\b|{_FROM_NOW}", question, re.I) or re.search(
        rf"{_LASTING}\??$", question, re.I
    )
    return bool(lasting) or not _ASKED_ONCE.search(match.group())


def _is_once(order: str) -> bool:
    if _ONCE.search(order):
        return True
    return bool(_TODAY.search(order)) and not _LASTS.search(order)


def _lead(order: str) -> int:
    match = _LEAD.match(order)
    return match.end() if match else 0
