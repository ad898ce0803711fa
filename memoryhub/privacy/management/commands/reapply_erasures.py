"""``manage.py reapply_erasures``: after a restore, forget again whom the backup brought back."""

import uuid
from typing import Any

from django.core.management.base import BaseCommand

from memoryhub import clock
from memoryhub.privacy import erasure, ledger
from memoryhub.tenants import scope
from memoryhub.tenants.entrances import new_request_id, tenant_ids


class Command(BaseCommand):
    """Replays the ledger of tombstones; safe to run at any time."""

    help = "Erase again every subject in the ledger of erasures."

    def handle(self, *args: Any, **options: Any) -> None:
        actor = scope.Actor(scope.ActorKind.SYSTEM, "command", "cli")
        known = set(tenant_ids())
        stones = [stone for stone in ledger.tombstones() if uuid.UUID(stone.tenant_id) in known]
        again = 0
        for stone in stones:
            with scope.enter(uuid.UUID(stone.tenant_id), actor, new_request_id()):
                again += bool(erasure.reapply(stone, at=clock.now()))
        self.stdout.write(f"{len(stones)} erasures in the ledger; {again} had to be repeated.")
