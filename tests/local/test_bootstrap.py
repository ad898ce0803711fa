"""How a command finds its interpreter, its environment and its module."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memoryhub.local import bootstrap, environment, venv
from memoryhub.local.environment import PROJECT, State

ADDRESSES = {
    "DATABASE_URL": "postgresql://mh_app:a@127.0.0.1:1/memoryhub",
    "MEMORYHUB_OWNER_DATABASE_URL": "postgresql://mh_owner:o@127.0.0.1:1/memoryhub",
    "MEMORYHUB_BACKUP_DATABASE_URL": "postgresql://mh_backup:b@127.0.0.1:1/memoryhub",
    "CELERY_BROKER_URL": "redis://127.0.0.1:1/0",
}


@pytest.fixture
def installation(state: State, clean_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> State:
    """What ``up`` leaves on a machine where nothing runs now; the environment of the test is thrown away."""
    clean_environment.pop("MEMORYHUB_SECRET_KEY", None)
    monkeypatch.setattr(os, "environ", clean_environment | {"MEMORYHUB_STATE_DIR": str(state.folder)})
    monkeypatch.setattr(venv, "exists", lambda: False)
    monkeypatch.setattr(bootstrap.signal, "signal", lambda *_: None)
    environment.ensure_secrets(state)
    environment.write(state.env, ADDRESSES)
    return state


def test_a_command_signs_in_as_the_application(
    installation: State, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bootstrap.module_for(["manage.py", "shell"]) == "django"
    assert os.environ["DATABASE_URL"] == ADDRESSES["DATABASE_URL"]
    assert os.environ["CELERY_BROKER_URL"] == ADDRESSES["CELERY_BROKER_URL"]
    assert os.environ["MEMORYHUB_SECRET_KEY"]
    assert "MEMORYHUB_OWNER_DATABASE_URL" not in os.environ
    assert "MEMORYHUB_BACKUP_DATABASE_URL" not in os.environ
    assert "not running: python3 manage.py up" in capsys.readouterr().err


def test_only_migrate_signs_in_as_the_owner(installation: State) -> None:
    bootstrap.module_for(["manage.py", "migrate"])
    assert os.environ["DATABASE_URL"] == ADDRESSES["MEMORYHUB_OWNER_DATABASE_URL"]
    assert "MEMORYHUB_OWNER_DATABASE_URL" not in os.environ


def test_a_named_database_gets_the_key_and_nothing_else(installation: State) -> None:
    os.environ["DATABASE_URL"] = "postgresql://elsewhere/hub"
    bootstrap.module_for(["manage.py", "migrate"])
    assert os.environ["DATABASE_URL"] == "postgresql://elsewhere/hub"
    assert "CELERY_BROKER_URL" not in os.environ
    assert os.environ["MEMORYHUB_SECRET_KEY"]


def test_without_an_installation_nothing_is_made_up(installation: State) -> None:
    installation.env.unlink()
    installation.secrets.unlink()
    bootstrap.module_for(["manage.py", "check"])
    assert "DATABASE_URL" not in os.environ
    assert "MEMORYHUB_SECRET_KEY" not in os.environ


def test_nothing_installed_is_said(installation: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="not installed yet"):
        bootstrap.module_for(["manage.py", "shell"])


def test_an_old_python_is_told_in_its_own_words() -> None:
    """The file must parse where the version is too old, so it is run with the version made to look so."""
    source = (PROJECT / "manage.py").read_text()
    code = f"import sys; sys.version_info = (3, 9, 2); sys.version = '3.9.2 (x)'; exec({source!r})"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 1
    assert ended.stderr.strip() == "MemoryHub needs Python 3.11 or newer; this is Python 3.9.2."


def test_what_runs_before_the_install_needs_nothing_installed(tmp_path: Path) -> None:
    """No site-packages at all: only what Python brings."""
    code = f"import sys; sys.path.insert(0, {str(PROJECT)!r}); import memoryhub.local.bootstrap"
    ended = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, cwd=tmp_path
    )
    assert ended.returncode == 0, ended.stderr
