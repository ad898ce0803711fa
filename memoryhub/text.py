"""Text that may be stored, and its forms for matching.

Rules: NUL and lone surrogates can not be stored by PostgreSQL and are refused; invisible characters that can
hide content (C0/C1 controls, bidirectional overrides, tags, zero-width space) are removed; ZWJ and ZWNJ stay,
since emoji families and Persian need them. Compatibility forms (NFKC) are used for matching only.
"""

import re
import unicodedata

from memoryhub.errors import Invalid, TooLarge

_INVISIBLE = re.compile(
    "[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u2060-\u206f\u202a-\u202e\ufeff"
    "\ue000-\uf8ff\U000e0000-\U000e0fff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"\s+")
_EDGE_PUNCTUATION = " .!?;:,\"'“”‘’«»()[]"


def clean(value: str, *, field: str, limit: int, required: bool = True) -> str:
    """``value`` as it may be stored: NFC, without invisible characters, trimmed.

    ``limit`` is in characters. Raises ``Invalid`` (``nul_character``, ``lone_surrogate``, ``blank``) and
    ``TooLarge`` naming ``field``.
    """
    if "\x00" in value:
        raise Invalid.field(
            field, "nul_character", f"{field} holds a NUL character; remove it and send again."
        )
    if _SURROGATE.search(value):
        raise Invalid.field(
            field, "lone_surrogate", f"{field} holds half of a surrogate pair; send valid Unicode."
        )
    if len(value) > limit:
        raise TooLarge.field(
            field, "too_long", f"{field} may have at most {limit} characters; this has {len(value)}."
        )
    cleaned = _INVISIBLE.sub("", unicodedata.normalize("NFC", value)).strip()
    if required and not cleaned:
        raise Invalid.field(field, "blank", f"{field} must not be empty.")
    return cleaned


def matching_form(value: str) -> str:
    """``value`` for comparing only: NFKC, case folded, single spaces, no punctuation at the edges."""
    folded = unicodedata.normalize("NFKC", value).casefold().replace("’", "'")
    return _SPACE.sub(" ", folded).strip(_EDGE_PUNCTUATION)


def shorten(value: str, limit: int) -> str:
    """``value`` on one line and at most ``limit`` characters, cut at a word and marked with an ellipsis."""
    line = _SPACE.sub(" ", value).strip()
    if len(line) <= limit:
        return line
    head = line[: limit - 1]
    return (head.rsplit(" ", 1)[0] if " " in head[limit // 2 :] else head) + "…"
