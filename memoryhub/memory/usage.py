"""How often facts are recalled: counted by samples, after the answer, and apart from the facts.

One recall in ``SAMPLE`` counts for that many, so that reading stays reading: what is written is one small row a
fact, outside the recall's transaction, and never the fact itself.
"""

import secrets
import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from memoryhub.tenants import scope

SAMPLE = 10

_COUNT = """
INSERT INTO fact_usage (id, tenant_id, subject_id, fact_id, recalls, last_at)
SELECT gen_random_uuid(), %(tenant)s, f.subject_id, f.id, %(by)s, %(at)s
FROM fact f WHERE f.tenant_id = %(tenant)s AND f.id = ANY(%(facts)s::uuid[])
ORDER BY f.id
ON CONFLICT (tenant_id, fact_id) DO UPDATE
SET recalls = fact_usage.recalls + excluded.recalls, last_at = excluded.last_at
"""


def note(fact_ids: Sequence[uuid.UUID], *, at: datetime, by_chance: bool = True) -> bool:
    """Count the facts as recalled, one time in ``SAMPLE``; whether this was the time. Erased facts are passed over."""
    if not fact_ids or (by_chance and secrets.randbelow(SAMPLE)):
        return False
    values: dict[str, Any] = {
        "tenant": scope.current().tenant_id,
        "facts": sorted(fact_ids),
        "by": SAMPLE if by_chance else 1,
        "at": at,
    }
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, values)
    return True
