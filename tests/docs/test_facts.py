"""The page on facts against the schema and the code that decides about them."""

import re

from memoryhub.memory.schema import ATTRIBUTES, KINDS
from memoryhub.web import reasons
from tests.docs.pages import ROOT

_PAGE = (ROOT / "docs/facts.md").read_text()
_ROWS = [
    [cell.strip() for cell in row.strip("|").split("|")]
    for row in re.findall(r"^\|.*\|$", _PAGE, re.MULTILINE)
]


def test_every_kind_is_named_with_its_meaning_and_its_days() -> None:
    for schema in KINDS.values():
        assert [f"`{schema.kind.value}`", schema.meaning, str(schema.stale_after or "never")] in _ROWS


def test_every_attribute_is_named_with_all_that_the_schema_says() -> None:
    for known in ATTRIBUTES:
        values = "one" if known.single else "many"
        row = [f"`{known.name}`", f"`{known.kind.value}`", values, known.meaning, known.example]
        assert row in _ROWS, known.name


def test_the_page_names_no_other_attribute() -> None:
    named = {row[0].strip("`") for row in _ROWS if len(row) == 5} - {"attribute", "---"}
    assert named == {known.name for known in ATTRIBUTES}


def test_every_reason_for_holding_is_named() -> None:
    named = {row[0].strip("`") for row in _ROWS if len(row) == 2 and row[0].startswith("`")}
    assert named == set(reasons.HELD)
