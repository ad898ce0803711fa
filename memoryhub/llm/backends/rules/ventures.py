"""What is made or run together with others, and for one undertaking: read before the tools that it is made with."""

from memoryhub.llm.backends.rules.wording import Rule, rx, thing

_WE = r"(?:team|group|company|class|club|department|agency|startup|start-up|husband and i|wife and i|partner and i|brother and i|sister and i|friend and i|friends and i|colleagues and i|office|school|band|choir|charity|studio|lab|co-?founder and i|daughter and i|son and i)"
_MAKING = (
    "working on|building|migrating|rewriting|porting|developing|rolling out|prototyping|redesigning|refactoring|replacing|designing|writing|coding|creating|restoring|"
    "converting|composing|editing|researching|renovating|putting together|recording|producing|translating|curating|digiti[sz]ing|setting up|preparing|making|programming|"
    "testing|moving|organi[sz]ing|drafting|automating|assembling|compiling|knitting|sewing|crocheting|illustrating|filming|mapping|documenting|revising|modelling|modeling|"
    "expanding|evaluating|piloting|introducing|cataloguing|furnishing|decorating|redecorating|landscaping|carving|weaving|tiling|upholstering|refurbishing|insulating|fixing up|doing up"
)
# What is being done for the moment, or is told as a plan or a part of one's life.
_PASSING = (
    "having|getting|trying|looking|using|running|seeing|facing|calling|contacting|following|wondering|asking|thinking|going|leaving|coming|taking|doing|paying|missing|losing|waiting|sitting|standing|holding|reading|"
    "watching|eating|drinking|talking|replying|sending|receiving|experiencing|struggling|dealing|considering|hoping|planning|expecting|wearing|showing|feeling|moving|flying|driving|meeting|attending|visiting|buying|selling|"
    "training|learning|studying|hosting|giving|joining|starting|opening|closing|launching|switching|applying|submitting|filling|setting|ordering|returning|booking|cancelling|importing|exporting|logging|entering|clicking|passing|"
    "working|living|staying|sharing|renting|raising|teaching|saving|finding|keeping|being|hitting|needing|wanting|throwing|spending|searching|typing|listening|playing|testing|bringing|picking|making|cooking|celebrating|turning|caring|"
    "managing|leading|owning|handling|approaching|reaching|nearing|enjoying|loving|hating|putting|typing|installing|updating|upgrading|downloading|uploading|exploring|comparing|charging|reporting|writing|requesting|dying|losing|begging|including|attaching|reviewing|checking"
)
_OBJECT = r"(?:an?|the|my|our|all|some|new|two|three)\b (?!(?:reply|e-?mail|message|complaint|mistake|few changes|list|error|mess|change|ticket|bug report|question|letter|look|decision|call|phone call|fuss|bit|payment|purchase|reservation|booking|virtual|new (?:laptop|phone|computer|pc|account|router|printer)|trip|party|holiday|weekend|dinner|meeting)\b)"


def _project(pattern: str, says: str, **more: object) -> Rule:
    return Rule("project", rx(pattern), says, "", None, thing, **more)  # type: ignore[arg-type]


RULES = (
    _project(
        r"{CLAUSE}(?P<value>(?:for|in|on) (?:this|the|our|my) (?:[\w-]+ )?(?:project|app|site|website|repo|codebase|course|thesis|book|report|product|client) (?:i|we) (?!need\b|want\b|have\b|can't\b|am\b|would\b|get\b|keep\b)[^,;!?\x00\n]{4,90}?){STOP}",
        "{value}",
        cues=frozenset(["for", "in", "on"]),
    ),
    _project(
        rf"{{MY}} (?P<who>(?:\w+ )?{_WE}) (?P<what>(?:is|are|has been|have been)(?: currently| now| also)? (?:{_MAKING})) (?P<value>{_OBJECT}?[^,;!?\x00\n]{{3,100}}?){{STOP}}",
        "{who} {what} {value}",
    ),
)

#: After those of ``projects``, which know more.
MADE = (
    _project(
        rf"(?:{{AM}}|{{HAVE}} been){{ADV}} (?P<what>{_MAKING}) (?P<value>{_OBJECT}[^,;!?\x00\n]{{3,100}}?){{STOP}}",
        "Is {what} {value}",
    ),
    _project(
        rf"{{AM}}{{ADV}} (?P<what>(?!(?:{_PASSING})\b)[a-z]+ing) (?P<value>(?:an?|my|our|the)\b (?!(?:error|problem|issue|message|bug|file|page|app|virtual|same|new version|trial|list|form|ticket|refund|question|function|class|string|loop|bit|lot|few|little|day|week|bus|train|car|taxi|lift|wrong|right)\b)[^,;!?\x00\n]{{3,90}}?)(?<! now)(?<! today){{STOP}}",
        "Is {what} {value}",
    ),
    _project(
        r"(?:{I}|{HAVE}){ADV} (?P<what>settled on|decided (?:to|on|against|that|not to)|agreed (?:to|on|that)|chosen|chose|picked|opted for|gone with|gone for|stuck with|committed to|narrowed it down to|voted (?:for|to)|ruled out|dropped|scrapped|signed off on) (?!out\b|off\b|up\b|it\b|this\b|that\b|you\b){THING}",
        "{what} {value}",
    ),
)
