"""A ledger of the test's own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def ledger_file(settings: Any, tmp_path: Path) -> Iterator[Path]:
    """Where tombstones go."""
    settings.MEMORYHUB_LEDGER = tmp_path / "ledger" / "erasures.jsonl"
    yield settings.MEMORYHUB_LEDGER
