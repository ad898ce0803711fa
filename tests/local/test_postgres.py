"""The embedded PostgreSQL survives what a laptop does to it. Real servers."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from memoryhub.local import cluster, postgres, processes
from memoryhub.local.cluster import Cluster
from memoryhub.local.environment import State
from memoryhub.local.failure import CannotStart
from memoryhub.local.supervisor import Supervisor


def count(served: Cluster) -> int:
    with psycopg.connect(served.url) as connection:
        row = connection.execute("SELECT count(*) FROM kept").fetchone()
    assert row is not None
    return int(row[0])


def fill(served: Cluster) -> None:
    with psycopg.connect(served.url, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept AS SELECT generate_series(1, 5001) AS n")


def postmaster(served: Cluster) -> int:
    return int((served.data / "postmaster.pid").read_text().split()[0])


def test_it_listens_to_this_machine_only_and_wants_a_password(served: Cluster) -> None:
    with psycopg.connect(served.url) as connection:
        rows = connection.execute("SELECT name, setting FROM pg_settings").fetchall()
    settings = {str(name): str(value) for name, value in rows}
    assert settings["listen_addresses"] == "127.0.0.1"
    assert settings["unix_socket_directories"] == ""
    assert settings["log_min_error_statement"] == "panic"
    assert settings["log_parameter_max_length"] == "0"
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(served.url.replace("superuser-password", "wrong"))


def test_what_was_said_never_reaches_its_log(served: Cluster, state: State) -> None:
    with psycopg.connect(served.url, autocommit=True) as connection:
        connection.execute("CREATE TABLE once (said text PRIMARY KEY)")
        for _ in range(2):
            try:
                connection.execute("INSERT INTO once VALUES ('canary-7f3a')")
            except psycopg.errors.UniqueViolation:
                break
    log = state.log("postgres").read_text()
    assert "duplicate key" in log
    assert "canary-7f3a" not in log


@pytest.mark.slow
def test_kill_9_loses_nothing_and_the_supervisor_brings_it_back(
    durable: Cluster, supervisor: Supervisor
) -> None:
    fill(durable)
    killed = postmaster(durable)
    os.kill(killed, signal.SIGKILL)
    deadline = time.monotonic() + 20
    while supervisor._children[0].process.pid == killed:
        assert time.monotonic() < deadline
        supervisor.look()
        time.sleep(0.05)
    postgres.await_ready(durable, supervisor._children[0].process, Path(os.devnull))
    assert count(durable) == 5001


@pytest.mark.slow
def test_a_server_left_by_an_earlier_start_is_ended_first(
    durable: Cluster, state: State, supervisor: Supervisor
) -> None:
    fill(durable)
    left = processes.identity(postmaster(durable))
    again = cluster.ensure(state.folder / "postgres", "superuser-password")
    process = supervisor.start(postgres.program(again, state.log("postgres")))
    postgres.await_ready(again, process, state.log("postgres"))
    assert left is not None
    assert processes.identity(left.pid) != left
    assert count(again) == 5001


def test_a_remembered_number_of_a_stranger_is_forgotten(state: State) -> None:
    data = state.folder / "data"
    data.mkdir()
    note = data / "postmaster.pid"
    note.write_text(f"{os.getpid()}\n{data}\n")
    postgres.clear_the_way(data)
    assert not note.exists()


def test_a_remembered_zombie_is_forgotten(state: State) -> None:
    data = state.folder / "data"
    data.mkdir()
    command = [sys.executable, "-c", "pass", "-D", str(data)]
    dead = subprocess.Popen(command)
    os.waitid(os.P_PID, dead.pid, os.WEXITED | os.WNOWAIT)  # ended, and nobody has asked how
    (data / "postmaster.pid").write_text(f"{dead.pid}\n")
    postgres.clear_the_way(data)
    assert not (data / "postmaster.pid").exists()
    dead.wait()


def test_an_unreadable_note_is_left_to_postgresql(state: State) -> None:
    (state.folder / "postmaster.pid").write_text("")
    postgres.clear_the_way(state.folder)
    assert (state.folder / "postmaster.pid").exists()


def test_a_half_made_cluster_is_made_again(state: State) -> None:
    half = state.folder / "postgres" / "data.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18")
    made = cluster.ensure(state.folder / "postgres", "password", throwaway=True)
    assert (made.data / "global" / "pg_control").exists()
    assert not half.exists()


def test_data_of_another_major_version_is_refused(state: State) -> None:
    made = cluster.ensure(state.folder / "postgres", "password", throwaway=True)
    (made.data / "PG_VERSION").write_text("17\n")
    with pytest.raises(CannotStart, match="made by PostgreSQL 17"):
        cluster.ensure(state.folder / "postgres", "password", throwaway=True)


def test_a_lost_password_is_said(served: Cluster, state: State, supervisor: Supervisor) -> None:
    supervisor.stop()
    other = cluster.ensure(state.folder / "postgres", "another", throwaway=True)
    process = supervisor.start(postgres.program(other, state.log("postgres")))
    with pytest.raises(CannotStart) as refused:
        postgres.await_ready(other, process, state.log("postgres"))
    assert refused.value.code == "wrong_password"
    assert "secrets" in refused.value.message


def test_a_server_that_can_not_start_shows_the_end_of_its_log(state: State, supervisor: Supervisor) -> None:
    made = cluster.ensure(state.folder / "postgres", "password", throwaway=True)
    Path(made.data / "postgresql.conf").write_text("no_such_setting = 1\n")
    process = supervisor.start(postgres.program(made, state.log("postgres")))
    with pytest.raises(CannotStart, match="no_such_setting"):
        postgres.await_ready(made, process, state.log("postgres"))
