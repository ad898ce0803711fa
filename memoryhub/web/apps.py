from django.apps import AppConfig


class WebConfig(AppConfig):
    """The HTML door."""

    name = "memoryhub.web"
    label = "web"
    default_auto_field = "django.db.models.BigAutoField"
