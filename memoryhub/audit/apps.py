from django.apps import AppConfig


class AuditConfig(AppConfig):
    """Who did what to which record, and when."""

    name = "memoryhub.audit"
    label = "audit"
    default_auto_field = "django.db.models.BigAutoField"
