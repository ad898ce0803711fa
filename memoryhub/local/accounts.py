"""PostgreSQL refuses to run as root. Root drops to an account that can reach the programs and the data."""

import hashlib
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

from memoryhub.local.failure import CannotStart
from memoryhub.local.processes import Account, as_account

_CACHE = Path("/var/cache/memoryhub-postgres")
_DATA = Path("/var/lib/memoryhub-postgres")


def for_database() -> Account | None:
    """None for an ordinary account, which runs PostgreSQL itself; for root ``postgres``, else ``nobody``."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise CannotStart("PostgreSQL does not run as root: start MemoryHub as an ordinary account.")


def own(path: Path, account: Account | None) -> None:
    """Hand ``path`` to ``account``."""
    if account:
        os.chown(path, account.pw_uid, account.pw_gid)


def reachable(folder: Path, account: Account | None) -> Path:
    """``folder``, or a place of its own under /var/lib when a closed folder above it (/root) keeps ``account`` out."""
    if account is None or _can(["test", "-x", str(folder.parent)], account):
        return folder
    _DATA.mkdir(parents=True, exist_ok=True)
    _DATA.chmod(0o711)
    return _DATA / hashlib.sha256(str(folder).encode()).hexdigest()[:16]


def runnable(binaries: Path, account: Account | None) -> Path:
    """``binaries``, or a copy under /var/cache: we copy them out rather than open somebody's home folder."""
    if account is None or _runs(binaries, account):
        return binaries
    package = binaries.parent.parent
    copy = _CACHE / f"{package.name}-{int((binaries / 'postgres').stat().st_mtime)}"
    if not copy.exists():
        _copy(package, copy)
    copied = copy / package.name / binaries.parent.name / binaries.name
    if not _runs(copied, account):
        raise CannotStart(
            f"{copied} can not be run by {account.pw_name}: start MemoryHub as an ordinary account."
        )
    return copied


def _copy(package: Path, target: Path) -> None:
    _CACHE.mkdir(parents=True, exist_ok=True)
    _CACHE.chmod(0o755)
    with tempfile.TemporaryDirectory(dir=_CACHE) as folder:
        whole = Path(folder) / "copy"
        for part in (package, package.with_name(f"{package.name}.libs")):
            if part.exists():
                shutil.copytree(part, whole / part.name, symlinks=True)
        for path in (whole, *whole.rglob("*")):
            if not path.is_symlink():
                path.chmod(
                    path.stat().st_mode | (0o555 if path.is_dir() or os.access(path, os.X_OK) else 0o444)
                )
        whole.rename(target)


def _runs(binaries: Path, account: Account) -> bool:
    return _can([str(binaries / "postgres"), "--version"], account)


def _can(command: list[str], account: Account) -> bool:
    try:
        return subprocess.run(command, capture_output=True, **as_account(account)).returncode == 0
    except PermissionError:
        return False
