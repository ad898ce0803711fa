"""What somebody works with: editors, languages, services."""

from memoryhub.llm.backends.rules.wording import TOOLS, Rule, rx, short

_ONE = rf"(?:(?-i:[^\W\d_a-z][\w.+#-]*(?: (?:[^\W\d_a-z][\w.+#-]*|\d[\d.]*))*)|(?:{TOOLS})(?: \d[\d.]*)?)"
_TOOL = rf"(?P<value>{_ONE}(?:(?:, | and |, and | \+ ){_ONE}){{0,4}})"
_END = r"(?=[.,;!)]|$| (?:for|as|on|at|to|and|every|in|with|daily|running|exclusively|instead|because|but|now|here)\b)"


def _tool(pattern: str, says: str = "Uses {value}", says_not: str = "Does not use {value}") -> Rule:
    return Rule("preference", rx(pattern + _END), says, says_not, "tool", short)


RULES = (
    _tool(
        rf"{{I}}{{ADV}}{{NO}}{{ADV}} (?:use|rely on|work with|code in|program in|work in|develop in|deploy with|"
        rf"write(?: \w+)? in|write(?: mostly| mainly| only)?) {_TOOL}"
    ),
    _tool(rf"{{AM}}{{ADV}} (?:using|running|writing (?:it |this )?in|coding in) {_TOOL}"),
    _tool(
        rf"{{MY}} (?P<what>editor|ide|shell|terminal|operating system|os|laptop|phone|database|browser|main language|"
        rf"cloud provider|framework)(?: of choice)? is (?:an? |the )?{_TOOL}",
        "{what} is {value}",
    ),
)
