"""``Idempotency-Key``: a write that is sent twice happens once (draft-ietf-httpapi-idempotency-key-header-07).

The row is inserted first, under a unique constraint; a twin in flight is told so, a later one gets the stored
answer. Refused requests leave no row. Bodies are personal data: encrypted, kept a day, erased with their subject.
"""

import base64
import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import IntegrityError, transaction
from rest_framework.request import Request
from rest_framework.response import Response

from memoryhub import clock
from memoryhub.api.errors import Unprocessable
from memoryhub.errors import Conflict, Invalid
from memoryhub.memory.models import IdempotentAnswer, Subject
from memoryhub.tenants import scope

_LONGEST = 255
#: A request in flight for longer has lost its process.
_IN_FLIGHT = timedelta(seconds=60)
_KEPT_HEADERS = ("ETag", "Location")


def _cipher() -> Fernet:
    derive = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"memoryhub idempotent answers v1")
    return Fernet(base64.urlsafe_b64encode(derive.derive(settings.SECRET_KEY.encode())))


def _fingerprint(request: Request) -> str:
    body = json.dumps(request.data, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return hashlib.sha256(body).hexdigest()


def once(request: Request, act: Callable[[], Response]) -> Response:
    """Run ``act`` unless this key has been used: then its stored answer.

    Raises ``Invalid``, ``Unprocessable`` (``idempotency_key_reused``), ``Conflict`` (``idempotency_in_progress``).
    """
    key = request.headers.get("Idempotency-Key", "")
    if not key:
        return act()
    if len(key) > _LONGEST or not key.isprintable():
        raise Invalid.field(
            "Idempotency-Key", "invalid_key", f"Idempotency-Key has at most {_LONGEST} characters."
        )
    row, mine = _reserve(request, key)
    if not mine:
        return _stored(row, _fingerprint(request))
    try:
        response = act()
    except BaseException:
        IdempotentAnswer.objects.filter(id=row.id).delete()
        raise
    _keep(request, row, response)
    return response


def _reserve(request: Request, key: str) -> tuple[IdempotentAnswer, bool]:
    place = {
        "actor_id": scope.current().actor.id,
        "key": key,
        "route": f"{request.method} {request.path}"[:200],
    }
    at = clock.now()
    IdempotentAnswer.objects.filter(**place, status=0, created_at__lt=at - _IN_FLIGHT).delete()
    row = IdempotentAnswer(**place, fingerprint=_fingerprint(request), created_at=at)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
        return row, True
    except IntegrityError:
        found = IdempotentAnswer.objects.filter(**place).first()
        if found is None:
            raise Conflict(
                "A twin of this request was just refused; send it again.", code="idempotency_in_progress"
            ) from None
        return found, False


def _stored(row: IdempotentAnswer, fingerprint: str) -> Response:
    if row.fingerprint != fingerprint:
        raise Unprocessable(
            "This Idempotency-Key was used with another body; use a new key.", code="idempotency_key_reused"
        )
    if row.status == 0:
        raise Conflict("A twin of this request is in progress; wait for it.", code="idempotency_in_progress")
    body = json.loads(_cipher().decrypt(bytes(row.body)))
    response = Response(body, status=row.status, headers=dict(row.headers))
    response["Idempotent-Replayed"] = "true"
    return response


def _keep(request: Request, row: IdempotentAnswer, response: Response) -> None:
    if not 200 <= response.status_code < 300:
        IdempotentAnswer.objects.filter(id=row.id).delete()
        return
    subject: Subject | None = getattr(request, "idempotent_subject", None)
    encoded = json.dumps(response.data, ensure_ascii=False, default=str).encode()
    # An erasure since then leaves no subject to hang the answer on, and the row is dropped with it.
    if subject is not None and not Subject.objects.filter(id=subject.id, erased_at__isnull=True).exists():
        IdempotentAnswer.objects.filter(id=row.id).delete()
        return
    headers: dict[str, Any] = {name: response[name] for name in _KEPT_HEADERS if response.has_header(name)}
    IdempotentAnswer.objects.filter(id=row.id).update(
        status=response.status_code, headers=headers, body=_cipher().encrypt(encoded), subject=subject
    )
