"""What can be told to a start, and the sentences it refuses with."""

import socket

import pytest

from memoryhub.local import options
from memoryhub.local.failure import CannotStart


def test_defaults_are_local_and_quiet() -> None:
    assert options.parse_up([]) == options.UpOptions("127.0.0.1", 8000, demo=False, check=False, workers=1)


@pytest.mark.parametrize(
    "wrong", [["--port", "70000"], ["--port", "-1"], ["--workers", "0"], ["--prot", "1"]]
)
def test_wrong_options_end_with_a_usage_line(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        options.parse_up(wrong)
    assert ended.value.code == 2
    assert "usage: manage.py up" in capsys.readouterr().err


def test_a_taken_port_is_named_with_the_way_out() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(CannotStart) as refused:
            options.with_free_port(options.parse_up(["--port", str(port)]))
    assert refused.value.code == "port_taken"
    assert f"Port {port} is taken" in refused.value.message
    assert f"--port {port + 1}" in refused.value.message


def test_port_zero_becomes_a_free_one() -> None:
    assert options.with_free_port(options.parse_up(["--port", "0"])).port > 0


def test_an_address_of_nobody_here_is_refused() -> None:
    with pytest.raises(CannotStart, match=r"can not listen on 192\.0\.2\.1"):
        options.with_free_port(options.parse_up(["--host", "192.0.2.1", "--port", "0"]))


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://[::1]:8000"),
        ("example.test", "http://example.test:8000"),
    ],
)
def test_the_printed_address_opens_in_a_browser(host: str, address: str) -> None:
    assert options.parse_up(["--host", host]).address == address


def test_a_free_port_is_kept_and_a_taken_one_replaced() -> None:
    port = options.free_port()
    assert options.free_port(port) == port
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        assert options.free_port(port) != port
