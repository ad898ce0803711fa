"""What can be configured about models. ``config/settings.py`` fills it from the environment."""

from dataclasses import dataclass, field, replace
from typing import Literal, Self
from urllib.parse import urlsplit

from memoryhub.llm.types import Purpose

BackendName = Literal["openai", "offline", "fake"]

# The column that holds vectors has this size; the offline model's own size, and what endpoints are asked for.
DIMENSION = 384


@dataclass(frozen=True)
class LlmSettings:
    """The models of one installation. An empty string means: not set.

    ``backend`` ``auto`` takes the endpoint when an address or a key is given, else the offline rules. The purposes'
    models fall back to ``model``. Without ``embed_model`` the offline embedder stays, also beside an endpoint.
    ``timeout`` is in seconds and bounds a whole call, and the wait for each piece of a stream. ``embed_floor``
    overrides the embedder's own floor. ``embed_query_timeout`` bounds the wait for a question's vector: recall goes on
    by words rather than let somebody wait. ``next_embed_…`` is the embedder that a change goes to, beside the present
    one; ``builtin`` names the one that ships. ``proxy`` is the address of an HTTP proxy on the way to the endpoint. ``fake_script`` is a file read by the fake backend only.
    """

    backend: Literal["auto", "openai", "offline", "fake"] = "auto"
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    model: str = ""
    reply_model: str = ""
    extract_model: str = ""
    summarise_model: str = ""
    embed_model: str = ""
    embed_base_url: str = ""
    embed_api_key: str = field(default="", repr=False)
    embed_dimension: int = DIMENSION
    embed_floor: float | None = None
    next_embed_model: str = ""
    next_embed_base_url: str = ""
    next_embed_api_key: str = field(default="", repr=False)
    next_embed_dimension: int = DIMENSION
    next_embed_floor: float | None = None
    embed_query_timeout: float = 3.0
    timeout: float = 60.0
    proxy: str = ""
    fake_script: str = ""

    def __post_init__(self) -> None:
        """Raises ``ValueError`` with a sentence that names the setting."""
        if self.backend not in ("auto", "openai", "offline", "fake"):
            raise ValueError(f"MEMORYHUB_LLM_BACKEND is auto, openai, offline or fake, not {self.backend!r}.")
        for name in ("base_url", "embed_base_url", "next_embed_base_url"):
            _check_address(f"MEMORYHUB_LLM_{name.upper()}", getattr(self, name))
        if not 0 < self.timeout <= 3600:
            raise ValueError("MEMORYHUB_LLM_TIMEOUT is a number of seconds above 0 and up to 3600.")
        if not 0 < self.embed_query_timeout <= 3600:
            raise ValueError(
                "MEMORYHUB_LLM_EMBED_QUERY_TIMEOUT is a number of seconds above 0 and up to 3600."
            )
        for name in ("embed_dimension", "next_embed_dimension"):
            if getattr(self, name) < 1:
                raise ValueError(f"MEMORYHUB_LLM_{name.upper()} is a positive number.")

    @property
    def chat_backend(self) -> BackendName:
        """The backend that answers chat calls."""
        if self.backend != "auto":
            return self.backend
        return "openai" if self.base_url or self.api_key else "offline"

    @property
    def embed_backend(self) -> BackendName:
        """The backend that embeds."""
        if self.backend == "fake":
            return "fake"
        reachable = self.chat_backend == "openai" or self.embed_base_url
        return "openai" if self.embed_model and reachable else "offline"

    def following(self) -> Self | None:
        """The settings with the next embedder in the place of the present one; None when no change is configured."""
        if not self.next_embed_model:
            return None
        builtin = self.next_embed_model == "builtin"
        return replace(
            self,
            embed_model="" if builtin else self.next_embed_model,
            embed_base_url=self.next_embed_base_url or self.embed_base_url,
            embed_api_key=self.next_embed_api_key or self.embed_api_key,
            embed_dimension=self.next_embed_dimension,
            embed_floor=self.next_embed_floor,
            next_embed_model="",
        )

    def model_for(self, purpose: Purpose) -> str:
        """The model's name for ``purpose``; empty when none is set."""
        if purpose is Purpose.EMBED:
            return self.embed_model
        own = {
            Purpose.REPLY: self.reply_model,
            Purpose.EXTRACT: self.extract_model,
            Purpose.SUMMARISE: self.summarise_model,
        }[purpose]
        return own or self.model


def _check_address(name: str, address: str) -> None:
    if not address:
        return
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{name} is an address like https://models.example.com/v1, not {address!r}.")
    if parts.username or parts.password:
        raise ValueError(f"{name} must not hold a user or password; give the key by its own setting.")
