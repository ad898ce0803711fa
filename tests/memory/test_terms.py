"""The database's own functions for keywords: exact things are found exactly, and nothing a person types is an error."""

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryhub import clock
from memoryhub.memory import facts
from memoryhub.memory.facts import NewFact
from memoryhub.memory.kinds import Origin
from memoryhub.memory.models import Fact, Subject
from memoryhub.tenants.models import Tenant
from tests.tenants.owner import owner

ODD = [
    "&", "|", "!", "(", ")", ":*", "<->", "'", '"', "\\", "a & b | !c", "x:*", "'quoted'", '"open', "a <2> b", "\\'", "''",
    "", "   ", "the of and", "%s %(a)s {} $1", "\u200b", "🎉🎉", "a" * 3000, "-" * 500, "?" * 40, "'" * 99, "é" * 2500,
    "﷽" * 200, "1.2.3.4.5." * 300, "a.b-" * 900, "\ud7ff\ue000", "한" * 2000, "NULL", "ß", "İI", "\n\t\r\x01",
]  # fmt: skip


def terms(text: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tsvector_to_array(memory_terms(%s::text))", [text])
        return set(cursor.fetchone()[0])


def holds(text: str, phrase: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT memory_terms(%s::text) @@ memory_phrase(%s::text)", [text, phrase])
        return bool(cursor.fetchone()[0])


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("E-4012", "The printer shows error E-4012 again"),
        ("e-4012", "E-4012!"),
        ("4012", "E-4012"),
        ("ORD_77-b", "Order (ORD_77-b) is late."),
        ("v1.2.3", "We run v1.2.3."),
        ("1.2.3", "since 1.2.3, it crashes"),
        ("anna.b+x@mail.example.com", "write to Anna.B+x@mail.example.com"),
        ("mail.example.com", "write to anna@mail.example.com"),
        ("db-01.example.com", "https://db-01.example.com/status?x=1"),
        ("2023-05-08", "on 2023-05-08T13:56 sharp"),
        ("7:30", "the train at 7:30"),
        ("C++", "learning C++ and Rust"),
        ("C#", "C# too"),
        ("O'Brien", "Mr O’Brien called"),
        ("OBrien", "Mr O'Brien called"),
        ("cafe", "the CAFÉ"),
        ("café", "a cafe"),
        ("Jose", "José"),
        ("Strasse", "Hauptstraße 5"[5:]),
        ("running", "She runs"),
        ("Caroline", "Caroline's dog"),
        ("МОСКВА", "Москва"),
        ("猫", "猫が好き"),
        ("北京大学", "我在北京大学读书"),
        ("1250", "1,250 euros"),
        ("IT", "I called, but IT said no"),
        ("will", "I met Will"),
        ("who", "we saw The Who there"),
    ],
)
def test_what_is_meant_is_found(scoped: Tenant, query: str, text: str) -> None:
    asked = terms(query)
    assert asked and asked <= terms(text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("ticket 55102", "ticket 55103"),
        ("E-4012", "E-4013"),
        ("v1.2.3", "v1.2.4"),
        ("ORD_77-b", "ORD_77-c"),
        ("anna@example.com", "anna@example.org"),
        ("北京大学", "京北学大"),
        ("C++", "C"),
        ("10.5", "10 or 5"),
    ],
)
def test_what_only_looks_like_it_is_not_the_same(scoped: Tenant, query: str, text: str) -> None:
    assert not terms(query) <= terms(text)


def test_a_version_is_not_found_by_every_number(scoped: Tenant) -> None:
    assert not terms("v1.2.3") & terms("Has 2 dogs and 3 cats, 1 of them old")


def test_identifiers_are_kept_whole_and_by_their_parts(scoped: Tenant) -> None:
    assert {"db-01.example.com", "db", "01", "com"} <= terms("db-01.example.com")
    assert {"ord_77-b", "ord", "77", "b"} <= terms("ORD_77-b")


def test_a_blotted_word_is_no_term(scoped: Tenant) -> None:
    assert terms("I live in ████████.") == terms("I live in")


def test_common_words_alone_still_ask_for_something(scoped: Tenant) -> None:
    assert terms("who is it") == {"who", "is", "it"}
    assert terms("don't") != set()


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("red team", "the Red Team won", True),
        ("red team", "a team in red", False),
        ("team red", "the red team", False),
        ("red teams", "the red team", True),
        ("E-4012 failed", "unit E-4012 failed", True),
        ("E-4012 failed", "unit E 4012 failed", False),
        ("1.2.3", "version 1.2.3", True),
        ("1.2.3", "version 3.2.1", False),
        ("北京大学", "我在北京大学", True),
        ("北京大学", "大学在北京", False),
        ("anything else", "", False),
    ],
)
def test_a_phrase_is_looked_for_word_for_word(scoped: Tenant, phrase: str, text: str, expected: bool) -> None:
    assert holds(text, phrase) is expected


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_nothing_odd_is_an_error(scoped: Tenant, text: str) -> None:
    assert terms(text) == terms(text)
    assert holds(text, text) in (True, False)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=300))
def test_no_text_at_all_is_an_error(scoped: Tenant, text: str) -> None:
    assert terms(text) == terms(text)
    assert holds(text, text) in (True, False)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.sampled_from("aIT tv  19.:/-_+#@',;~é京ß\x01\n"), max_size=60))
def test_no_mixture_of_what_is_handled_apart_is_an_error(scoped: Tenant, text: str) -> None:
    assert terms(text) == terms(text)
    assert holds(text, text) in (True, False)


def test_the_longest_texts_fit(scoped: Tenant) -> None:
    for text in ("".join(chr(0x4E00 + n % 20000) for n in range(100_000)), " ".join(f"w{n}-x{n}" for n in range(9000)),
                 "".join(chr(0x20000 + n % 40000) for n in range(100_000)), "﷽ a1 " * 20_000):  # fmt: skip
        assert terms(text[:100_000])


def test_facts_are_found_by_the_same_terms(alice: Subject) -> None:
    fact = facts.remember(
        alice,
        NewFact("Waits for ticket E-4012 at Café O'Brien"),
        origin=Origin.SAID,
        human=False,
        at=clock.now(),
    )
    stored = str(Fact.objects.values_list("search", flat=True).get(id=fact.id))
    assert all(term in stored for term in ("e-4012", "cafe", "obrien", "ticket"))


def test_the_owner_has_made_them_and_others_may_not_run_them(scoped: Tenant) -> None:
    with owner() as connected:
        rows = connected.execute(
            "SELECT proname, pg_get_userbyid(proowner), provolatile, proparallel, prosecdef, proconfig IS NOT NULL,"
            " has_function_privilege('mh_app', oid, 'execute'), proacl::text LIKE '%%{=X%%'"
            " FROM pg_proc WHERE proname IN ('memory_terms', 'memory_phrase') ORDER BY 1"
        ).fetchall()
    expected = ("mh_owner", "i", "s", False, True, True, False)
    assert rows == [("memory_phrase", *expected), ("memory_terms", *expected)]
