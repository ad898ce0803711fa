"""Reading the documentation as the tests need it: pages, links, tables, code."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"\s]+)\"")


def all_pages() -> list[Path]:
    """Every Markdown page that speaks of the product."""
    top = [ROOT / name for name in ("README.md", "CHANGELOG.md", "SECURITY.md")]
    return [*top, *sorted((ROOT / "docs").rglob("*.md"))]


def name_of(page: Path) -> str:
    """The page as it is called from the project's folder."""
    return str(page.relative_to(ROOT))


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a language."""
    return [body for found, body in _FENCE.findall(page.read_text()) if found == language]


def links(page: Path) -> list[str]:
    """Where the page points to, outside of code."""
    prose = _FENCE.sub("", page.read_text())
    return [first or second for first, second in _LINK.findall(prose)]


def anchors(page: Path) -> set[str]:
    """The fragments of a page's headings, as forges make them."""
    prose = _FENCE.sub("", page.read_text())
    headings = re.findall(r"^#+ +(.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def first_cells(page: Path) -> set[str]:
    """What stands alone in backticks in the first cell of the page's tables."""
    return set(re.findall(r"^\| `([^`]+)` \|", page.read_text(), re.MULTILINE))
