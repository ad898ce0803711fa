"""Any endpoint that speaks OpenAI's API: a provider, vLLM, llama.cpp, Ollama. The only importer of ``openai``."""

import json
import logging
import math
import socket
import time
from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import openai
from openai.types.chat import ChatCompletionChunk

from memoryhub.llm import answers
from memoryhub.llm.backends import completions, retries, transport
from memoryhub.llm.backends.dialects import Dialect, Spoken
from memoryhub.llm.configuration import LlmSettings
from memoryhub.llm.errors import (
    ModelAnswerInvalid,
    ModelError,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
)
from memoryhub.llm.streams import GeneratorStream
from memoryhub.llm.types import Completion, Delta, JsonSchema, Message, Purpose, Tool

_Chunks = openai.Stream[ChatCompletionChunk]

_LOG = logging.getLogger(__name__)
_DEFAULT_URL = "https://api.openai.com/v1"
_DEFAULT_MODEL = "gpt-4o-mini"
_GUESSED_WAIT = 20.0
_TOO_LONG = "context_length_exceeded"
# Sixteen vectors of 3,072 numbers in decimal stay below the transport's two megabytes.
_BATCH = 16
# Not measured for a model of your choice: MEMORYHUB_LLM_EMBED_FLOOR sets it.
_FLOOR = 0.3


class OpenAIChatModel:
    """A chat model behind an endpoint."""

    backend = "openai"
    offline = False

    def __init__(self, client: openai.OpenAI, name: str) -> None:
        self.name = name
        self._client = client
        self._spoken = Spoken()

    def complete(
        self, messages: Sequence[Message], *, schema: JsonSchema | None = None, max_tokens: int | None = None
    ) -> Completion:
        started = time.monotonic()
        answer = retries.once_more(lambda: self._create(messages, schema, max_tokens, (), stream=False))
        completion = completions.read(answer, messages, model=self.name, latency_ms=_since(started))
        if schema is None:
            return completion
        return replace(completion, text=json.dumps(answers.parse(completion.text), ensure_ascii=False))

    def stream(
        self, messages: Sequence[Message], *, tools: Sequence[Tool] = (), max_tokens: int | None = None
    ) -> GeneratorStream:
        wire = _Wire()
        return GeneratorStream(self._pieces(messages, tools, max_tokens, wire), interrupt=wire.cut)

    def _pieces(
        self, messages: Sequence[Message], tools: Sequence[Tool], max_tokens: int | None, wire: "_Wire"
    ) -> Generator[Delta, None, Completion]:
        started = time.monotonic()
        chunks: _Chunks = retries.once_more(
            lambda: self._create(messages, None, max_tokens, tools, stream=True)
        )
        wire.chunks = chunks
        reading = completions.Reading(self.name)
        try:
            yield from _translating(reading.deltas(chunks))
        finally:
            chunks.close()
        return reading.completion(messages, _since(started))

    def _create(
        self,
        messages: Sequence[Message],
        schema: JsonSchema | None,
        max_tokens: int | None,
        tools: Sequence[Tool],
        *,
        stream: bool,
    ) -> Any:
        """One request, in the strongest dialect the endpoint does not refuse."""
        dialect: Dialect | None = self._spoken.get()
        while True:
            assert dialect is not None
            options = dialect.options(schema, max_tokens, stream=stream, tools=tools)
            try:
                answer = self._post(dialect.messages(messages, schema), options, stream)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                dialect = None if error.code == _TOO_LONG else dialect.weaker(options, error.param)
                if dialect is None:
                    raise translated(error) from None
                continue
            except Exception as error:
                raise translated(error) from None
            self._spoken.learn(dialect)
            return answer

    def _post(self, messages: Sequence[Message], options: dict[str, Any], stream: bool) -> Any:
        sent = [_sent(message) for message in messages]
        return self._client.chat.completions.create(
            model=self.name,
            messages=sent,  # type: ignore[arg-type]
            stream=stream,
            **options,
        )


def _sent(message: Message) -> dict[str, Any]:
    sent: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_call_id:
        sent["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        sent["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    return sent


class OpenAIEmbedder:
    """An embedder behind an endpoint. Vectors are brought to length 1; another dimension than configured is refused.

    ``hasty`` is the client for questions: somebody waits for those, so it gives up sooner.
    """

    backend = "openai"

    def __init__(
        self, client: openai.OpenAI, hasty: openai.OpenAI, model: str, dimension: int, floor: float | None
    ) -> None:
        # Vectors of one model in two sizes do not compare, so the size belongs to the name.
        self.name = f"{model}/{dimension}"
        self.dimension = dimension
        self.relevance_floor = _FLOOR if floor is None else floor
        self._client, self._hasty, self._model = client, hasty, model
        self._may_ask_dimension = True

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        """Raises the kinds in ``memoryhub.llm.errors``; no part of a batch is returned without the rest."""
        batches = (texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH))
        answered = (retries.once_more(partial(self._embed, self._client, batch)) for batch in batches)
        return [vector for vectors in answered for vector in vectors]

    def embed_query(self, text: str) -> list[float]:
        return retries.once_more(partial(self._embed, self._hasty, [text]))[0]

    def _embed(self, client: openai.OpenAI, texts: Sequence[str]) -> list[list[float]]:
        # Endpoints refuse empty texts; a space embeds as nothing in particular.
        answer = self._asked(client, [text or " " for text in texts])
        try:
            rows = sorted(answer.data, key=lambda row: row.index)
            vectors = [[float(value) for value in row.embedding] for row in rows]
        except (AttributeError, TypeError, ValueError):
            raise ModelAnswerInvalid(
                "The embedding model answered with something that is no list of vectors."
            ) from None
        if len(vectors) != len(texts):
            raise ModelAnswerInvalid(
                f"The embedding model answered {len(vectors)} vectors to {len(texts)} texts."
            )
        return [self._unit(vector) for vector in vectors]

    def _asked(self, client: openai.OpenAI, texts: list[str]) -> Any:
        if self._may_ask_dimension:
            try:
                return self._post(client, texts, dimensions=self.dimension)
            except (openai.BadRequestError, openai.UnprocessableEntityError):
                self._may_ask_dimension = False
            except Exception as error:
                raise translated(error) from None
        try:
            return self._post(client, texts)
        except Exception as error:
            raise translated(error) from None

    def _post(self, client: openai.OpenAI, texts: list[str], **options: Any) -> Any:
        return client.embeddings.create(model=self._model, input=texts, encoding_format="float", **options)

    def _unit(self, vector: list[float]) -> list[float]:
        if len(vector) != self.dimension:
            raise ModelAnswerInvalid(
                f"The embedding model {self.name} answers vectors of {len(vector)} numbers; this installation keeps "
                f"{self.dimension} (MEMORYHUB_LLM_EMBED_DIMENSION)."
            )
        length = math.hypot(*vector)
        if not math.isfinite(length) or length == 0:
            raise ModelAnswerInvalid("The embedding model answered a vector without a direction.")
        return [value / length for value in vector]


class _Wire:
    """The connection of a stream, for whoever stops it from another thread."""

    def __init__(self) -> None:
        self.chunks: _Chunks | None = None

    def cut(self) -> None:
        # Closing a socket does not wake its reader; shutting it down does.
        network = self.chunks.response.extensions.get("network_stream") if self.chunks else None
        found = network.get_extra_info("socket") if network else None
        if found is not None:
            try:
                found.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # It ended by itself.


def _translating(source: Generator[Delta, None, None]) -> Generator[Delta, None, None]:
    try:
        yield from source
    except Exception as error:
        raise translated(error) from None


def translated(error: Exception) -> ModelError:
    """Our error for the client's. The provider's words go no further than here: they may quote keys or prompts."""
    if isinstance(error, ModelError):
        return error
    _LOG.info("A model call failed: %s %s", type(error).__name__, getattr(error, "status_code", ""))
    if isinstance(error, openai.APITimeoutError):
        return ModelTimeout("The model did not answer in time. Nothing is lost; try again.")
    if isinstance(error, openai.APIConnectionError):
        return _disconnected(error)
    if isinstance(error, openai.APIStatusError):
        return _status(error)
    if isinstance(
        error, openai.APIResponseValidationError | ValueError | TypeError | AttributeError | IndexError
    ):
        return ModelAnswerInvalid("The model's answer could not be read.")
    return ModelUnavailable("The model's provider reports a fault. Nothing is lost; try again later.")


def _disconnected(error: openai.APIConnectionError) -> ModelError:
    if isinstance(error.__cause__, transport.AnswerRefused):
        return ModelAnswerInvalid("The model's answer is too large or compressed, and was dropped.")
    return ModelUnavailable("The model's provider can not be reached. Nothing is lost; try again later.")


def _status(error: openai.APIStatusError) -> ModelError:
    status = error.status_code
    if status == 429 and error.code != "insufficient_quota":
        wait = _wait(error)
        return ModelRateLimited(
            f"The model's provider takes no more calls for now; try again in {math.ceil(wait)} seconds.",
            retry_after=wait,
        )
    if status in (408, 409, 425) or status >= 500:
        return ModelUnavailable("The model's provider reports a fault. Nothing is lost; try again later.")
    if error.code == _TOO_LONG:
        return ModelRefused(_REFUSALS[413])
    return ModelRefused(_REFUSALS.get(status, f"The model's provider refuses the request (status {status})."))


_REFUSALS = {
    401: "The model's provider does not accept the key (MEMORYHUB_LLM_API_KEY).",
    403: "The model's provider does not allow this key to use the model.",
    404: "The model's provider knows no such model or address (MEMORYHUB_LLM_MODEL, MEMORYHUB_LLM_BASE_URL).",
    413: "The prompt is too large for the model's provider.",
    429: "The account at the model's provider has no quota left.",
}


def _wait(error: openai.APIStatusError) -> float:
    try:
        told = float(error.response.headers.get("Retry-After", ""))
    except ValueError:
        return _GUESSED_WAIT
    return min(max(told, 0.0), 3600.0) if math.isfinite(told) else _GUESSED_WAIT


def _since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)


@lru_cache(maxsize=8)
def _client(base_url: str, api_key: str, timeout: float, proxy: str) -> openai.OpenAI:
    return openai.OpenAI(
        base_url=base_url or _DEFAULT_URL,
        # The client insists on a key and would look for one in the environment; servers of one's own need none.
        api_key=api_key or "unset",
        max_retries=0,
        timeout=timeout,
        http_client=transport.client(timeout, proxy),
    )


def chat_model(purpose: Purpose, settings: LlmSettings) -> OpenAIChatModel:
    client = _client(settings.base_url, settings.api_key, settings.timeout, settings.proxy)
    return OpenAIChatModel(client, settings.model_for(purpose) or _DEFAULT_MODEL)


def embedder(settings: LlmSettings) -> OpenAIEmbedder:
    address = settings.embed_base_url or settings.base_url
    key = settings.embed_api_key or ("" if settings.embed_base_url else settings.api_key)
    client = _client(address, key, settings.timeout, settings.proxy)
    hasty = _client(address, key, min(settings.embed_query_timeout, settings.timeout), settings.proxy)
    return OpenAIEmbedder(client, hasty, settings.embed_model, settings.embed_dimension, settings.embed_floor)
