from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The JSON door."""

    name = "memoryhub.api"
    label = "api"
    default_auto_field = "django.db.models.BigAutoField"
