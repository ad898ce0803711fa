"""How two statements relate as texts: their content words, whether each denies, and the numbers in them.

For five languages (English, German, French, Spanish, Chinese) and usable for others: what is not recognised as a
negation or a filler counts as content, so that two statements are rather taken for different than for the same.
"""

import re
from dataclasses import dataclass

from memoryhub import text

_NEGATIONS = frozenset(
    [
        "not",
        "no",
        "never",
        "none",
        "nor",
        "cannot",
        "cant",
        "dont",
        "doesnt",
        "didnt",
        "isnt",
        "arent",
        "wasnt",
        "werent",
        "wont",
        "wouldnt",
        "shouldnt",
        "hasnt",
        "havent",
        "hadnt",
        "without",
        "neither",
        "nicht",
        "kein",
        "keine",
        "keinen",
        "keinem",
        "keiner",
        "keines",
        "nie",
        "niemals",
        "ohne",
        "weder",
        "pas",
        "jamais",
        "aucun",
        "aucune",
        "sans",
        "ni",
        "nunca",
        "jamás",
        "jamas",
        "sin",
        "ningún",
        "ningun",
        "ninguna",
        "tampoco",
    ]
)
#: French "plus" and "rien" deny only beside "ne"; "ne" alone is the mark that is looked for.
_FRENCH_MARKS = frozenset({"ne", "n"})
_CHINESE_NEGATIONS = ("不再", "不是", "不能", "不要", "没有", "不", "没", "未", "别", "勿", "无")
_FILLERS = frozenset(
    [
        "a",
        "an",
        "the",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "am",
        "to",
        "of",
        "in",
        "on",
        "at",
        "for",
        "and",
        "or",
        "it",
        "its",
        "i",
        "my",
        "we",
        "our",
        "they",
        "their",
        "he",
        "she",
        "his",
        "her",
        "you",
        "your",
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
        "will",
        "would",
        "please",
        "always",
        "any",
        "more",
        "longer",
        "anymore",
        "now",
        "just",
        "really",
        "very",
        "that",
        "this",
        "ist",
        "sind",
        "war",
        "bin",
        "bist",
        "hat",
        "haben",
        "habe",
        "der",
        "die",
        "das",
        "ein",
        "eine",
        "einen",
        "einem",
        "einer",
        "und",
        "oder",
        "im",
        "am",
        "zu",
        "bitte",
        "immer",
        "mehr",
        "est",
        "sont",
        "suis",
        "a",
        "ai",
        "ont",
        "le",
        "la",
        "les",
        "un",
        "une",
        "des",
        "de",
        "du",
        "et",
        "ou",
        "plus",
        "toujours",
        "sil",
        "vous",
        "plaît",
        "es",
        "son",
        "está",
        "esta",
        "están",
        "soy",
        "tiene",
        "tengo",
        "el",
        "los",
        "las",
        "uno",
        "una",
        "unos",
        "y",
        "o",
        "en",
        "ya",
        "más",
        "mas",
        "siempre",
        "por",
        "favor",
        "que",
        "的",
        "了",
        "是",
        "在",
        "我",
        "请",
        "总是",
        "现在",
        "再",
    ]
)
_WORD = re.compile(r"[^\W_]+(?:[-./][^\W_]+)*", re.UNICODE)
_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
_CJK = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Signature:
    """What is compared. ``content`` are the words that carry meaning, without negations; ``negated`` is their sign."""

    content: frozenset[str]
    ordered: tuple[str, ...]
    negated: bool
    numbers: frozenset[str]


def signature(statement: str) -> Signature:
    """The signature of a statement in any language."""
    folded = text.matching_form(statement).replace("n't", "nt").replace("’", "'")
    chinese_negated, folded = _without_chinese_negation(folded)
    # Elided articles and pronouns (l'équipe, n'est) come apart; English contractions have been joined above.
    words = [w for part in _APOSTROPHE.sub(" ", folded).split() for w in _split(part)]
    negated = chinese_negated or any(w in _NEGATIONS for w in words) or _french_denial(words)
    content = tuple(w for w in words if w not in _NEGATIONS and w not in _FILLERS and w not in _FRENCH_MARKS)
    return Signature(frozenset(content), content, negated, frozenset(w for w in content if _DIGIT.search(w)))


def _split(part: str) -> list[str]:
    """Words; a stretch without spaces in Chinese, Japanese or Korean becomes its characters."""
    found: list[str] = []
    for word in _WORD.findall(part):
        if not _CJK.search(word):
            found.append(word)
            continue
        found += re.findall(
            r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]|[^\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]+", word
        )
    return found


def _without_chinese_negation(folded: str) -> tuple[bool, str]:
    negated = False
    for mark in _CHINESE_NEGATIONS:
        if mark in folded:
            negated, folded = True, folded.replace(mark, " ")
    return negated, folded


def _french_denial(words: list[str]) -> bool:
    marks = [i for i, word in enumerate(words) if word in _FRENCH_MARKS]
    return any(
        set(words[i : i + 6]) & {"pas", "plus", "jamais", "rien", "aucun", "aucune", "personne"}
        for i in marks
    )


def same_but_denied(one: Signature, other: Signature) -> bool:
    """Whether one says exactly what the other denies: the same content and numbers, another sign."""
    return bool(one.content) and one.content == other.content and one.negated != other.negated


_LONG_OR_SHORT = (
    r"\b(?:short|brief|concise|terse|long|detailed|thorough|kurz\w*|knapp\w*|ausführlich\w*|court\w*|bref|brève\w*"
    r"|détaillé\w*|cort[oa]s?|breves?|detallad[oa]s?)\b"
)
_AN_ANSWER = (
    r"\b(?:answers?|replies|sentences?|responses?|antworten|sätzen?|réponses?|phrases?|respuestas?|frases?)\b"
)
_SLOTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("answer_language", re.compile(
        r"\b(?:answer|reply|respond|write|speak|talk|antworte?n?|schreib\w*|sprich|répond\w*|écri\w*|parle\w*|respond\w*|escrib\w*|habl\w*)\b.{0,30}"
        r"\b(?:in|auf|en)\s+(?:english|german|french|spanish|chinese|italian|dutch|polish|portuguese|japanese|deutsch|englisch|französisch"
        r"|spanisch|chinesisch|anglais|allemand|français|espagnol|chinois|inglés|alemán|francés|español|chino)\b|用(?:中文|英文|英语|德语|法语|西班牙语)回答", re.I)),
    ("answer_length", re.compile(
        rf"(?:{_LONG_OR_SHORT}).{{0,25}}(?:{_AN_ANSWER})|(?:{_AN_ANSWER}).{{0,15}}(?:{_LONG_OR_SHORT})"
        r"|\b(?:be|keep it|answer|reply|fasse dich|sois|sé)\s+(?:brief\w*|short|concise\w*|kurz|bref|breve)\b|简短|详细", re.I)),
    ("address", re.compile(r"\b(?:call me|address me as|nenn mich|appelle?z?-moi|llámame)\b|叫我", re.I)),
    ("units", re.compile(r"\b(?:metric|imperial|celsius|fahrenheit|kilomet(?:er|re)s|miles|metrisch\w*)\b", re.I)),
    ("answer_format", re.compile(r"\b(?:bullet points?|bulleted|numbered lists?|tables?|plain text|markdown|stichpunkt\w*|puces|viñetas)\b|要点", re.I)),
    ("formality", re.compile(r"\b(?:formal(?:ly)?|informal(?:ly)?|duzen|siezen|tutoie\w*|vouvoie\w*|tute\w*|trat\w* de usted)\b", re.I)),
)  # fmt: skip


def instruction_slot(statement: str) -> str:
    """What a standing instruction is about, where only one can hold at a time; "" when it is nothing of the sort."""
    return next((name for name, pattern in _SLOTS if pattern.search(statement)), "")
