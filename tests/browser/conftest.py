"""One running product and one Chromium for the package; each test has a tenant and people of its own."""

import itertools
import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from memoryhub import clock
from memoryhub.accounts import members
from memoryhub.tenants.models import Tenant
from tests.browser.product import Product
from tests.browser.site import Site
from tests.conftest import empty_database
from tests.journeys.provider import RulesProvider

_BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_numbers = itertools.count(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here drives the browser."""
    for item in items:
        if item.path.is_relative_to(os.path.dirname(__file__)):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def database(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """The test database, written for good: the product reads it from other processes."""
    # Playwright keeps an event loop in this thread, at which Django would refuse to touch the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with django_db_blocker.unblock():
        empty_database()
        yield
        empty_database()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="package")
def product(database: None) -> Iterator[Product]:
    """The product, running."""
    with RulesProvider() as provider, Product(provider) as running:
        yield running


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The system's browser."""
    path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if path is None:
        pytest.skip("Chromium is not installed.")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def tenant(database: None) -> Tenant:
    """A fresh tenant; others stay beside it."""
    number = next(_numbers)
    return members.found_tenant(f"Tenant {number}", f"tenant-{number}", at=clock.now())


@pytest.fixture
def site(product: Product, chromium: Browser, tenant: Tenant) -> Iterator[Site]:
    """The product as the tenant's people use it; fails for what the browser complained about."""
    product.provider.reset()
    product.provider.down = False
    opened = Site(product, chromium, tenant)
    before = product.logged()
    try:
        yield opened
        opened.assert_quiet()
    finally:
        opened.close()
        assert product.faults(before) == ""
