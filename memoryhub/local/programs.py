"""The programs that make up the running product."""

import sys
from collections.abc import Mapping, Sequence

from memoryhub.local.environment import State
from memoryhub.local.options import UpOptions
from memoryhub.local.supervisor import Program

_CELERY = "-m celery --app memoryhub.config.celery"
_WORKER = f"{_CELERY} worker --concurrency 2 --prefetch-multiplier 1 --without-gossip --without-mingle --loglevel INFO"
#: One for the installation: a second one would wake every periodic task twice.
_BEAT = f"{_CELERY} beat --loglevel WARNING --schedule"
_WEB = "-m granian --interface asginl --workers-kill-timeout 8 --log-level warning memoryhub.config.asgi:application"


def all_of(wanted: UpOptions, where: State, env: Mapping[str, str]) -> Sequence[Program]:
    """Web, worker and beat, in the order in which they are begun."""
    schedule = where.folder / "beat"
    schedule.mkdir(exist_ok=True)
    address = ("--host", wanted.host, "--port", str(wanted.port), "--workers", str(wanted.workers))
    commands = {
        "web": (*_WEB.split(), *address),
        "worker": _WORKER.split(),
        "beat": (*_BEAT.split(), str(schedule / "schedule"), "--pidfile", ""),
    }
    return [Program(name, (sys.executable, *rest), env, where.log(name)) for name, rest in commands.items()]


def ping_worker() -> Sequence[str]:
    """A command that succeeds when a worker answers."""
    return (sys.executable, *_CELERY.split(), "inspect", "ping", "--timeout", "1")
