"""The people remembered: finding, creating and locking them."""

import hashlib
import hmac
import uuid
from datetime import datetime

from django.conf import settings
from django.db import IntegrityError, connection, transaction

from memoryhub import text
from memoryhub.audit import trail
from memoryhub.errors import Gone, Invalid, NotFound
from memoryhub.memory.models import Subject
from memoryhub.tenants import scope
from memoryhub.tenants.models import Membership

_NEVER_A_SUBJECT = frozenset({"*", "%", "null", "none", "undefined", "all"})


def keyed_digest(purpose: str, *parts: str) -> str:
    """HMAC-SHA256 of parts under the installation's key, in hex; ``purpose`` keeps uses apart."""
    message = "\x1f".join((purpose, str(scope.current().tenant_id), *parts))
    return hmac.new(settings.SECRET_KEY.encode(), message.encode(), hashlib.sha256).hexdigest()


def checked_external_id(external_id: object, *, field: str = "subject") -> str:
    """A caller's id for a person, as given but for surrounding space; ``field`` is what errors call it.

    Raises ``Invalid`` for anything that could be read as "everyone": empty, blank, ``*`` and the like.
    """
    if not isinstance(external_id, str):
        raise Invalid.field(field, "not_a_string", f"{field} is your own id of the person, as a string.")
    cleaned = text.clean(external_id, field=field, limit=255)
    if cleaned.casefold() in _NEVER_A_SUBJECT:
        raise Invalid.field(
            field, "not_one_subject", f"{cleaned!r} names no one person; give one person's id."
        )
    return cleaned


def gone() -> Gone:
    """The answer about somebody erased."""
    return Gone(
        "This subject has been erased and is not remembered again. Use another id if they consent anew.",
        code="subject_erased",
    )


def ensure(
    external_id: str, *, at: datetime, display_name: str = "", membership: Membership | None = None
) -> Subject:
    """The subject with the caller's id, created at first mention.

    Raises ``Invalid`` for an id that is not one person's and ``Gone`` for somebody erased.
    """
    external_id = checked_external_id(external_id)
    found = Subject.objects.filter(external_id=external_id).first()
    if found is not None:
        return _alive(found)
    ref = keyed_digest("subject", external_id)
    if Subject.objects.filter(external_ref=ref, erased_at__isnull=False).exists():
        raise gone()
    try:
        with transaction.atomic():
            created = Subject(
                external_id=external_id,
                external_ref=ref,
                display_name=text.clean(display_name, field="display_name", limit=200, required=False),
                membership=membership,
                created_at=at,
            )
            created.save(force_insert=True)
            trail.record(trail.Action.SUBJECT_CREATE, "subject", created.id, at=at, subject_id=created.id)
        return created
    except IntegrityError:
        # Somebody else was first with the same id; theirs is the one.
        return _alive(Subject.objects.get(external_id=external_id))


def of_member(membership_id: uuid.UUID, *, at: datetime) -> Subject:
    """A member's own subject, created at first use. Raises ``Gone`` after their erasure."""
    found = Subject.objects.filter(membership_id=membership_id).first()
    if found is not None:
        return _alive(found)
    membership = Membership.objects.select_related("user").get(id=membership_id)
    return ensure(
        f"member:{membership.id.hex}", at=at, display_name=str(membership.user), membership=membership
    )


def by_external_id(external_id: str) -> Subject:
    """The living subject with the caller's id. Raises ``Invalid``, ``NotFound`` or ``Gone``."""
    external_id = checked_external_id(external_id)
    found = Subject.objects.filter(external_id=external_id).first()
    if found is not None:
        return _alive(found)
    if Subject.objects.filter(
        external_ref=keyed_digest("subject", external_id), erased_at__isnull=False
    ).exists():
        raise gone()
    raise NotFound("There is no subject with this id.")


def get(subject_id: uuid.UUID) -> Subject:
    """The subject. Raises ``NotFound`` outside the tenant."""
    found: Subject | None = Subject.objects.filter(id=subject_id).first()
    if found is None:
        raise NotFound
    return found


def lock_for_writing(subject_id: uuid.UUID, *, epoch: int | None = None) -> Subject:
    """Hold the subject's lock until the transaction ends: facts of one subject are written one after another.

    Appending turns goes on meanwhile. Raises ``Gone`` when the subject is erased, or was erased since ``epoch``.
    """
    locked = Subject.objects.select_for_update(no_key=True).filter(id=subject_id).first()
    if locked is None:
        raise NotFound
    alive = _alive(locked)
    if epoch is not None and alive.epoch != epoch:
        raise gone()
    return alive


def stays_alive(subject_id: uuid.UUID) -> bool:
    """Whether the subject is not erased; an erasure then waits for the caller's transaction. Hinders nobody else."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM subject WHERE id = %s AND tenant_id = %s AND erased_at IS NULL FOR KEY SHARE",
            [subject_id, scope.current().tenant_id],
        )
        return cursor.fetchone() is not None


def _alive(subject: Subject) -> Subject:
    if subject.erased_at is not None:
        raise gone()
    return subject
