"""Running rules over one sentence."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import product

from memoryhub.llm.backends.rules import guards, heads, listing
from memoryhub.llm.backends.rules.clauses import Opening, openings
from memoryhub.llm.backends.rules.sentences import COMMA, Sentence
from memoryhub.llm.backends.rules.speech import Words, capital, no_longer, shifted
from memoryhub.llm.backends.rules.wording import PARTS, Found, Rule, is_guessed_name

# Who writes a capital anywhere would have written the name with one.
_CAPITAL = re.compile(r"[^\W\d_a-zß-öø-ÿ]")
_LISTED = re.compile(r",? and |, | \+ | on | plus ", re.I)
_ENDED = re.compile(r"no longer|stopped|quit|dropped|ditched|gave up", re.I)
_ANY_MORE = re.compile(r"(?:anymore|any more|any longer)\b", re.I)
_CUT = re.compile(r"(?:,| -|^)? ?\b(?:but|however|anyway|actually|in reality|fyi|btw|by the way)\b,? ", re.I)


_WORD = re.compile(r" ?([\w']+)")
#: Words that a pattern may pass over before its first own one.
_PASSED = frozenset(re.findall(r"[a-z']+", PARTS["ADV"] + PARTS["NOT"] + PARTS["NO"]))
_ANY = ""
# "A house that we rent out" tells of the house.
_RELATIVE = re.compile(
    r"\b(?:which|who|whom|where|what|how|why|(?:house|flat|cabin|\w+s|one|thing|way|place|everything|something|anything|all|(?:a|an|the|my|our|some|any) (?:\w+ ){0,2}\w+) that)(?: \w+ly)? $",
    re.I,
)
_GONE = re.compile(
    r"\b(?:lost|buried|miss|put down|rehomed|late|(?<!live )(?<!living )with|for|from|of|by|than|like)(?: both)? $",
    re.I,
)
_TELLS = re.compile(r"\b(?:i|i'm|i've|im|i'd|i'll|we|we're|we've|we'd|we'll)\b", re.I)
_SAID = re.compile(r"[\w']+")


class Rules:
    """Rules by the words that a match of theirs begins with, so that few are tried at each place. Earlier ones win."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._anywhere: list[tuple[int, Rule]] = []
        self._by_words: dict[tuple[str, str], list[tuple[int, Rule]]] = defaultdict(list)
        for order, rule in enumerate(rules):
            source = rule.pattern.pattern
            opened = heads.openers(source)
            for key in product(opened, heads.leads(source) or {_ANY}):
                self._by_words[key].append((order, rule))
            if not opened:
                self._anywhere.append((order, rule))

    def run(self, sentence: Sentence) -> list[Found]:
        """Everything the rules find in ``sentence`` that is said, by the speaker, as a fact."""
        found: list[tuple[int, Found]] = []
        unsaid: dict[str, bool] = {}
        for order, rule, match, place in self._matches(sentence):
            if place.before not in unsaid:
                unsaid[place.before] = _is_unsaid(place.before)
            if rule.spoken and place.shift + match.start() < place.first:
                continue
            if not unsaid[place.before] and not _is_refused(rule, match, place.before):
                found += ((order, item) for item in _made(rule, match, place))
        return [item for _, item in sorted(found, key=lambda ranked: ranked[0])]

    def _matches(self, sentence: Sentence) -> Iterator[tuple[int, Rule, re.Match[str], Opening]]:
        """What begins with the speaker is looked for where the speaker is, the rest everywhere."""
        said = frozenset(_SAID.findall(sentence.text.lower()))
        for place in openings(sentence):
            for key in product(place.words, _leads(place)):
                for order, rule in self._by_words.get(key, ()):
                    if rule.cues and not rule.cues & said:
                        continue
                    match = rule.pattern.match(place.text, place.at)
                    if match:
                        yield order, rule, match, place
        text = sentence.text
        for order, rule in self._anywhere:
            for match in rule.pattern.finditer(text):
                at = match.start()
                place = Opening(text, at, frozenset(), sentence.start, sentence.start + at, text[:at])
                yield order, rule, match, place


def _leads(place: Opening) -> set[str]:
    """The first letters of the words that a pattern's own first word may be at ``place``."""
    leads, at = {_ANY}, place.at
    for number in range(7):
        match = _WORD.match(place.text, at)
        if match is None:
            break
        word, at = match[1].lower(), match.end()
        leads.add(word[:3])
        if number and word not in _PASSED and word not in ("am", "are", "have"):
            break
        if "CLAUSE" in place.words:
            break
    return leads


def _is_refused(rule: Rule, match: re.Match[str], before: str) -> bool:
    # What follows is a quotation and hidden: what is spoken of is not known.
    quotes = match.string[match.end() :].lstrip().startswith("\x00")
    loose = rule.kind in ("preference", "event") or (rule.kind == "profile" and rule.attribute is None)
    if rule.aside and (_GONE.search(before) or (guards.is_relative(before) and not _TELLS.search(before))):
        return True
    return (
        quotes
        or (loose and bool(_RELATIVE.search(before)))
        or (loose and guards.is_relative(_CUT.split(before)[-1]))
    )


def _is_unsaid(before: str) -> bool:
    """What follows ``before`` is supposed, or said by somebody else."""
    before = _CUT.split(before)[-1]
    return guards.is_supposed(before) or guards.is_reported(before)


def _made(rule: Rule, match: re.Match[str], place: Opening) -> Iterator[Found]:
    groups = {name: Words(text or "") for name, text in match.groupdict().items()}
    raw = groups.get("value", "")
    template = rule.says_not if groups.get("neg") else rule.says
    guessed = rule.named and is_guessed_name(raw)
    if not template or (guessed and _CAPITAL.search(match.string, place.at + 1)):
        return
    parts = _parts(rule, raw)
    for part in parts:
        value = rule.shape(part) if part else None
        if value is None and raw:
            continue
        start = match.start("here") if groups.get("here") else match.start()
        yield Found(
            kind=rule.kind,
            attribute=rule.attribute,
            value=_plain(value) if value and rule.attribute is not None else None,
            statement=_plain(_statement(template, groups | {"value": Words(value or "")}, match)),
            start=max(place.first, place.shift + start),
            end=place.shift + match.end(),
            doubtful=rule.doubtful
            or guards.is_doubted(place.before, match.group(), match.string[match.end() :])
            or guessed,
            dating=rule.dating,
            needs_date=rule.needs_date,
            about_other=rule.about_other,
            aside=rule.aside,
            listed=len(parts) > 1,
        )


def _parts(rule: Rule, raw: str) -> list[str]:
    if not rule.split:
        return [raw]
    return _LISTED.split(raw) if rule.attribute == "tool" else listing.parts(raw)


def _plain(text: str) -> str:
    return text.replace(COMMA, ",")


def _statement(template: str, groups: dict[str, Words], match: re.Match[str]) -> str:
    """The template filled in. What is denied "any more" was so before, and the statement says it."""
    statement = template.format_map(groups)
    denied = groups.get("neg", "").lower()
    if denied and (_ENDED.search(denied) or _ANY_MORE.search(match.string, match.start(), match.end() + 12)):
        statement = no_longer(statement)
    return capital(re.sub(r"\s+", " ", shifted(statement)).strip())
