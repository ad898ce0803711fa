"""``manage.py up``: from nothing to an address in a browser, and back to nothing."""

import os
import sys
from collections.abc import Mapping

from memoryhub.local import environment, leftovers, options, processes, programs, readiness, services
from memoryhub.local.console import say
from memoryhub.local.environment import PROJECT, State
from memoryhub.local.failure import CannotStart, Stopped, from_os_error
from memoryhub.local.options import UpOptions
from memoryhub.local.services import BACKUP_DATABASE, BROKER, DATABASE, OWNER_DATABASE, Place
from memoryhub.local.supervisor import Supervisor, run_once

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
        try:
            _start_programs(supervisor, wanted, where, _for_programs(env))
        finally:  # the first password is shown once: not even a failing web process may swallow it
            print(f"\n{printed}\n", flush=True)
        say(f"MemoryHub is ready: {wanted.address}   (Ctrl-C stops everything)")
        if wanted.check:
            readiness.await_worker(supervisor, _for_programs(env))
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
    say(f"Checking the isolation of tenants{', filling in the demonstration' if wanted.demo else ''}.")
    commands = ["check_isolation", "bootstrap", *(["demo"] if wanted.demo else [])]
    return run_once("The preparation", [sys.executable, *_PREPARE, *commands], _for_programs(env))


def _for_programs(env: Mapping[str, str]) -> Mapping[str, str]:
    """What serves people never holds the keys of the owner or of the backup."""
    return {name: value for name, value in env.items() if name not in (OWNER_DATABASE, BACKUP_DATABASE)}


def _start_programs(supervisor: Supervisor, wanted: UpOptions, where: State, env: Mapping[str, str]) -> None:
    """The others only when the web process answers: people wait for the page, and all of them want the same cores."""
    web, *others = programs.all_of(wanted, where, env)
    say("The web process is starting.")
    supervisor.start(web)
    readiness.await_answer(supervisor, wanted.address, env["MEMORYHUB_BASE_URL"])
    for program in others:
        supervisor.start(program)


if __name__ == "__main__":
    sys.exit(main(sys.argv[2:]))
