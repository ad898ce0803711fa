"""Database and queue of one start, ready to be used: embedded ones under the supervisor."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from memoryhub.local import broker, cluster, postgres
from memoryhub.local.supervisor import Supervisor
from memoryhub.tenants.provision import RolePasswords, RoleUrls, provision

DATABASE = "DATABASE_URL"
OWNER_DATABASE = "MEMORYHUB_OWNER_DATABASE_URL"
BACKUP_DATABASE = "MEMORYHUB_BACKUP_DATABASE_URL"
BROKER = "CELERY_BROKER_URL"


@dataclass(frozen=True)
class Place:
    """Where the servers keep data and logs. ``throwaway`` is for tests: fast and not safe."""

    folder: Path
    logs: Path
    throwaway: bool = False


def start_database(
    supervisor: Supervisor, place: Place, secrets: Mapping[str, str], *, name: str, last_url: str = ""
) -> RoleUrls:
    """A running embedded PostgreSQL with the database ``name`` and its roles; on the port of ``last_url`` if free."""
    server = cluster.ensure(
        place.folder / "postgres",
        secrets["MEMORYHUB_LOCAL_SUPERUSER_PASSWORD"],
        throwaway=place.throwaway,
        port=_port(last_url),
    )
    log = place.logs / "postgres.log"
    process = supervisor.start(postgres.program(server, log))
    postgres.await_ready(server, process, log)
    passwords = RolePasswords(
        owner=secrets["MEMORYHUB_LOCAL_OWNER_PASSWORD"],
        app=secrets["MEMORYHUB_LOCAL_APP_PASSWORD"],
        backup=secrets["MEMORYHUB_LOCAL_BACKUP_PASSWORD"],
    )
    return provision(server.url, name, passwords)


def start_broker(
    supervisor: Supervisor, place: Place, secrets: Mapping[str, str], *, last_url: str = ""
) -> str:
    """The address of a running embedded queue; on the port of ``last_url`` if that is free."""
    server = broker.ensure(
        place.folder / "valkey", secrets["MEMORYHUB_LOCAL_BROKER_PASSWORD"], port=_port(last_url)
    )
    log = place.logs / "broker.log"
    process = supervisor.start(broker.program(server, log))
    broker.await_ready(server, process, log)
    return server.url


def database_environment(urls: RoleUrls) -> Mapping[str, str]:
    """The three addresses under the names that commands look for."""
    return {DATABASE: urls.app, OWNER_DATABASE: urls.owner, BACKUP_DATABASE: urls.backup}


def _port(url: str) -> int:
    return urlsplit(url).port or 0
