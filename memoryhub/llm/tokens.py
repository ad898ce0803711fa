"""Counting tokens, offline, by OpenAI's ``o200k_base`` vocabulary. For other models it is an estimate, near enough
for a budget."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Protocol, TypeVar

import bpe_openai

from memoryhub.llm.types import Message

T = TypeVar("T")

# Role and separators of one message, and the opening of the answer, in the chat format of OpenAI's models.
_PER_MESSAGE = 4
_PER_PROMPT = 3
# The tokenizer refuses a million characters at once; a cut costs at most one token.
_CHUNK = 200_000


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


@lru_cache(maxsize=1)
def _encoding() -> _Encoding:
    # 0.7 s and 100 MB: paid by the first count of a process, not by its start.
    encoding: _Encoding = bpe_openai.get_encoding("o200k_base")
    return encoding


def count(text: str) -> int:
    """Tokens in ``text``. Marks such as ``<|endoftext|>`` count as the plain text they are."""
    encode = _encoding().encode_ordinary
    return sum(len(encode(text[start : start + _CHUNK])) for start in range(0, len(text), _CHUNK))


def count_messages(messages: Iterable[Message]) -> int:
    """Tokens of a whole prompt, with what the chat format adds."""
    return _PER_PROMPT + sum(_PER_MESSAGE + count(message.content) for message in messages)


def fit(items: Sequence[T], budget: int, *, text: Callable[[T], str], newest: bool = False) -> list[T]:
    """The first ``items`` (the last, with ``newest``) whose tokens together stay within ``budget``.

    Items are kept whole and in order; the first that does not fit ends it, so nothing is taken past a gap.
    """
    kept: list[T] = []
    for item in reversed(items) if newest else items:
        budget -= count(text(item))
        if budget < 0:
            break
        kept.append(item)
    return kept[::-1] if newest else kept
