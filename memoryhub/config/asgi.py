"""The ASGI application: pages, API and streams."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.config.settings")
application = get_asgi_application()

from memoryhub.config import startup  # noqa: E402 - settings and apps must be ready first

startup.require_safe()
