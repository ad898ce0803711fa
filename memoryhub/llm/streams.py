"""A stream over a generator: keeps the text, ends with a ``Completion``, and can be stopped from another thread."""

import re
from collections.abc import Callable, Generator
from threading import Event, Lock
from typing import Self

from memoryhub.llm.types import Completion, Delta

_PIECE = re.compile(r"\s*\S+\s*")


def _nothing() -> None:
    """There is no connection to interrupt."""


class GeneratorStream:
    """A ``ChatStream`` whose generator yields ``Delta`` and returns a ``Completion``.

    ``interrupt`` wakes a generator that waits in another thread, for example by shutting down its socket.
    """

    def __init__(
        self, source: Generator[Delta, None, Completion], *, interrupt: Callable[[], None] = _nothing
    ) -> None:
        self._source = source
        self._interrupt = interrupt
        self._pieces: list[str] = []
        self._completion: Completion | None = None
        self._stopped = Event()
        self._running = Lock()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Delta:
        with self._running:
            if self._stopped.is_set():
                self._source.close()
                raise StopIteration
            return self._advance()

    def _advance(self) -> Delta:
        try:
            delta = next(self._source)
        except StopIteration as end:
            self._completion = end.value
            raise
        except Exception:
            # A stop shuts the connection under the reader; what that raises is the stop, not a fault.
            if self._stopped.is_set():
                raise StopIteration from None
            raise
        self._pieces.append(delta.text)
        return delta

    def close(self) -> None:
        self._stopped.set()
        if self._running.acquire(blocking=False):
            try:
                self._source.close()
            finally:
                self._running.release()
        else:
            self._interrupt()

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    @property
    def stopped(self) -> bool:
        """Closed before it came to its end."""
        return self._stopped.is_set() and self._completion is None

    @property
    def completion(self) -> Completion | None:
        return self._completion

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def whole(completion: Completion) -> Generator[Delta, None, Completion]:
    """A finished answer as a stream: word by word."""
    for piece in _PIECE.findall(completion.text):
        yield Delta(piece)
    return completion
