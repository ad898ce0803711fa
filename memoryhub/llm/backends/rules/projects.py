"""What somebody is working on, and what was decided in it."""

from memoryhub.llm.backends.rules.wording import TOOLS, Rule, rx, thing


def _project(pattern: str, says: str, **more: object) -> Rule:
    return Rule("project", rx(pattern), says, "", None, thing, **more)  # type: ignore[arg-type]


RULES = (
    _project(
        r"{AM}{ADV} (?P<what>working on|building|migrating|rewriting|porting|developing|launching|rolling out|prototyping|redesigning|refactoring|replacing|designing|writing) {THING}",
        "Is {what} {value}",
    ),
    _project(
        r"{MY} (?:current |side |main |new |big )?project(?: is|'s)(?: called| named| about| to)? {THING}",
        "Project is {value}",
    ),
    _project(
        r"(?:{I}|{HAVE}|{I} have|{I} all){ADV} (?:decided|agreed|chosen|chose|settled) (?P<what>to|on using|on) {THING}",
        "Decided {what} {value}",
    ),
    _project(
        r"{AM}{ADV} (?:going to |gonna )?(?P<what>switch(?:ing)?|migrat(?:e|ing)|mov(?:e|ing)) (?P<off>(?:all |everything |our [\w ]{2,30}? )?from [\w .+#-]{2,40}? to|(?:our [\w ]{2,30}? )to) {THING}",
        "Is {what} {off} {value}",
    ),
    _project(r"{MY} (?:tech )?stack is {THING}", "Stack is {value}"),
    _project(
        r"(?:{I}|{HAVE}){ADV} (?P<what>moved|migrated|switched) (?P<off>(?:our [\w ]{2,30}? |everything |from [\w .+#-]{2,40}? )?to) (?P<value>"
        + f"(?:{TOOLS})"
        + r"(?: \d[\d.]*)?)\b",
        "{what} {off} {value}",
        dating="since",
    ),
    _project(
        r"{CLAUSE}(?:we|our (?:stack|backend|frontend|app|team|company|product|service|project|website|site|database|infrastructure)){ADV} (?:runs?|is (?:built|written|hosted|deployed)) (?P<what>on|in|with) {THING}",
        "Stack runs {what} {value}",
    ),
)
