from django.apps import AppConfig


class LlmConfig(AppConfig):
    """Models, and the ledger of calls to them."""

    name = "memoryhub.llm"
    label = "llm"
