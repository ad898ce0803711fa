"""What somebody works with: editors, languages, services."""

from memoryhub.llm.backends.rules.wording import TOOLS, Rule, rx, short, words

_ONE = rf"(?:(?-i:[^\W\d_a-z][\w.+#-]*(?: (?:[^\W\d_a-z][\w.+#-]*|\d[\d.]*))*)|(?:{TOOLS})(?: \d[\d.]*)?)"
_TOOL = rf"(?P<value>{_ONE}(?:(?:, | and |, and | \+ | on ){_ONE}){{0,4}})"
_END = r"(?=[.,;!)]|$| (?:for|as|on|at|to|and|every|in|with|daily|running|exclusively|instead|because|but|now|here|any ?more)\b)"


_NO_TOOL = words(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays "
    "sundays january february march april may june july august september october november december english german "
    "french spanish italian the i we a my our"
)
_OURS = r"(?:the (?:whole |entire )?(?:team|company|office)|everyone|everybody|{MY} (?:whole |entire )?(?:team|company|office))"


def tool(value: str) -> str | None:
    """A tool's name, which is no day, month or language."""
    said = short(value)
    return None if said is None or said.split()[0].lower() in _NO_TOOL else said


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
    _tool(rf"{{CLAUSE}}{_OURS} (?:is |are )?(?:on|uses?|using|works? (?:with|in|on)|moved to|switched to) {_TOOL}"),
    _tool(rf"{{MY}} (?:\w+ )?\w+ (?:runs?|is running|is hosted|are hosted|lives?) (?:on|in) {_TOOL}"),
    _tool(
        rf"{{MY}} (?P<what>editor|ide|shell|terminal|operating system|os|laptop|phone|database|browser|main language|"
        rf"cloud provider|framework)(?: of choice)? is (?:an? |the )?{_TOOL}",
        "{what} is {value}",
    ),
)
