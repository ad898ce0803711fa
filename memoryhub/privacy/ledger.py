"""Tombstones outside the database: one JSON line for each erasure, replayed after a restore.

A backup made before an erasure brings the erased data back; the ledger says whom to forget again. It holds ids only.
"""

import fcntl
import json
import os
import uuid
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime

from django.conf import settings


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
        if any(json.loads(line)["request_id"] == stone.request_id for line in file if line.strip()):
            return
        file.write(json.dumps(asdict(stone)) + "\n")
        file.flush()
        os.fsync(file.fileno())


def tombstones() -> Iterator[Tombstone]:
    """Every tombstone, oldest first."""
    path = settings.MEMORYHUB_LEDGER
    if not path.exists():
        return
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield Tombstone(**json.loads(line))
