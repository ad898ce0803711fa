"""The pages hold together: links lead somewhere, pictures are there and small, nothing foreign is named."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, all_pages, anchors, links, name_of

_PICTURE_LIMIT = 200_000
#: What has no place in a page: marks of unfinished work, the words of advertising, folders of somebody's machine.
_FORBIDDEN = re.compile(
    r"\b(TODO|FIXME|XXX|lorem|seamless(?:ly)?|blazing(?:ly)?|cutting[- ]edge|state[- ]of[- ]the[- ]art|best[- ]in[- ]class|"
    r"world[- ]class|revolutionary|game[- ]changer|effortless(?:ly)?|supercharge\w*|unlock(?:s|ing)? the|leverag(?:e|es|ing)|"
    r"next[- ]gen(?:eration)?|powerful|delve)\b|(?<![\w.])/(?:home|root|tmp|Users|work|workspace)/",
    re.IGNORECASE,
)


@pytest.mark.parametrize("page", all_pages(), ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        if link.startswith(("https://", "http://", "mailto:")):
            continue
        path, _, fragment = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name_of(page)} points to {link}, which is not there"
        if fragment and target.suffix == ".md":
            assert fragment in anchors(target), f"{name_of(page)} points to {link}; there is no such heading"


@pytest.mark.parametrize("page", all_pages(), ids=name_of)
def test_no_page_holds_what_it_should_not(page: Path) -> None:
    found = _FORBIDDEN.search(page.read_text())
    assert found is None, f"{name_of(page)} says {found[0]!r}" if found else ""


def test_every_page_is_reached_from_the_readme() -> None:
    seen, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        waiting += [
            (page.parent / link.partition("#")[0]).resolve()
            for link in links(page)
            if not re.match(r"[a-z]+:|#", link)
        ]
    assert {name_of(page) for page in all_pages()} <= {name_of(page) for page in seen}


def test_pictures_are_small_and_used() -> None:
    used = {(page.parent / link).resolve() for page in all_pages() for link in links(page)}
    for picture in sorted((ROOT / "docs" / "img").iterdir()):
        assert picture in used, f"{picture.name} is on no page"
        assert picture.stat().st_size < _PICTURE_LIMIT, f"{picture.name} is too large"


def test_the_architecture_is_well_formed_and_described() -> None:
    tree = ET.parse(ROOT / "docs" / "img" / "architecture.svg").getroot()
    names = [child.tag.rpartition("}")[2] for child in tree]
    assert names[:2] == ["title", "desc"]
    assert "prefers-color-scheme" in (ROOT / "docs" / "img" / "architecture.svg").read_text()


def test_every_decision_has_its_parts_and_its_place_in_the_list() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = set(links(folder / "README.md"))
    for page in sorted(folder.glob("0*.md")):
        content = page.read_text()
        assert page.name in listed
        for part in ("**Decided.**", "**Why.**", "**Else.**", "**Follows.**"):
            assert part in content, f"{page.name} lacks {part}"
