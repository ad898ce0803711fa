"""The conveyor belt of the privacy room."""

import logging
import uuid

from celery import shared_task
from django.db.models import Q

from memoryhub import clock
from memoryhub.privacy import erasure
from memoryhub.privacy.models import PrivacyRequest, Status
from memoryhub.tenants.entrances import ScopedTask, each_tenant

logger = logging.getLogger(__name__)


@shared_task(base=ScopedTask, name="privacy.run_request")
def run_request(request_id: str) -> None:
    """Carry out an approved request; returns at once when there is nothing to do."""
    at = clock.now()
    request = erasure.claim(uuid.UUID(request_id), at=at)
    if request is not None:
        erasure.run(request, at=clock.now())


@shared_task(base=ScopedTask, tenant_free=True, name="privacy.sweep")
def sweep() -> None:
    """Find approved requests whose message was lost, and runs whose worker died."""
    abandoned = Q(status=Status.RUNNING, started_at__lt=clock.now() - erasure.ABANDONED_AFTER)
    for _ in each_tenant():
        due = PrivacyRequest.objects.filter(Q(status=Status.APPROVED) | abandoned).values_list(
            "id", flat=True
        )
        for request_id in list(due[:100]):
            run_request.apply_async((str(request_id),))
