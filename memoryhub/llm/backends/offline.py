"""What answers when no language model is configured: rules that extract, templates that reply, sentences picked for
a summary, and a small real embedder. It says what it is: ``offline`` is true, and its names begin with ``rules``."""

from memoryhub.llm.backends.minilm import MiniLmEmbedder, embedder
from memoryhub.llm.backends.rules.extractor import RulesExtractor
from memoryhub.llm.backends.summariser import ExtractiveSummariser
from memoryhub.llm.backends.templated import TemplatedReplier
from memoryhub.llm.configuration import LlmSettings
from memoryhub.llm.types import ChatModel, Purpose

__all__ = ["MiniLmEmbedder", "chat_model", "embedder"]


def chat_model(purpose: Purpose, settings: LlmSettings) -> ChatModel:
    if purpose is Purpose.EXTRACT:
        return RulesExtractor()
    if purpose is Purpose.SUMMARISE:
        return ExtractiveSummariser()
    return TemplatedReplier()
