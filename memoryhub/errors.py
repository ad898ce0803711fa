"""Errors are sentences with a stable code. A kind says what went wrong; a door decides the status code."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class FieldError:
    """One wrong field: ``pointer`` is an RFC 6901 path into the input ("/turns/0/content")."""

    pointer: str
    code: str
    detail: str


class MemoryHubError(Exception):
    """Base of every expected failure. ``message`` is a sentence for a person and says what to do next."""

    code = "error"

    def __init__(self, message: str, *, code: str | None = None, fields: Sequence[FieldError] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.fields = tuple(fields)
        if code is not None:
            self.code = code


class NotFound(MemoryHubError):
    """There is no such thing, or it is not yours: the two are never told apart."""

    code = "not_found"

    def __init__(self, message: str = "There is nothing at this address.", **kwargs: str) -> None:
        super().__init__(message, code=kwargs.get("code"))


class Invalid(MemoryHubError):
    """The input can not be accepted; ``fields`` names what and why."""

    code = "invalid"

    @classmethod
    def field(cls, name: str, code: str, detail: str) -> "Invalid":
        """One field is wrong; the field's code becomes the error's."""
        return cls(detail, code=code, fields=[FieldError(f"/{name}", code, detail)])


class TooLarge(Invalid):
    """The input is well formed but above a stated limit."""

    code = "too_large"


class Forbidden(MemoryHubError):
    """The caller is known and may not do this. ``permission`` names what they lack, if it is one."""

    code = "forbidden"

    def __init__(self, message: str, *, code: str | None = None, permission: str = "") -> None:
        super().__init__(message, code=code)
        self.permission = permission


class Unauthenticated(MemoryHubError):
    """Nobody is signed in, or the key is not good (any more)."""

    code = "unauthenticated"


class Conflict(MemoryHubError):
    """The present state does not allow it; reading again and deciding anew helps."""

    code = "conflict"


class Stale(Conflict):
    """The caller decided on an older version than the present one. ``etag`` is the present one's."""

    code = "stale"

    def __init__(self, message: str, *, etag: str) -> None:
        super().__init__(message)
        self.etag = etag


class Gone(MemoryHubError):
    """It was here and has been erased; it does not come back."""

    code = "gone"


class RateLimited(MemoryHubError):
    """Too much for now. ``retry_after`` is in seconds."""

    code = "rate_limited"

    def __init__(self, message: str, *, retry_after: float, code: str | None = None) -> None:
        super().__init__(message, code=code)
        self.retry_after = retry_after


class Unavailable(MemoryHubError):
    """Something we depend on does not answer. Nothing is lost; trying again later helps."""

    code = "unavailable"
