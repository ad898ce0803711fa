"""The OpenAPI document: valid, complete, without warnings."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command

from tests.api.routes import all_routes


@pytest.fixture(scope="module")
def document() -> Any:
    """The document, made with every warning an error."""
    out = io.StringIO()
    call_command("spectacular", "--fail-on-warn", "--validate", "--format", "openapi-json", stdout=out)
    return json.loads(out.getvalue())


OPERATIONS = [
    (method.lower(), "/" + route.pattern.replace("<str:", "{").replace(">", "}"))
    for route in all_routes()
    if route.is_api and "^" not in route.pattern and "openapi" not in route.pattern
    for method in route.methods
]


def test_it_is_openapi_3_1(document: Any) -> None:
    assert document["openapi"].startswith("3.1")


def test_it_has_every_operation_and_no_other(document: Any) -> None:
    documented = {
        (method, path)
        for path, item in document["paths"].items()
        for method in item
        if method in ("get", "post", "put", "patch", "delete")
    }
    assert documented == set(OPERATIONS)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_an_operation_says_what_it_needs_to(document: Any, method: str, path: str) -> None:
    operation = document["paths"][path][method]
    assert operation["operationId"]
    assert operation["description"]
    assert len(operation["tags"]) == 1
    assert {"400", "401", "403", "404"} <= set(operation["responses"])
    for status, answer in operation["responses"].items():
        if status >= "400":
            assert list(answer["content"]) == ["application/problem+json"], status
    if "requestBody" in operation:
        assert list(operation["requestBody"]["content"]) == ["application/json"]
        assert {"413", "415"} <= set(operation["responses"])
    named = {parameter["name"] for parameter in operation.get("parameters", ())}
    if "Idempotency-Key" in named:
        assert {"409", "422"} <= set(operation["responses"])
    if "If-Match" in named:
        assert {"412", "428"} <= set(operation["responses"])


def test_operation_ids_are_unique(document: Any) -> None:
    ids = [
        op["operationId"]
        for item in document["paths"].values()
        for op in item.values()
        if "operationId" in op
    ]
    assert len(ids) == len(set(ids))


def test_every_post_but_a_reading_one_and_one_that_shows_a_secret_can_be_repeated(document: Any) -> None:
    without = {
        path
        for path, item in document["paths"].items()
        if "post" in item and "Idempotency-Key" not in {p["name"] for p in item["post"].get("parameters", ())}
    }
    assert without == {"/api/v1/recall", "/api/v1/api-keys"}


def test_it_is_served_to_anybody(client: Any) -> None:
    answer = client.get("/api/v1/openapi.json")
    assert answer.status_code == 200
    assert json.loads(answer.content)["info"]["title"] == "MemoryHub"
