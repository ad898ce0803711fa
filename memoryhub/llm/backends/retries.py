"""One more try, when it costs the person waiting next to nothing."""

import time
from collections.abc import Callable
from typing import TypeVar

from memoryhub.llm.errors import ModelRateLimited, ModelTimeout, ModelUnavailable

T = TypeVar("T")

_PAUSE = 0.25
_LONGEST_WAIT = 2.0


def once_more(call: Callable[[], T]) -> T:
    """``call()``, tried again once after a lost connection, a fault of the provider's, or a short rate limit.

    Not after a timeout: the time is spent, and the provider may still be working on the first try.
    """
    try:
        return call()
    except ModelTimeout:
        raise
    except ModelUnavailable:
        time.sleep(_PAUSE)
    except ModelRateLimited as limited:
        if limited.retry_after > _LONGEST_WAIT:
            raise
        time.sleep(limited.retry_after)
    return call()
