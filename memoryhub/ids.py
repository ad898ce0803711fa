"""Ids: UUID version 7 inside, ``fact_<32 hex digits>`` outside."""

import os as _os
import re
import time
import uuid

from memoryhub.errors import NotFound

_HEX = re.compile(r"[0-9a-f]{32}")


def new() -> uuid.UUID:
    """A UUID version 7 (RFC 9562 §5.7): 48 bits of Unix milliseconds, 74 random bits; sorts by creation."""
    milliseconds = time.time_ns() // 1_000_000
    random_bits = int.from_bytes(_os.urandom(10), "big")
    value = (milliseconds & ((1 << 48) - 1)) << 80
    value |= 0x7 << 76
    value |= ((random_bits >> 62) & 0xFFF) << 64
    value |= 0b10 << 62
    value |= random_bits & ((1 << 62) - 1)
    return uuid.UUID(int=value)


def public(prefix: str, value: uuid.UUID) -> str:
    """The id as callers see it: ``public("fact", …)`` is ``fact_0190…``."""
    return f"{prefix}_{value.hex}"


def parse(prefix: str, text: str) -> uuid.UUID:
    """The UUID of a public id.

    Raises ``NotFound`` for anything else, so that a malformed id and a foreign one look the same.
    """
    head, _, tail = text.partition("_")
    if head != prefix or not _HEX.fullmatch(tail):
        raise NotFound
    return uuid.UUID(hex=tail)
