from django.apps import AppConfig


class GatewayConfig(AppConfig):
    """Streams."""

    name = "memoryhub.gateway"
    label = "gateway"
    default_auto_field = "django.db.models.BigAutoField"
