"""People at their browsers. Whatever a browser complains about is kept, and fails the test at its end."""

import re
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from memoryhub.tenants.models import Membership, Tenant, User
from memoryhub.tenants.permissions import Role
from tests.browser.product import Product
from tests.conftest import add_member

expect.set_options(timeout=15_000)
_REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")
_GRAVE = ("serious", "critical")


class Site:
    """One tenant's people. ``refusals`` allows answers of 4xx; ``restarts`` lost connections."""

    def __init__(self, product: Product, browser: Browser, tenant: Tenant) -> None:
        self.product, self.tenant, self._browser = product, tenant, browser
        self.complaints: list[str] = []
        self.refusals = self.restarts = False
        self._contexts: list[BrowserContext] = []

    def member(self, role: Role, name: str = "") -> Membership:
        """A member with a role; the name becomes the address's too."""
        called = (name or role.value).lower()
        return add_member(self.tenant, f"{called}@{self.tenant.slug}.example.org", role)

    def stranger(self, **options: Any) -> Page:
        """A browser in which nobody is signed in."""
        context = self._browser.new_context(
            base_url=self.product.base,
            reduced_motion="reduce",
            **{"viewport": {"width": 1440, "height": 900}, **options},
        )
        self._contexts.append(context)
        context.on("console", self._console)
        context.on("weberror", lambda error: self.complaints.append(f"script: {error.error}"))
        context.on("request", self._request)
        return context.new_page()

    def signed_in(self, user: User, **options: Any) -> Page:
        """A browser of a user's, already signed in."""
        client = Client()
        client.force_login(user)
        page = self.stranger(**options)
        name = settings.SESSION_COOKIE_NAME
        page.context.add_cookies(
            [{"name": name, "value": client.cookies[name].value, "url": self.product.base}]
        )
        return page

    def at(self, role: Role, **options: Any) -> Page:
        """A fresh member's browser."""
        return self.signed_in(self.member(role).user, **options)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"console: {message.text} ({message.page.url if message.page else ''})")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.product.base, "data:")):
            self.complaints.append(f"request to {request.url}")

    def assert_quiet(self) -> None:
        """No message, no policy violation, no script error, no request to anybody else."""
        heard = [line for line in self.complaints if not (self.refusals and _REFUSED.search(line))]
        heard = [line for line in heard if not (self.restarts and "net::ERR_" in line)]
        assert heard == [], heard

    def close(self) -> None:
        """Close every window."""
        for context in self._contexts:
            context.close()


def assert_sound(page: Page) -> None:
    """One heading, no raw component, nothing cut off at the side, and no grave finding of axe."""
    assert page.locator("h1:visible").count() == 1, page.url
    assert "<c-" not in page.content()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{page.url} is too wide"
    # Swagger UI brings findings of its own; what stands around it is ours.
    found = Axe().run(page, context={"exclude": [["#swagger-ui"]]}).response["violations"]
    grave = [(f["id"], f["impact"], f["nodes"][0]["target"]) for f in found if f["impact"] in _GRAVE]
    assert grave == [], page.url
