"""``Idempotency-Key``: a write that is sent twice happens once (draft-ietf-httpapi-idempotency-key-header-07).

The row is inserted first, under a unique constraint; a twin in flight is told so, a later one gets the stored
answer. The answer is stored in the transaction of the write it tells of, so that no crash parts the two. Refused
requests leave no row. Bodies are personal data: encrypted, kept a day, erased with their subject.
"""

import base64
import contextlib
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
from memoryhub.memory import subjects
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


def once(request: Request, act: Callable[[], Response], *, asks_model: bool = False) -> Response:
    """Run ``act``, all or nothing, unless this key has been used: then its stored answer.

    ``asks_model``: the act calls a model, which no transaction may span; it must then be safe to repeat by itself,
    for a crash between it and its answer. Raises ``Invalid``, ``Unprocessable`` (``idempotency_key_reused``) and
    ``Conflict`` (``idempotency_in_progress``).
    """
    together = contextlib.nullcontext() if asks_model else transaction.atomic()
    key = _key(request)
    if not key:
        with together:
            return act()
    row, mine = _reserve(request, key)
    if not mine:
        return _stored(row, _fingerprint(request))
    try:
        with together:
            response = act()
            _keep(request, row, response)
    except BaseException:
        IdempotentAnswer.objects.filter(id=row.id).delete()
        raise
    return response


def _key(request: Request) -> str:
    key: str = request.headers.get("Idempotency-Key", "")
    if len(key) > _LONGEST:
        raise Invalid.field(
            "Idempotency-Key", "too_long", f"Idempotency-Key has at most {_LONGEST} characters."
        )
    if not key.isprintable():
        raise Invalid.field("Idempotency-Key", "invalid", "Idempotency-Key holds an unprintable character.")
    return key


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
    subject: Subject | None = getattr(request, "idempotent_subject", None)
    encoded = json.dumps(response.data, ensure_ascii=False, default=str).encode()
    headers: dict[str, Any] = {name: response[name] for name in _KEPT_HEADERS if response.has_header(name)}
    with transaction.atomic():
        # An erasure since then leaves no subject to hang the answer on, and the row is dropped with it.
        if subject is not None and not subjects.stays_alive(subject.id):
            IdempotentAnswer.objects.filter(id=row.id).delete()
            return
        IdempotentAnswer.objects.filter(id=row.id).update(
            status=response.status_code, headers=headers, body=_cipher().encrypt(encoded), subject=subject
        )
