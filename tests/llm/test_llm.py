"""Choosing models, counting tokens, reading answers, prices and the fake."""

import contextlib
import json
import math
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryhub.llm import answers, connection, get_chat_model, get_embedder, prices, tokens
from memoryhub.llm.backends import fake
from memoryhub.llm.configuration import LlmSettings
from memoryhub.llm.errors import ModelAnswerInvalid, ModelRateLimited, ModelTimeout
from memoryhub.llm.streams import GeneratorStream, whole
from memoryhub.llm.types import Completion, Message, Purpose, Usage
from tests.llm.server import LocalProvider, Rule


@pytest.fixture(autouse=True)
def _clean() -> None:
    fake.reset()


# --- choosing


@pytest.mark.parametrize(
    ("chosen", "chat", "embed"),
    [
        (LlmSettings(), "offline", "offline"),
        (LlmSettings(base_url="http://127.0.0.1:1/v1"), "openai", "offline"),
        (LlmSettings(api_key="k"), "openai", "offline"),
        (LlmSettings(api_key="k", embed_model="e"), "openai", "openai"),
        (LlmSettings(embed_model="e"), "offline", "offline"),
        (LlmSettings(backend="offline", api_key="k", embed_model="e"), "offline", "offline"),
        (LlmSettings(backend="fake"), "fake", "fake"),
    ],
)
def test_backends_are_chosen(settings: Any, chosen: LlmSettings, chat: str, embed: str) -> None:
    settings.MEMORYHUB_LLM = chosen
    assert {
        get_chat_model(purpose).backend for purpose in (Purpose.REPLY, Purpose.EXTRACT, Purpose.SUMMARISE)
    } == {chat}
    assert get_embedder().backend == embed
    assert get_chat_model(Purpose.REPLY).offline == (chat != "openai")


def test_offline_names_say_what_they_are(settings: Any) -> None:
    settings.MEMORYHUB_LLM = LlmSettings()
    assert [get_chat_model(p).name for p in (Purpose.REPLY, Purpose.EXTRACT, Purpose.SUMMARISE)] == [
        "rules-reply",
        "rules-extract",
        "rules-summarise",
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"backend": "gpt"},
        {"base_url": "models.example.com"},
        {"base_url": "file:///etc/passwd"},
        {"base_url": "https://user:pass@models.example.com"},
        {"embed_base_url": "ftp://x"},
        {"timeout": 0},
        {"timeout": math.nan},
        {"embed_dimension": 0},
    ],
)
def test_wrong_settings_name_themselves(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="MEMORYHUB_LLM_"):
        LlmSettings(**wrong)


def test_keys_are_not_printed() -> None:
    assert "hunter2" not in repr(LlmSettings(api_key="hunter2", embed_api_key="hunter2"))


# --- tokens


def test_counts() -> None:
    assert tokens.count("") == 0
    assert tokens.count("hello world") == 2
    assert tokens.count("<|endoftext|>") > 1
    assert tokens.count("\ud800") > 0
    assert tokens.count_messages([Message("user", "hello world")]) == 9


def test_counts_what_is_longer_than_the_tokenizer_takes() -> None:
    assert tokens.count("hello world " * 100_000) == pytest.approx(200_000, rel=0.01)


def test_fits_whole_items() -> None:
    items = ["one two", "three four five", "six"]
    assert tokens.fit(items, 5, text=str) == ["one two", "three four five"]
    assert tokens.fit(items, 4, text=str) == ["one two"]
    assert tokens.fit(items, 4, text=str, newest=True) == ["three four five", "six"]
    assert tokens.fit(items, 0, text=str) == []


# --- answers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ("```\n[1]\n```\n", [1]),
        ('<think>hm {"b": 2}</think>\n{"a": 1}', {"a": 1}),
        (r'{"a": "C:\users \pixel \u12"}', {"a": r"C:\users \pixel \u12"}),
        (r'{"a": "tab\t and \\ and é"}', {"a": "tab\t and \\ and é"}),
        (r'{"a": "x\u0000y\ud800z"}', {"a": "xyz"}),
        (r'{"k\u0000": ["\udfff"]}', {"k": [""]}),
    ],
)
def test_reads_json(text: str, value: Any) -> None:
    assert answers.parse(text) == value


@pytest.mark.parametrize(
    "text", ["", "hello", '{"a": ', '{"a": NaN}', "[" * 100_000, '{"a": 1} and more', "```json\n{\n```"]
)
def test_refuses_what_is_no_json(text: str) -> None:
    with pytest.raises(ModelAnswerInvalid):
        answers.parse(text)


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_answer_is_json_or_invalid(text: str) -> None:
    with contextlib.suppress(ModelAnswerInvalid):
        json.dumps(answers.parse(text)).encode()


# --- prices


def test_prices() -> None:
    used = Usage(input=1_000_000, cached=0, output=1_000_000)
    known = prices.price_of(used, backend="openai", model="gpt-4o-mini", base_url="")
    assert known == Decimal("0.75")
    assert (
        prices.price_of(used, backend="openai", model="gpt-4o-mini", base_url="https://api.openai.com/v1")
        == known
    )
    assert (
        prices.price_of(used, backend="openai", model="gpt-4o-mini", base_url="http://127.0.0.1:1/v1") is None
    )
    assert prices.price_of(used, backend="openai", model="no-such-model", base_url="") is None
    assert prices.price_of(used, backend="offline", model="rules-reply", base_url="") == 0
    cached = prices.price_of(
        replace(used, cached=500_000), backend="openai", model="gpt-4o-mini", base_url=""
    )
    assert cached is not None
    assert known is not None
    assert cached < known


# --- streams


def test_a_stream_is_over_after_its_end() -> None:
    stream = GeneratorStream(whole(Completion("a b", "m", Usage(), 1)))
    assert "".join(delta.text for delta in stream) == "a b"
    assert stream.completion is not None
    stream.close()
    assert stream.completion is not None
    assert not stream.stopped
    assert list(stream) == []


def test_a_stream_closed_before_it_began_never_begins() -> None:
    stream = GeneratorStream(whole(Completion("a b", "m", Usage(), 1)))
    stream.close()
    assert list(stream) == []
    assert stream.stopped


# --- the fake


def test_the_fake_answers_as_scripted_and_remembers(settings: Any) -> None:
    model = fake.FakeChatModel(Purpose.REPLY)
    fake.script(["for anybody", lambda messages: messages[-1].content.upper()])
    fake.script(["for extraction"], purpose=Purpose.EXTRACT)
    assert model.complete([Message("user", "hello")]).text == "for anybody"
    assert model.complete([Message("user", "hello")]).text == "HELLO"
    assert model.complete([Message("user", "hello")]).text == "You said: hello"
    assert fake.FakeChatModel(Purpose.EXTRACT).complete([Message("user", "x")]).text == "for extraction"
    assert json.loads(fake.FakeChatModel(Purpose.EXTRACT).complete([Message("user", "x")]).text) == {
        "facts": []
    }
    assert [prompt.purpose for prompt in fake.prompts()] == ["reply"] * 3 + ["extract"] * 2
    assert fake.prompts()[0].text == "hello"


def test_the_fake_reads_rules_from_a_file(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(
        json.dumps(
            [
                {"purpose": "extract", "text": '{"facts": []}'},
                {"when": "slow", "error": "model_timeout"},
                {"when": "many", "error": "model_rate_limited", "retry_after": 7},
                {"text": "Fine."},
            ]
        )
    )
    model = fake.FakeChatModel(Purpose.REPLY, str(script))
    assert model.complete([Message("user", "hi")]).text == "Fine."
    with pytest.raises(ModelTimeout):
        list(model.stream([Message("user", "slow")]))
    with pytest.raises(ModelRateLimited) as caught:
        model.complete([Message("user", "many")])
    assert caught.value.retry_after == 7


def test_the_fake_embedder_is_the_same_everywhere() -> None:
    embedder = fake.FakeEmbedder(384)
    one, same = embedder.embed_passages(["Dark mode", "mode dark!"])
    assert one == same
    assert math.isclose(math.hypot(*one), 1)
    assert math.isclose(math.hypot(*embedder.embed_query("")), 1)
    assert one.index(max(one)) == 169


# --- test connection


def test_connection_reports(settings: Any) -> None:
    with LocalProvider() as provider:
        settings.MEMORYHUB_LLM = LlmSettings(base_url=provider.url, model="m1", embed_model="e1", timeout=1)
        for purpose in Purpose:
            report = connection.test_connection(purpose)
            assert (report.ok, report.backend, report.offline, report.error, report.code) == (
                True,
                "openai",
                False,
                "",
                "",
            )
            assert report.model == ("e1/384" if purpose is Purpose.EMBED else "m1")
        provider.script([Rule(status=401)])
        for purpose in Purpose:
            report = connection.test_connection(purpose)
            assert (report.ok, report.code) == (False, "model_refused")
            assert "MEMORYHUB_LLM_API_KEY" in report.error
            assert "sk-" not in report.error


def test_connection_says_when_nothing_is_configured(settings: Any) -> None:
    settings.MEMORYHUB_LLM = LlmSettings()
    report = connection.test_connection(Purpose.REPLY)
    assert (report.ok, report.offline, report.model) == (True, True, "rules-reply")
    assert connection.test_connection(Purpose.EXTRACT).ok
    assert connection.test_connection(Purpose.EMBED).ok
