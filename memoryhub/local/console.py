"""Lines for the person who waits: how many seconds have gone, and what is being done."""

import os
import time

#: Hands the moment of the start over to the interpreter that takes over; seconds of the monotonic clock.
BEGUN = "MEMORYHUB_BEGUN"
_begun = float(os.environ.pop(BEGUN, "") or time.monotonic())


def begun() -> str:
    """The moment of the start, to be put into the environment under ``BEGUN``."""
    return repr(_begun)


def say(text: str) -> None:
    """One progress line."""
    print(f"[{time.monotonic() - _begun:5.1f}s] {text}", flush=True)
