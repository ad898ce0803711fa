"""The WSGI application: pages and API without streams, for large installations."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.config.settings")
application = get_wsgi_application()

from memoryhub.config import startup  # noqa: E402 - settings and apps must be ready first

startup.require_safe()
