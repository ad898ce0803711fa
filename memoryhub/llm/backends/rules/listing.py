"""Several things said as one: "nuts and shellfish" are two, "fish and chips" is one."""

import re

_BETWEEN = re.compile(r",? (?:and|or)(?: also)? |, ", re.I)
_LEAD = re.compile(r"^(?:to|from|of|in|with) ", re.I)
#: What only together is something, or belongs to what follows it.
_TOGETHER = re.compile(
    r"\b(?:fish and chips|rock (?:and|'?n'?) roll|mac and cheese|bed and breakfasts?|black and white|drum and bass|"
    r"rhythm and blues|country and western|salt and (?:pepper|vinegar)|bread and butter|gin and tonics?|arts and crafts|"
    r"peanut butter and \w+|more and more|up and down|back and forth|trial and error|science and technology|"
    r"research and development|human resources and \w+|(?:more|less|better|rather|between|both|either) [^,]*)",
    re.I,
)
# "Strong and black" tells how one thing is.
_HOW = re.compile(
    r"(?:black|white|red|green|blue|short|long|big|small|hot|cold|warm|sweet|spicy|simple|plain|quick|slow|old|new|dark|light|strong|"
    r"weak|soft|hard|wet|dry|clean|quiet|loud|cheap|easy|calm|fresh|rare|well done|clear|direct|\d+)$",
    re.I,
)
_MOST_WORDS = 4


def parts(text: str) -> list[str]:
    """The things that ``text`` lists, or the whole when it is one thing or not surely a list."""
    if _TOGETHER.search(text):
        return [text]
    listed = [_LEAD.sub("", part.strip()) for part in _BETWEEN.split(text)]
    if len(listed) < 2 or not all(map(_is_thing, listed)):
        return [text]
    return listed


def _is_thing(part: str) -> bool:
    return 0 < len(part.split()) <= _MOST_WORDS and not _HOW.match(part) and not part.startswith("my ")
