from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Members and API keys of a tenant: the acts on them, each with its audit entry."""

    name = "memoryhub.accounts"
    label = "accounts"
