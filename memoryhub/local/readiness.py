"""When a start is done: the web process answers, and a worker does."""

import http.client
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

from memoryhub.local import programs
from memoryhub.local.failure import CannotStart
from memoryhub.local.supervisor import Supervisor, run_once

_READY_SECONDS = 60.0


def await_answer(supervisor: Supervisor, address: str, base_url: str) -> None:
    """Wait until the health page at ``address`` says yes. Raises ``CannotStart`` when it does not, or a program ends."""
    deadline = time.monotonic() + _READY_SECONDS
    while not _healthy(address, base_url):
        supervisor.require_alive()
        if time.monotonic() > deadline:
            raise CannotStart(
                f"{address}/healthz did not say yes within {_READY_SECONDS:g} s; see the logs folder."
            )
        time.sleep(0.05)


def await_worker(supervisor: Supervisor, env: Mapping[str, str]) -> None:
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


def _healthy(address: str, base_url: str) -> bool:
    """Asked under the name that people use, as the proxy before us would; past any proxy that this machine has."""
    here, public = urlsplit(address), urlsplit(base_url)
    connection = http.client.HTTPConnection(here.hostname or "", here.port, timeout=5)
    try:
        connection.request(
            "GET", "/healthz", headers={"Host": public.netloc, "X-Forwarded-Proto": public.scheme}
        )
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
