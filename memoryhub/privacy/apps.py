from django.apps import AppConfig


class PrivacyConfig(AppConfig):
    """What a person may demand, and what the law lets us keep."""

    name = "memoryhub.privacy"
    label = "privacy"
    default_auto_field = "django.db.models.BigAutoField"
