"""The served OpenAPI document and the API say the same: a fuzzer reads the one and holds the other against it."""

from collections.abc import Mapping
from itertools import count
from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from memoryhub.tenants.permissions import KEY_SCOPES
from tests.api.conftest import Api
from tests.api.routes import PREFIXES, all_routes
from tests.api.world import World

SCHEMA = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())
SCHEMA.config.generation.update(with_security_parameters=False)
_CHECKS = [
    not_a_server_error,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
]
#: Operations that no key may call: the owner's session does.
_PEOPLES = {
    (method, "/" + route.pattern.replace("<str:", "{").replace(">", "}"))
    for route in all_routes()
    if route.is_api
    for method, permission in route.methods.items()
    if permission not in KEY_SCOPES
}
_turn = count()


@pytest.fixture(scope="module")
def session(callers: Mapping[str, Api]) -> dict[str, str]:
    """The cookies of the owner's browser."""
    client = callers["session"].client
    client.get("/me/memory")
    return {name: client.cookies[name].value for name in ("memoryhub", "memoryhub-csrf")}


def _with_known_ids(case: Any, world: World) -> None:
    """Every second request asks for something that is there; of each kind one thing may be deleted."""
    number = next(_turn)
    for name in set(case.path_parameters or {}) & set(PREFIXES):
        if number % 2:
            known = world.ids[name]
            if case.method.upper() == "DELETE":
                known = known[:1] if name == "key_id" else known[-1:]  # the other key is the one that asks
            case.path_parameters[name] = known[number // 2 % len(known)]
    if isinstance(case.body, dict) and "subject" in case.body and number % 4:
        case.body["subject"] = "alice"


@SCHEMA.parametrize()
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_the_document_is_kept(case: Any, world: World, session: dict[str, str]) -> None:
    _with_known_ids(case, world)
    by_person = (case.method.upper(), case.operation.path) in _PEOPLES
    if by_person:
        headers, cookies = {"X-CSRFToken": session["memoryhub-csrf"]}, session
    else:
        headers, cookies = {"Authorization": f"Bearer {world.secret}"}, {}
    case.call_and_validate(headers=headers, cookies=cookies, checks=_CHECKS)
