"""What a tenant lets be remembered, and for how long it counts as fresh."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce, Greatest

from memoryhub.audit import trail
from memoryhub.errors import Invalid
from memoryhub.memory import weights
from memoryhub.memory.kinds import Kind, SpecialCategories
from memoryhub.memory.models import Fact, MemoryPolicy
from memoryhub.memory.schema import KINDS
from memoryhub.memory.weights import DEFAULTS, TURN_DEFAULTS, TurnWeights, Weights
from memoryhub.tenants import scope

_LONGEST = 3650


@dataclass(frozen=True)
class Index:
    """The ready index of a large scope: whose vectors it holds, their dimension, and of how many facts."""

    embedder: str
    dimension: int
    facts: int


@dataclass(frozen=True)
class Policy:
    """A tenant's rules. ``stale_after`` is in days by kind; None: that kind does not age.

    ``embedder`` is the name of the embedder in force, empty before the first calibration or change of it;
    ``floor`` its calibrated floor, None for the embedder's own. ``index`` is the subject's, when one was named.
    """

    special_categories: SpecialCategories
    stale_after: Mapping[Kind, int | None]
    weights: Weights = DEFAULTS
    turn_weights: TurnWeights = TURN_DEFAULTS
    embedder: str = ""
    floor: float | None = None
    index: "Index | None" = None

    def cutoffs(self, at: datetime) -> dict[str, datetime]:
        """By kind, the moment before which a fact that was neither said nor confirmed since is stale at ``at``."""
        return {
            kind.value: at - timedelta(days=days)
            for kind, days in self.stale_after.items()
            if days is not None
        }


#: All that a recall depends on in one statement: it stands before every one.
_CURRENT = """
SELECT p.special_categories, p.stale_after, p.recall_weights, p.turn_weights, e.name, e.floor, l.embedder, l.dimension, l.facts
FROM (SELECT 1) AS always
LEFT JOIN memory_policy p ON p.tenant_id = %(tenant)s
LEFT JOIN embedder e ON e.tenant_id = %(tenant)s AND e.status = 'in_force'
LEFT JOIN large_scope l ON l.tenant_id = %(tenant)s AND l.subject_id = %(subject)s AND l.ready
"""


def current(subject_id: uuid.UUID | None = None) -> Policy:
    """The scope's policy; the defaults where the tenant has set nothing."""
    with connection.cursor() as cursor:
        cursor.execute(_CURRENT, {"tenant": scope.current().tenant_id, "subject": subject_id})
        categories, stale_after, own_weights, turn_weights, embedder, floor, *index = cursor.fetchone()
    days: dict[Kind, int | None] = {kind: schema.stale_after for kind, schema in KINDS.items()}
    set_days = json.loads(stale_after) if isinstance(stale_after, str) else stale_after or {}
    set_weights = json.loads(own_weights) if isinstance(own_weights, str) else own_weights or {}
    set_turns = json.loads(turn_weights) if isinstance(turn_weights, str) else turn_weights or {}
    days |= {Kind(kind): value for kind, value in set_days.items() if kind in Kind.values}
    return Policy(
        SpecialCategories(categories or SpecialCategories.DROP),
        days,
        weights.checked(set_weights),
        weights.checked_for_turns(set_turns),
        embedder or "",
        floor,
        Index(*index) if index[0] is not None else None,
    )


def change(
    *,
    special_categories: str | None = None,
    stale_after: Mapping[str, int | None] | None = None,
    recall_weights: Mapping[str, object] | None = None,
    turn_weights: Mapping[str, object] | None = None,
    at: datetime,
) -> Policy:
    """Set what is given; weights replace all of their sort, empty ones bring back the defaults.

    Raises ``Invalid``.
    """
    if special_categories is not None and special_categories not in SpecialCategories.values:
        allowed = ", ".join(SpecialCategories.values)
        raise Invalid.field("special_categories", "unknown_value", f"special_categories is one of {allowed}.")
    for kind, days in (stale_after or {}).items():
        if kind not in Kind.values:
            raise Invalid.field(
                "stale_after", "unknown_kind", f"stale_after names kinds: {', '.join(Kind.values)}."
            )
        if days is not None and not 1 <= days <= _LONGEST:
            raise Invalid.field(
                "stale_after", "out_of_range", f"stale_after is a number of days from 1 to {_LONGEST}."
            )
    chosen = weights.checked(recall_weights).changed() if recall_weights is not None else None
    for_turns = weights.checked_for_turns(turn_weights).changed() if turn_weights is not None else None
    with transaction.atomic():
        row = MemoryPolicy.objects.select_for_update().first() or MemoryPolicy()
        row.special_categories = special_categories or row.special_categories
        row.stale_after = {**row.stale_after, **(stale_after or {})}
        row.recall_weights = row.recall_weights if chosen is None else chosen
        row.turn_weights = row.turn_weights if for_turns is None else for_turns
        row.save()
        trail.record(
            trail.Action.POLICY_CHANGE, "memory_policy", row.id, at=at, status=row.special_categories
        )
    return current()


def last_confirmed(row: Fact) -> datetime:
    """When a fact was last said or confirmed. Reading it does not count."""
    return max(row.observed_at, row.verified_at or row.observed_at)


def is_stale(row: Fact, policy: Policy, at: datetime) -> bool:
    """Whether a fact has gone unconfirmed for longer than its kind allows."""
    days = policy.stale_after.get(Kind(row.kind))
    return days is not None and last_confirmed(row) < at - timedelta(days=days)


def stale(policy: Policy, at: datetime) -> Q:
    """The stale facts, as a condition on ``with_confirmed`` rows."""
    wanted = Q(pk__in=[])
    for kind, cutoff in policy.cutoffs(at).items():
        wanted |= Q(kind=kind, confirmed_at__lt=cutoff)
    return wanted


def confirmed_at() -> Greatest:
    """``last_confirmed`` as an expression."""
    return Greatest(F("observed_at"), Coalesce(F("verified_at"), F("observed_at")))
