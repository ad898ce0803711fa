from django.apps import AppConfig


class LocalConfig(AppConfig):
    """The embedded start, and the demonstration data."""

    name = "memoryhub.local"
    label = "local"
