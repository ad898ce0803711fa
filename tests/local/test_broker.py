"""The embedded queue keeps what it took. A real server."""

import os
import signal
import stat

import pytest
import redis

from memoryhub.local import broker
from memoryhub.local.environment import State
from memoryhub.local.supervisor import Supervisor


def start(state: State, supervisor: Supervisor) -> broker.Broker:
    made = broker.ensure(state.folder / "valkey", "queue-password")
    process = supervisor.start(broker.program(made, state.log("broker")))
    broker.await_ready(made, process, state.log("broker"))
    return made


def test_it_wants_its_password_and_hides_it(state: State, supervisor: Supervisor) -> None:
    made = start(state, supervisor)
    with pytest.raises(redis.exceptions.AuthenticationError):
        redis.Redis(port=made.port, socket_timeout=5).ping()
    assert stat.S_IMODE((made.folder / "valkey.conf").stat().st_mode) == 0o600


@pytest.mark.slow
def test_messages_are_there_after_kill_9(state: State, supervisor: Supervisor) -> None:
    made = start(state, supervisor)
    redis.Redis.from_url(made.url, socket_timeout=5).rpush("queue", *range(100))
    pid = supervisor._children[0].process.pid
    os.kill(pid, signal.SIGKILL)
    supervisor._children[0].process.wait()
    again = start(state, supervisor)
    assert redis.Redis.from_url(again.url, socket_timeout=5).llen("queue") == 100
