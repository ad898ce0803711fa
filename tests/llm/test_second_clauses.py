"""What a message tells after its first clause, in lists, by the way, and with words that no rule knows."""

import pytest

from tests.llm.extracting import facts_in


def told(text: str) -> list[tuple[str, str | None, str | None]]:
    return [(f["kind"], f["attribute"], f["value"]) for f in facts_in(text) if f["about"] == "self"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "We moved our shop from Etsy to Shopify.",
            [("profile", "tool", "Etsy"), ("profile", "tool", "Shopify")],
        ),
        (
            "I enjoy board games and long bike rides.",
            [("preference", "likes", "board games"), ("preference", "likes", "long bike rides")],
        ),
        ("I like my coffee strong and black", [("preference", "likes", "my coffee strong and black")]),
        (
            "I gave up tennis years ago, but I've taken up rowing.",
            [("preference", "hobby", "tennis"), ("preference", "hobby", "rowing")],
        ),
        ("I cancelled my Pro subscription yesterday.", [("profile", "plan", "pro")]),
        ("I'm not at Bosch any more.", [("profile", "employer", "Bosch")]),
        (
            "I look after the garden and commute to Delft twice a week.",
            [("profile", None, None), ("profile", None, None)],
        ),
        (
            "My sister is getting married in May and I'm giving a speech.",
            [("profile", "family", "sister"), ("plan", None, None)],
        ),
        ("Our parrot Rio talks all day.", [("profile", "pet", "parrot Rio")]),
        (
            "I'm Ella, a first-year biology student in Leiden.",
            [("profile", "name", "Ella"), ("profile", None, None)],
        ),
        ("I studied history at Ghent.", [("profile", "education", "history at Ghent")]),
        (
            "I have a degree in nursing, but I drive a bus.",
            [("profile", "education", "degree in nursing"), ("profile", None, None)],
        ),
        (
            "We're flying to Athens on 3 May and coming back on the 17th.",
            [("plan", None, None), ("plan", None, None)],
        ),
        ("We postponed the launch to the first of March.", [("project", None, None)]),
        ("Our client rejected the first draft.", [("event", None, None)]),
        (
            "I was born in Izmir but moved to Cologne as a child.",
            [("profile", None, None), ("event", None, None)],
        ),
        (
            "I teach yoga, so Tuesday evenings are taken.",
            [("profile", None, None), ("constraint", None, None)],
        ),
        ("I still can't type for long.", [("constraint", None, None)]),
        ("I have about half an hour every evening for it.", [("constraint", None, None)]),
        (
            "I'm writing an essay, and it's due on 30 September.",
            [("project", None, None), ("constraint", None, None)],
        ),
        ("No coriander, I can't stand the stuff.", [("preference", "dislikes", "coriander")]),
        ("My German is much better than my English.", [("profile", "language", "German")]),
        ("I swim before work most days.", [("preference", "hobby", "swim")]),
        ("We invoice about thirty clients a month.", [("profile", None, None)]),
    ],
)
def test_told(text: str, expected: list[tuple[str, str | None, str | None]]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I keep getting logged out every few minutes in Chrome.",
        "Write a birthday card for my sister.",
        "I'd like to change the delivery address for tomorrow's order.",
        "I want to know how long it takes.",
        "I signed up yesterday and the mail never arrived.",
        "I can't see the export button.",
        "I've been waiting for two weeks.",
        "I'm setting up a new laptop, can you help?",
        "Our build has been failing since Tuesday, I'm running out of ideas.",
        "I need a comparison of these three suppliers.",
        "I tried it twice and get the same error every time.",
        "The house that we rent out is empty.",
        "My flight was delayed by four hours.",
    ],
)
def test_nothing_told(text: str) -> None:
    assert told(text) == []


def test_a_single_ban_is_held() -> None:
    """ "So no push-ups" may be meant for now only."""
    order = next(f for f in facts_in("I hurt my shoulder, so no push-ups.") if f["kind"] == "instruction")
    assert order["doubtful"]
    assert not [
        f for f in facts_in("We moved, so please look for plumbers here.") if f["kind"] == "instruction"
    ]


def test_the_second_half_of_an_order_stays_with_the_first() -> None:
    """ "Never bash" says nothing alone; with a verb of its own it would be another order."""
    kept = facts_in("Always use PowerShell, never bash.")
    assert [fact["statement"] for fact in kept] == ["Always use PowerShell, never bash"]
    assert len(facts_in("Always use metric units, never send me phone calls.")) == 2
