"""Past a number of facts the prompt carries an index, and the model asks for what it needs, about one person only."""

import json
from typing import Any

import pytest

from memoryhub import clock
from memoryhub.chat import conversation, reply
from memoryhub.llm import get_chat_model
from memoryhub.llm.backends import fake
from memoryhub.llm.backends.fake import Answer
from memoryhub.llm.configuration import LlmSettings
from memoryhub.llm.types import Message, Purpose, ToolCall
from memoryhub.memory import context, facts, subjects, tools
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import Origin
from memoryhub.memory.models import Subject, Thread, Turn
from tests.llm.server import LocalProvider, Rule

HOBBIES = ("Plays the cello", "Paints tiles", "Bakes rye bread", "Sails on Sundays")


@pytest.fixture
def many(alice: Subject, settings: Any) -> Subject:
    """Alice with more facts than the prompt shows."""
    settings.MEMORYHUB_INDEX_ABOVE = 3
    for hobby in HOBBIES:
        facts.remember(
            alice, NewFact(hobby, kind="preference"), origin=Origin.OPERATOR, human=True, at=clock.now()
        )
    return alice


def ask(subject: Subject, name: str, **arguments: Any) -> Any:
    return json.loads(tools.run(subject, ToolCall("1", name, json.dumps(arguments)), at=clock.now()))


def test_few_facts_need_no_index(thread: Thread) -> None:
    built = context.build(thread, "What do I like?", at=clock.now())
    assert list(built.tools) == []


def test_many_facts_are_an_index_and_tools(many: Subject, thread: Thread) -> None:
    built = context.build(thread, "What do I do on Sundays?", at=clock.now())
    assert "- preference: 4" in built.messages[-1].content
    assert [tool.name for tool in built.tools] == ["recall_memory", "list_memory", "read_fact"]
    assert any(section.name == "index" for section in built.sections)


def test_the_tools_find_list_and_read(many: Subject) -> None:
    found = ask(many, "recall_memory", query="Do I play the cello?")["facts"]
    assert found[0]["fact"] == "Plays the cello"
    assert {f["fact"] for f in ask(many, "list_memory", kind="preference")["facts"]} == set(HOBBIES)
    read = ask(many, "read_fact", id=found[0]["id"])
    assert (read["fact"], len(read["history"])) == ("Plays the cello", 1)


def test_the_tools_read_one_person_only(many: Subject) -> None:
    other = subjects.ensure("bob", at=clock.now())
    fact = facts.remember(
        other, NewFact("Collects stamps"), origin=Origin.OPERATOR, human=True, at=clock.now()
    )
    assert ask(many, "read_fact", id=fact.public_id) == {"error": "There is no such fact."}
    assert ask(other, "list_memory", kind="preference")["facts"] == []


@pytest.mark.parametrize(
    "arguments", ["", "[]", "{", "null", '{"query": 5}', '{"query": "\\u0000"}', "[" * 5000]
)
@pytest.mark.parametrize("name", ["recall_memory", "list_memory", "read_fact", "format_disk"])
def test_nonsense_is_answered_with_what_is_wrong(alice: Subject, name: str, arguments: str) -> None:
    assert isinstance(json.loads(tools.run(alice, ToolCall("1", name, arguments), at=clock.now())), dict)


def _answered(thread: Thread, text: str) -> Turn:
    posted = conversation.post_message(thread, text, at=clock.now())
    assert reply.claim(posted.answer, at=clock.now())
    reply.write(posted.answer, reply.Progress(), lambda: None)
    posted.answer.refresh_from_db()
    return posted.answer


def test_a_model_that_asks_gets_an_answer_and_goes_on(many: Subject, thread: Thread, settings: Any) -> None:
    settings.MEMORYHUB_LLM = LlmSettings(backend="fake")
    fake.reset()
    call = ToolCall("c1", "recall_memory", '{"query": "cello"}')
    fake.script([Answer(tool_calls=(call,)), "You play the cello."], purpose=Purpose.REPLY)
    answer = _answered(thread, "What do I play?")
    assert (answer.content, answer.status) == ("You play the cello.", "complete")
    asked = fake.prompts()[-1].messages
    assert asked[-2] == Message("assistant", "", (call,))
    assert (asked[-1].role, asked[-1].tool_call_id) == ("tool", "c1")
    assert "Plays the cello" in asked[-1].content


def test_a_model_that_only_asks_has_to_answer_in_the_end(
    many: Subject, thread: Thread, settings: Any
) -> None:
    settings.MEMORYHUB_LLM = LlmSettings(backend="fake")
    fake.reset()
    again = Answer(tool_calls=(ToolCall("c", "list_memory", '{"kind": "event"}'),))
    fake.script([again, again, again, "Enough."], purpose=Purpose.REPLY)
    assert _answered(thread, "Well?").content == "Enough."
    assert [len(p.tools) for p in fake.prompts() if p.purpose is Purpose.REPLY] == [3, 3, 3, 0]


def _chunks(*deltas: dict[str, Any], finish: str) -> str:
    head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    made = [{**head, "choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas]
    made.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in made) + "data: [DONE]\n\n"


def test_tool_calls_of_an_endpoint_are_put_together(alice: Subject, settings: Any) -> None:
    def piece(**function: str) -> dict[str, Any]:
        return {
            "tool_calls": [
                {"index": 0, "id": function.pop("id", None), "type": "function", "function": function}
            ]
        }

    raw = _chunks(
        piece(id="call_1", name="recall_memory", arguments='{"que'),
        piece(arguments='ry": "tea"}'),
        finish="tool_calls",
    )
    with LocalProvider() as provider:
        provider.script([Rule(raw=raw)])
        settings.MEMORYHUB_LLM = LlmSettings(base_url=provider.url, model="m")
        with get_chat_model(Purpose.REPLY).stream([Message("user", "hi")], tools=tools.TOOLS) as stream:
            assert list(stream) == []
            assert stream.completion is not None
            assert stream.completion.tool_calls == (ToolCall("call_1", "recall_memory", '{"query": "tea"}'),)
        sent = provider.prompts[0]["body"]
        assert [t["function"]["name"] for t in sent["tools"]] == ["recall_memory", "list_memory", "read_fact"]


def test_an_endpoint_without_tools_answers_without(alice: Subject, settings: Any) -> None:
    with LocalProvider() as provider:
        provider.script([Rule(when='"tools"', status=400), Rule(text="Plain words.")])
        settings.MEMORYHUB_LLM = LlmSettings(base_url=provider.url, model="m")
        with get_chat_model(Purpose.REPLY).stream([Message("user", "hi")], tools=tools.TOOLS) as stream:
            assert "".join(delta.text for delta in stream) == "Plain words."
        assert "tools" not in provider.prompts[-1]["body"]
