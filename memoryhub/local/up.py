"""``manage.py up``: from nothing to an address in a browser, and back to nothing."""

import os
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping

from memoryhub.local import environment, leftovers, options, processes, programs, services
from memoryhub.local.console import say
from memoryhub.local.environment import PROJECT, State
from memoryhub.local.failure import CannotStart, Stopped, from_os_error
from memoryhub.local.options import UpOptions
from memoryhub.local.services import BACKUP_DATABASE, BROKER, DATABASE, OWNER_DATABASE, Place
from memoryhub.local.supervisor import Supervisor, run_once

_READY_SECONDS = 60.0
_MANAGE = str(PROJECT / "manage.py")
_PREPARE = ("-m", "memoryhub.local.prepare")


def main(arguments: list[str]) -> int:
    """The exit code: 0 after a stop that was asked for (or ``--check``), 1 after a failure."""
    wanted = options.parse_up(arguments)
    where = environment.state()
    processes.hear_stop_requests()
    try:
        environment.open_state(where)
        with environment.locked(where):
            _run(wanted, where)
    except Stopped:
        pass
    except CannotStart as error:
        print(error.message, file=sys.stderr)
        return 1
    except OSError as error:
        print(from_os_error(error, where.folder).message, file=sys.stderr)
        return 1
    say("Stopped.")
    return 0


def _run(wanted: UpOptions, where: State) -> None:
    supervisor = Supervisor(where.processes)
    try:
        if leftovers.end_all(where.processes):
            say("Ended what an earlier start had left running.")
        wanted = options.with_free_port(wanted)
        env = _start_services(supervisor, wanted, where)
        _migrate(env)
        printed = _prepare(env, wanted)
        web, *others = programs.all_of(wanted, where, _for_programs(env))
        supervisor.start(web)
        say("The web process is starting.")
        _await_answer(supervisor, wanted.address)
        for program in others:  # only now: people wait for the page, and all of them want the same cores
            supervisor.start(program)
        if printed:
            print(f"\n{printed}\n", flush=True)
        say(f"MemoryHub is ready: {wanted.address}   (Ctrl-C stops everything)")
        if wanted.check:
            _await_worker(supervisor, _for_programs(env))
            say("The worker answers.")
        else:
            supervisor.watch()
    finally:
        supervisor.stop()


def _start_services(supervisor: Supervisor, wanted: UpOptions, where: State) -> Mapping[str, str]:
    """The whole environment, with the servers that are not given from outside started."""
    secrets, last = environment.ensure_secrets(where), environment.read(where.env)
    place = Place(where.folder, where.folder / "logs")
    found: dict[str, str] = {"MEMORYHUB_BASE_URL": os.environ.get("MEMORYHUB_BASE_URL") or wanted.address}
    if not os.environ.get(DATABASE):
        urls = services.start_database(
            supervisor, place, secrets, name="memoryhub", last_url=last.get(DATABASE, "")
        )
        found |= services.database_environment(urls)
        say("Database is running.")
    if not os.environ.get(BROKER):
        found[BROKER] = services.start_broker(supervisor, place, secrets, last_url=last.get(BROKER, ""))
        say("Queue is running.")
    environment.write(where.env, found)
    return {
        "MEMORYHUB_SECRET_KEY": secrets["MEMORYHUB_SECRET_KEY"],
        "DJANGO_SETTINGS_MODULE": "memoryhub.config.settings",
        "OMP_NUM_THREADS": "1",
        **os.environ,
        **found,
        "MEMORYHUB_STATE_DIR": str(where.folder),
        "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": str(PROJECT),
    }


def _migrate(env: Mapping[str, str]) -> None:
    """As the owner; without its address a server from outside is only asked whether anything is pending."""
    owner = env.get(OWNER_DATABASE)
    if owner:
        say("Bringing the database up to date.")
        run_once("migrate", [sys.executable, _MANAGE, "migrate", "--verbosity", "0", "--skip-checks"], env)
        return
    try:
        run_once("migrate --check", [sys.executable, _MANAGE, "migrate", "--check", "--skip-checks"], env)
    except CannotStart as error:
        raise CannotStart(
            f"The database at {DATABASE} is not up to date, or can not be read: set {OWNER_DATABASE} to the owner's "
            f"address and start again.\n{error.message}",
            code="migrations_pending",
        ) from error


def _prepare(env: Mapping[str, str], wanted: UpOptions) -> str:
    """Prove the isolation, make the first tenant, and what that printed: how to sign in."""
    say("Checking the isolation of tenants.")
    commands = ["check_isolation", "bootstrap", *(["demo"] if wanted.demo else [])]
    return run_once("The preparation", [sys.executable, *_PREPARE, *commands], _for_programs(env))


def _for_programs(env: Mapping[str, str]) -> Mapping[str, str]:
    """What serves people never holds the keys of the owner or of the backup."""
    return {name: value for name, value in env.items() if name not in (OWNER_DATABASE, BACKUP_DATABASE)}


def _await_answer(supervisor: Supervisor, address: str) -> None:
    """Wait until the health page says yes."""
    deadline = time.monotonic() + _READY_SECONDS
    while not _healthy(address):
        supervisor.require_alive()
        if time.monotonic() > deadline:
            raise CannotStart(f"{address}/healthz did not answer within {_READY_SECONDS:g} s; see the logs.")
        time.sleep(0.05)


def _await_worker(supervisor: Supervisor, env: Mapping[str, str]) -> None:
    """Wait until a worker answers through the queue, which proves both."""
    deadline = time.monotonic() + _READY_SECONDS
    while True:
        supervisor.require_alive()
        try:
            run_once("The worker", programs.ping_worker(), env)
            return
        except CannotStart:  # asked too early
            if time.monotonic() > deadline:
                raise


def _healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=5) as answer:  # noqa: S310 - our own http address
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[2:]))
