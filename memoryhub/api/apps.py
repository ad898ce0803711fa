from importlib import import_module

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The JSON door."""

    name = "memoryhub.api"
    label = "api"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the OpenAPI extension."""
        import_module("memoryhub.api.schema")
