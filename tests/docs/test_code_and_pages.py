"""The pages against the code: environment, commands, routes, errors, tests and words that they name."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.urls import Resolver404, resolve

from memoryhub.memory.purge import STORES
from memoryhub.privacy import signing
from memoryhub.tenants.permissions import KEY_SCOPES, Role
from memoryhub.web.error_codes import GROUPS
from tests.docs.pages import ROOT, all_pages, blocks, first_cells, name_of

_ENV_NAME = re.compile(r"MEMORYHUB_[A-Z_]+|DATABASE_URL|CELERY_BROKER_URL")
_CURL = re.compile(r"https?://127\.0\.0\.1:\d+(/[^\s'\"?]*)")
_METHOD = re.compile(r"-X (\w+)")


def _trees() -> Iterator[ast.AST]:
    files = [
        ROOT / "manage.py",
        ROOT / "memoryhub/config/settings.py",
        *(ROOT / "memoryhub/local").rglob("*.py"),
    ]
    for path in files:
        yield ast.parse(path.read_text())


def _constant(node: ast.AST | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _reads(node: ast.AST) -> str:
    """The name that a call or subscript takes out of the environment; empty when it does not."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        owner = ast.unparse(node.func.value)
        if owner == "env" or (owner == "os.environ" and node.func.attr in ("get", "pop", "setdefault")):
            return _constant(node.args[0])
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ":
        return _constant(node.slice)
    return ""


def names_in_code() -> set[str]:
    """Each environment variable that is read, and each name of ours that stands in the code as such."""
    found = set()
    for tree in _trees():
        for node in ast.walk(tree):
            if name := _reads(node):
                found.add(name)
            elif _ENV_NAME.fullmatch(_constant(node)):
                found.add(_constant(node))
    return found


def test_every_environment_variable_is_on_its_page_and_no_other() -> None:
    page = {name for name in first_cells(ROOT / "docs/configuration.md") if re.fullmatch(r"[A-Z_]+", name)}
    code = names_in_code()
    assert code - page == set(), "missing on docs/configuration.md"
    assert page - code == set(), "on docs/configuration.md and not in the code"


@pytest.mark.parametrize("page", all_pages(), ids=name_of)
def test_no_page_names_a_variable_that_does_not_exist(page: Path) -> None:
    named = set(re.findall(r"\bMEMORYHUB_[A-Z_]+\b", page.read_text()))
    assert named - names_in_code() - {"MEMORYHUB_KEY"} == set()


def commands() -> set[str]:
    """Every management command of ours."""
    found = (ROOT / "memoryhub").glob("*/management/commands/[a-z]*.py")
    return {path.stem for path in found} | {"up", "test"}


def test_every_command_is_named_where_somebody_looks_for_it() -> None:
    page = (ROOT / "docs/operations.md").read_text()
    missing = {name for name in commands() if f"`manage.py {name}`" not in page}
    assert missing == set()


@pytest.mark.parametrize("page", all_pages(), ids=name_of)
def test_no_page_names_a_command_that_does_not_exist(page: Path) -> None:
    named = set(re.findall(r"manage\.py ([a-z_]{2,})", page.read_text()))
    assert named - commands() - {"migrate", "makemigrations"} == set()


@pytest.mark.parametrize("page", all_pages(), ids=name_of)
def test_every_call_has_a_route(page: Path) -> None:
    for block in blocks(page, "sh"):
        for path in _CURL.findall(block):
            _require_route(re.sub(r"\$\w+", "thr_" + "0" * 32, path))


def _require_route(path: str) -> None:
    try:
        match = resolve(path)
    except Resolver404 as error:
        raise AssertionError(f"there is no route {path}") from error
    assert getattr(match.func, "__name__", "") != "not_found", f"there is no route {path}"


def _routes_in_tables(page: Path) -> Iterator[str]:
    for cell in re.findall(r"^\| (`[^|]+`) \|", page.read_text(), re.MULTILINE):
        for code in re.findall(r"`([^`]+)`", cell):
            found = re.search(r"(/[a-z][^\s?]*)", code)
            if found:
                yield found[1]


def test_the_routes_of_the_guide_exist() -> None:
    paths = list(_routes_in_tables(ROOT / "docs/api.md"))
    assert len(paths) > 30
    for path in paths:
        full = (
            path if path.startswith("/facts/") or not path.startswith("/restore") else f"/facts/{{id}}{path}"
        )
        _require_route("/api/v1" + full.replace("{id}", "x_" + "0" * 32))


def test_the_scopes_of_a_key_are_those_of_the_guide() -> None:
    page = (ROOT / "docs/api.md").read_text()
    assert {scope.value for scope in KEY_SCOPES} <= set(re.findall(r"`([a-z]+:[a-z]+)`", page))


def test_the_error_codes_of_the_guide_exist() -> None:
    known = {code.code for group in GROUPS for code in group.codes}
    for status, code in re.findall(r"\b([45]\d\d) `([a-z_]+)`", (ROOT / "docs/api.md").read_text()):
        assert code in known, f"{status} {code}"


def test_the_stores_of_an_erasure_are_those_of_the_page() -> None:
    assert len(STORES) == len(_stores_on_page()), "docs/privacy.md lists what an erasure removes"


def _stores_on_page() -> list[str]:
    page = (ROOT / "docs/privacy.md").read_text()
    listed = re.search(r"in one transaction: (.*?)\.", page, re.DOTALL)
    assert listed is not None
    return listed[1].split(",")


def test_the_glossary_names_every_role_and_code_that_exists() -> None:
    page = (ROOT / "docs/glossary.md").read_text()
    assert all(f"`{role.value}`" in page for role in Role)


@pytest.mark.parametrize("page", all_pages(), ids=name_of)
def test_files_and_tests_that_are_named_exist(page: Path) -> None:
    content = page.read_text()
    for path in re.findall(r"`((?:memoryhub|tests|bench|static|templates)/[\w./-]+)`", content):
        assert (ROOT / path).exists(), f"{name_of(page)} names {path}"
    tests = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    for name in re.findall(r"\b(test_[a-z0-9_]+)\b(?!\.py)", content):
        assert f"def {name}(" in tests, f"{name_of(page)} names {name}"


def test_the_python_that_checks_a_receipt_runs(tmp_path: Path) -> None:
    """The code on the page, over a receipt signed by the product, and over a forged one."""
    body = {
        "reference": "PR-1",
        "erased_at": "2026-01-01T00:00:00+00:00",
        "rows_erased": {"turns": 3},
        "why": "“ä”",
    }
    signature = signing.sign(body)
    script, receipt = tmp_path / "verify.py", tmp_path / "receipt.json"
    script.write_text(blocks(ROOT / "docs/privacy.md", "python")[0])
    receipt.write_text(json.dumps({"body": body, "signature": signature.value}))
    command = [sys.executable, str(script), str(receipt), signing.public_key()]
    good = subprocess.run(command, capture_output=True, text=True, check=False)
    assert good.returncode == 0, good.stderr
    assert good.stdout.startswith("valid: PR-1")
    receipt.write_text(receipt.read_text().replace('"turns": 3', '"turns": 2'))
    forged = subprocess.run(command, capture_output=True, text=True, check=False)
    assert forged.returncode != 0
    assert "InvalidSignature" in forged.stderr
