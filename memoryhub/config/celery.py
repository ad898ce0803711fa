"""The task queue. A message is a wake-up call and carries ids only; the truth of what is to do is in PostgreSQL."""

import os

from celery import Celery
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.config.settings")

app = Celery("memoryhub")
app.conf.update(
    broker_url=settings.CELERY_BROKER_URL,
    broker_connection_retry_on_startup=True,
    # Long enough for the longest task (300 s); a lost worker's messages come back five seconds after it.
    broker_transport_options={
        "visibility_timeout": 900,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_timeout": 3,
        "socket_connect_timeout": 1,
        "max_retries": 1,
    },
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_time_limit=300,
    task_soft_time_limit=240,
    worker_prefetch_multiplier=1,
    task_publish_retry=False,
    timezone="UTC",
    worker_hijack_root_logger=False,
    beat_schedule={
        "sweep": {"task": "memory.sweep", "schedule": settings.MEMORYHUB_SWEEP_SECONDS},
        "tend-indexes": {"task": "memory.tend_indexes", "schedule": 300},
        "privacy-sweep": {"task": "privacy.sweep", "schedule": settings.MEMORYHUB_SWEEP_SECONDS},
    },
)
app.autodiscover_tasks(["memoryhub.memory", "memoryhub.privacy"])
