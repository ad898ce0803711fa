"""Running rules over one sentence."""

import re
from collections.abc import Iterable, Iterator

from memoryhub.llm.backends.rules import guards
from memoryhub.llm.backends.rules.clauses import Opening, openings
from memoryhub.llm.backends.rules.sentences import Sentence
from memoryhub.llm.backends.rules.speech import Words, capital, no_longer, shifted
from memoryhub.llm.backends.rules.wording import Found, Rule, is_guessed_name

# Who writes a capital anywhere would have written the name with one.
_CAPITAL = re.compile(r"[^\W\d_a-zß-öø-ÿ]")
_LISTED = re.compile(r",? and |, | \+ | on ", re.I)
_ENDED = re.compile(r"no longer|stopped|quit|dropped|ditched|gave up", re.I)
_ANY_MORE = re.compile(r"(?:anymore|any more|any longer)\b", re.I)
_CUT = re.compile(r"(?:,| -|^)? ?\b(?:but|however|anyway|actually|in reality|fyi|btw|by the way)\b,? ", re.I)


def run(rules: Iterable[Rule], sentence: Sentence) -> Iterator[Found]:
    """Everything ``rules`` find in ``sentence`` that is said, by the speaker, as a fact."""
    places = list(openings(sentence))
    for rule in rules:
        for match, place in _matches(rule, sentence, places):
            if not _is_refused(rule, match, place.before):
                yield from _made(rule, match, place)


def _matches(rule: Rule, sentence: Sentence, places: list[Opening]) -> Iterator[tuple[re.Match[str], Opening]]:
    """What begins with the speaker is looked for where the speaker is, the rest everywhere."""
    if rule.opens:
        for place in places:
            match = rule.pattern.match(place.text, place.at) if rule.opens & place.words else None
            if match:
                yield match, place
        return
    for match in rule.pattern.finditer(sentence.text):
        at, text = match.start(), sentence.text
        yield match, Opening(text, at, frozenset(), sentence.start, sentence.start + at, text[:at])


def _is_refused(rule: Rule, match: re.Match[str], before: str) -> bool:
    before = _CUT.split(before)[-1]
    # What follows is a quotation and hidden: what is spoken of is not known.
    quotes = match.string[match.end() :].lstrip().startswith("\x00")
    aside = rule.kind in ("preference", "event") and guards.is_relative(before)
    return quotes or aside or guards.is_supposed(before) or guards.is_reported(before)


def _made(rule: Rule, match: re.Match[str], place: Opening) -> Iterator[Found]:
    groups = {name: Words(text or "") for name, text in match.groupdict().items()}
    raw = groups.get("value", "")
    template = rule.says_not if groups.get("neg") else rule.says
    guessed = rule.named and is_guessed_name(raw)
    if not template or (guessed and _CAPITAL.search(match.string, place.at + 1)):
        return
    for part in _LISTED.split(raw) if rule.split else [raw]:
        value = rule.shape(part) if part else None
        if value is None and raw:
            continue
        start = match.start("here") if groups.get("here") else match.start()
        yield Found(
            kind=rule.kind,
            attribute=rule.attribute,
            value=value if rule.attribute is not None else None,
            statement=_statement(template, groups | {"value": Words(value or "")}, match),
            start=max(place.first, place.shift + start),
            end=place.shift + match.end(),
            doubtful=rule.doubtful or guards.is_doubted(match.string) or guessed,
            dating=rule.dating,
            needs_date=rule.needs_date,
            about_other=rule.about_other,
        )


def _statement(template: str, groups: dict[str, Words], match: re.Match[str]) -> str:
    """The template filled in. What is denied "any more" was so before, and the statement says it."""
    statement = template.format_map(groups)
    denied = groups.get("neg", "").lower()
    if denied and (_ENDED.search(denied) or _ANY_MORE.search(match.string, match.start(), match.end() + 12)):
        statement = no_longer(statement)
    return capital(re.sub(r"\s+", " ", shifted(statement)).strip())
