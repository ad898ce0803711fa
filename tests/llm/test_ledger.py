"""Around every model: one row a call, no content in it, and no open transaction."""

import threading
import uuid
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, transaction

from memoryhub.llm import get_chat_model, get_embedder, ledger
from memoryhub.llm.backends import fake
from memoryhub.llm.configuration import LlmSettings
from memoryhub.llm.errors import ModelCallInTransaction, ModelRateLimited, ModelTimeout
from memoryhub.llm.models import ModelCall
from memoryhub.llm.types import JsonSchema, Message, Purpose, Usage
from memoryhub.tenants import scope
from memoryhub.tenants.models import Tenant
from tests.conftest import ACTOR
from tests.llm.server import LocalProvider, Rule

ASKED = [Message("user", "my secret is tuna")]


@pytest.fixture(autouse=True)
def _faked(settings: Any) -> None:
    settings.MEMORYHUB_LLM = LlmSettings(backend="fake")
    fake.reset()


def rows() -> list[ModelCall]:
    return list(ModelCall.objects.order_by("created_at", "id"))


def test_a_call_leaves_a_row(scoped: Tenant) -> None:
    fake.script(["I hear tuna."])
    get_chat_model(Purpose.REPLY).complete(ASKED)
    (row,) = rows()
    assert (row.purpose, row.backend, row.model, row.outcome) == ("reply", "fake", "fake", "ok")
    assert (row.input_tokens, row.output_tokens, row.price) == (11, 4, Decimal(0))
    assert (row.tenant_id, row.request_id) == (scoped.id, "req_test")


def test_a_row_holds_no_content(scoped: Tenant) -> None:
    get_chat_model(Purpose.REPLY).complete(ASKED)
    get_embedder().embed_query("tuna")
    with connection.cursor() as cursor:
        cursor.execute("SELECT string_agg(model_call::text, ' ') FROM model_call")
        assert "tuna" not in cursor.fetchone()[0]


def test_a_failure_leaves_its_code(scoped: Tenant) -> None:
    fake.script([ModelTimeout("Too slow."), ModelRateLimited("Too many.", retry_after=3)])
    model = get_chat_model(Purpose.EXTRACT)
    with pytest.raises(ModelTimeout):
        model.complete(ASKED, schema=JsonSchema("x", {}))
    with pytest.raises(ModelRateLimited):
        model.complete(ASKED)
    assert [row.outcome for row in rows()] == ["model_timeout", "model_rate_limited"]
    assert all(row.estimated and row.input_tokens for row in rows())


def test_a_fault_of_ours_leaves_a_row_too(scoped: Tenant) -> None:
    def broken(messages: object) -> str:
        raise ZeroDivisionError

    fake.script([broken])
    with pytest.raises(ZeroDivisionError):
        get_chat_model(Purpose.REPLY).complete(ASKED)
    assert [row.outcome for row in rows()] == ["fault"]


def test_a_stream_leaves_one_row_at_its_end(scoped: Tenant) -> None:
    fake.script(["One two three."])
    with get_chat_model(Purpose.REPLY).stream(ASKED) as stream:
        assert next(stream).text == "One "
        assert rows() == []
        assert [delta.text for delta in stream] == ["two ", "three."]
    stream.close()
    assert stream.text == "One two three."
    assert [(row.outcome, row.output_tokens) for row in rows()] == [("ok", 4)]


def test_a_stopped_stream_counts_what_had_come(scoped: Tenant) -> None:
    fake.script(["One two three four five."])
    stream = get_chat_model(Purpose.REPLY).stream(ASKED)
    next(stream)
    stream.close()
    stream.close()
    assert list(stream) == []
    assert [(row.outcome, row.output_tokens, row.estimated) for row in rows()] == [("stopped", 2, True)]


def test_a_stream_that_fails_midway(scoped: Tenant) -> None:
    fake.script([fake.Answer("One two", failure=ModelTimeout("Too slow."))])
    stream = get_chat_model(Purpose.REPLY).stream(ASKED)
    with pytest.raises(ModelTimeout):
        list(stream)
    stream.close()
    assert stream.text == "One two"
    assert [(row.outcome, row.output_tokens) for row in rows()] == [("model_timeout", 2)]


def test_embedding_leaves_a_row_a_call(scoped: Tenant) -> None:
    get_embedder().embed_passages(["one", "two"])
    get_embedder().embed_query("one")
    assert [(row.purpose, row.input_tokens) for row in rows()] == [("embed", 2), ("embed", 1)]


def test_each_tenant_sees_its_own_calls(tenant: Tenant, other_tenant: Tenant) -> None:
    with scope.enter(tenant.id, ACTOR, "a"):
        get_chat_model(Purpose.REPLY).complete(ASKED)
    with scope.enter(other_tenant.id, ACTOR, "b"):
        assert rows() == []


def test_outside_a_scope_the_call_goes_on(db: None) -> None:
    assert get_chat_model(Purpose.REPLY).complete(ASKED).text


def test_a_row_that_can_not_be_written_costs_no_answer(
    scoped: Tenant, caplog: pytest.LogCaptureFixture
) -> None:
    endless = ledger.Call(Purpose.REPLY, "x" * 99, "tuna model", Usage(), 5, "ok")
    ledger.record(endless)
    assert "could not be written" in caplog.text
    assert get_chat_model(Purpose.REPLY).complete(ASKED).text
    assert len(rows()) == 1


@pytest.mark.django_db(transaction=True)
def test_a_tenant_that_is_gone_costs_no_answer() -> None:
    with scope.enter(uuid.uuid4(), ACTOR, "x"):
        assert get_chat_model(Purpose.REPLY).complete(ASKED).text


@pytest.mark.parametrize("call", ["complete", "stream", "embed"])
def test_no_call_inside_a_transaction(scoped: Tenant, call: str) -> None:
    with transaction.atomic(), pytest.raises(ModelCallInTransaction):
        _call(call)
    assert rows() == []
    assert fake.prompts() == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("call", ["complete", "stream", "embed"])
def test_no_call_inside_a_real_transaction(scoped: Tenant, call: str) -> None:
    with transaction.atomic(), pytest.raises(ModelCallInTransaction):
        _call(call)
    _call(call)
    assert [row.outcome for row in rows()] == ["stopped" if call == "stream" else "ok"]


def _call(call: str) -> None:
    if call == "complete":
        get_chat_model(Purpose.REPLY).complete(ASKED)
    elif call == "stream":
        get_chat_model(Purpose.REPLY).stream(ASKED).close()
    else:
        get_embedder().embed_query("x")


@pytest.mark.django_db(transaction=True)
def test_closing_from_another_thread_leaves_one_row(scoped: Tenant, settings: Any) -> None:
    with LocalProvider() as provider:
        settings.MEMORYHUB_LLM = LlmSettings(base_url=provider.url, model="gpt-4o-mini", timeout=3)
        provider.script([Rule(text="word " * 50, pause=0.2)])
        stream = get_chat_model(Purpose.REPLY).stream(ASKED)
        next(stream)
        closer = threading.Timer(0.3, stream.close)
        closer.start()
        assert len(list(stream)) < 10
        closer.join()
    assert [row.outcome for row in rows()] == ["stopped"]


def test_prices_follow_who_is_paid(scoped: Tenant, settings: Any) -> None:
    with LocalProvider() as provider:
        settings.MEMORYHUB_LLM = LlmSettings(base_url=provider.url, model="gpt-4o-mini")
        get_chat_model(Purpose.REPLY).complete(ASKED)
    (row,) = rows()
    assert row.price is None  # our own server costs what it costs, whatever the model is called
    assert row.input_tokens == 4
    assert row.cached_tokens == 1
