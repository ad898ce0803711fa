"""A provider for tests: OpenAI's API over HTTP, with answers and failures on demand.

In a test: ``with LocalProvider() as provider: provider.script([Rule(status=429, retry_after=3)])``. For other
processes: ``python -m tests.llm.server --port 0`` prints its address; POST /script a JSON list of rules,
GET /prompts, POST /reset.
"""

import argparse
import contextlib
import dataclasses
import hashlib
import json
import re
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass
class Rule:
    """What to do with a request whose body contains ``when``. The first rule that fits is used, ``times`` times.

    ``text`` answers; ``status`` fails, ``hang`` waits so many seconds first, ``refuse`` hangs up, ``raw`` is sent as
    the body, ``size`` bytes of text are sent, ``pause`` waits before each streamed piece, ``cut_after`` pieces the
    connection drops, ``location`` redirects, ``gzip`` claims compression, ``no_usage`` reports none, ``vector``
    answers each embedding.
    """

    when: str = ""
    text: str | None = None
    status: int = 200
    retry_after: float | None = None
    error: dict[str, Any] | None = None
    hang: float = 0.0
    refuse: bool = False
    raw: str | None = None
    size: int = 0
    pause: float = 0.0
    cut_after: int | None = None
    location: str = ""
    gzip: bool = False
    no_usage: bool = False
    vector: list[float] | None = None
    times: int = 1_000_000


class LocalProvider:
    """The server, its script and what it was asked. ``hung_up`` counts streams whose reader went away."""

    def __init__(self, port: int = 0) -> None:
        self._lock = threading.Lock()
        self._rules: list[Rule] = []
        self.prompts: list[dict[str, Any]] = []
        self.hung_up = 0
        self.released = threading.Event()
        provider = self

        class Handler(_Handler):
            owner = provider

        self._server = _Quiet(("127.0.0.1", port), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def script(self, rules: list[Rule]) -> None:
        with self._lock:
            self._rules = [dataclasses.replace(rule) for rule in rules]

    def reset(self) -> None:
        with self._lock:
            self._rules, self.prompts, self.hung_up = [], [], 0

    def take(self, path: str, body: dict[str, Any]) -> Rule:
        with self._lock:
            self.prompts.append({"path": path, "body": body})
            text = json.dumps(body, ensure_ascii=False)
            for rule in self._rules:
                if rule.times > 0 and rule.when in text:
                    rule.times -= 1
                    return rule
        return Rule()

    def serve(self) -> None:
        self._server.serve_forever(poll_interval=0.2)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Readers that hang up are what these tests are about."""


class _Handler(BaseHTTPRequestHandler):
    owner: LocalProvider
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        if self.path == "/prompts":
            return self._json(200, self.owner.prompts)
        return self._json(404, {"error": {"message": "no such page"}})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/script":
            self.owner.script([Rule(**rule) for rule in json.loads(body)])
            return self._json(200, {})
        if self.path == "/reset":
            self.owner.reset()
            return self._json(200, {})
        return self._model(json.loads(body))

    def _model(self, body: dict[str, Any]) -> None:
        rule = self.owner.take(self.path, body)
        if rule.hang:
            self.owner.released.wait(rule.hang)
        if rule.refuse:
            self.close_connection = True
            return None
        if rule.location:
            return self._send(307, b"", {"Location": rule.location})
        if rule.status != 200:
            headers = {} if rule.retry_after is None else {"Retry-After": f"{rule.retry_after:g}"}
            error = rule.error or {"message": "secret provider words sk-12345", "code": None, "param": None}
            return self._json(rule.status, {"error": error}, headers)
        if rule.raw is not None:
            return self._send(200, rule.raw.encode("utf-8", "surrogatepass"), {})
        if self.path.endswith("/embeddings"):
            return self._json(200, _embeddings(body, rule))
        text = ("x" * 9_999 + " ") * (rule.size // 10_000) if rule.size else _answer(body, rule)
        if body.get("stream"):
            return self._stream(body, rule, text)
        return self._json(
            200, _completion(body, rule, text), {"Content-Encoding": "gzip"} if rule.gzip else {}
        )

    def _stream(self, body: dict[str, Any], rule: Rule, text: str) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            self._pieces(body, rule, text)
        except OSError:
            self.owner.hung_up += 1

    def _pieces(self, body: dict[str, Any], rule: Rule, text: str) -> None:
        for number, piece in enumerate(re.findall(r"\S+\s*", text)):
            if rule.cut_after is not None and number >= rule.cut_after:
                return
            if rule.pause:
                self.owner.released.wait(rule.pause)
            self._event(_chunk(body, {"content": piece}))
        self._event(_chunk(body, {}, finish="stop"))
        if not rule.no_usage and (body.get("stream_options") or {}).get("include_usage"):
            self._event({**_chunk(body, {}), "choices": [], "usage": _usage(body, text)})
        self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, data: dict[str, Any]) -> None:
        self.wfile.write(b"data: " + json.dumps(data).encode() + b"\n\n")
        self.wfile.flush()

    def _json(self, status: int, data: Any, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(data).encode(), headers or {})

    def _send(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {
            "Content-Type": "application/json",
            "Content-Length": str(len(data)),
            **headers,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(data)
        except OSError:
            self.owner.hung_up += 1


def _answer(body: dict[str, Any], rule: Rule) -> str:
    if rule.text is not None:
        return rule.text
    last = body["messages"][-1]["content"]
    return '{"ready": true, "facts": []}' if "response_format" in body else f"You said: {last}"


def _usage(body: dict[str, Any], text: str) -> dict[str, Any]:
    asked = sum(len(message["content"].split()) for message in body["messages"])
    answered = len(text.split())
    return {
        "prompt_tokens": asked,
        "completion_tokens": answered,
        "total_tokens": asked + answered,
        "prompt_tokens_details": {"cached_tokens": min(1, asked)},
    }


def _completion(body: dict[str, Any], rule: Rule, text: str) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    answer = {
        "id": "c1",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": body["model"],
        "choices": [choice],
    }
    return answer if rule.no_usage else {**answer, "usage": _usage(body, text)}


def _chunk(body: dict[str, Any], delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": body["model"],
        "choices": [choice],
    }


def _embeddings(body: dict[str, Any], rule: Rule) -> dict[str, Any]:
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    dimension = body.get("dimensions") or 384
    rows = [
        {"object": "embedding", "index": place, "embedding": rule.vector or _words(text, dimension)}
        for place, text in enumerate(texts)
    ]
    return {
        "object": "list",
        "model": body["model"],
        "data": rows[::-1],
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    }


def _words(text: str, dimension: int) -> list[float]:
    vector = [0.0] * dimension
    for word in re.findall(r"\w+", text.casefold()) or [""]:
        vector[int.from_bytes(hashlib.sha256(word.encode()).digest()[:4]) % dimension] += 1.0
    return vector


def main() -> None:
    parser = argparse.ArgumentParser(description="A scripted provider with OpenAI's API, for tests.")
    parser.add_argument("--port", type=int, default=0)
    provider = LocalProvider(parser.parse_args().port)
    print(provider.url, flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        provider.serve()


if __name__ == "__main__":
    main()
