"""What must hold before this process serves anybody; else it ends with a sentence that says what to do."""

import logging

from django.conf import settings
from django.db import OperationalError

from memoryhub.errors import MemoryHubError
from memoryhub.memory import embedders
from memoryhub.tenants import guard
from memoryhub.tenants.entrances import each_tenant

logger = logging.getLogger(__name__)


def require_safe() -> None:
    """Refuse to serve with a known secret, or as a database role that could see other tenants' rows.

    A database that is not there yet is waited for by its users, not by this check.
    """
    if not settings.SECRET_KEY_IS_SET:
        raise SystemExit("MEMORYHUB_SECRET_KEY is not set; give it 50 random characters and start again.")
    try:
        holes = guard.findings()
    except OperationalError:
        logger.warning("the database does not answer yet; isolation was not checked")
        return
    if holes:
        raise SystemExit("Refusing to start, since tenants are not kept apart:\n" + "\n".join(holes))
    warn_of_mismatches()


def warn_of_mismatches() -> list[str]:
    """Say which tenants hold vectors that no configured embedder can ask for. Recall goes on by words meanwhile."""
    try:
        sentences = [found.sentence for _ in each_tenant() for found in embedders.mismatches()]
    except (OperationalError, MemoryHubError):
        logger.warning("the embedders could not be compared with the stored vectors")
        return []
    for sentence in sentences:
        logger.warning("%s", sentence)
    return sentences
