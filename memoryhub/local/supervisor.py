"""The programs of one start: begun in order, watched, begun again when they die, ended in reverse order."""

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from signal import SIGTERM, Signals
from subprocess import Popen

from memoryhub.local import environment, leftovers, processes
from memoryhub.local.console import say
from memoryhub.local.failure import CannotStart, last_lines
from memoryhub.local.processes import Account

#: A life shorter than this many seconds is a quick death, and so many of them in a row end everything.
QUICK_SECONDS = 10.0
MOST_QUICK_DEATHS = 5
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0
_LOOK_SECONDS, _TRIM_SECONDS = 0.2, 60.0


@dataclass(frozen=True)
class Program:
    """How one program is begun and ended. ``before`` runs each time; ``patience`` is in seconds."""

    name: str
    command: Sequence[str]
    env: Mapping[str, str]
    log: Path
    stop_signal: Signals = SIGTERM
    patience: float = 10.0
    account: Account | None = None
    before: Callable[[], None] = lambda: None


@dataclass
class _Child:
    program: Program
    process: Popen[bytes]
    begun: float
    quick_deaths: int = 0
    due: float | None = None


class Supervisor:
    """Holds what it started; ``record`` is where the next start finds what this one left behind."""

    def __init__(self, record: Path) -> None:
        self._record = record
        self._children: list[_Child] = []

    def start(self, program: Program) -> Popen[bytes]:
        """Begin ``program`` and keep it."""
        with processes.held_signals():
            child = _Child(program, _begin(program), time.monotonic())
            self._children.append(child)
            self._remember()
        return child.process

    def look(self) -> None:
        """Begin again what has died and is due. Raises ``CannotStart`` when one dies again and again."""
        now = time.monotonic()
        for child in self._children:
            if child.due is not None and now >= child.due:
                self._again(child)
            elif child.due is None and child.process.poll() is not None:
                _bury(child, now)

    def watch(self) -> None:
        """Look until somebody asks us to stop."""
        trimmed = time.monotonic()
        while True:
            self.look()
            time.sleep(_LOOK_SECONDS)
            if time.monotonic() - trimmed > _TRIM_SECONDS:
                trimmed = time.monotonic()
                for child in self._children:
                    environment.trim_log(child.program.log)

    def require_alive(self) -> None:
        """Raises ``CannotStart`` when a program has ended: during a start that is never meant."""
        for child in self._children:
            if child.process.poll() is not None:
                raise CannotStart(_obituary(child, "ended while starting"), code="process_died")

    def stop(self) -> None:
        """End all, last begun first. Requests to stop are no longer heard: this is the stop."""
        processes.ignore_stop_requests()
        if self._children:
            say("Stopping.")
        while self._children:
            child = self._children.pop()
            processes.end(child.process, child.program.stop_signal, child.program.patience)
        self._record.unlink(missing_ok=True)

    def _again(self, child: _Child) -> None:
        with processes.held_signals():
            child.process, child.begun, child.due = _begin(child.program), time.monotonic(), None
            self._remember()
        say(f"{child.program.name} started again.")

    def _remember(self) -> None:
        running = ((child.process.pid, int(child.program.stop_signal)) for child in self._children)
        leftovers.remember(self._record, running)


def run_once(name: str, command: Sequence[str], env: Mapping[str, str]) -> str:
    """Run a step of the start to its end and return what it printed. Raises ``CannotStart`` when it fails."""
    with tempfile.TemporaryFile() as output:
        with processes.held_signals():
            process = processes.spawn(command, env=env, output=output)
        try:
            process.wait()
        finally:
            processes.end(process, SIGTERM, patience=5)
        output.seek(0)
        printed = output.read().decode(errors="replace").strip()
    if process.returncode:
        raise CannotStart(f"{name} failed:\n{_tail(printed)}", code="step_failed")
    return printed


def _begin(program: Program) -> Popen[bytes]:
    program.before()
    with program.log.open("ab") as log:
        return processes.spawn(
            program.command,
            env=program.env,
            output=log,
            account=program.account,
            stop_signal=program.stop_signal,
        )


def _bury(child: _Child, now: float) -> None:
    """Clear away what the dead left in its group, and say when the next life begins."""
    processes.kill_group(child.process.pid)
    quick = now - child.begun < QUICK_SECONDS
    child.quick_deaths = child.quick_deaths + 1 if quick else 0
    if child.quick_deaths >= MOST_QUICK_DEATHS:
        raise CannotStart(_obituary(child, f"ended {MOST_QUICK_DEATHS} times in a row"), code="process_died")
    pause = min(_SHORTEST_PAUSE * 2 ** max(child.quick_deaths - 1, 0), _LONGEST_PAUSE)
    child.due = now + pause
    say(f"{child.program.name} ended ({_cause(child.process.returncode)}); starting it again in {pause:g} s.")


def _obituary(child: _Child, what: str) -> str:
    log = child.program.log
    return f"{child.program.name} {what} ({_cause(child.process.returncode)}); the end of {log}:\n{last_lines(log)}"


def _cause(code: int) -> str:
    return f"signal {Signals(-code).name}" if code < 0 else f"exit code {code}"


def _tail(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines()[-15:])
