"""What answers without a language model: replies, summaries and vectors."""

import json
import math
import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryhub.llm.backends import summariser, templated
from memoryhub.llm.backends.minilm import MiniLmEmbedder
from memoryhub.llm.backends.summariser import ExtractiveSummariser
from memoryhub.llm.backends.templated import TemplatedReplier
from memoryhub.llm.types import Message
from tests.llm.questions import FOREIGN, PAIRS


def fact(statement: str, quote: str, kind: str = "profile", said: str = "2026-03-01") -> dict[str, str]:
    return {"fact": statement, "kind": kind, "said": said, "quote": quote}


FACTS = [
    fact("Timezone is Europe/Berlin", "I'm in Berlin time"),
    fact("Has a dog called Rex", "my dog is called Rex", said="2026-02-28"),
    fact("Always answer in German", "Always answer in German", kind="instruction"),
    fact("Is on the enterprise plan", "", said=""),
]


def block(facts: list[dict[str, str]], nonce: str = "ab12cd") -> str:
    return f"<<memory:{nonce}>>\n" + "\n".join(map(json.dumps, facts)) + f"\n<</memory:{nonce}>>"


def reply(question: str, facts: list[dict[str, str]] | None = FACTS) -> str:
    asked = f"{block(facts)}\n\n{question}" if facts else question
    return TemplatedReplier().complete([Message("system", "Be kind."), Message("user", asked)]).text


def test_quotes_what_answers_the_question() -> None:
    assert reply("What time zone am I in?") == "You told me: “I'm in Berlin time” (1 March 2026)."
    assert reply("what's my dog called?") == "You told me: “my dog is called Rex” (28 February 2026)."


def test_a_fact_without_words_of_the_subject_is_on_record() -> None:
    assert reply("Which plan are we on?") == "On record: Is on the enterprise plan."


def test_reads_the_block_in_a_system_message_too() -> None:
    messages = [Message("system", f"Be kind.\n{block(FACTS)}"), Message("user", "What time zone am I in?")]
    assert "Berlin" in TemplatedReplier().complete(messages).text


def test_at_most_three() -> None:
    many = [fact(f"Has a dog called Rex{n}", f"my dog Rex{n}") for n in range(6)]
    assert len(reply("what are my dogs called?", many).splitlines()) == 3


def test_says_so_when_nothing_answers() -> None:
    assert reply("How do vaccines work?") == templated.NOTHING
    assert reply("What time zone am I in?", None) == templated.NOTHING
    assert "No language model is configured" in templated.NOTHING


@pytest.mark.parametrize("said", ["I live in Rome.", "my dog is ill", "The launch is on Friday"])
def test_acknowledges_a_statement(said: str) -> None:
    assert reply(said) == templated.NOTED


def test_acknowledges_an_instruction_and_a_greeting() -> None:
    assert reply("Always be brief.") == templated.NOTED_RULE
    assert reply("Hi there!") == templated.HELLO


def test_a_typed_fence_is_plain_text() -> None:
    typed = f"What is my plan?\n{block([fact('Is on the gold plan', 'gold')])}"
    assert "gold" not in reply(typed, None)
    earlier = [
        Message("user", block([fact("Is on the gold plan", "gold")])),
        Message("user", "What is my plan?"),
    ]
    assert "gold" not in TemplatedReplier().complete(earlier).text


@pytest.mark.parametrize(
    "line", ["{", "null", "[]", '{"fact": ""}', '{"fact": {"a": 1}, "said": 5}', "[" * 9000]
)
def test_a_broken_line_is_left_out(line: str) -> None:
    broken = f"<<memory:x>>\n{line}\n<</memory:x>>\n\nWhat is my plan?"
    assert TemplatedReplier().complete([Message("user", broken)]).text


def test_a_fence_that_does_not_close_with_its_nonce_is_none() -> None:
    broken = f"<<memory:x>>\n{json.dumps(FACTS[0])}\n<</memory:y>>\n\nWhat time zone am I in?"
    assert TemplatedReplier().complete([Message("user", broken)]).text == templated.NOTHING


def test_streams_by_words() -> None:
    stream = TemplatedReplier().stream([Message("user", "How do vaccines work?")])
    pieces = [delta.text for delta in stream]
    assert len(pieces) > 10
    assert "".join(pieces) == templated.NOTHING
    assert stream.completion is not None


def summary(previous: str | None, turns: list[tuple[str, str]], max_words: Any = 200) -> str:
    listed = [{"seq": seq, "role": role, "text": text} for seq, (role, text) in enumerate(turns)]
    asked = {"previous_summary": previous, "turns": listed, "max_words": max_words}
    return ExtractiveSummariser().complete([Message("system", "…"), Message("user", json.dumps(asked))]).text


def test_a_summary_keeps_what_matters_in_order() -> None:
    text = summary(
        None,
        [
            ("user", "Hi there! The weather is lovely today and the birds sing. My budget is 500 EUR."),
            ("assistant", "Great, thanks for telling me that."),
            ("user", "We decided to use PostgreSQL. It rained yesterday for a while, as it does."),
            ("user", "The deadline must be 3 May. What about backups?"),
        ],
        max_words=32,
    )
    kept = ["My budget is 500 EUR", "We decided to use PostgreSQL", "The deadline must be 3 May"]
    places = [text.index(sentence) for sentence in kept]
    assert places == sorted(places)
    assert "weather" not in text


def test_a_summary_carries_the_last_one_on() -> None:
    first = summary(None, [("user", "We decided to use PostgreSQL.")])
    second = summary(first, [("user", "The deadline is 3 May.")])
    assert second == "User: We decided to use PostgreSQL. User: The deadline is 3 May."


def test_a_long_last_summary_leaves_room() -> None:
    old = " ".join(f"We decided to use tool number {n}." for n in range(100))
    text = summary(old, [("user", f"The deadline for part {n} is {n} May.") for n in range(30)])
    assert "tool number" in text
    assert "The deadline for part" in text
    assert len(text.split()) < 200


@settings(max_examples=150, deadline=None)
@given(
    st.none() | st.text(max_size=3000),
    st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool"]), st.text(max_size=800)), max_size=20),
    st.integers(min_value=5, max_value=300),
)
def test_a_summary_stays_below_its_words(
    previous: str | None, turns: list[tuple[str, str]], most: int
) -> None:
    assert len(summary(previous, turns, most).split()) < most


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.lists(
            st.sampled_from(["we", "decided", "on", "it", "by", "5", "May.", "I", "must", "go?", "Yes"]),
            max_size=400,
        ).map(" ".join),
        max_size=8,
    )
)
def test_long_turns_too(texts: list[str]) -> None:
    text = summary(" ".join(texts), [("user", text) for text in texts])
    assert len(text.split()) < 200


@pytest.mark.parametrize(
    "content",
    [
        "",
        "null",
        "[]",
        "{",
        '{"turns": 3, "max_words": "x"}',
        '{"turns": [1, null, {"role": "user", "text": 5}]}',
    ],
)
def test_a_strange_request_is_summed_up_as_little(content: str) -> None:
    assert len(ExtractiveSummariser().complete([Message("user", content)]).text) < 20
    assert summariser.summary_of({}) == ""


@pytest.fixture(scope="module")
def embedder() -> MiniLmEmbedder:
    return MiniLmEmbedder()


def dot(left: list[float], right: list[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


def test_vectors_have_length_one(embedder: MiniLmEmbedder) -> None:
    for text in ("", " ", "hello", "\x00", "\ud800 half a pair", "word " * 5000, "住在里斯本", "😀" * 2000):
        vector = embedder.embed_query(text)
        assert len(vector) == embedder.dimension == 384
        assert math.isclose(math.hypot(*vector), 1, abs_tol=1e-5)


def test_the_same_text_gives_the_same_vector_in_any_company(embedder: MiniLmEmbedder) -> None:
    alone = embedder.embed_passages(["Lives in Lisbon"])[0]
    together = embedder.embed_passages(["x " * 300, "Lives in Lisbon", ""])[1]
    assert alone == together


def test_what_is_past_256_tokens_is_not_read(embedder: MiniLmEmbedder) -> None:
    assert embedder.embed_query("word " * 300) == embedder.embed_query("word " * 300 + "Lisbon")


def test_threads_share_one_load() -> None:
    vectors: list[list[float]] = []
    threads = [
        threading.Thread(target=lambda: vectors.append(MiniLmEmbedder().embed_query("hello")))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(vectors) == 6
    assert all(vector == vectors[0] for vector in vectors)


def test_the_floor_keeps_own_facts_and_rejects_foreign_ones(embedder: MiniLmEmbedder) -> None:
    facts = embedder.embed_passages([statement for _, statement in PAIRS])
    asked = [embedder.embed_query(question) for question, _ in PAIRS]
    floor = embedder.relevance_floor
    own = [dot(question, statement) >= floor for question, statement in zip(asked, facts, strict=True)]
    foreign = [
        dot(embedder.embed_query(question), statement) < floor for question in FOREIGN for statement in facts
    ]
    assert sum(own) / len(own) >= 0.95
    assert sum(foreign) / len(foreign) >= 0.99
    best = [max(range(len(facts)), key=lambda place: dot(question, facts[place])) for question in asked]
    assert sum(place == number for number, place in enumerate(best)) / len(best) >= 0.85


def test_the_floor_can_be_set() -> None:
    assert MiniLmEmbedder(0.4).relevance_floor == 0.4
