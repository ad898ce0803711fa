from django.apps import AppConfig


class ChatConfig(AppConfig):
    """An agent's conversation built on memory."""

    name = "memoryhub.chat"
    label = "chat"
    default_auto_field = "django.db.models.BigAutoField"
