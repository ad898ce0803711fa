"""Whatever is sent: a 4xx with a code and the field's place, never a 500, and nothing written."""

import base64
import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from memoryhub.memory.models import Subject, Thread, Turn
from memoryhub.tenants import scope
from tests.api.conftest import API, Api, code_of
from tests.api.world import World
from tests.api.writes import WITH_BODY, Write, unlisted
from tests.tenants.owner import fingerprints

Callers = Mapping[str, Api]
each_write = pytest.mark.parametrize("write", WITH_BODY, ids=lambda w: w.name)
NUL, HALF = "a\x00b", "a\ud800b"
#: Looks like nothing: zero-width space, word joiner, byte order mark, a tag, a right-to-left override.
INVISIBLE = "\u200b\u2060\ufeff\U000e0041\u202e"


@pytest.fixture
def unchanged(world: World) -> Iterator[None]:
    """No row of the tenant has changed when the test is done."""
    before = fingerprints(world.tenant.id)
    yield
    assert fingerprints(world.tenant.id) == before


def refused(answer: Any, *, status: int = 400, pointer: str | None = None) -> str:
    assert answer.status_code == status, (answer.status_code, answer.content[:400])
    code = code_of(answer)
    if pointer is not None:
        pointers = [error["pointer"] for error in answer.json()["errors"]]
        assert any(p == pointer or p.startswith(pointer + "/") for p in pointers), (pointer, answer.json())
        assert all(error["code"] and error["detail"] for error in answer.json()["errors"])
    return code


def send(callers: Callers, world: World, write: Write, body: Any, **headers: str) -> Any:
    return callers[write.by].send(write.method, write.path(world), body, If_Match="*", **headers)


def test_every_write_is_listed() -> None:
    assert unlisted() == []


# --- the body as a whole ----------------------------------------------------------------------------------------

_DEEP = 100_000
DOCUMENTS = {
    "not UTF-8": b'{"a": "\xff"}',
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf{}",
    "cut off": b'{"a": ',
    "something after the end": b"{} x",
    "two documents": b"{}{}",
    "single quotes": b"{'a': 1}",
    "a comma too many": b'{"a": 1,}',
    "a comment": b"{} // x",
    "a key without quotes": b"{a: 1}",
    "a raw newline in a string": b'{"a": "\n"}',
    "a bad escape": b'{"a": "\\x41"}',
    "half an escape": b'{"a": "\\u00"}',
    "NaN": b'{"a": NaN}',
    "Infinity": b'{"a": Infinity}',
    "minus Infinity": b'{"a": -Infinity}',
    "a number beyond all bounds": b'{"a": 1e999}',
    "a number of 5000 digits": b'{"a": ' + b"1" * 5000 + b"}",
    "deep lists": b'{"a": ' + b"[" * _DEEP + b"]" * _DEEP + b"}",
    "deep objects": b'{"a":' * 2000 + b"1" + b"}" * 2000,
    "deep and open": b"[" * _DEEP,
    "a list": b"[]",
    "a list of objects": b'[{"a": 1}]',
    "a string": b'"text"',
    "a number": b"7",
    "true": b"true",
    "null": b"null",
    "compressed": gzip.compress(b"{}"),
}


@each_write
def test_a_body_that_is_no_json_object(callers: Callers, world: World, write: Write, unchanged: None) -> None:
    for name, document in DOCUMENTS.items():
        answer = send(callers, world, write, document)
        assert answer.status_code == 400, name
        assert code_of(answer), name


@each_write
@pytest.mark.parametrize("size", [2 * 1024 * 1024 + 1, 11 * 1024 * 1024])
def test_a_body_above_the_limit(
    callers: Callers, world: World, write: Write, size: int, unchanged: None
) -> None:
    assert (
        refused(send(callers, world, write, b'{"a": "' + b"x" * size + b'"}'), status=413) == "body_too_large"
    )


@each_write
@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "x",
    ],
)
def test_a_body_of_another_kind(
    callers: Callers, world: World, write: Write, kind: str, unchanged: None
) -> None:
    answer = send(callers, world, write, json.dumps(write.body).encode(), Content_Type=kind)
    assert refused(answer, status=415) == "unsupported_media_type"


@each_write
def test_an_unknown_field_is_named(callers: Callers, world: World, write: Write, unchanged: None) -> None:
    for name, pointer in {
        "tenant_id": "/tenant_id",
        "id": "/id",
        "status": "/status",
        "verification": "/verification",
        "human": "/human",
        "created_by": "/created_by",
        "__proto__": "/__proto__",
        "": "/",
        "a/b~c": "/a~1b~0c",
        "x" * 500: "/" + "x" * 80,
        NUL: "/a\x00b",
    }.items():
        answer = send(callers, world, write, {**write.body, name: world.ids["subject_id"][0]})
        assert refused(answer, pointer=pointer) == "unknown_field"
    answer = send(callers, world, write, b'{"\\ud800": 1}')
    assert refused(answer) in ("unknown_field", "required")


# --- each field -------------------------------------------------------------------------------------------------


def _wrong_types(write: Write, name: str, good: Any) -> list[Any]:
    wrong: list[Any] = [{"a": 1}, [[]], -0.5]
    if not isinstance(good, bool):
        wrong.append(True)
    if not isinstance(good, int) or isinstance(good, bool):
        wrong.append(7)
    if name not in write.nullable:
        wrong.append(None)
    if not isinstance(good, str | None):
        wrong.append("text")
    return [value for value in wrong if not (isinstance(good, dict) and isinstance(value, dict))]


def _bad_strings(write: Write, name: str) -> list[str]:
    never = [NUL, HALF, "x" * 100_001]
    return never if name in write.empty else [*never, "", "   \t\n", INVISIBLE]


@each_write
def test_a_value_of_the_wrong_type_is_named(
    callers: Callers, world: World, write: Write, unchanged: None
) -> None:
    for name, good in write.body.items():
        for wrong in _wrong_types(write, name, good):
            answer = send(callers, world, write, {**write.body, name: wrong})
            assert refused(answer, pointer=f"/{name}")


@each_write
def test_a_string_that_can_not_be_is_named(
    callers: Callers, world: World, write: Write, unchanged: None
) -> None:
    strings = [
        name for name, good in write.body.items() if isinstance(good, str) and name not in write.opaque
    ]
    for name in [*strings, *(["turn"] if "turn" in write.body else [])]:
        for bad in _bad_strings(write, name):
            answer = send(callers, world, write, {**write.body, name: bad})
            assert refused(answer, status=413 if answer.status_code == 413 else 400, pointer=f"/{name}")


@each_write
def test_a_field_left_out_is_named(callers: Callers, world: World, write: Write, unchanged: None) -> None:
    if write.optional or not write.body:
        return
    answer = send(callers, world, write, {})
    assert refused(answer) == "required"
    assert {error["pointer"].count("/") for error in answer.json()["errors"]} == {1}


# --- whom a thing is about --------------------------------------------------------------------------------------

NOBODY = [
    "",
    " ",
    "\t\n",
    "*",
    " * ",
    "%",
    "null",
    "None",
    "undefined",
    "ALL",
    INVISIBLE,
    "x" * 256,
    NUL,
    HALF,
]


@pytest.mark.parametrize("name", NOBODY)
@pytest.mark.parametrize("path", ["facts", "threads", "recall", "privacy-requests", "subjects"])
def test_an_id_that_is_not_one_persons(
    callers: Callers, world: World, path: str, name: str, unchanged: None
) -> None:
    field = "external_id" if path == "subjects" else "subject"
    good = next(w for w in WITH_BODY if w.pattern == f"api/v1/{path}")
    answer = callers["key"].post(path, {**good.body, field: name})
    assert refused(
        answer, pointer=f"/{field}", status=413 if len(name) > 255 and answer.status_code == 413 else 400
    )


@pytest.mark.parametrize("name", ["", "%20", "*", "null", "%00", "%E2%80%8B"])
@pytest.mark.parametrize("path", ["facts?subject=", "threads?subject=", "subjects?external_id="])
def test_a_filter_by_nobody_is_not_everybody(callers: Callers, path: str, name: str) -> None:
    pointer = "/" + path.partition("?")[2].rstrip("=")
    assert refused(callers["key"].get(path + name), pointer=pointer)


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("api-keys", {"name": "x", "scopes": []}, "/scopes"),
        ("api-keys", {"name": "x", "scopes": ["memory:read", "*"]}, "/scopes"),
        ("api-keys", {"name": "x", "scopes": ["me"]}, "/scopes"),
        (
            "api-keys",
            {"name": "x", "scopes": ["memory:read"], "expires_at": "2020-01-01T00:00:00Z"},
            "/expires_at",
        ),
        ("recall", {"subject": "alice", "query": "x", "kinds": ""}, "/kinds"),
        ("recall", {"subject": "alice", "query": "x", "kinds": ",,"}, "/kinds"),
        ("recall", {"subject": "alice", "query": "x", "kinds": "preference,nonsense"}, "/kinds"),
        ("recall", {"subject": "alice", "query": "x", "k": 0}, "/k"),
        ("recall", {"subject": "alice", "query": "x", "k": 101}, "/k"),
        ("recall", {"subject": "alice", "query": "x", "k": 2**70}, "/k"),
        ("recall", {"subject": "alice", "query": "x", "k": -1}, "/k"),
        ("facts", {"subject": "alice", "statement": "x", "kind": "nonsense"}, "/kind"),
        ("facts", {"subject": "alice", "statement": "x" * 2001}, "/statement"),
        ("facts", {"subject": "alice", "statement": "x", "turn": "turn_nonsense"}, "/turn"),
        ("facts", {"subject": "alice", "statement": "x", "turn": "fact_" + "0" * 32}, "/turn"),
        (
            "facts",
            {"subject": "alice", "statement": "x", "observed_at": "2199-01-01T00:00:00Z"},
            "/observed_at",
        ),
        (
            "facts",
            {
                "subject": "x",
                "statement": "x",
                "valid_at": "2026-02-01T00:00:00Z",
                "invalid_at": "2026-01-01T00:00:00Z",
            },
            "/invalid_at",
        ),
    ],
)
def test_a_value_that_makes_no_sense(
    callers: Callers, path: str, body: dict[str, Any], pointer: str, unchanged: None
) -> None:
    answer = callers["session"].post(path, body)
    assert refused(answer, pointer=pointer, status=413 if answer.status_code == 413 else 400)


BAD_TIMES = [
    "yesterday", "", "2026-02-30T00:00:00Z", "2026-01-01T25:00:00Z", "2026-01-01T00:00:00", "2026-01-01", "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "1899-12-31T23:59:59Z", "2201-01-01T00:00:00Z",
    "2016-12-31T23:59:60Z", "port 9077", "十万年前", "2026-01-01T00:00:00+99:00", "2026-W01-1T00:00:00", NUL,
]  # fmt: skip


@pytest.mark.parametrize("moment", BAD_TIMES)
def test_a_time_that_is_none(callers: Callers, world: World, moment: str, unchanged: None) -> None:
    for name in ("valid_at", "invalid_at", "observed_at"):
        answer = callers["key"].post("facts", {"subject": "alice", "statement": "x", name: moment})
        assert refused(answer, pointer=f"/{name}")
    turns = {"turns": [{"role": "user", "content": "x", "created_at": moment}]}
    path = f"threads/{world.ids['thread_id'][0]}/turns"
    assert refused(callers["key"].post(path, turns), pointer="/turns/0/created_at")
    answer = callers["key"].send(
        "GET", f"{API}/facts?created_at[gte]={moment.replace('+', '%2B').replace(NUL, '%00')}"
    )
    assert refused(answer, pointer="/created_at[gte]")


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2026-01-01T00:00:00+14:00", "2025-12-31T10:00:00Z"),
        ("2026-03-29T02:30:00+01:00", "2026-03-29T01:30:00Z"),
        ("2026-01-01T00:00:00.123456Z", "2026-01-01T00:00:00.123456Z"),
        ("1900-01-01T00:00:00Z", "1900-01-01T00:00:00Z"),
    ],
)
def test_a_time_with_a_zone_is_kept_in_utc(callers: Callers, moment: str, expected: str) -> None:
    answer = callers["key"].post(
        "facts", {"subject": "alice", "statement": f"Since {moment}", "valid_at": moment}
    )
    assert answer.status_code == 201
    assert answer.json()["valid_at"] == expected


def test_a_fact_that_has_ended_already_is_taken(callers: Callers) -> None:
    body = {"subject": "alice", "statement": "Lived in Oslo", "invalid_at": "2020-01-01T00:00:00Z"}
    answer = callers["key"].post("facts", body)
    assert answer.status_code == 201
    assert answer.json()["invalid_at"] == "2020-01-01T00:00:00Z"


# --- a batch of turns -------------------------------------------------------------------------------------------

BAD_TURNS = {
    "/turns/3/content": [{"content": NUL}, {"content": HALF}, {"content": ""}, {"content": INVISIBLE}, {"content": "x" * 100_001}],
    "/turns/3/role": [{"role": "root"}, {"role": 1}, {"role": ""}, {"role": NUL}],
    "/turns/3/name": [{"name": "x" * 81}, {"name": HALF}],
    "/turns/3/client_id": [{"client_id": ""}, {"client_id": "x" * 256}, {"client_id": NUL}],
    "/turns/3/created_at": [{"created_at": "2199-01-01T00:00:00Z"}],
    "/turns/3/metadata": [
        {"metadata": []}, {"metadata": {"a": {"b": ["x\x00"]}}}, {"metadata": {"k\x00": 1}}, {"metadata": {"a": HALF}},
        {"metadata": {"a": "x" * 16_001}},
    ],
    "/turns/3/subject_id": [{"subject_id": "x"}],
    "/turns/3/seq": [{"seq": 2**70}],
    "/turns/3/status": [{"status": "complete"}],
}  # fmt: skip


@pytest.mark.parametrize("pointer", BAD_TURNS)
def test_one_bad_turn_of_ten_is_named_and_none_is_written(
    callers: Callers, world: World, pointer: str, unchanged: None
) -> None:
    path = f"threads/{world.ids['thread_id'][0]}/turns"
    for wrong in BAD_TURNS[pointer]:
        turns: list[dict[str, Any]] = [{"role": "user", "content": f"number {n}"} for n in range(10)]
        turns[3] |= wrong
        answer = callers["key"].post(path, {"turns": turns})
        assert refused(answer, pointer=pointer, status=413 if answer.status_code == 413 else 400)


@pytest.mark.parametrize("turns", [[], [{"role": "user", "content": "x"}] * 101, [None], ["x"], [[]]])
def test_a_batch_that_is_none(callers: Callers, world: World, turns: list[Any], unchanged: None) -> None:
    path = f"threads/{world.ids['thread_id'][0]}/turns"
    assert refused(callers["key"].post(path, {"turns": turns}), pointer="/turns")


# --- traps in metadata ------------------------------------------------------------------------------------------

TRAP = {
    "user_id": "mallory",
    "tenant_id": "bb",
    "agent_id": "x",
    "subject": "mallory",
    "id": "thr_x",
    "seq": 99,
}


def test_metadata_changes_nothing_about_whose_a_thing_is(callers: Callers, world: World) -> None:
    made = callers["key"].post("threads", {"subject": "alice", "metadata": TRAP}).json()
    assert (made["subject"], made["metadata"]) == ("alice", TRAP)
    turn = {"role": "user", "content": "Hello", "metadata": {**TRAP, "__proto__": {"admin": True}}}
    written = callers["key"].post(f"threads/{made['id']}/turns", {"turns": [turn]}).json()["data"][0]
    assert written["seq"] == 1
    assert written["metadata"]["user_id"] == "mallory"
    with scope.enter(world.tenant.id, scope.SYSTEM, "req_x"):
        assert not Subject.objects.filter(external_id="mallory").exists()
        row = Turn.objects.get(content="Hello", thread__in=Thread.objects.filter(metadata=TRAP))
        assert (row.tenant_id, row.subject.external_id) == (world.tenant.id, "alice")


EXACT = [
    "👩‍👩‍👧‍👦 family", "café", "日本語のテキスト", "मराठी", "نوشتن می‌خواهم", "𝔘𝔫𝔦", "a < b & c > d", "'; DROP TABLE fact; --", "%s %(x)s {0} {x}",
    "\\u0000 as text", "line\nbreak\ttab", "\"quoted\"", "</script><script>alert(1)</script>", "100% _under_",
]  # fmt: skip


def test_text_comes_back_as_it_was_sent(callers: Callers, world: World) -> None:
    thread = callers["key"].post("threads", {"subject": "alice"}).json()
    turns = [
        {"role": "user", "content": words, "metadata": {"note": words.replace("\\u0000", "")}}
        for words in EXACT
    ]
    written = callers["key"].post(f"threads/{thread['id']}/turns", {"turns": turns}).json()["data"]
    read = callers["key"].get(f"threads/{thread['id']}/turns").json()["data"]
    assert [turn["content"] for turn in written] == [turn["content"] for turn in read] == EXACT


def test_text_that_hides_is_stripped(callers: Callers) -> None:
    body = {"external_id": "grace", "display_name": f"Gr\u202eace{INVISIBLE}\x07"}
    assert callers["key"].post("subjects", body).json()["display_name"] == "Grace"


# --- queries ----------------------------------------------------------------------------------------------------

ODD_QUERIES = [
    "What's Tom's dog's name?", "ratio > 1.001", '"unbalanced', "a & | !", "", "x" * 10_000, "((((", ":*", "!!", "<->", "\\", "'", "%", "_",
    "OR", "-", "a:*b", "🙂", "\u202e", "SELECT pg_sleep(5)",
]  # fmt: skip


@pytest.mark.parametrize("query", ODD_QUERIES)
def test_any_words_may_be_searched_for(callers: Callers, world: World, query: str) -> None:
    assert callers["key"].post("recall", {"subject": "alice", "query": query}).status_code == 200
    for path in (f"{API}/facts", f"{API}/threads/{world.ids['thread_id'][1]}/context"):
        name = "q" if path.endswith("facts") else "query"
        answer = callers["key"].client.get(path, {name: query[:4000]}, headers=callers["key"].headers)
        assert answer.status_code == 200, answer.content[:300]


@pytest.mark.parametrize("query", ["%", "_", "%%", "a_b"])
def test_a_search_takes_wildcards_as_characters(callers: Callers, query: str) -> None:
    answer = callers["key"].client.get(f"{API}/facts", {"q": query}, headers=callers["key"].headers)
    assert answer.json()["data"] == []


LISTS = ["subjects", "threads", "facts", "privacy-requests", "jobs", "me/facts", "me/privacy-requests"]


def _cursor(*parts: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


BAD_CURSORS = [
    "", "%25%25%25", "x", "e30", "bnVsbA", "W10", "%00", "٣", "a" * 5000,
    _cursor("2026-01-01T00:00:00", "0" * 32), _cursor("2026-01-01T00:00:00+00:00", "x"), _cursor(1, "0" * 32),
    _cursor("2026-01-01T00:00:00+00:00", 7), _cursor(None, None), _cursor(True, "0" * 32), _cursor([], {}),
    _cursor("2026-01-01T00:00:00+00:00", "0" * 32, 1), base64.urlsafe_b64encode(b"[" * 3000).decode(),
]  # fmt: skip
BAD_PARAMETERS = {
    "limit": ["0", "-1", "201", "1000000000", "1.5", "x", "", "%20 5", "٣", "1e2", "0x10", "%00"],
    "cursor": BAD_CURSORS,
    "order": [
        "password",
        "tenant__name",
        "-tenant_id",
        "created_at,id",
        "%3F",
        "",
        "-",
        "--created_at",
        "id",
        "%00",
    ],
    "nonsense": ["1"],
    "tenant": ["bb"],
    "tenant_id": ["bb"],
    "subject__tenant__name": ["x"],
    "limit=5&limit": ["6"],
}


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("name", BAD_PARAMETERS)
def test_a_bad_parameter_of_a_list_is_named(callers: Callers, path: str, name: str) -> None:
    for value in BAD_PARAMETERS[name]:
        answer = callers["session"].get(f"{path}?{name}={value}")
        assert refused(answer, pointer="/" + name.rpartition("&")[2]), value


@pytest.mark.parametrize(
    ("path", "name", "values"),
    [
        ("facts", "status", ["", ",", "nonsense", "active,nonsense", "ACTIVE", "%00"]),
        ("facts", "kind", ["", "nonsense", "profile;plan"]),
        ("facts", "q", ["%00", "%00x"]),
        ("jobs", "status", ["", "nonsense"]),
        ("privacy-requests", "status", ["", "nonsense"]),
        ("audit-events", "action", ["", "nonsense", "fact.add,fact.purge"]),
        ("audit-events", "cursor", ["", "x", "-1", "9" * 19, "٣", "1.5"]),
        ("audit-events", "limit", ["0", "x"]),
        ("audit-events", "order", ["seq"]),
        ("api-keys", "limit", ["1"]),
        ("threads/{thread_id}/context", "max_tokens", ["0", "199", "1000001", "x", "", "-5", "1e3", "٣٣٣٣"]),
        ("threads/{thread_id}/context", "query", ["%00", "x&query=y"]),
        ("threads/{thread_id}/context", "limit", ["5"]),
        (
            "threads/{thread_id}/turns",
            "cursor",
            [_cursor(2**63, "0" * 32), _cursor("1", "0" * 32), _cursor(1.5, "0" * 32)],
        ),
    ],
)
def test_a_bad_filter_is_named(
    callers: Callers, world: World, path: str, name: str, values: list[str]
) -> None:
    path = path.format(thread_id=world.ids["thread_id"][0])
    for value in values:
        assert refused(callers["session"].get(f"{path}?{name}={value}"), pointer=f"/{name}"), value


@pytest.mark.parametrize(
    "query", ["forget=yes", "forget=", "forget=1", "forgett=true", "forget=true&forget=false"]
)
def test_a_bad_deletion_of_a_thread_deletes_nothing(
    callers: Callers, world: World, query: str, unchanged: None
) -> None:
    refused(callers["key"].send("DELETE", f"{API}/threads/{world.ids['thread_id'][0]}?{query}"))


@pytest.mark.parametrize(
    "query",
    ["", "?reason=", "?reason=nonsense", "?reason=wrong&reason=other", "?reasons=wrong", "?reason=%00"],
)
def test_a_purge_without_a_known_reason_purges_nothing(
    callers: Callers, world: World, query: str, unchanged: None
) -> None:
    path = f"{API}/facts/{world.ids['fact_id'][0]}{query}"
    refused(callers["key"].send("DELETE", path, If_Match="*"))


# --- the tests' own ground --------------------------------------------------------------------------------------


def test_the_good_bodies_are_good(callers: Callers, world: World) -> None:
    """Without this, every refusal above could have another reason. It changes the tenant; so it is last."""
    for write in sorted(WITH_BODY, key=lambda w: w.pattern.endswith("refuse")):
        body = (
            {**write.body, "preview_digest": world.digest} if "preview_digest" in write.body else write.body
        )
        if write.pattern.endswith("preview"):
            continue  # what was written here has changed what would be erased
        write = replace(write, own=3) if write.pattern.endswith("refuse") else write
        answer = send(callers, world, write, body)
        expected = (200, 201, 202, 409) if write.pattern.endswith("approve") else (200, 201, 202)
        assert answer.status_code in expected, (write.name, answer.content)
