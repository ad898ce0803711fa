"""What must not be stored, nor reach any model: secrets, payment cards, bank accounts.

Found by shape and, where there is one, by checksum (cards: Luhn, ISO/IEC 7812-1; IBANs: mod 97, ISO 13616), so that
a ticket number is not taken for a card. What is found is replaced by its name before anything else happens. Word
boundaries are ASCII only: a key glued to Chinese text is still a key.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Check = Callable[[str], bool]


@dataclass(frozen=True)
class Redacted:
    """The text as it may be stored, and how many of each kind were taken out."""

    text: str
    counts: Mapping[str, int]


@dataclass(frozen=True)
class _Pattern:
    """``group`` is what is taken out; the rest of the match says what it is.

    No match is without one of ``needles``, where there are any: most texts have none, and looking for them is cheap.
    """

    kind: str
    regex: re.Pattern[str]
    group: int = 0
    check: Check | None = None
    needles: tuple[str, ...] = ()


def _luhn(text: str) -> bool:
    digits = [int(c) for c in text if c.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = digit * 2 if place % 2 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def _mod_97(text: str) -> bool:
    bare = re.sub(r"[^A-Z0-9]", "", text.upper())
    if not 15 <= len(bare) <= 34:
        return False
    moved = bare[4:] + bare[:4]
    return int("".join(str(int(c, 36)) for c in moved)) % 97 == 1


def _secret_like(text: str) -> bool:
    """Not a placeholder, and more than a word: "password is required" names no password."""
    plain = text.strip("\"'`.,;:!?")
    if len(plain) < 4 or plain.lower() in _NO_SECRETS or set(plain) <= set("*•xX.…-_"):
        return False
    return bool(re.search(r"\d|[^\w\s]", plain)) or len(plain) >= 20 or plain.lower() != plain


_NO_SECRETS = frozenset(
    {"required", "wrong", "correct", "invalid", "expired", "reset", "changed", "missing", "secret", "password", "safe",
     "incorrect", "empty", "unknown", "forgotten", "weak", "strong", "optional", "hashed", "encrypted", "stored", "too"}
)  # fmt: skip
_B, _E = r"(?<![A-Za-z0-9_])", r"(?![A-Za-z0-9_])"
_ANNOUNCED = (
    r"(?:pass(?:word|wort|phrase|code)|passwd|pwd|kennwort|mot de passe|contraseña|clave|密码|口令|secret(?:[ _-]?key)?"
    r"|api[ _-]?key|access[ _-]?token|auth[ _-]?token|client[ _-]?secret|private[ _-]?key)"
)
_PATTERNS: tuple[_Pattern, ...] = (
    _Pattern("private_key", re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\Z)", re.S), needles=("-----BEGIN ",)),
    _Pattern("token", re.compile(_B + r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"), needles=("eyJ",)),
    _Pattern("api_key", re.compile(_B + r"(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}" + _E), needles=("AKIA", "ASIA", "AGPA", "AIDA", "AROA")),
    _Pattern("api_key", re.compile(_B + r"gh[pousr]_[A-Za-z0-9]{30,255}|" + _B + r"github_pat_[A-Za-z0-9_]{40,}"), needles=("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_")),
    _Pattern("api_key", re.compile(_B + r"glpat-[A-Za-z0-9_-]{20,}|" + _B + r"xox[abeoprs]-[A-Za-z0-9-]{10,}"), needles=("glpat-", "xox")),
    _Pattern("api_key", re.compile(_B + r"(?:sk|pk|rk)-(?:proj-|ant-|live-|test-|svcacct-|or-v1-)?[A-Za-z0-9_-]{20,}"), needles=("sk-", "pk-", "rk-")),
    _Pattern("api_key", re.compile(_B + r"(?:sk|pk|rk|whsec|mh)_(?:live|test)?_?[A-Za-z0-9_-]{20,}"), needles=("sk_", "pk_", "rk_", "whsec_", "mh_")),
    _Pattern("api_key", re.compile(_B + r"AIza[A-Za-z0-9_-]{35}|" + _B + r"ya29\.[A-Za-z0-9_-]{20,}"), needles=("AIza", "ya29.")),
    _Pattern("api_key", re.compile(_B + r"(?:hf|npm|dckr_pat|pypi|lin_api|ntn|figd|shpat|sq0csp|SG)[_.-][A-Za-z0-9_.-]{24,}")),
    _Pattern("api_key", re.compile(_B + r"\d{8,10}:AA[A-Za-z0-9_-]{33}" + _E), needles=(":AA",)),
    _Pattern("password", re.compile(_B + r"[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{1,100}:([^\s@/]{1,200})@", re.I), 1, needles=("://",)),
    _Pattern("token", re.compile(r"\bBearer\s+([A-Za-z0-9._~+/-]{24,}=*)", re.I), 1),
    _Pattern("password", re.compile(_ANNOUNCED + r"\s*(?:is now|is|was|ist|est|es|为|是|[:=：])\s*[\"'`“]?([^\s\"'`“”,;]{4,200})", re.I), 1, _secret_like),
    _Pattern("iban", re.compile(_B + r"[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{2,4}){3,8}" + _E), 0, _mod_97),
    _Pattern("card", re.compile(r"(?<![\d.])(?:\d[ -]?){12,18}\d(?![\d.]\d|\d)"), 0, _luhn),
)  # fmt: skip


def redact(text: str) -> Redacted:
    """``text`` without what must not be stored, each replaced by ``[redacted: kind]``."""
    counts: dict[str, int] = {}
    for pattern in _PATTERNS:
        if not pattern.needles or any(needle in text for needle in pattern.needles):
            text = _without(text, pattern, counts)
    return Redacted(text, counts)


def _without(text: str, pattern: _Pattern, counts: dict[str, int]) -> str:
    def replaced(match: re.Match[str]) -> str:
        found = match.group(pattern.group)
        if found.startswith("[redacted:") or (pattern.check is not None and not pattern.check(found)):
            return match.group(0)
        counts[pattern.kind] = counts.get(pattern.kind, 0) + 1
        start, end = (place - match.start() for place in match.span(pattern.group))
        whole = match.group(0)
        return f"{whole[:start]}[redacted: {pattern.kind}]{whole[end:]}"

    return pattern.regex.sub(replaced, text)
