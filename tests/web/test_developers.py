"""The developers' pages: the catalogue of errors is whole, and the reference comes from ourselves alone."""

import ast
from collections.abc import Iterator
from pathlib import Path

from django.test import Client

import memoryhub
from memoryhub.web.error_codes import GROUPS
from tests.web.pages import Tags

ROOT = Path(memoryhub.__file__).parent
#: Codes that no caller of the API ever meets: of the start, of the trail's own guard, of pages, of dropped candidates.
NEVER_TOLD = {"audit_detail_refused", "no_scope", "not_confirmed", "error", "not_by_subject"}
_DRF = {
    "required", "null", "not_a_list", "empty", "min_length", "max_length", "min_value", "max_value",
    "max_string_length", "method_not_allowed", "not_acceptable", "unsupported_media_type", "throttled",
}  # fmt: skip


def _modules() -> Iterator[ast.Module]:
    for path in ROOT.rglob("*.py"):
        room = path.relative_to(ROOT).parts[0]
        if room not in ("local", "config") and "migrations" not in path.parts:
            yield ast.parse(path.read_text())


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _raised() -> Iterator[str]:
    """Every code that an error is given: by keyword, by ``Invalid.field``, by ``fail``, or as a class attribute."""
    for module in _modules():
        for node in ast.walk(module):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if name[:1].isupper() or name == "ValidationError":
                    yield from (_text(k.value) for k in node.keywords if k.arg == "code")
                if name == "field" and len(node.args) == 3:
                    yield _text(node.args[1])
                if name == "fail" and node.args:
                    yield _text(node.args[0])
            elif isinstance(node, ast.ClassDef):
                for line in node.body:
                    if isinstance(line, ast.Assign) and getattr(line.targets[0], "id", "") == "code":
                        yield _text(line.value)


def _listed() -> list[str]:
    return [code.code for group in GROUPS for code in group.codes]


def test_every_code_that_is_raised_is_explained() -> None:
    assert sorted(set(filter(None, _raised())) - set(_listed()) - NEVER_TOLD) == []


def test_no_code_is_explained_that_is_never_raised() -> None:
    assert sorted(set(_listed()) - set(_raised()) - _DRF) == []


def test_a_code_is_explained_once() -> None:
    assert len(_listed()) == len(set(_listed()))


def test_a_problems_type_is_the_address_of_its_explanation(owner: Client) -> None:
    problem = owner.get("/api/v1/facts?limit=0").json()
    path, _, anchor = problem["type"].partition("#")
    assert f'id="{anchor}"' in owner.get(path).content.decode()


def test_the_first_calls_name_our_address_and_one_another(owner: Client) -> None:
    page = owner.get("/developers", headers={"Host": "memory.example:8443"})
    commands = [call.command for call in page.context["calls"]]
    assert len(commands) == 3
    assert all("http://memory.example:8443/api/v1/" in command for command in commands)
    assert '<a href="/keys/">' in page.content.decode()


def test_the_reference_loads_nothing_from_others_and_runs_nothing_inline(owner: Client) -> None:
    page = owner.get("/developers/api")
    tags = Tags(page.content.decode())
    sources = [attrs["src"] for attrs in tags.named("script")]
    assert all(source.startswith(("/static/", "/developers/api?script")) for source in sources)
    assert any("swagger-ui-bundle.js" in source for source in sources)
    assert not tags.named("style")
    script = owner.get(next(source for source in sources if "script" in source.partition("?")[2]))
    assert script["Content-Type"].startswith("application/javascript")
    assert "/api/v1/openapi.json" in script.content.decode().replace("\\u002D", "-").replace("\\u002F", "/")
