"""What a developer copies from our pages runs as it stands."""

import json
import os
import subprocess
import time

import pytest
from playwright.sync_api import Page, expect

from memoryhub.tenants.permissions import Role
from tests.browser.site import Site


def _run(command: str, key: str) -> str:
    done = subprocess.run(
        ["bash", "-ec", command],
        env={**os.environ, "MEMORYHUB_KEY": key},
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _new_key(page: Page) -> str:
    page.goto("/keys/")
    page.get_by_role("button", name="New key").click()
    page.get_by_label("Name").fill("Quick start")
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_role("heading", name="Quick start")).to_be_visible()
    return page.locator("pre").first.inner_text()


def test_the_three_calls_run_as_they_are_copied(site: Site) -> None:
    page = site.at(Role.OWNER)
    key = _new_key(page)
    page.get_by_role("link", name="Developers").click()
    commands = page.locator("pre").all_inner_texts()[1:]
    assert len(commands) == 3
    said = json.loads(_run(commands[0], key).splitlines()[-1])
    assert said["data"][0]["role"] == "user"
    deadline = time.monotonic() + 20
    while not (known := json.loads(_run(commands[2], key))["data"]):
        assert time.monotonic() < deadline, "nothing was learned"
        time.sleep(0.3)
    assert "Lives in Leipzig" in [fact["statement"] for fact in known]
    assert json.loads(_run(commands[1], key))["data"]


def test_the_reference_lists_and_tries_the_operations(site: Site) -> None:
    page = site.at(Role.OWNER)
    page.goto("/developers/api")
    expect(page.locator(".opblock")).not_to_have_count(0)
    operation = page.locator("#operations-facts-facts_list")
    operation.locator(".opblock-summary-control").click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table .response .response-col_status")).to_contain_text("200")


def test_an_error_leads_to_its_explanation(site: Site) -> None:
    page = site.at(Role.OWNER)
    problem = page.request.get("/api/v1/facts?limit=0").json()
    page.goto(problem["type"])
    expect(page.locator(":target")).to_contain_text(problem["code"])
    expect(page.locator(":target")).to_be_in_viewport()


@pytest.mark.parametrize("family", ["threads", "facts"])
def test_an_empty_list_offers_the_command_that_fills_it(site: Site, family: str) -> None:
    page = site.at(Role.OWNER)
    key = _new_key(page)
    page.goto(f"/{family}/")
    command = page.locator(".empty pre").inner_text().replace("mh_live_…", key)
    assert json.loads(_run(command, ""))["id"]
    page.reload()
    expect(page.locator("tbody tr")).to_have_count(1)
