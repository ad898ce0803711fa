"""The only way out to a model provider.

``get_chat_model(purpose)`` and ``get_embedder()`` choose by ``settings.MEMORYHUB_LLM``. Whatever they return writes
one ``ModelCall`` row a call and refuses to run inside an open transaction.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

from django.conf import settings

from memoryhub.llm.configuration import BackendName, LlmSettings
from memoryhub.llm.types import ChatModel, Embedder, Purpose

# Named, not imported: this package is imported before Django's models are ready, and a process that never asks a
# model should pay neither for the provider's client nor for the embedding runtime.
_BACKENDS: dict[BackendName, str] = {
    "openai": "memoryhub.llm.backends.openai",
    "offline": "memoryhub.llm.backends.offline",
    "fake": "memoryhub.llm.backends.fake",
}
_RECORDING = "memoryhub.llm.recording"


def get_chat_model(purpose: Purpose) -> ChatModel:
    """The chat model configured for ``purpose`` (``reply``, ``extract`` or ``summarise``), recorded in the ledger."""
    return _chat_model(Purpose(purpose), settings.MEMORYHUB_LLM)


def get_embedder() -> Embedder:
    """The configured embedder, recorded in the ledger. Its ``dimension`` fits the vectors already stored only if
    the model was not changed since; compare ``name``."""
    return _embedder(settings.MEMORYHUB_LLM)


def get_next_embedder() -> Embedder | None:
    """The embedder that a change goes to (``MEMORYHUB_LLM_NEXT_EMBED_…``); None when none is configured."""
    following = settings.MEMORYHUB_LLM.following()
    return _embedder(following) if following is not None else None


def available_embedders() -> Mapping[str, Embedder]:
    """Those that this installation can ask, by name: the configured one and the next."""
    following = get_next_embedder()
    return {each.name: each for each in (following, get_embedder()) if each is not None}


@lru_cache(maxsize=32)
def _chat_model(purpose: Purpose, chosen: LlmSettings) -> ChatModel:
    backend = _load(_BACKENDS[chosen.chat_backend])
    model: ChatModel = _load(_RECORDING).RecordedChatModel(backend.chat_model(purpose, chosen), purpose)
    return model


@lru_cache(maxsize=8)
def _embedder(chosen: LlmSettings) -> Embedder:
    backend = _load(_BACKENDS[chosen.embed_backend])
    embedder: Embedder = _load(_RECORDING).RecordedEmbedder(backend.embedder(chosen))
    return embedder


def _load(path: str) -> Any:
    return import_module(path)
