from django.apps import AppConfig


class TenantsConfig(AppConfig):
    """Who you are and whose data you may see."""

    name = "memoryhub.tenants"
    label = "tenants"
    default_auto_field = "django.db.models.BigAutoField"
