"""What somebody works with: editors, languages, services."""

import re

from memoryhub.llm.backends.rules.wording import LANGUAGES, TOOLS, Rule, is_town, rx, short, words

_ONE = rf"(?:(?-i:[^\W\d_a-z][\w.+#-]*(?: (?:[^\W\d_a-z][\w.+#-]*|\d[\d.]*))*)|(?:{TOOLS})(?: \d[\d.]*)?)"
_TOOL = rf"(?P<value>{_ONE}(?:(?:, | and |, and | \+ | on | plus ){_ONE}){{0,4}})"
_DEVICES = (
    r"(?:mac(?:book)?(?: pro| air| mini)?|imac|iphone|ipad|pixel|galaxy|thinkpad|chromebook|surface|kindle|android(?: phone)?|apple watch|"
    r"raspberry pi|synology|xbox|playstation|ps5|garmin|fitbit|dell xps|windows (?:pc|laptop|machine)|linux (?:box|machine|laptop))"
)
_END = r"(?=[.,;!)]|$| (?:for|as|on|at|to|and|or|plus|every|in|with|daily|running|exclusively|instead|because|but|now|here|any ?more|over|last|this|all|via|by|a while|for years|of)\b| \(| -| –)"


_NO_TOOL = words(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays "
    "sundays january february march april may june july august september october november december mr mrs english german "
    "french spanish italian the i we a my our"
) | frozenset(LANGUAGES.split("|"))
_OURS = r"(?:the (?:whole |entire )?(?:team|company|office)|everyone|everybody|{MY} (?:whole |entire )?(?:team|company|office))"


_KIND_OF_DEVICE = re.compile(r" (?:laptop|pc|machine|box|computer|desktop)$", re.I)


def tool(value: str) -> str | None:
    """A tool's name, which is no day, month or language."""
    said = _KIND_OF_DEVICE.sub("", short(value) or "") or None
    return None if said is None or said.split()[0].lower() in _NO_TOOL or is_town(said) else said


def _tool(pattern: str, says: str = "Uses {value}", says_not: str = "Does not use {value}") -> Rule:
    return Rule("profile", rx(pattern + _END), says, says_not, "tool", tool, split=True)


RULES = (
    _tool(
        rf"{{I}}{{ADV}}{{NO}}{{ADV}} (?:use|rely on|code in|program in|develop in|deploy with|"
        rf"write(?: \w+)? in|write(?: mostly| mainly| only)?) {_TOOL}"
    ),
    # People and places are worked with and in too: only what is known for a tool is one.
    _tool(
        rf"{{I}}{{ADV}}{{NO}}{{ADV}} work (?:with|in|on) (?P<value>(?:{TOOLS})(?:(?:, | and |, and ){_ONE}){{0,4}})"
    ),
    _tool(rf"{{AM}}{{ADV}}{{NOT}}{{ADV}} (?:using|running|writing (?:it |this )?in|coding in) {_TOOL}"),
    _tool(
        rf"(?:{{I}}|{{HAVE}}){{ADV}}(?P<neg> stopped using| quit using| dropped| ditched| gave up on) {_TOOL}"
    ),
    _tool(
        rf"{{I}}{{ADV}} (?:deploy|host|build|ship)(?: (?:it|everything|our \w+|my \w+))? (?:to|on|with|via|in) {_TOOL}"
    ),
    _tool(
        rf"{{CLAUSE}}{_OURS} (?:is |are )?(?:on|uses?|using|works? (?:with|in|on)|moved to|switched to) {_TOOL}"
    ),
    _tool(rf"{{MY}} (?:\w+ )?\w+ (?:runs?|is running|is hosted|are hosted|lives?) (?:on|in) {_TOOL}"),
    _tool(
        rf"{{MY}} (?P<what>editor|ide|shell|terminal|operating system|os|laptop|phone|database|browser|main language|"
        rf"cloud provider|framework)(?: of choice)? is (?:an? |the )?(?:old |new |ancient )?{_TOOL}",
        "{what} is {value}",
    ),
    _tool(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?:work|do (?:most of my work|everything|my \w+)|live|game|edit|develop|code|write|read|watch [\\w ]{{2,12}}|draw|listen)(?: mostly| mainly)? (?:on|in|from|with) (?:an? |my )?(?P<value>(?:{_DEVICES}|{TOOLS})(?: (?:pro|air|mini|\d[\d.]*))*)"
    ),
    _tool(
        rf"{{CLAUSE}}(?:all|mostly|mainly|primarily|usually|mainly on|mostly on) (?:in |on |with |using )?{_TOOL}"
    ),
    _tool(
        rf"{{CLAUSE}}(?:(?:the|my|our) )?(?P<what>editor|ide|shell|os|database|db|backend|back end|frontend|front end|app|site|website|server|ci|hosting|stack|crm|helpdesk|erp|api|repo|code(?:base)?|laptop|phone|tablet|browser|tickets|docs|code|infra(?:structure)?|servers?|data|files|everything|invoices|notes)(?: all)? (?:is|are|runs?|lives?|sits?)(?: (?:now|all|hosted|built|written|deployed|managed|tracked|stored|still|currently))* (?:(?:on|in|with|using|at) )?(?:an? )?{_TOOL}",
        "{what} is {value}",
    ),
    _tool(
        rf"{{I}}{{ADV}} (?:host|keep|run|store|manage|track|build|deploy|do)(?: (?:everything|all our \w+|all my \w+|our \w+|my \w+|it all|most things))? (?:on|in|with|via|to|using) {_TOOL}"
    ),
    _tool(
        rf"(?:{{I}}|{{HAVE}}){{ADV}}(?P<neg> switched| migrated| moved| changed| gone)(?: over)?(?: (?:our|my|the|everything|all) ?[\w ]{{0,20}}?)? from (?:an? )?(?P<value>{_ONE})(?= to\b)",
        says_not="No longer uses {value}",
    ),
    _tool(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?:switched|migrated|changed)(?: (?:our|my|the|everything|all) ?[\w ]{{0,20}}?)?(?: over)?(?: from (?:an? )?[\w .+-]{{2,30}}?)? (?:over )?to (?:an? )?{_TOOL}"
    ),
    _tool(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?:moved|gone over|gone) (?:(?:our|my|the|everything|all) ?[\w ]{{0,20}}?(?: over)? |over )(?:from (?:an? )?[\w .+-]{{2,30}}? )?to (?P<value>(?:{TOOLS}))"
    ),
    _tool(
        rf"{{I}}{{ADV}} (?:publish|deploy|edit|manage|track|test|draw|design|build|host|store|share|sync|plan|handle|monitor|film|mix|record|write|send|post|sell|invoice|schedule|organi[sz]e|render|print|cut|animate|train|practi[sc]e)(?: (?:it|them|everything|all of (?:it|them)|(?:the|my|our) [\w-]+(?: [\w-]+)?|[a-z]+s))? (?:with|in|using|via|through) {_TOOL}"
    ),
    _tool(
        rf"(?:{{I}}|{{HAVE}}){{ADV}}(?P<neg> quit| deleted| left| uninstalled| given up| gave up| come off| got off) (?P<value>(?:instagram|facebook|tiktok|twitter|linkedin|netflix|reddit|youtube|snapchat|{TOOLS}))"
    ),
    _tool(
        rf"{{CLAUSE}}(?:(?:the|my|our|all|all our|all my) )?(?:[a-z]+s|everything|payroll|accounting|billing|e-?mail|planning) (?:go|goes|run|runs|is done|are done|happens?|is|are)(?: all)? (?:through|via|over|done in|handled by|handled in|made in|kept in|stored in|booked through|managed in) {_TOOL}"
    ),
    _tool(rf"{{AM}}{{ADV}}(?P<neg> done with| finished with| off) (?P<value>(?:{TOOLS}))"),
    _tool(
        rf"{{I}}{{ADV}}(?P<neg> don't| do not| dont| no longer) (?:have|own|work with|like using) (?P<value>(?:{TOOLS}))"
    ),
    _tool(
        rf"{{I}}{{ADV}} (?:do|write|keep|track|take|manage|make|store|plan|edit|record|draw|log|handle|organi[sz]e|host|run|draft|code|type|back up|sync|design|process)(?: up)? (?:most of |all of |almost all |nearly all |all )?(?:my|our|the|all|everything|most|notes|code)(?: [\w-]+){{0,3}} (?:in|with|on|via|through|using) {_TOOL}"
    ),
    _tool(
        rf"{{CLAUSE}}(?P<value>{_ONE}) (?:keeps?|handles?|manages?|tracks?|stores?|runs?|does|takes care of|syncs?|backs up|reminds me|holds?) (?:of )?(?:my|our|all my|all our|the)"
    ),
    _tool(rf"{{I}}{{ADV}} (?:run|daily[- ]drive|swear by|live in|rely on) (?P<value>(?:{TOOLS}))"),
    _tool(
        rf"{{CLAUSE}}(?:the|my|our) (?:\w+ )?(?P<what>stuff|part|half|rest|services?|scripts?|modules?|bot|firmware|game|newsletter|payroll|accounting|bookings?|pipelines?|monitoring|ticketing|tickets|calendar|website|backups?|books|frontend|backend|app|api|tests?) (?:is|are|runs?|lives?) (?:\w+ )?(?:on|in|with) {_TOOL}"
    ),
    _tool(
        rf"{{AM}}{{ADV}} an? (?P<value>{_ONE}) (?:shop|house|team|person|user|guy|girl|dev|developer|household|office|family)"
    ),
    _tool(
        rf"{{I}}{{ADV}} use (?:an? )?{_ONE}(?: laptop| machine| pc)? (?:for|at|in|on) [\w ]{{2,25}}?(?:,| and|, and) (?:an? )?{_TOOL}"
    ),
    _tool(rf"{{I}}{{ADV}} use an? {_TOOL}(?: laptop| machine| pc)?"),
    _tool(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?:moved|migrated|switched|gone) (?:[\w ]{{2,25}}? )?from (?:{TOOLS}) to {_TOOL}"
    ),
    _tool(rf"{{HAVE}}{{ADV}} been (?:using|on|running|writing|coding in) {_TOOL}"),
    _tool(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?:have|got|bought|own|use|'m using|have got) (?:an? |my |the )?(?:new |old |\d{{4}} )?(?P<value>{_DEVICES}(?: (?:pro|air|mini|max|\d[\w.]*|(?-i:[A-Z])\w*))*)"
    ),
    _tool(
        rf"{{HAVE}}{{ADV}} (?:got )?an? (?:new |old |\d{{4}} )?(?P<value>{_DEVICES}(?: (?:pro|air|mini|max|\d[\w.]*))*)"
    ),
    _tool(
        rf"{{AM}}{{ADV}} on (?:an? |the )?(?P<value>(?:{_DEVICES}|(?:{TOOLS}))(?: (?:pro|air|mini|max|\d[\w.]*))*)"
    ),
)
