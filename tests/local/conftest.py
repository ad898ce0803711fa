"""Real servers in temporary folders; the run's own database stays out of it."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryhub.local import cluster, environment, postgres
from memoryhub.local.cluster import Cluster
from memoryhub.local.environment import State
from memoryhub.local.supervisor import Supervisor

RUNS_OWN_VARIABLES = (
    "DATABASE_URL",
    "CELERY_BROKER_URL",
    "MEMORYHUB_OWNER_DATABASE_URL",
    "MEMORYHUB_BACKUP_DATABASE_URL",
    "MEMORYHUB_TEST",
    "DJANGO_SETTINGS_MODULE",
)


@contextlib.contextmanager
def opened_state() -> Iterator[State]:
    """A state folder that an account without rights can pass through, unlike pytest's own temporary folders."""
    folder = Path(tempfile.mkdtemp(prefix="memoryhub-local-"))
    try:
        environment.open_state(State(folder))
        yield State(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def supervised(state: State) -> Iterator[Supervisor]:
    """A supervisor whose programs end with the block, and whose stop leaves pytest's signal handlers alone."""
    running = Supervisor(state.processes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("memoryhub.local.processes.ignore_stop_requests", lambda: None)
        try:
            yield running
        finally:
            running.stop()


@pytest.fixture
def state() -> Iterator[State]:
    """A fresh state folder."""
    with opened_state() as where:
        yield where


@pytest.fixture
def supervisor(state: State) -> Iterator[Supervisor]:
    """A supervisor on that folder."""
    with supervised(state) as running:
        yield running


def serve(state: State, supervisor: Supervisor, *, throwaway: bool) -> Cluster:
    """A running cluster in the state folder."""
    made = cluster.ensure(state.folder / "postgres", "superuser-password", throwaway=throwaway)
    process = supervisor.start(postgres.program(made, state.log("postgres")))
    postgres.await_ready(made, process, state.log("postgres"))
    return made


@pytest.fixture
def served(state: State, supervisor: Supervisor) -> Cluster:
    """A running cluster that is fast and not safe."""
    return serve(state, supervisor, throwaway=True)


@pytest.fixture(scope="module")
def shared() -> Iterator[Cluster]:
    """The same for all tests of a module."""
    with opened_state() as where, supervised(where) as running:
        yield serve(where, running, throwaway=True)


@pytest.fixture
def durable(state: State, supervisor: Supervisor) -> Cluster:
    """A running cluster as people get it."""
    return serve(state, supervisor, throwaway=False)


@pytest.fixture
def clean_environment() -> dict[str, str]:
    """The environment of somebody who has configured nothing."""
    return {name: value for name, value in os.environ.items() if name not in RUNS_OWN_VARIABLES}
