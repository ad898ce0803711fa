"""The WSGI application: pages and API without streams, for large installations."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.config.settings")
application = get_wsgi_application()
