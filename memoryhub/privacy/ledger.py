"""Tombstones outside the database: one JSON line for each erasure, replayed after a restore.

A backup made before an erasure brings the erased data back; the ledger says whom to forget again. It holds ids only.
"""

import fcntl
import json
import logging
import os
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime

from django.conf import settings

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Tombstone:
    """One erasure. ``erased_at`` is RFC 3339 in UTC."""

    tenant_id: str
    subject_id: str
    request_id: str
    erased_at: str


def append(tenant_id: uuid.UUID, subject_id: uuid.UUID, request_id: uuid.UUID, *, at: datetime) -> None:
    """Write a tombstone to disk, durably; once per request."""
    stone = Tombstone(str(tenant_id), str(subject_id), str(request_id), at.isoformat())
    path = settings.MEMORYHUB_LEDGER
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        written = file.read()
        if any(known.request_id == stone.request_id for known in _read(written.splitlines())):
            return
        torn = "\n" if written and not written.endswith("\n") else ""
        file.write(torn + json.dumps(asdict(stone)) + "\n")
        file.flush()
        os.fsync(file.fileno())


def _read(lines: Iterable[str]) -> Iterator[Tombstone]:
    """The tombstones in the lines. A line that a crash tore is left out: its erasure is run, and noted, again."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield Tombstone(**json.loads(line))
        except (ValueError, TypeError):
            logger.error("the ledger of erasures has a torn line number=%d", number)


def tombstones() -> Iterator[Tombstone]:
    """Every tombstone, oldest first."""
    path = settings.MEMORYHUB_LEDGER
    if path.exists():
        yield from _read(path.read_text(encoding="utf-8").splitlines())
