"""Rules that a linter does not know: read from the source itself."""

import ast
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = sorted(path for path in (ROOT / "memoryhub").rglob("*.py"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def nodes(path: Path) -> Sequence[ast.AST]:
    """Everything that the module is made of."""
    return list(ast.walk(ast.parse(path.read_text())))


@cache
def calls(path: Path) -> Sequence[tuple[ast.Call, str]]:
    """Every call with its name as it is written: ``scope.enter``."""
    return [(node, ast.unparse(node.func)) for node in nodes(path) if isinstance(node, ast.Call)]


def callers(wanted: str) -> set[str]:
    return {name(path) for path in PRODUCT for _, called in calls(path) if re.fullmatch(wanted, called)}


#: Where a scope is entered: the entrances, and what comes before or beside a request.
ENTERING = {
    "memoryhub/tenants/entrances.py": "requests, tasks, commands",
    "memoryhub/accounts/members.py": "founding a tenant, which has no scope yet",
    "memoryhub/accounts/management/commands/bootstrap.py": "the first owner of the tenant just founded",
    "memoryhub/gateway/answers.py": "threads of a stream go on in the scope of its request",
    "memoryhub/privacy/management/commands/reapply_erasures.py": "the ledger's tenants, one after another",
}


def test_a_scope_is_entered_at_the_entrances_alone() -> None:
    found = callers(r"(.*\.)?scope\.enter|enter")
    assert found - set(ENTERING) - {"memoryhub/local/demo.py"} == set()
    assert set(ENTERING) <= found


def test_a_task_is_enqueued_after_the_commit() -> None:
    """``delay`` would wake a worker for rows that are not there yet, or never will be."""
    assert callers(r".*\.(delay|send_task)") == set()
    sweeps = {"memoryhub/memory/tasks.py", "memoryhub/privacy/tasks.py", "memoryhub/tenants/entrances.py"}
    assert callers(r".*\.apply_async") <= sweeps


def test_every_task_is_scoped() -> None:
    for path in PRODUCT:
        for call, called in calls(path):
            if called in ("shared_task", "app.task"):
                bases = [ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg == "base"]
                assert bases == ["ScopedTask"], name(path)


#: Where HTML is taken as it is, and why that is safe.
RAW_HTML = {
    "memoryhub/web/views/chat.py": "an answer's Markdown, rendered and sanitised by chat.rendering",
    "memoryhub/web/templatetags/mh.py": "our own icons",
    "memoryhub/web/templatetags/styleguide.py": "our own examples",
}


def test_html_is_taken_as_it_is_in_listed_places_alone() -> None:
    assert callers(r"(.*\.)?(mark_safe|SafeString|SafeText|format_html_join)") <= set(RAW_HTML)


#: A form's own help may hold links, as Django and allauth write them; no caller's text gets there.
HELP_TEXTS = {"field.html"}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda p: p.relative_to(ROOT / "templates").as_posix())
def test_a_template_escapes_what_it_shows(path: Path) -> None:
    source = path.read_text()
    if path.name not in HELP_TEXTS:
        assert not re.search(r"\|\s*safe(seq)?\b|autoescape\s+off", source)
    assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*type=\"application/json\")[^>]*>", source), (
        "an inline script"
    )
    assert not re.search(r"\son[a-z]+\s*=\s*[\"']", source), "an inline handler"
    assert not re.search(r"\shref\s*=\s*[\"']\s*javascript:", source, re.IGNORECASE)


def test_sql_is_put_together_from_names_alone() -> None:
    """No text of a caller's ever becomes SQL: the ORM's ways to let it are not used at all."""
    assert callers(r".*\.(extra|raw)|RawSQL") == set()


def test_no_setting_outlives_its_transaction() -> None:
    for path in PRODUCT:
        for node in nodes(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "tests" not in name(path):
                assert not re.search(r"set_config\('app\.tenant_id'[^)]*,\s*false\)", node.value), name(path)
                assert not re.search(r"\bSET\s+(SESSION\s+)?app\.", node.value, re.IGNORECASE), name(path)


def test_one_place_makes_tables_visible_to_the_owner() -> None:
    """``owner_reads`` opens a table to functions that run with the owner's rights: three need it."""
    opened = [
        (name(path), ast.unparse(call.args[0]))
        for path in PRODUCT
        for call, called in calls(path)
        if called == "TenantTable" and any(k.arg == "owner_reads" for k in call.keywords)
    ]
    assert sorted(table for _, table in opened) == ["'api_key'", "'membership'", "'tenant'"]


def test_every_import_stands_at_the_top() -> None:
    inside = [
        f"{name(path)}:{node.lineno}"
        for path in PRODUCT
        if "/local/" not in name(path)
        for function in nodes(path)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert inside == []


#: Modules that may be longer, in lines.
LONGEST = {"memoryhub/memory/facts.py": 450}


def test_no_function_and_no_module_grows_too_long() -> None:
    long = []
    for path in PRODUCT:
        if "/migrations/" in name(path):
            continue
        source = path.read_text()
        if source.count("\n") > LONGEST.get(name(path), 400):
            long.append(name(path))
        for node in nodes(path):
            is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            if is_function and (node.end_lineno or 0) - node.lineno > 45:
                long.append(f"{name(path)}:{node.name}")
    assert long == []


def test_nothing_is_logged_that_was_said() -> None:
    """Log lines carry ids and codes; these names hold text."""
    text = re.compile(r"\b(content|statement|quote|external_id|display_name|email|secret|title|body|query)\b")
    for path in PRODUCT:
        for call, called in calls(path):
            if re.fullmatch(r"logger\.(debug|info|warning|error|exception|critical)", called):
                for argument in call.args[1:]:
                    assert not text.search(ast.unparse(argument)), f"{name(path)}:{call.lineno}"
