"""The ASGI application: pages, API and streams."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.config.settings")
application = get_asgi_application()
