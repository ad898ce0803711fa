"""The words that orders are made of."""

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
NO_VERB = (
    r"(?!(?:\w+ing|\w+ed|\w*[^s\W]s|a|an|the|been|had|was|were|got|went|did|thought|knew|saw|heard|understood|said|too|again|in|on|at|"
    r"more|gonna|happy|glad|nice|good|great|better|ready|late|there|here|i|we|you|it|he|she|they|so|enough|happen|once|mind|"
    r"have|seem|able|my|our|this|that|want|need|felt|found|tried|worth|fun|hungry|tired|know|came|left|had|made|took)\b)"
)
ANY_VERB = rf"{NO_VERB}(?-i:[a-z][a-z-]+)"
LEAD = r"(?:(?:please|pls|plz|ok|okay|so|and|also|oh|but|then|well|hey|hi|just|btw|by the way|kindly|fyi|(?:yes|no)(?=[,.!])|thanks|thank you|cool|great|perfect|(?:one|a) (?:more|last|other|quick|small) (?:thing|request|note|ask|favou?r)|(?:quick|small|last|side) (?:note|request|thing|ask)|(?:one|general|house|ground|golden|simple|my|standing) (?:rules?|requests?|instructions?)|rules?|remember|important|note|for next time)(?: here| for you)?[,:!.]* |(?:- |– ))*"
FROM_NOW = r"(?:from now on(?:wards)?|from here on(?: out| in)?|from this point(?: on| forward)?|from today(?: on)?|going forward|moving forward|in (?:the )?future|as of now|next time|starting (?:now|today)|for (?:all )?future (?:\w+|reference)|for next time|henceforth)"
TALK = "answer|reply|respond|write|explain|say|use|give|suggest|recommend|quote|show|draft|summari[sz]e|generate|create|make|talk|speak|email|mention|refer|send|add|edit|review|refactor|translate|format|code|book|schedule|plan|propose|name|list|help|do|are|'re|change|touch|build|fix|convert|calculate|provide|cite|tell|message|contact|call|run|commit|push|work|test|order|pick"
I_ASK = "ask|say|mention|request|send|share|write|use|paste|upload|type|post|tell|give|talk|quote|ping|text|message|call|want|need|order|forget|misspell|make a mistake|get something wrong|switch"

NOT_SOON = r"(?!you(?:'re| are) (?:done|ready|finished|back|free|there|at it)|you (?:get|have|can|finish))"
CASE = (
    rf"(?:(?:when|whenever|every time|each time|any ?time) {NOT_SOON}you (?:{TALK})\b[^,\x00]{{0,100}}"
    rf"|(?:when|whenever|every time|each time|any ?time) {NOT_SOON}you(?:'re| are) \w+ing\b[^,\x00]{{0,100}}"
    rf"|(?:whenever|every time|each time|any ?time) (?:you|i|we|my|our|there|something|someone|anyone|a|an|the)\b[^,\x00]{{2,100}}"
    rf"|(?:when|if) (?:i|we) (?:ever )?(?:{I_ASK})\b[^,\x00]{{1,100}}"
    rf"|(?:when|whenever) (?:writing|answering|replying|talking|speaking|coding|drafting|explaining|quoting|summari[sz]ing|suggesting|recommending|scheduling|booking|editing|reviewing|translating|making|giving)\b[^,\x00]{{0,80}}"
    r"|if (?:you(?:'re| are) (?:unsure|not sure|in doubt|uncertain)|you (?:don't|do not) know|in doubt|unsure|you (?:can't|cannot|don't|aren't|are not|notice|spot|think)|(?:something|anything|it)(?:'s| is| isn't) (?:un)?clear)[^,\x00]{0,80}"
    r"|(?:for|in|on|with) (?:all|any|every|each|everything|anything|future|your)\b[^,:\x00]{2,80}"
    r"|(?:for|in|on|with) (?:my|our) (?:[\w-]+ ){0,2}[\w-]+s"
    r"|before (?:you )?(?:commit|push|merg|delet|send|deploy|chang|mak|book|order|buy|edit|run|publish|answer|suggest|writ)\w*\b[^,\x00]{0,60}"
    r"|(?:as a (?:general )?rule|by default|in general|generally|unless i (?:say|tell you|ask)[^,\x00]{0,40}|until further notice|at all times))"
)
#: At the end of an order: it holds more than once.
LASTING = (
    rf"(?:{FROM_NOW}|every (?:single )?time\b.*|each time\b.*|always|whenever\b.*|unless (?:i|we) .*|until i say.*|by default|at all times|"
    rf"when(?:ever)? you (?:{TALK})\b.*|when (?:i|we) (?:{I_ASK})\b.*|(?:when|while) (?:writing|answering|replying|talking|speaking|coding|drafting|explaining|quoting)\b.*|"
    r"in (?:all |any |every )?(?:of )?(?:your|future) .*|in (?:all|any|every|anything|everything|whatever) .*|in (?:my|our) (?:[\w-]+ ){0,2}[\w-]+s|"
    r"without (?:asking|checking|my|telling|confirming|running|warning|consulting|letting)\b.*|"
    r"before (?:you )?(?:commit|push|merg|delet|send|deploy|chang|mak|book|order|buy|answer|suggest|start|do|edit|run|post|publish|charg|cancel)\w*\b.*|"
    r"(?:as|if|when) (?:needed|you go|i ask|in doubt|unsure|you(?:'re| are) (?:unsure|not sure))|(?:every|each) (?:day|week|month|morning|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b.*)"
)
MANNER_ADJ = (
    "short|brief|concise|simple|formal|informal|detailed|terse|to the point|friendly|polite|casual|professional|direct|blunt|"
    "honest|specific|patient|gentle|thorough|light|succinct|crisp|plain|straightforward|practical|critical|tight|neutral|snappy|"
    "kind|sarcastic|funny|serious|warm|frank|precise|minimal|compact|readable|low[- ]key|jargon[- ]free"
)
ANSWERS = "answers?|replies|reply|responses?|messages?|explanations?|emails?|e-mails|summaries|texts?|suggestions|tone|language|code|comments|sentences|paragraphs|drafts|letters|updates|reports|subject lines|mails"
STYLE = (
    r"metric|imperial|celsius|fahrenheit|kilomet(?:er|re)s|kilos?|kg|grams|24[- ]hour|12[- ]hour|british|american|uk|us|plain|simple|simpler|short|"
    r"formal|informal|bullet|bullets|markdown|euros?|pounds|dollars|iso|type hints|tabs|spaces|single quotes|double quotes|snake_case|camelcase|"
    r"first names?|last names?|gender[- ]neutral|proper|everyday|layman's|active voice|passive voice|oxford commas?|numbered lists|lower ?case|headings|examples|"
    r"tables|(?:small|big|large|easy) words|inclusive|he|she|they|my (?:first|last|full|nick)\s?name|f-strings|async|pytest|conventional commits|semicolons"
)
HOW = rf"in (?:only )?(?:{LANGUAGES}|plain \w+|simple \w+|layman's terms|bullet points|bullets|short sentences|full sentences|lower ?case|markdown|plain text|prose|metric|one sentence|a few sentences|small steps|everyday \w+|the (?:first|third) person|british english|american english)\b"
# A wish about one of these is hardly ever meant once.
HABIT = (
    r"(?:emojis?|emoticons?|smileys?|bullets?|bullet points|markdown|jargon|tables?|exclamation\w*|apologi\w+|disclaimers?|"
    r"all the time|every time|call(?:ing)? me|small talk|filler|fluff|passive voice|acronyms|slang|buzzwords|clich[eé]s|"
    r"formal\w*|informal\w*|first name|last name|swear\w*|sugar-?coat\w*|lectur\w+|preach\w*|moraliz\w+|follow-up questions|summar\w+ at|"
    r"pleasantries|preambles?|intros?|introductions?|basics|caveats|flatter\w*|compliments?|anglicisms|abbreviations|em[- ]dashes|hashtags|"
    r"placeholders?|semicolons|capital letters|all caps|sorry|beat around|hold back|baby ?talk|patroni[sz]\w+|upsell\w*|ads|promotions?|newsletters?|"
    r"phone calls?|voice ?mails?|cold calls?|guess\w*|invent\w*|make (?:things|stuff|facts|numbers|sources) up|make up (?:facts|numbers|sources|things))"
)
MANNER = (
    rf"(?:keep|make) (?:all )?(?:(?:of )?(?:your|the|my|any|all|our) )?(?:{ANSWERS}|things|everything|them) (?:\w+ ){{0,3}}?(?:{MANNER_ADJ}|under|below|less|within|to (?:a|one|two|three|max|maximum|\d+)|in (?:{LANGUAGES}))\b"
    rf"|be (?:more |as |very |really |brutally |completely |totally |extra |super |a bit (?:more )?|a little (?:more )?)?(?:{MANNER_ADJ})\b(?! (?:this time|here|in this))"
    rf"|(?:get|come|go|cut) (?:straight |right |directly )?to the (?:point|chase)"
    rf"|(?:skip|drop|leave out|cut|spare me|no need for|you can skip|stop with|lose) (?:all |out )?(?:the |any |your |all the )?(?:\w+ )?{HABIT}"
    rf"|(?:answer|reply|respond|write|speak|talk|explain|communicate|text|email|message|converse|put it|phrase (?:it|things))(?: (?:to |with )?me| back| everything| things| it| all \w+| only| always)* {HOW}"
    rf"|(?:use|stick (?:to|with)|prefer|write in|work in|default to|give me|go with|switch to) (?:only |just |the )?(?:{STYLE})\b"
    rf"|(?:explain|walk me through|break) (?:\w+ ){{0,3}}?(?:like|as if|as though|as you go|step[- ]by[- ]step|simply|in (?:plain|simple|small|short)|slowly|down into)"
    rf"|call me (?:by|mr|mrs|ms|miss|dr|doctor|sir|madam)\b"
    rf"|(?:address|refer to|greet|treat|talk to|speak to|write to) me (?:as|by|like|with|in|formally|informally|the way)\b"
    rf"|assume (?:that )?(?:i|i'm|i've|we|we're|i am|basic|no (?:prior )?knowledge|my)\b"
    rf"|(?:ask|check with|consult|warn|tell|notify|alert|confirm with|run it by|run (?:\w+ )?(?:past|by)) (?:me |us )?(?:\w+ )?(?:first|before|beforehand|if (?:you're|anything|something|in doubt|unsure))\b"
    rf"|(?:cite|include|give|list|link|add|name|show)(?: me)? (?:your |the |all (?:your )?)?(?:sources|references|citations)"
    rf"|(?:sign|address|format|start|begin|end|number|label|date) (?:all |any |every |the |my |your )?(?:{ANSWERS}|invoices|files|commits|tickets|headings|steps)s? (?:with|as|by|in|to|off)\b"
    rf"|(?:stop|quit|cut out|enough with) (?:the )?(?:suggest|recommend|send|us|add|say|call|apologi[sz]|ask|remind|repeat|assum|put|writ|start|end|mak|giv|includ|show|offer|tell|sign|lectur|explain|propos|schedul|cc|book|pushing|quot|mention|email|messag|text|ring|hedg|try)\w*ing\b"
    rf"|(?:remind|ping|nudge|email|text|message|send) me (?:[^,\x00]{{0,60}} )?(?:every|each|once a|twice a|daily|weekly|monthly)\b"
    rf"|(?:give|show|quote|list|state|put|write|convert|express|tell)(?: me)? (?:all |any |the |my |your |me )*(?:prices|amounts|costs|dates|times|units|numbers|measurements|temperatures|distances|weights|sums|figures|totals|quantities|recipes|code|examples|sizes|names) (?:in|with|as) \w"
    r"|(?:don't|dont|do not|never|avoid) (?:use|say|write|using|saying|writing) (?:the |any )?(?:words?|phrases?|terms?|names?|expressions?|swear words|contractions)\b"
    rf"|no (?:more |need for (?:any )?)?{HABIT}"
    rf"|(?:don't|dont|do not) (?:ever )?(?:{VERBS}|\w+)\b[^,\x00]{{0,60}}?\b{HABIT}"
    rf"|(?:don't|dont|do not) (?:apologi[sz]e|lecture|sugar-?coat|hold back|patroni[sz]e|assume|guess|nag|preach|flatter|repeat (?:yourself|my|the question|what i)|waffle|ramble|hedge|upsell|call me|sugar coat|dumb (?:it|things) down|talk down)\b"
    rf"|(?:limit|restrict|cap) (?:yourself|your \w+|it|all \w+|answers|replies) to\b"
)
BEGINS = rf"(?:always |never |only |just |do not |don't |dont |not |avoid |please |pls |stop )*(?:{VERBS})\b"
DONT = r"(?:do not|don't|dont)"
