"""Programs begin, die, come back and end; nothing outlives them. Real processes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memoryhub.local import leftovers, processes, supervisor
from memoryhub.local.environment import State
from memoryhub.local.failure import CannotStart
from memoryhub.local.processes import Identity
from memoryhub.local.supervisor import Program, Supervisor

SLEEPER = "import time; time.sleep(60)"
PARENT = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {SLEEPER!r}]); print('born', flush=True); time.sleep(60)"


def program(state: State, source: str, name: str = "thing") -> Program:
    return Program(name, (sys.executable, "-c", source), dict(os.environ), state.log(name), patience=5)


def members(group: int) -> list[int]:
    listed = subprocess.run(["ps", "-e", "-o", "pid=,pgid=,stat="], capture_output=True, text=True).stdout
    rows = (line.split() for line in listed.splitlines())
    return [int(pid) for pid, pgid, stat in rows if int(pgid) == group and not stat.startswith("Z")]


def wait_for(condition, seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def test_a_stop_ends_children_and_what_they_began(state: State, supervisor: Supervisor) -> None:
    process = supervisor.start(program(state, PARENT))
    wait_for(lambda: len(members(process.pid)) == 2)
    supervisor.stop()
    assert members(process.pid) == []
    assert not state.processes.exists()


def test_a_program_that_does_not_listen_is_ended_all_the_same(state: State, supervisor: Supervisor) -> None:
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)"
    process = supervisor.start(
        Program("deaf", (sys.executable, "-c", deaf), dict(os.environ), state.log("deaf"), patience=0.2)
    )
    wait_for(lambda: "deaf" in state.log("deaf").read_text())
    supervisor.stop()
    assert process.returncode == -signal.SIGKILL


def test_a_dead_program_is_named_and_begun_again(
    state: State, supervisor: Supervisor, capsys: pytest.CaptureFixture[str]
) -> None:
    process = supervisor.start(program(state, SLEEPER, "worker"))
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    supervisor.look()
    assert "worker ended (signal SIGKILL); starting it again in 0.5 s." in capsys.readouterr().out
    wait_for(
        lambda: (
            supervisor.look()
            or json.loads(state.processes.read_text())["leaders"][0]["who"]["pid"] != process.pid
        )
    )
    assert "worker started again." in capsys.readouterr().out


def test_the_dead_ones_children_do_not_hold_its_place(state: State, supervisor: Supervisor) -> None:
    process = supervisor.start(program(state, PARENT))
    wait_for(lambda: len(members(process.pid)) == 2)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    supervisor.look()
    wait_for(lambda: members(process.pid) == [])


def test_five_quick_deaths_end_the_start_with_the_log(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "_LONGEST_PAUSE", 0.01)
    watched = Supervisor(state.processes)
    monkeypatch.setattr(supervisor, "_LOOK_SECONDS", 0.01)
    watched.start(program(state, "print('why it died'); raise SystemExit(3)", "web"))
    with pytest.raises(CannotStart) as ended:
        watched.watch()
    assert "web ended 5 times in a row (exit code 3)" in ended.value.message
    assert "why it died" in ended.value.message
    assert state.log("web").read_text().count("why it died") == 5


def test_a_death_during_the_start_is_not_waited_out(state: State, supervisor: Supervisor) -> None:
    process = supervisor.start(program(state, "raise SystemExit('no such setting')", "web"))
    process.wait()
    with pytest.raises(CannotStart, match=r"web ended while starting.*exit code 1") as ended:
        supervisor.require_alive()
    assert "no such setting" in ended.value.message


def test_a_failed_step_shows_what_it_said() -> None:
    with pytest.raises(CannotStart, match="the reason") as failed:
        supervisor.run_once("migrate", [sys.executable, "-c", "raise SystemExit('the reason')"], os.environ)
    assert failed.value.message.startswith("migrate failed:")


def test_a_step_returns_what_it_printed() -> None:
    assert (
        supervisor.run_once("x", [sys.executable, "-c", "print('sign in with …')"], {"PYTHONUTF8": "1"})
        == "sign in with …"
    )


def test_the_next_start_ends_what_a_crash_left(state: State) -> None:
    left = processes.spawn([sys.executable, "-c", PARENT], env=os.environ)
    wait_for(lambda: len(members(left.pid)) == 2)
    leftovers.remember(state.processes, [(left.pid, signal.SIGTERM)])
    assert leftovers.end_all(state.processes) == 1
    wait_for(lambda: members(left.pid) == [])
    left.wait()


def test_a_group_without_its_leader_is_ended_too(state: State) -> None:
    left = processes.spawn([sys.executable, "-c", PARENT], env=os.environ)
    wait_for(lambda: len(members(left.pid)) == 2)
    leftovers.remember(state.processes, [(left.pid, signal.SIGTERM)])
    left.kill()
    left.wait()
    assert leftovers.end_all(state.processes) == 1
    wait_for(lambda: members(left.pid) == [])


def test_a_stranger_with_an_old_number_is_left_alone(state: State) -> None:
    stranger = processes.spawn([sys.executable, "-c", SLEEPER], env=os.environ)
    leftovers.remember(state.processes, [(stranger.pid, signal.SIGTERM)])
    record = json.loads(state.processes.read_text())
    record["leaders"][0]["who"]["started"] = "another time"
    state.processes.write_text(json.dumps(record))
    assert leftovers.end_all(state.processes) == 0
    assert stranger.poll() is None
    processes.end(stranger, signal.SIGTERM, 5)


def test_a_record_of_another_boot_names_nobody(state: State) -> None:
    stranger = processes.spawn([sys.executable, "-c", SLEEPER], env=os.environ)
    leftovers.remember(state.processes, [(stranger.pid, signal.SIGTERM)])
    record = json.loads(state.processes.read_text())
    state.processes.write_text(json.dumps(record | {"boot": "yesterday's"}))
    assert leftovers.end_all(state.processes) == 0
    assert stranger.poll() is None
    processes.end(stranger, signal.SIGTERM, 5)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"boot": 1}', '{"boot": "", "leaders": [{"who": {}}]}'])
def test_a_broken_record_names_nobody(state: State, text: str) -> None:
    state.processes.write_text(text)
    assert leftovers.end_all(state.processes) == 0


def test_an_identity_is_more_than_a_number() -> None:
    own = processes.identity(os.getpid())
    assert own is not None
    assert own != Identity(os.getpid(), "0")
    assert processes.identity(2**22 + 1) is None


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's word that a parent died is Linux's")
def test_children_of_a_killed_start_end_by_themselves(tmp_path: Path) -> None:
    source = (
        "import os, sys, time\nfrom memoryhub.local import processes\n"
        f"child = processes.spawn([sys.executable, '-c', {SLEEPER!r}], env=os.environ)\n"
        "print(child.pid, flush=True)\ntime.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    child = processes.identity(pid)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert child is not None
    assert processes.wait_until_gone(child, 5)
