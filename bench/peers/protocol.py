"""The other end of ``peer_process.py``: reads one JSON object a line, does what it says, answers with one."""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

Deed = Callable[..., "dict[str, Any]"]


def clocked(act: Callable[[], Any]) -> tuple[float, Any]:
    """Milliseconds that ``act`` takes, and what it returns."""
    begun = time.perf_counter()
    result = act()
    return (time.perf_counter() - begun) * 1000, result


class Lookup:
    """An embedder that costs nothing: the vector was given beforehand."""

    def __init__(self) -> None:
        self.vector: list[float] = []

    def __call__(self, texts: list[str]) -> list[list[float]]:
        return [self.vector for _ in texts]


def serve(deeds: Mapping[str, Deed]) -> None:
    """Answer until the input ends. What libraries print goes to the error stream."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer = deeds[asked.pop("do")](**asked)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
