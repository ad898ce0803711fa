from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """What was said and what is known."""

    name = "memoryhub.memory"
    label = "memory"
    default_auto_field = "django.db.models.BigAutoField"
