"""When the virtual environment is taken as it is, and what is said when it can not be made."""

from pathlib import Path

import pytest

from memoryhub.local import venv
from memoryhub.local.failure import CannotStart


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two locks and a finished environment, where nothing can really be installed."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").touch(mode=0o755)
    for name, text in (("RUNTIME", "a==1\n"), ("TESTS", "a==1\nb==1\n")):
        (tmp_path / name).write_text(text)
        monkeypatch.setattr(venv, name, tmp_path / name)
    monkeypatch.setattr(venv, "FOLDER", tmp_path / ".venv")
    monkeypatch.setattr(venv, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr(venv, "_STAMP", tmp_path / ".venv" / ".installed")
    monkeypatch.setattr(venv, "_works", lambda: True)
    monkeypatch.setattr("memoryhub.local.installer.install", lambda python, lock, log: None)
    return tmp_path


def test_an_environment_without_a_stamp_is_not_ready(project: Path) -> None:
    assert not venv.is_ready(venv.RUNTIME)


def test_the_larger_lock_serves_the_smaller_one_too(project: Path) -> None:
    venv.ensure(venv.TESTS)
    assert venv.is_ready(venv.TESTS)
    assert venv.is_ready(venv.RUNTIME)


def test_the_runtime_alone_is_not_enough_for_the_tests(project: Path) -> None:
    venv.ensure(venv.RUNTIME)
    assert venv.is_ready(venv.RUNTIME)
    assert not venv.is_ready(venv.TESTS)


def test_a_changed_lock_asks_for_an_install(project: Path) -> None:
    venv.ensure(venv.RUNTIME)
    venv.RUNTIME.write_text("a==2\n")
    assert not venv.is_ready(venv.RUNTIME)


def test_a_failed_install_leaves_no_stamp(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(python: Path, lock: Path, log: Path) -> None:
        raise CannotStart("no")

    monkeypatch.setattr("memoryhub.local.installer.install", fail)
    with pytest.raises(CannotStart):
        venv.ensure(venv.RUNTIME)
    assert not venv.is_ready(venv.RUNTIME)


def test_a_missing_venv_module_is_named_with_its_package(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(venv, "_works", lambda: False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "ensurepip" else object())
    with pytest.raises(CannotStart, match="apt-get install python3-venv") as refused:
        venv.ensure(venv.RUNTIME)
    assert refused.value.code == "venv_missing"
    assert not venv.is_ready(venv.RUNTIME)
