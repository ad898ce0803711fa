"""The state folder: who may read it, and that only one start holds it."""

import stat
from pathlib import Path

import pytest

from memoryhub.local import environment
from memoryhub.local.environment import State
from memoryhub.local.failure import CannotStart


def test_values_come_back_as_they_were_written(state: State) -> None:
    values = {
        "DATABASE_URL": "postgresql://a:b%20c@h/d?x=1&y='2'",
        "EMPTY": "",
        "SPACED": "two words # not a comment",
    }
    environment.write(state.env, values)
    assert environment.read(state.env) == values


def test_a_missing_file_holds_nothing(state: State) -> None:
    assert environment.read(state.env) == {}


def test_only_the_owner_reads_secrets_and_addresses(state: State) -> None:
    environment.ensure_secrets(state)
    environment.write(state.env, {"A": "b"})
    for path in (state.secrets, state.env):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_secrets_are_made_once(state: State) -> None:
    first = environment.ensure_secrets(state)
    assert environment.ensure_secrets(state) == first
    assert set(first) == set(environment.SECRET_NAMES)
    assert len(set(first.values())) == len(first)


def test_a_missing_secret_is_added_and_the_others_stay(state: State) -> None:
    environment.write(state.secrets, {"MEMORYHUB_SECRET_KEY": "kept", "SOMEBODY_ELSES": "kept too"})
    found = environment.ensure_secrets(state)
    assert found["MEMORYHUB_SECRET_KEY"] == "kept"
    assert found["SOMEBODY_ELSES"] == "kept too"
    assert all(found[name] for name in environment.SECRET_NAMES)


def test_a_second_start_on_one_folder_is_refused(state: State) -> None:
    with environment.locked(state), pytest.raises(CannotStart) as refused, environment.locked(state):
        pass
    assert refused.value.code == "already_running"
    assert "MEMORYHUB_STATE_DIR" in refused.value.message


def test_a_lock_file_left_by_a_crash_holds_nobody_back(state: State) -> None:
    (state.folder / "lock").write_text("4194304")
    with environment.locked(state):
        assert (state.folder / "lock").read_text() != "4194304"


def test_the_variable_names_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORYHUB_STATE_DIR", str(tmp_path / "else where"))
    assert environment.state().folder == tmp_path / "else where"


def test_commands_find_what_a_start_left(state: State) -> None:
    assert environment.installed(state) == {}
    secrets = environment.ensure_secrets(state)
    environment.write(state.env, {"DATABASE_URL": "postgresql://x"})
    assert environment.installed(state) == {
        "DATABASE_URL": "postgresql://x",
        "MEMORYHUB_SECRET_KEY": secrets["MEMORYHUB_SECRET_KEY"],
    }


def test_a_large_log_is_put_aside_while_its_writer_goes_on(state: State) -> None:
    with state.log("web").open("ab") as writer:
        writer.write(b"x" * 5_000_001)
        writer.flush()
        environment.trim_log(state.log("web"))
        writer.write(b"after")
    assert state.log("web").read_bytes() == b"after"
    assert state.log("web").with_suffix(".log.1").stat().st_size == 5_000_001


def test_a_small_log_is_left_alone(state: State) -> None:
    state.log("web").write_bytes(b"x")
    environment.open_state(state)
    assert state.log("web").read_bytes() == b"x"
