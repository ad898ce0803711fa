"""Signatures on receipts: Ed25519 (RFC 8032), so that anybody with the public key can check one."""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings


@dataclass(frozen=True)
class Signature:
    """A signature in base64 and the id of the key that made it."""

    value: str
    key_id: str


def _private_key() -> Ed25519PrivateKey:
    """Derived from the installation's secret, so that there is no second secret to lose."""
    derive = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"memoryhub receipt signing v1")
    return Ed25519PrivateKey.from_private_bytes(derive.derive(settings.SECRET_KEY.encode()))


def public_key() -> str:
    """The public key, raw, in base64."""
    raw = _private_key().public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return base64.b64encode(raw).decode()


def key_id() -> str:
    """Sixteen hex digits of the public key's SHA-256."""
    return hashlib.sha256(base64.b64decode(public_key())).hexdigest()[:16]


def canonical(body: Mapping[str, Any]) -> bytes:
    """The bytes that are signed: JSON with sorted keys, no spaces, UTF-8."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sign(body: Mapping[str, Any]) -> Signature:
    """Sign a receipt's body."""
    return Signature(base64.b64encode(_private_key().sign(canonical(body))).decode(), key_id())


def is_valid(body: Mapping[str, Any], signature: str) -> bool:
    """Whether this installation's key made the signature over exactly this body."""
    try:
        _private_key().public_key().verify(base64.b64decode(signature, validate=True), canonical(body))
    except (InvalidSignature, ValueError):
        return False
    return True
