"""Every page of the product, read from the URL configuration, with ids put in from a filled tenant."""

from collections.abc import Iterator
from html.parser import HTMLParser

from tests.api.routes import Route, all_routes
from tests.api.world import World

#: Pages of a person's own, for which a stranger's id of the right kind is a 404.
_OWN = ("chat/", "me/")


def page_routes() -> list[Route]:
    """The routes of our pages: not the API, not the sign-in, not the streams."""
    return [
        route
        for route in all_routes()
        if not route.is_api and not route.pattern.startswith(("accounts/", "healthz", "stream/"))
    ]


def addresses(world: World, *, method: str = "GET") -> Iterator[tuple[Route, str]]:
    """Each page once, with the first id that fits."""
    for route in page_routes():
        if method in route.methods:
            yield route, route.address(**{name: world.ids[name][0] for name in route.parameters})


class Tags(HTMLParser):
    """Every element of a page with its attributes, as a browser would see them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def named(self, tag: str) -> list[dict[str, str]]:
        """The attributes of each element with this tag."""
        return [attrs for name, attrs in self.elements if name == tag]
