"""What a tenant lets be remembered, and for how long it counts as fresh."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce, Greatest

from memoryhub.audit import trail
from memoryhub.errors import Invalid
from memoryhub.memory.kinds import Kind, SpecialCategories
from memoryhub.memory.models import Fact, MemoryPolicy
from memoryhub.memory.schema import KINDS

_LONGEST = 3650


@dataclass(frozen=True)
class Policy:
    """A tenant's rules. ``stale_after`` is in days by kind; None: that kind does not age."""

    special_categories: SpecialCategories
    stale_after: Mapping[Kind, int | None]

    def cutoffs(self, at: datetime) -> dict[str, datetime]:
        """By kind, the moment before which a fact that was neither said nor confirmed since is stale at ``at``."""
        return {
            kind.value: at - timedelta(days=days)
            for kind, days in self.stale_after.items()
            if days is not None
        }


def current() -> Policy:
    """The scope's policy; the defaults where the tenant has set nothing."""
    row = MemoryPolicy.objects.first()
    days: dict[Kind, int | None] = {kind: schema.stale_after for kind, schema in KINDS.items()}
    if row is None:
        return Policy(SpecialCategories.DROP, days)
    days |= {Kind(kind): value for kind, value in row.stale_after.items() if kind in Kind.values}
    return Policy(SpecialCategories(row.special_categories), days)


def change(
    *,
    special_categories: str | None = None,
    stale_after: Mapping[str, int | None] | None = None,
    at: datetime,
) -> Policy:
    """Set what is given. Raises ``Invalid``."""
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
    with transaction.atomic():
        row = MemoryPolicy.objects.select_for_update().first() or MemoryPolicy()
        row.special_categories = special_categories or row.special_categories
        row.stale_after = {**row.stale_after, **(stale_after or {})}
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
