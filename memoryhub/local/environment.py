"""The state folder: what an embedded installation keeps, and who may read it. Standard library only.

| entry                          | what it is                                                          |
| ------------------------------ | ------------------------------------------------------------------- |
| ``lock``                       | held by the running ``manage.py up``                                |
| ``secrets``                    | the secret key and the roles' passwords; made once; owner reads     |
| ``env``                        | the addresses of what runs now, for other commands; owner reads     |
| ``processes``                  | what was started, so that the next start can end what a crash left  |
| ``postgres valkey beat logs``  | the data of each program                                            |
"""

import contextlib
import fcntl
import os
import secrets
import shlex
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from memoryhub.local.failure import CannotStart

PROJECT = Path(__file__).resolve().parent.parent.parent
_KEPT_LOG_BYTES = 5_000_000
KEY_NAME = "MEMORYHUB_SECRET_KEY"
SECRET_NAMES = (
    KEY_NAME,
    "MEMORYHUB_LOCAL_SUPERUSER_PASSWORD",
    "MEMORYHUB_LOCAL_OWNER_PASSWORD",
    "MEMORYHUB_LOCAL_APP_PASSWORD",
    "MEMORYHUB_LOCAL_BACKUP_PASSWORD",
    "MEMORYHUB_LOCAL_BROKER_PASSWORD",
)


@dataclass(frozen=True)
class State:
    """The folder, and its parts."""

    folder: Path

    @property
    def env(self) -> Path:
        """Addresses of what runs now."""
        return self.folder / "env"

    @property
    def secrets(self) -> Path:
        """What must not be lost: without it the embedded database can not be opened."""
        return self.folder / "secrets"

    @property
    def processes(self) -> Path:
        """What was started."""
        return self.folder / "processes"

    def log(self, name: str) -> Path:
        """The log of one process."""
        return self.folder / "logs" / f"{name}.log"


def state() -> State:
    """The state folder of this project, or the one that ``MEMORYHUB_STATE_DIR`` names."""
    return State(Path(os.environ.get("MEMORYHUB_STATE_DIR") or PROJECT / ".memoryhub").resolve())


def open_state(where: State) -> None:
    """Make the folder. As root it can be passed through, since PostgreSQL runs under another account."""
    where.folder.mkdir(parents=True, exist_ok=True)
    where.folder.chmod(0o711 if os.geteuid() == 0 else 0o700)
    logs = where.folder / "logs"
    logs.mkdir(exist_ok=True)
    logs.chmod(0o700)
    for log in logs.glob("*.log"):
        trim_log(log)


def trim_log(log: Path) -> None:
    """Put a large log aside, over the one before, so that all of them stay small. Its writer appends and goes on."""
    if log.exists() and log.stat().st_size > _KEPT_LOG_BYTES:
        shutil.copyfile(log, log.with_suffix(".log.1"))
        os.truncate(log, 0)


@contextlib.contextmanager
def locked(where: State) -> Iterator[None]:
    """Hold the folder for this process alone. Raises ``CannotStart`` while another one holds it."""
    path = where.folder / "lock"
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotStart(_held(path), code="already_running") from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def _held(path: Path) -> str:
    owner = path.read_text().strip()
    return (
        f"MemoryHub already runs on {path.parent}{f' (process {owner})' if owner else ''}: "
        "stop it first, or name another folder in MEMORYHUB_STATE_DIR."
    )


def ensure_secrets(where: State) -> Mapping[str, str]:
    """The generated secrets by name, each made when it is first missing; never changed afterwards."""
    known = dict(read(where.secrets))
    missing = [name for name in SECRET_NAMES if not known.get(name)]
    if missing:
        known |= {name: secrets.token_urlsafe(50 if name == KEY_NAME else 24) for name in missing}
        write(where.secrets, known)
    return known


def read(path: Path) -> Mapping[str, str]:
    """The names and values of a file of ``NAME=value`` lines; empty when there is no such file."""
    try:
        lines = path.read_text().splitlines()
    except FileNotFoundError:
        return {}
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name: "".join(shlex.split(value)) for name, _, value in pairs}


def write(path: Path, values: Mapping[str, str]) -> None:
    """Replace the file in one step: readable by its owner only, whole at every moment, and fit for a shell."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.writelines(f"{name}={shlex.quote(value)}\n" for name, value in values.items())
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def installed(where: State) -> Mapping[str, str]:
    """What a start left for other commands: the secret key, and the addresses of what is embedded."""
    key = read(where.secrets).get(KEY_NAME)
    return {**({KEY_NAME: key} if key else {}), **read(where.env)}
