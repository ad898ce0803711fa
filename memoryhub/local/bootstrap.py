"""From a bare ``python3`` to the interpreter, environment and module that run a command. Standard library only."""

import importlib.util
import os
import signal
import socket
import sys
from collections.abc import Sequence
from urllib.parse import urlsplit

from memoryhub.local import environment, options, venv
from memoryhub.local.failure import CannotStart, Stopped, from_os_error

_OURS = {
    "up": ("memoryhub.local.up", venv.RUNTIME),
    "test": ("memoryhub.local.testing", venv.TESTS),
}
_URL = "DATABASE_URL"
_OWNER_URL = "MEMORYHUB_OWNER_DATABASE_URL"
_BACKUP_URL = "MEMORYHUB_BACKUP_DATABASE_URL"


def module_for(argv: Sequence[str]) -> str:
    """The module to run for a command line, once this is the right interpreter. Ends the program if it can not be."""
    signal.signal(signal.SIGTERM, _stop)
    command = argv[1] if len(argv) > 1 else "help"
    try:
        if command in _OURS:
            return _ours(command, list(argv))
        return _djangos(command, list(argv))
    except CannotStart as error:
        sys.exit(error.message)
    except OSError as error:
        sys.exit(from_os_error(error, venv.FOLDER).message)
    except (KeyboardInterrupt, Stopped):
        sys.exit("Stopped before anything was started.")
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _stop(*_: object) -> None:
    raise Stopped


def _ours(command: str, argv: list[str]) -> str:
    module, lock = _OURS[command]
    asked = options.parse_up(argv[2:]) if command == "up" else None
    if not venv.is_ready(lock):
        if asked:
            options.with_free_port(asked)  # nobody should wait for an install only to hear this
        venv.ensure(lock)
    # The packages are compiled as they are first used; never kept, that would cost two seconds of every start.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if not venv.is_current():
        venv.take_over(argv)
    return module


def _djangos(command: str, argv: list[str]) -> str:
    if venv.exists() and not venv.is_current():
        venv.take_over(argv)
    if importlib.util.find_spec("django") is None:
        raise CannotStart("MemoryHub is not installed yet: python3 manage.py up installs and starts it.")
    if command == "help" and len(argv) < 3:
        print(sys.modules["__main__"].__doc__)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.config.settings")
    _use_installation()
    owner = os.environ.pop(_OWNER_URL, "")
    if command == "migrate" and owner:
        os.environ[_URL] = owner
    return "django"


def _use_installation() -> None:
    """Commands see what ``up`` sees. Whoever names a database gets none of the embedded addresses mixed in."""
    found = environment.installed(environment.state())
    own_database = bool(os.environ.get(_URL))
    for name, value in found.items():
        if name == environment.KEY_NAME or (not own_database and name != _BACKUP_URL):
            os.environ.setdefault(name, value)
    if not own_database and _URL in found and not _answers(found[_URL]):
        print("The embedded database is not running: python3 manage.py up starts it.", file=sys.stderr)


def _answers(url: str) -> bool:
    parts = urlsplit(url)
    try:
        with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=1):
            return True
    except OSError:
        return False
