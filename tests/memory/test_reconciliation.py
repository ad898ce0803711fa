"""What a new statement means for what is known, row by row. Pure: no database."""

import uuid
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.memory.polarity import signature
from memoryhub.memory.reconciliation import key_of, reconcile
from memoryhub.memory.types import Add, Confirm, Conflict, ExtractedFact, KnownFact, Outdated, Supersede
from tests.memory.pairs import PAIRS, Pair

MARCH, JUNE = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)


def said(
    statement: str,
    *,
    attribute: str = "",
    value: str = "",
    at: datetime = JUNE,
    kind: str = "profile",
    doubtful: bool = False,
) -> ExtractedFact:
    return ExtractedFact(kind, statement, attribute, value, None, statement, at, doubtful=doubtful)


def known(
    statement: str,
    *,
    attribute: str = "",
    value: str = "",
    at: datetime = MARCH,
    kind: str = "profile",
    human: bool = False,
    status: str = "active",
) -> KnownFact:
    return KnownFact(uuid.uuid4(), kind, statement, attribute, value, key_of(statement), at, human, status)


FREE = known("Is on the free plan", attribute="plan", value="free")


@pytest.mark.parametrize(
    ("fact", "others", "expected"),
    [
        (said("Is on the enterprise plan", attribute="plan", value="enterprise"), [FREE], Supersede),
        (said("Is on the free plan", attribute="plan", value="free"), [FREE], Confirm),
        (said("is on the  FREE plan.", attribute="plan", value="Free"), [FREE], Confirm),
        (said("Is on the free tier", attribute="plan", value="free"), [FREE], Confirm),
        (said("Is not on the free plan"), [FREE], Supersede),
        (
            said("Likes tea", attribute="likes", value="tea", kind="preference"),
            [known("Likes coffee", attribute="likes", value="coffee", kind="preference")],
            Add,
        ),
        (said("Ticket 55103 is open"), [known("Ticket 55102 is open")], Add),
        (
            said("Lives in Lisbon", attribute="city", value="Lisbon", at=MARCH),
            [known("Lives in Porto", attribute="city", value="Porto", at=JUNE)],
            Outdated,
        ),
        (said("Lives in Porto", attribute="city", value="Porto"), [], Add),
        (
            said("Is on the pro plan", attribute="plan", value="pro"),
            [known("Is on the free plan", attribute="plan", value="free", human=True)],
            Add,
        ),
        (
            said("Production deployment is not allowed"),
            [known("Production deployment is allowed")],
            Supersede,
        ),
        (
            said("Works at X as CTO", attribute="employer", value="X"),
            [known("Runs the organisation of X on GitHub")],
            Add,
        ),
    ],
)
def test_change(fact: ExtractedFact, others: list[KnownFact], expected: type) -> None:
    assert type(reconcile(fact, others)) is expected


def test_a_machine_never_ends_a_human_word() -> None:
    change = reconcile(
        said("Is on the pro plan", attribute="plan", value="pro"),
        [known("Is on the free plan", attribute="plan", value="free", human=True)],
    )
    assert isinstance(change, Add)
    assert change.held == "against_human"


def test_doubtful_is_held() -> None:
    change = reconcile(said("May be moving", doubtful=True), [])
    assert isinstance(change, Add)
    assert change.held == "doubtful"


def test_doubtful_supersedes_nothing() -> None:
    change = reconcile(said("Is on the pro plan", attribute="plan", value="pro", doubtful=True), [FREE])
    assert isinstance(change, Add)


def test_an_archived_fact_stays_archived() -> None:
    archived = known("Likes tea", status="archived")
    assert reconcile(said("Likes tea"), [archived]) == Confirm(said("Likes tea"), archived.id)


def test_the_same_old_statement_again_confirms_the_superseded_one() -> None:
    old = known("Is on the free plan", attribute="plan", value="free", status="superseded")
    new = known("Is on the enterprise plan", attribute="plan", value="enterprise", at=JUNE)
    again = said("Is on the free plan", attribute="plan", value="free", at=MARCH)
    assert reconcile(again, [old, new]) == Confirm(again, old.id)


def test_back_to_an_earlier_value_is_a_new_fact() -> None:
    old = known("Is on the free plan", attribute="plan", value="free", status="superseded")
    new = known("Is on the enterprise plan", attribute="plan", value="enterprise", at=MARCH)
    back = said("Is on the free plan", attribute="plan", value="free", at=JUNE)
    assert reconcile(back, [old, new]) == Supersede(back, new.id)


def _outcome(pair: Pair) -> str:
    same_moment = pair.expected == "K"
    old = known(
        pair.before,
        attribute=pair.attribute,
        value=pair.before_value,
        kind=pair.kind,
        at=JUNE if same_moment else MARCH,
    )
    new = said(pair.after, attribute=pair.attribute, value=pair.after_value, kind=pair.kind)
    names = {Confirm: "C", Supersede: "S", Add: "X", Conflict: "K", Outdated: "O"}
    return names[type(reconcile(new, [old]))]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: f"{p.language}: {p.before} / {p.after}")
def test_labelled_pair(pair: Pair) -> None:
    assert _outcome(pair) == pair.expected


def test_the_labelled_pairs_are_many_and_none_is_wrongly_superseded() -> None:
    assert len(PAIRS) >= 120
    assert {pair.language for pair in PAIRS} == {"en", "de", "fr", "es", "zh"}
    assert [pair for pair in PAIRS if _outcome(pair) == "S" and pair.expected != "S"] == []


@given(st.sampled_from(PAIRS), st.sampled_from(PAIRS))
def test_what_has_nothing_in_common_coexists(one: Pair, other: Pair) -> None:
    """Statements of different attributes and different words never end each other."""
    new, old = signature(other.after), signature(one.before)
    if (
        one.attribute == other.attribute
        or new.content & old.content
        or "instruction" in (one.kind, other.kind)
    ):
        return
    fact = said(other.after, attribute=other.attribute, value=other.after_value, kind=other.kind)
    rival = known(one.before, attribute=one.attribute, value=one.before_value, kind=one.kind)
    assert isinstance(reconcile(fact, [rival]), Add)
