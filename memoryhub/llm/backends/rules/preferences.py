"""What somebody likes, dislikes, prefers, does for fun and works with."""

import re

from memoryhub.llm.backends.rules.wording import Rule, proper, rx, short, thing, tidy

_TOOLS = (
    "vim|neovim|emacs|vs ?code|visual studio code|pycharm|intellij|jira|linear|notion|obsidian|slack|teams|zoom|figma|"
    "git|github|gitlab|docker|kubernetes|terraform|ansible|postgres|postgresql|mysql|sqlite|redis|mongodb|"
    "elasticsearch|kafka|rabbitmq|django|flask|fastapi|rails|react|vue|svelte|angular|next\\.?js|node|python|rust|go|"
    "golang|java|kotlin|swift|typescript|javascript|php|ruby|elixir|scala|haskell|excel|sheets|google sheets|sap|"
    "salesforce|hubspot|zendesk|stripe|shopify|wordpress|aws|azure|gcp|linux|ubuntu|debian|fedora|arch|macos|windows|"
    "tmux|zsh|fish|latex|markdown|airtable|trello|asana|snowflake|dbt|airflow|spark|tableau|power ?bi|grafana|"
    "prometheus|datadog|sentry|jenkins|homebrew|firefox|chrome|safari"
)
_TOOL = rf"(?P<value>(?-i:[^\W\d_a-z][\w.+#-]*(?: (?:[^\W\d_a-z][\w.+#-]*|\d[\d.]*))*)|(?:{_TOOLS})(?: \d[\d.]*)?)"
_LIKING = r"(?P<how>like|love|enjoy|adore|am a (?:big |huge )?fan of|'m a (?:big |huge )?fan of)"
_NO_LIKING = re.compile(
    r"(?:it|this|that|these|those|you|your|the (?:idea|way|look|sound|fact|new|first|second|third|last|other)|how|what|"
    r"when|where|to (?:know|see|hear|ask|try|get|understand|think|be able|use|have|make|add|change|thank|say)|him|her|"
    r"them|everything|all|being|working with you|seeing|talking|chatting)\b",
    re.I,
)


def liked(value: str) -> str | None:
    """Something that can be liked beyond this moment."""
    said = thing(value)
    return None if said is None or _NO_LIKING.match(said) else said


def preferred(value: str) -> str | None:
    """What is preferred, with what it is preferred to."""
    said = thing(value)
    return (
        None
        if said is None or re.match(r"(?:not to say|the (?:first|second|last|other|former|latter))\b", said)
        else said
    )


def _prefers(pattern: str, says: str, says_not: str = "", **more: object) -> Rule:
    return Rule("preference", rx(pattern), says, says_not, None, preferred, **more)  # type: ignore[arg-type]


def _likes(pattern: str, says: str, attribute: str = "likes") -> Rule:
    return Rule("preference", rx(pattern), says, "", attribute, liked)


RULES = (
    _prefers(r"{I}{ADV}{NO}{ADV} prefer {THING}", "Prefers {value}", "Does not prefer {value}"),
    _prefers(r"{I}'d{ADV} rather have {THING}", "Would rather have {value}"),
    _prefers(r"{MY} (?:strong |personal )?preference is(?: for| to)? {THING}", "Prefers {value}"),
    _likes(r"\bi{ADV} like {THING}", "Likes {value}"),
    _likes(r"\bi{ADV} love {THING}", "Loves {value}"),
    _likes(r"\bi{ADV} (?:enjoy|adore) {THING}", "Enjoys {value}"),
    _likes(
        r"\b(?:i'm|i am){ADV} (?:a (?:big |huge )?fan of|fond of|keen on|really into|into|obsessed with|passionate about) {THING}",
        "Likes {value}",
    ),
    _likes(
        r"\bi{ADV} (?:hate|dislike|detest|despise|loathe|can't stand|cannot stand|can't bear) {THING}",
        "Dislikes {value}",
        "dislikes",
    ),
    _likes(
        r"\bi{ADV} (?:do not|don't|dont){ADV} (?:like|enjoy|love|care for) {THING}",
        "Does not like {value}",
        "dislikes",
    ),
    _likes(
        r"\b(?:i'm|i am){ADV} not (?:a (?:big |huge )?fan of|fond of|keen on|into) {THING}",
        "Does not like {value}",
        "dislikes",
    ),
    Rule(
        "preference",
        rx(
            r"{MY} (?:all[- ]time )?favou?rite (?P<what>[a-z][a-z -]{1,30}?) (?:is|are|has always been|was always) (?P<neg>not )?{THING}"
        ),
        "Favourite {what} is {value}",
        "Favourite {what} is not {value}",
        "likes",
        liked,
    ),
    Rule(
        "preference",
        rx(
            r"(?P<value>(?-i:[A-Z][\w'+#-]*)(?: [\w'+#-]+){0,3}) is {MY} (?:all[- ]time )?favou?rite (?P<what>[a-z][a-z -]{1,30}?){STOP}"
        ),
        "Favourite {what} is {value}",
        "",
        "likes",
        liked,
    ),
    Rule(
        "preference",
        rx(
            r"(?:in my (?:free|spare) time,? i|on weekends,? i|at weekends,? i)(?: usually| mostly| often)* {THING}"
        ),
        "{value:third} in free time",
        "",
        "hobby",
        thing,
    ),
    Rule(
        "preference",
        rx(r"{MY} hobb(?:y|ies) (?:is|are|include) {THING}"),
        "Hobby: {value}",
        "",
        "hobby",
        thing,
    ),
    Rule(
        "preference",
        rx(
            r"\bi{ADV}(?: often| regularly)?(?P<neg> don't)? (?P<what>play|practi[sc]e|collect|go) (?:the )?(?P<value>(?:guitar|piano|violin|drums|bass|cello|flute|saxophone|chess|tennis|football|soccer|basketball|volleyball|badminton|golf|hockey|rugby|cricket|padel|squash|poker|video games|board games|yoga|meditation|judo|karate|climbing|bouldering|running|hiking|cycling|swimming|surfing|skiing|snowboarding|sailing|kayaking|fishing|camping|stamps|coins|vinyl records|vinyl)(?: and \w+)?)\b"
        ),
        "{what:third} {value}",
        "Does not {what} {value}",
        "hobby",
        short,
    ),
    Rule(
        "preference",
        rx(
            rf"{{I}}{{ADV}}{{NO}}{{ADV}} (?:use|rely on|work with|code in|program in|write(?: \w+)? in|work in|develop in|deploy with) {_TOOL}(?=[.,;!)]|$| (?:for|as|on|at|to|and|every|in|with|daily|exclusively|instead|because|but|now)\b)"
        ),
        "Uses {value}",
        "Does not use {value}",
        "tool",
        short,
    ),
    Rule(
        "preference",
        rx(
            rf"{{AM}}{{ADV}} (?:using|running|writing (?:it |this )?in|coding in) {_TOOL}(?=[.,;!)]|$| (?:for|as|on|at|to|and|in|with|because|but|now)\b)"
        ),
        "Uses {value}",
        "",
        "tool",
        short,
    ),
    Rule(
        "preference",
        rx(
            rf"{{MY}} (?P<what>editor|ide|shell|terminal|operating system|os|laptop|phone|database|browser|main language|stack|cloud provider|framework)(?: of choice)? is {_TOOL}"
        ),
        "{what} is {value}",
        "",
        "tool",
        tidy,
    ),
)

__all__ = ["RULES", "liked", "preferred", "proper"]
