"""Who did it, as people read it: names for the actors of a page, in two queries."""

import uuid
from collections.abc import Iterable

from memoryhub.tenants.models import ApiKey, Membership


class Actors:
    """Labels for actors written ``kind:id``. Built once for a page."""

    def __init__(self, actors: Iterable[str]) -> None:
        wanted = {tuple(actor.split(":", 1)) for actor in actors if ":" in actor}
        users = _uuids(identifier for kind, identifier in wanted if kind == "user")
        keys = _uuids(identifier for kind, identifier in wanted if kind == "api_key")
        self._labels: dict[str, str] = {}
        if users:
            for member in Membership.objects.select_related("user").filter(user_id__in=users):
                self._labels[f"user:{member.user_id}"] = str(member.user)
        if keys:
            for key in ApiKey.objects.filter(id__in=keys):
                self._labels[f"api_key:{key.id}"] = f"key {key.name}"

    def label(self, actor: str) -> str:
        """The name; "MemoryHub" for the product itself, "a former member" for one who has left."""
        kind = actor.partition(":")[0]
        fallback = {"user": "a former member", "api_key": "a former key", "system": "MemoryHub"}
        return self._labels.get(actor) or fallback.get(kind, actor)


def _uuids(texts: Iterable[str]) -> list[uuid.UUID]:
    found = []
    for text in texts:
        try:
            found.append(uuid.UUID(text))
        except ValueError:
            continue
    return found
