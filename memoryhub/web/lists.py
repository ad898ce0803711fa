"""The pieces that every list shares: views as tabs, the filter bar, paging, and the neighbours of one row.

The address is the state: filters, view and cursor stand in it, and links between them keep what they do not change.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict
from django.urls import reverse

from memoryhub import keyset

PAGE_SIZE = 50
#: Parameters of a list that travel with a row to its page, so that it knows its neighbours and the way back.
_CARRIED = ("q", "view", "status", "kind", "verification", "action")
_PART = re.compile(r'(\w+):"([^"]*)"|(\w+):(\S+)|(\S+)')


@dataclass(frozen=True)
class Tab:
    """A view of a list. ``count`` is None when it is not known."""

    label: str
    url: str
    current: bool
    count: int | None = None


@dataclass(frozen=True)
class Option:
    """One value of a facet; its address adds or removes it."""

    label: str
    value: str
    url: str
    selected: bool
    count: int | None = None


@dataclass(frozen=True)
class Facet:
    """A filter with known values."""

    name: str
    label: str
    options: Sequence[Option]


@dataclass(frozen=True)
class Chip:
    """A filter in force, and the address without it."""

    label: str
    value: str
    remove_url: str


@dataclass(frozen=True)
class Hidden:
    """A filter that the search form carries along."""

    name: str
    value: str


@dataclass(frozen=True)
class Filters:
    """The filter bar. The address is the state."""

    query: str
    chips: Sequence[Chip]
    facets: Sequence[Facet]
    hidden: Sequence[Hidden]
    clear_url: str

    @property
    def active(self) -> bool:
        """Whether anything narrows the list."""
        return bool(self.query or self.chips)


@dataclass(frozen=True)
class Pager:
    """The addresses of the neighbouring pages, and the words for the two directions."""

    newer_url: str
    older_url: str
    count_text: str = ""
    newer: str = "Newer"
    older: str = "Older"


def address(request: HttpRequest, **changes: str | None) -> str:
    """This page's address with some parameters changed; None removes one. Paging starts anew."""
    params: QueryDict = request.GET.copy()
    for name in ("after", "before"):
        params.pop(name, None)
    for name, value in changes.items():
        params.pop(name, None)
        if value is not None:
            params[name] = value
    query = params.urlencode()
    return f"?{query}" if query else "?"


def filters(request: HttpRequest, facets: Mapping[str, tuple[str, Mapping[str, str]]]) -> Filters:
    """The filter bar of ``q`` and single-valued ``facets``: name to (label, values with their words).

    A value that no longer exists falls back to all.
    """
    chips, shown = [], []
    for name, (label, values) in facets.items():
        chosen = request.GET.get(name, "")
        if chosen in values:
            chips.append(Chip(label, values[chosen], address(request, **{name: None})))
        options = [
            Option(
                word, value, address(request, **{name: None if value == chosen else value}), value == chosen
            )
            for value, word in values.items()
        ]
        shown.append(Facet(name, label, options))
    hidden = [Hidden(n, request.GET[n]) for n in [*facets, "view"] if request.GET.get(n)]
    clear = f"?view={request.GET['view']}" if request.GET.get("view") else "?"
    return Filters(request.GET.get("q", "").strip()[:500], chips, shown, hidden, clear)


def chosen(request: HttpRequest, name: str, values: Mapping[str, str]) -> str:
    """The facet's value in the address, "" when absent or unknown."""
    value = request.GET.get(name, "")
    return value if value in values else ""


def pager(request: HttpRequest, found: keyset.Page, *, words: tuple[str, str] = ("Newer", "Older")) -> Pager:
    """The pager of a page; ``words`` name its directions, towards the list's start first."""
    return Pager(
        address(request, before=found.newer) if found.newer else "",
        address(request, after=found.older) if found.older else "",
        newer=words[0],
        older=words[1],
    )


def cursors(request: HttpRequest) -> dict[str, str]:
    """The cursors in the address, for ``keyset.page``."""
    return {name: request.GET.get(name, "") for name in ("after", "before")}


def tabs(request: HttpRequest, views: Mapping[str, str], counts: Mapping[str, int | None]) -> list[Tab]:
    """The views of a list, each with the filters in force; "" is the first and the fall-back of unknown names."""
    here = chosen(request, "view", views)
    return [
        Tab(label, address(request, view=name or None), name == here, counts.get(name))
        for name, label in views.items()
    ]


@dataclass(frozen=True)
class Asked:
    """A search text taken apart: ``key:value`` pairs of known keys, and the other words."""

    given: Mapping[str, str]
    words: str


def asked(query: str, keys: Sequence[str]) -> Asked:
    """Read the search box: ``subject:mira status:held bakery`` or ``subject:"Mira K"``. The last of a key counts."""
    given: dict[str, str] = {}
    words = []
    for match in _PART.finditer(query.replace("\x00", "")):
        quoted_key, quoted, key, value, _ = match.groups()
        name = quoted_key or key
        if name in keys and (quoted or value):
            given[name] = quoted if quoted_key else value
        else:
            words.append(match[0])
    return Asked(given, " ".join(words))


def pair(key: str, value: str) -> str:
    """``key:value`` as the search box reads it."""
    return f'{key}:"{value}"' if re.search(r"\s", value) else f"{key}:{value}"


def searching(url_name: str, key: str, value: str) -> str:
    """The address of a list, searched for one ``key:value``."""
    return f"{reverse(url_name)}?{urlencode({'q': pair(key, value)})}"


def carried(request: HttpRequest) -> str:
    """The list that a page was opened from, as a query string with its question mark; empty for none."""
    params = {name: request.GET[name] for name in _CARRIED if request.GET.get(name)}
    return f"?{urlencode(params)}" if params else ""


@dataclass(frozen=True)
class Siblings:
    """The rows before and after one row in the list it was opened from, and the way back to that list."""

    previous_url: str
    next_url: str
    list_url: str


def siblings(
    request: HttpRequest, rows: "QuerySet[Any, Any]", key: keyset.Key, row: Any, *, family: str
) -> Siblings:
    """The neighbours of ``row`` within the filtered ``rows``, whether or not it still belongs to them."""
    here, query = keyset.encode(key, row), carried(request)
    before = keyset.page(rows, key, 1, before=here).rows
    after = keyset.page(rows, key, 1, after=here).rows

    def url(found: Sequence[Any]) -> str:
        return reverse(f"{family}:detail", args=[found[0].public_id]) + query if found else ""

    return Siblings(url(before), url(after), reverse(f"{family}:list") + query)


def curl(request: HttpRequest, path: str, *, method: str = "GET", body: str = "") -> str:
    """A command that does the same through the API; the key is the reader's to put in."""
    parts = ["curl", *(["-X", method] if method != "GET" else []), request.build_absolute_uri(path)]
    parts.append("-H 'Authorization: Bearer mh_live_…'")
    if body:
        parts.append(f"-H 'Content-Type: application/json' -d '{body}'")
    return " ".join(parts)
