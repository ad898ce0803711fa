"""``manage.py test``: every check and test, on a database and a queue that are thrown away afterwards."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from signal import SIGINT

from memoryhub.local import environment, processes, services
from memoryhub.local.console import say
from memoryhub.local.environment import PROJECT, State
from memoryhub.local.failure import CannotStart, Stopped, from_os_error
from memoryhub.local.services import BROKER, DATABASE, Place
from memoryhub.local.supervisor import Supervisor, run_once

_PATIENCE = 10.0
_BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_LINT_IMPORTS = "from importlinter.cli import lint_imports_command as run; run()"
_CHECKS = (
    ("ruff check", ("-m", "ruff", "check", ".")),
    ("ruff format", ("-m", "ruff", "format", "--check", ".")),
    ("mypy", ("-m", "mypy", "memoryhub")),
    ("import contracts", ("-c", _LINT_IMPORTS)),
)


def main(arguments: Sequence[str]) -> int:
    """The exit code: 0 when everything asked for passed. Arguments go to pytest, which then runs alone."""
    processes.hear_stop_requests()
    try:
        _require_browser()
        with _throwaway() as env:
            checks = () if arguments else _CHECKS
            return _run_all((*checks, ("pytest", ("-m", "pytest", *arguments))), env)
    except Stopped:
        print("Stopped; everything that was started is ended.", file=sys.stderr)
        return 130
    except CannotStart as error:
        print(error.message, file=sys.stderr)
    except OSError as error:
        print(from_os_error(error, Path(tempfile.gettempdir())).message, file=sys.stderr)
    return 1


def _require_browser() -> None:
    if any(map(shutil.which, _BROWSERS)):
        return
    message = "Chromium is missing, which the browser tests drive: install it (Debian, Ubuntu: apt-get install chromium)."
    if os.environ.get("CI") == "true":
        raise CannotStart(message, code="browser_missing")
    say(message)


@contextlib.contextmanager
def _throwaway() -> Iterator[Mapping[str, str]]:
    """The environment of a run, on servers in a temporary folder that is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="memoryhub-test-"))
    supervisor = Supervisor(folder / "processes")
    try:
        yield _start(supervisor, State(folder))
    finally:
        supervisor.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _start(supervisor: Supervisor, where: State) -> Mapping[str, str]:
    environment.open_state(where)
    secrets = environment.ensure_secrets(where)
    place = Place(where.folder, where.folder / "logs", throwaway=True)
    urls = services.start_database(supervisor, place, secrets, name="memoryhub_test")
    env = {
        **os.environ,
        **services.database_environment(urls),
        BROKER: services.start_broker(supervisor, place, secrets),
        "MEMORYHUB_SECRET_KEY": secrets["MEMORYHUB_SECRET_KEY"],
        "MEMORYHUB_STATE_DIR": str(where.folder),
        "MEMORYHUB_TEST": "1",
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PYTHONPATH": str(PROJECT),
        "OMP_NUM_THREADS": "1",
        # What a test killed half-way leaves goes with the rest.
        "TMPDIR": str(where.folder),
    }
    migrate = [sys.executable, "-m", "django", "migrate", "--verbosity", "0", "--skip-checks"]
    run_once("migrate", migrate, {**env, DATABASE: urls.owner})
    say("A throwaway database and queue are running.")
    return env


def _run_all(checks: Sequence[tuple[str, Sequence[str]]], env: Mapping[str, str]) -> int:
    """Run each, whatever came of those before."""
    results = []
    for name, command in checks:
        say(f"{name}:")
        begun = time.monotonic()
        code = _run([sys.executable, *command], env)
        results.append((name, code, time.monotonic() - begun))
    for name, code, seconds in results:
        print(f"{'passed' if code == 0 else 'FAILED':8} {name:18} {seconds:6.1f} s", flush=True)
    return 0 if all(code == 0 for _, code, _ in results) else 1


def _run(command: Sequence[str], env: Mapping[str, str]) -> int:
    """In our own session: a debugger can use the terminal, and Ctrl-C reaches both of us."""
    with processes.held_signals():
        process = processes.spawn(command, env=env, own_session=False)
    try:
        return process.wait()
    except Stopped as stop:
        if stop.args != (SIGINT,):  # after Ctrl-C it is already about to end, and says where it was
            process.send_signal(SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE)
        raise
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    os.chdir(PROJECT)
    sys.exit(main(sys.argv[2:]))
