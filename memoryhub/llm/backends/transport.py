"""The wire to a provider, bounded: no redirects, no compression, so many bytes and so many seconds."""

import time
from collections.abc import Iterator

import httpx2

MAX_BYTES = 2 * 1024 * 1024
# A streamed answer repeats its envelope with every piece: some 250 bytes for each token.
MAX_STREAM_BYTES = 16 * MAX_BYTES
# How much longer than one call's timeout a stream may take in all.
STREAM_TIMES = 10


class AnswerRefused(httpx2.RequestError):
    """The provider's answer breaks a bound; it is dropped unread."""


class BoundedTransport(httpx2.BaseTransport):
    """Hands requests to ``inner`` and reads answers within the bounds; ``timeout`` is in seconds."""

    def __init__(self, inner: httpx2.BaseTransport, timeout: float) -> None:
        self._inner = inner
        self._timeout = timeout

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        # A few compressed kilobytes can unfold to gigabytes after the count.
        request.headers["Accept-Encoding"] = "identity"
        started = time.monotonic()
        response = self._inner.handle_request(request)
        if response.headers.get("Content-Encoding", "identity") != "identity":
            response.close()
            raise AnswerRefused("compressed", request=request)
        streamed = response.headers.get("Content-Type", "").startswith("text/event-stream")
        limit = MAX_STREAM_BYTES if streamed else MAX_BYTES
        deadline = started + self._timeout * (STREAM_TIMES if streamed else 1)
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = _BoundedStream(response.stream, request, limit, deadline)
        return response

    def close(self) -> None:
        self._inner.close()


class _BoundedStream(httpx2.SyncByteStream):
    def __init__(
        self, inner: httpx2.SyncByteStream, request: httpx2.Request, limit: int, deadline: float
    ) -> None:
        self._inner, self._request, self._left, self._deadline = inner, request, limit, deadline

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._inner:
            self._left -= len(chunk)
            if self._left < 0:
                raise AnswerRefused("too large", request=self._request)
            if time.monotonic() > self._deadline:
                raise httpx2.ReadTimeout("deadline", request=self._request)
            yield chunk

    def close(self) -> None:
        self._inner.close()


def client(timeout: float, proxy: str = "") -> httpx2.Client:
    """A client for one endpoint. A redirect is an answer like any other, and not followed: it could carry the key
    to another host."""
    wire = httpx2.HTTPTransport(limits=httpx2.Limits(max_connections=100), proxy=proxy or None)
    return httpx2.Client(
        transport=BoundedTransport(wire, timeout),
        timeout=httpx2.Timeout(timeout, connect=min(timeout, 5.0)),
        follow_redirects=False,
    )
