"""``setup_database``: from an administrator's address to the lines that configure an installation. A real server."""

import io

import psycopg
import pytest
from django.core.management import CommandError, call_command

from memoryhub.local.cluster import Cluster


def run(server: Cluster, *arguments: str) -> tuple[dict[str, str], str]:
    """The printed settings, and what was said beside them."""
    out, err = io.StringIO(), io.StringIO()
    call_command(
        "setup_database", "--admin-url", server.url, "--database", "own", *arguments, stdout=out, stderr=err
    )
    lines = (line.partition("=") for line in out.getvalue().splitlines() if not line.startswith("#"))
    return {name: value for name, _, value in lines if value}, err.getvalue()


def sign_in(url: str) -> str:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT current_user").fetchone()
    assert row is not None
    return str(row[0])


def test_it_prints_addresses_that_work_and_leaves_them_working(served: Cluster) -> None:
    printed, said = run(served)
    assert {name: sign_in(url) for name, url in printed.items()} == {
        "DATABASE_URL": "mh_app",
        "MEMORYHUB_OWNER_DATABASE_URL": "mh_owner",
        "MEMORYHUB_BACKUP_DATABASE_URL": "mh_backup",
    }
    assert said == ""

    _, said = run(served)
    assert "kept their passwords" in said
    assert sign_in(printed["DATABASE_URL"]) == "mh_app"

    fresh, _ = run(served, "--new-passwords")
    assert sign_in(fresh["DATABASE_URL"]) == "mh_app"
    with pytest.raises(psycopg.OperationalError):
        sign_in(printed["DATABASE_URL"])


def test_a_server_that_can_not_be_reached_is_one_sentence() -> None:
    with pytest.raises(CommandError, match="connection"):
        call_command("setup_database", "--admin-url", "postgresql://nobody@127.0.0.1:1/postgres")
