"""For developers: the first calls, the reference of the API, and what each error code means."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from memoryhub.tenants.permissions import Permission
from memoryhub.web.error_codes import GROUPS
from memoryhub.web.lists import Tab
from memoryhub.web.pages import Page, page


@dataclass(frozen=True)
class Call:
    """A step of the quick start: what it does, and the command that does it."""

    title: str
    text: str
    command: str


_KEY = '-H "Authorization: Bearer $MEMORYHUB_KEY"'
_JSON = "-H 'Content-Type: application/json'"
_ID = "python3 -c 'import json, sys; print(json.load(sys.stdin)[\"id\"])'"
_SAY = '{"turns": [{"role": "user", "content": "I live in Leipzig. I prefer trains to planes."}]}'
_ASK = '{"subject": "alice", "query": "Where does she live?"}'


def _lines(*parts: str) -> str:
    """One command over several lines."""
    return " \\\n  ".join(parts)


def _calls(base: str) -> list[Call]:
    opened = _lines(
        f"thread=$(curl -s {base}/threads", _KEY, _JSON, """-d '{"subject": "alice"}'""", f"| {_ID})"
    )
    said = _lines(f"curl {base}/threads/$thread/turns", _KEY, _JSON, f"-d '{_SAY}'")
    return [
        Call(
            "Tell it what was said",
            "A thread belongs to a subject, the person who speaks, under your own id for them. What its turns teach"
            " is learned in the background, a moment later.",
            f"{opened}\n\n{said}",
        ),
        Call(
            "Recall what matters now",
            "Facts that are relevant to a question, best first, each with its score and the words it rests on.",
            _lines(f"curl {base}/recall", _KEY, _JSON, f"-d '{_ASK}'"),
        ),
        Call(
            "See what is known",
            "All facts about the subject, newest first. Each can be corrected, verified and purged.",
            _lines(f"curl '{base}/facts?subject=alice'", _KEY),
        ),
    ]


def _tabs(here: str) -> list[Tab]:
    places = {"developers": "Quick start", "api_reference": "API reference", "error_codes": "Error codes"}
    return [Tab(label, reverse(name), name == here) for name, label in places.items()]


@page(Permission.READ_MEMORY)
def index(request: Page) -> HttpResponse:
    """The first three calls, with the caller's own address."""
    base = request.build_absolute_uri("/api/v1")
    context = {
        "tabs": _tabs("developers"),
        "calls": _calls(base),
        "base_url": base,
        "manages_keys": Permission.MANAGE_KEYS in request.identity.permissions,
    }
    return render(request, "developers/start.html", context)


@page(Permission.READ_MEMORY)
def errors(request: Page) -> HttpResponse:
    """The error codes by status."""
    return render(request, "developers/errors.html", {"tabs": _tabs("error_codes"), "groups": GROUPS})


class _PersonSignedIn(BaseAuthentication):
    """Leaves the request's user as it is; ``page`` has admitted them already."""

    def authenticate(self, request: Request) -> tuple[Any, None]:
        return request._request.user, None


class _Reference(SpectacularSwaggerSplitView):
    """Swagger UI with its script at an address of its own, which a strict content policy allows."""

    authentication_classes = (_PersonSignedIn,)
    url_name = "api:openapi"
    template_name = "developers/reference.html"
    template_name_js = "developers/reference.js"


_reference = _Reference.as_view()


@page(Permission.READ_MEMORY)
def reference(request: Page) -> HttpResponse:
    """Every operation, to read and to try as oneself."""
    return _reference(request)
