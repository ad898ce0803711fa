"""The endpoint backend against a real HTTP server: what it sends, and every way it can fail."""

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from memoryhub.llm import answers
from memoryhub.llm.backends import openai as backend
from memoryhub.llm.configuration import LlmSettings
from memoryhub.llm.errors import (
    ModelAnswerInvalid,
    ModelError,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
)
from memoryhub.llm.types import ChatModel, JsonSchema, Message, Purpose
from tests.llm.server import LocalProvider, Rule

ASKED = [Message("system", "Be kind."), Message("user", "What is the plan?")]
SCHEMA = JsonSchema("facts", {"type": "object", "properties": {"facts": {"type": "array"}}})
PIXELS = '{"facts": ["a \\\\pixel"]}'


@pytest.fixture(scope="module")
def _server() -> Iterator[LocalProvider]:
    with LocalProvider() as provider:
        yield provider


@pytest.fixture
def provider(_server: LocalProvider) -> LocalProvider:
    _server.reset()
    return _server


@pytest.fixture
def settings_(provider: LocalProvider) -> LlmSettings:
    return LlmSettings(
        backend="openai", base_url=provider.url, api_key="sk-test", model="m1", embed_model="e1", timeout=2.0
    )


@pytest.fixture
def model(settings_: LlmSettings) -> ChatModel:
    return backend.chat_model(Purpose.REPLY, settings_)


def failure(model: ChatModel, kind: type[ModelError], streamed: bool) -> ModelError:
    with pytest.raises(kind) as caught:
        if streamed:
            list(model.stream(ASKED))
        else:
            model.complete(ASKED)
    assert type(caught.value) is kind
    assert "secret provider words" not in caught.value.message
    assert caught.value.__cause__ is None
    return caught.value


both = pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])


def test_completes_with_usage(provider: LocalProvider, model: ChatModel) -> None:
    provider.script([Rule(text="Launch in May.")])
    completion = model.complete(ASKED, max_tokens=50)
    assert completion.text == "Launch in May."
    assert (completion.model, completion.usage.input, completion.usage.output) == ("m1", 6, 3)
    assert completion.usage.cached == 1
    assert not completion.usage.estimated
    sent = provider.prompts[0]["body"]
    assert sent["messages"] == [{"role": m.role, "content": m.content} for m in ASKED]
    assert sent["max_tokens"] == 50


def test_streams_pieces_then_the_completion(provider: LocalProvider, model: ChatModel) -> None:
    provider.script([Rule(text="One two three.")])
    stream = model.stream(ASKED)
    assert stream.completion is None
    assert [delta.text for delta in stream] == ["One ", "two ", "three."]
    assert stream.text == "One two three."
    assert stream.completion is not None
    assert (stream.completion.text, stream.completion.usage.output) == ("One two three.", 3)


def test_counts_itself_when_no_usage_is_reported(provider: LocalProvider, model: ChatModel) -> None:
    provider.script([Rule(text="One two three.", no_usage=True)])
    assert model.complete(ASKED).usage.estimated
    with model.stream(ASKED) as stream:
        list(stream)
    assert stream.completion is not None
    assert stream.completion.usage.estimated
    assert stream.completion.usage.output == 4


@both
def test_nobody_listens(settings_: LlmSettings, streamed: bool) -> None:
    away = replace(settings_, base_url="http://127.0.0.1:9/v1")
    failure(backend.chat_model(Purpose.REPLY, away), ModelUnavailable, streamed)


@both
def test_hangs_up(provider: LocalProvider, model: ChatModel, streamed: bool) -> None:
    provider.script([Rule(refuse=True)])
    failure(model, ModelUnavailable, streamed)
    assert len(provider.prompts) == 2  # tried once more


@both
def test_a_lost_connection_is_tried_once_more(
    provider: LocalProvider, model: ChatModel, streamed: bool
) -> None:
    provider.script([Rule(refuse=True, times=1), Rule(text="Here.")])
    text = "".join(delta.text for delta in model.stream(ASKED)) if streamed else model.complete(ASKED).text
    assert text == "Here."


@both
def test_hangs(provider: LocalProvider, settings_: LlmSettings, streamed: bool) -> None:
    provider.script([Rule(hang=30)])
    model = backend.chat_model(Purpose.REPLY, replace(settings_, timeout=0.4))
    started = time.monotonic()
    failure(model, ModelTimeout, streamed)
    assert time.monotonic() - started < 1.5
    assert len(provider.prompts) == 1  # not tried again


def test_drips_forever(provider: LocalProvider, settings_: LlmSettings) -> None:
    provider.script([Rule(text="word " * 1000, pause=0.05)])
    model = backend.chat_model(Purpose.REPLY, replace(settings_, timeout=0.1))
    started = time.monotonic()
    failure(model, ModelTimeout, streamed=True)
    assert time.monotonic() - started < 3


@both
@pytest.mark.parametrize("status", [500, 502, 503, 408])
def test_faults(provider: LocalProvider, model: ChatModel, status: int, streamed: bool) -> None:
    provider.script([Rule(status=status)])
    failure(model, ModelUnavailable, streamed)


@both
def test_rate_limited(provider: LocalProvider, model: ChatModel, streamed: bool) -> None:
    provider.script([Rule(status=429, retry_after=17)])
    limited = failure(model, ModelRateLimited, streamed)
    assert isinstance(limited, ModelRateLimited)
    assert limited.retry_after == 17
    assert "17 seconds" in limited.message
    assert len(provider.prompts) == 1


def test_a_short_rate_limit_is_waited_for(provider: LocalProvider, model: ChatModel) -> None:
    provider.script([Rule(status=429, retry_after=0.1, times=1), Rule(text="Here.")])
    assert model.complete(ASKED).text == "Here."


@pytest.mark.parametrize("told", ["", "soon", "nan", "inf", "-5"])
def test_a_strange_retry_after_is_guessed(provider: LocalProvider, model: ChatModel, told: str) -> None:
    provider.script(
        [Rule(status=429, retry_after=None if not told else float(told) if told != "soon" else None)]
    )
    try:
        model.complete(ASKED)
    except ModelRateLimited as limited:
        assert 0 <= limited.retry_after <= 3600


@both
@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_refused(provider: LocalProvider, model: ChatModel, status: int, streamed: bool) -> None:
    provider.script([Rule(status=status)])
    failure(model, ModelRefused, streamed)


def test_no_quota_is_a_refusal(provider: LocalProvider, model: ChatModel) -> None:
    provider.script(
        [Rule(status=429, error={"message": "secret provider words", "code": "insufficient_quota"})]
    )
    failure(model, ModelRefused, streamed=False)


@both
def test_a_redirect_is_not_followed(provider: LocalProvider, model: ChatModel, streamed: bool) -> None:
    provider.script([Rule(location=provider.url + "/chat/completions", times=1)])
    failure(model, ModelRefused, streamed)
    assert len(provider.prompts) == 1


@pytest.mark.parametrize(
    "raw",
    [
        '{"id": "c1", "choices": [{"index": 0, "mess',
        "not json at all",
        "",
        "[]",
        "null",
        '"text"',
        "{}",
        '{"choices": []}',
        '{"choices": null}',
        '{"choices": [{}]}',
        '{"choices": [{"message": null}]}',
        '{"choices": [{"message": {"content": null}}]}',
        '{"choices": [{"message": {"content": ["a"]}}]}',
        '{"choices": [{"message": {"content": "  "}}]}',
        '{"choices": {"0": 1}}',
    ],
)
def test_no_chat_completion(provider: LocalProvider, model: ChatModel, raw: str) -> None:
    provider.script([Rule(raw=raw)])
    failure(model, ModelAnswerInvalid, streamed=False)


def test_a_stream_that_breaks_off(provider: LocalProvider, model: ChatModel) -> None:
    provider.script([Rule(text="One two three four.", cut_after=2)])
    stream = model.stream(ASKED)
    with pytest.raises(ModelAnswerInvalid):
        list(stream)
    assert stream.text == "One two "
    assert stream.completion is None


@pytest.mark.parametrize(
    "raw",
    [
        "data: {not json}\n\n",
        "data: [1]\n\n",
        "hello",
        'data: {"error": {"message": "x"}}\n\n',
        "data: null\n\n",
    ],
)
def test_a_stream_of_something_else(provider: LocalProvider, model: ChatModel, raw: str) -> None:
    provider.script([Rule(raw=raw)])
    with pytest.raises((ModelAnswerInvalid, ModelUnavailable)):
        list(model.stream(ASKED))


@both
def test_a_huge_answer_is_dropped(provider: LocalProvider, model: ChatModel, streamed: bool) -> None:
    provider.script([Rule(size=3_000_000)])
    failure(model, ModelAnswerInvalid, streamed)


def test_a_compressed_answer_is_dropped(provider: LocalProvider, model: ChatModel) -> None:
    provider.script([Rule(text="x", gzip=True)])
    failure(model, ModelAnswerInvalid, streamed=False)


@pytest.mark.parametrize("waiting", [True, False], ids=["in another thread", "between pieces"])
def test_closing_a_stream_closes_the_connection(
    provider: LocalProvider, model: ChatModel, waiting: bool
) -> None:
    provider.script([Rule(text="word " * 200, pause=0.05 if not waiting else 1.0)])
    stream = model.stream(ASKED)
    assert next(stream).text == "word "
    if waiting:
        reader = threading.Thread(target=lambda: list(stream))
        reader.start()
        time.sleep(0.1)
        stream.close()
        reader.join(0.5)
        assert not reader.is_alive()
    else:
        stream.close()
    assert stream.completion is None
    assert list(stream) == []
    deadline = time.monotonic() + 4
    while not provider.hung_up and time.monotonic() < deadline:
        time.sleep(0.05)
    assert provider.hung_up == 1


def test_json_is_asked_for_by_schema(provider: LocalProvider, model: ChatModel) -> None:
    provider.script([Rule(text='```json\n{"facts": []}\n```')])
    assert json.loads(model.complete(ASKED, schema=SCHEMA).text) == {"facts": []}
    assert provider.prompts[0]["body"]["response_format"]["json_schema"]["name"] == "facts"


def test_falls_back_to_a_json_object_and_remembers(provider: LocalProvider, model: ChatModel) -> None:
    provider.script([Rule(when='"json_schema"', status=400), Rule(text='{"facts": []}')])
    model.complete(ASKED, schema=SCHEMA)
    model.complete(ASKED, schema=SCHEMA)
    formats = [prompt["body"]["response_format"]["type"] for prompt in provider.prompts]
    assert formats == ["json_schema", "json_object", "json_object"]
    assert "JSON Schema" in provider.prompts[1]["body"]["messages"][0]["content"]


def test_falls_back_to_words_alone(provider: LocalProvider, model: ChatModel) -> None:
    provider.script([Rule(when='"response_format"', status=400), Rule(text='{"facts": []}')])
    assert model.complete(ASKED, schema=SCHEMA).text == '{"facts": []}'
    assert len(provider.prompts) == 3


def test_falls_back_to_the_other_limit(provider: LocalProvider, model: ChatModel) -> None:
    refused = {"message": "use max_completion_tokens", "param": "max_tokens", "code": "unsupported_parameter"}
    provider.script([Rule(when='"max_tokens"', status=400, error=refused), Rule(text="Fine.")])
    assert model.complete(ASKED, max_tokens=9).text == "Fine."
    assert provider.prompts[1]["body"]["max_completion_tokens"] == 9


def test_falls_back_to_a_stream_without_usage(provider: LocalProvider, model: ChatModel) -> None:
    provider.script([Rule(when='"stream_options"', status=400), Rule(text="Fine.")])
    stream = model.stream(ASKED)
    assert [delta.text for delta in stream] == ["Fine."]


def test_a_prompt_too_long_is_not_tried_again(provider: LocalProvider, model: ChatModel) -> None:
    provider.script(
        [Rule(status=400, error={"message": "secret provider words", "code": "context_length_exceeded"})]
    )
    with pytest.raises(ModelRefused, match="too large"):
        model.complete(ASKED, schema=SCHEMA)
    assert len(provider.prompts) == 1


def test_an_answer_that_is_no_json_is_invalid(provider: LocalProvider, model: ChatModel) -> None:
    provider.script([Rule(text='{"facts": [')])
    with pytest.raises(ModelAnswerInvalid):
        model.complete(ASKED, schema=SCHEMA)


def test_asking_repairs_once(provider: LocalProvider, model: ChatModel) -> None:
    provider.script([Rule(text='{"facts": [', times=1), Rule(text='{"facts": [1]}')])
    assert answers.ask(model, ASKED, SCHEMA) == {"facts": [1]}
    assert "valid JSON" in provider.prompts[1]["body"]["messages"][-1]["content"]


def test_models_by_purpose(settings_: LlmSettings) -> None:
    chosen = replace(settings_, extract_model="m2")
    assert backend.chat_model(Purpose.EXTRACT, chosen).name == "m2"
    assert backend.chat_model(Purpose.SUMMARISE, chosen).name == "m1"


def test_embeds_in_order_and_normalised(provider: LocalProvider, settings_: LlmSettings) -> None:
    embedder = backend.embedder(settings_)
    texts = [f"word{number}" for number in range(40)]
    vectors = embedder.embed_passages([*texts, ""])
    assert len(vectors) == 41
    assert len(provider.prompts) == 3
    assert vectors[7] == embedder.embed_query("word7")
    assert all(abs(sum(value * value for value in vector) - 1) < 1e-6 for vector in vectors)


@pytest.mark.parametrize("vector", [[0.0] * 384, [1.0] * 12, [float("nan")] * 384, [float("inf")] * 384])
def test_vectors_that_are_none(provider: LocalProvider, settings_: LlmSettings, vector: list[float]) -> None:
    provider.script([Rule(vector=vector)])
    with pytest.raises(ModelAnswerInvalid):
        backend.embedder(settings_).embed_query("hello")


def test_a_wrong_dimension_names_both(provider: LocalProvider, settings_: LlmSettings) -> None:
    provider.script([Rule(when='"dimensions"', status=400), Rule(vector=[1.0] * 768)])
    with pytest.raises(ModelAnswerInvalid, match=r"768.*384"):
        backend.embedder(settings_).embed_query("hello")


@pytest.mark.parametrize(
    "raw", ["{}", '{"data": []}', '{"data": [{"index": 0, "embedding": "abc"}]}', '{"data": 5}', "x"]
)
def test_no_list_of_vectors(provider: LocalProvider, settings_: LlmSettings, raw: str) -> None:
    provider.script([Rule(raw=raw)])
    with pytest.raises(ModelAnswerInvalid):
        backend.embedder(settings_).embed_query("hello")


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        (Rule(status=401), ModelRefused),
        (Rule(status=503), ModelUnavailable),
        (Rule(status=429, retry_after=9), ModelRateLimited),
        (Rule(hang=30), ModelTimeout),
        (Rule(refuse=True), ModelUnavailable),
    ],
)
def test_embedding_failures(
    provider: LocalProvider, settings_: LlmSettings, rule: Rule, kind: type[ModelError]
) -> None:
    provider.script([rule])
    with pytest.raises(kind):
        backend.embedder(replace(settings_, timeout=0.5)).embed_query("hello")
