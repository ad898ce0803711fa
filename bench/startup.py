"""From a fresh clone to the first page, and from a stopped installation to the first page.

Runs ``manage.py up`` in a copy of the checkout, without any environment left over. The cold start installs
everything from the package index that pip is set up with, so it needs one.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import harness

COLD_BUDGET, WARM_BUDGET = 60.0, 5.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def first_page(checkout: Path, patience: float) -> float:
    """Seconds from the command to the first page; the installation is stopped afterwards."""
    port = free_port()
    env = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith("MEMORYHUB_") and k not in ("VIRTUAL_ENV", "PYTHONPATH")
    }
    python = shutil.which(
        "python3", path=os.pathsep.join(p for p in env["PATH"].split(os.pathsep) if ".venv" not in p)
    )
    begun = time.monotonic()
    process = subprocess.Popen(
        [python or sys.executable, "manage.py", "up", "--port", str(port)],
        cwd=checkout, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        while time.monotonic() - begun < patience:
            if process.poll() is not None:
                raise SystemExit(
                    f"up ended with {process.returncode}; run it by hand in {checkout} to see why"
                )
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/accounts/login/", timeout=2) as answer:
                    if answer.status == 200:
                        return time.monotonic() - begun
            except OSError:
                time.sleep(0.05)
        raise SystemExit(f"no page within {patience:g} s")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def main() -> None:
    options = harness.parser(__doc__ or "").parse_args()
    report = harness.Report("Starting")
    parent = Path(tempfile.mkdtemp(prefix="memoryhub-start-"))
    parent.chmod(0o755)
    try:
        checkout = parent / "memoryhub"
        subprocess.run(["git", "clone", "--quiet", str(harness.ROOT), str(checkout)], check=True)
        cold = first_page(checkout, 300)
        warm = [first_page(checkout, 60) for _ in range(2 if options.quick else 5)]
    finally:
        shutil.rmtree(parent, ignore_errors=True)
    report.add(
        harness.Row(
            "fresh clone to the first page",
            cold * 1000,
            budget=f"<= {COLD_BUDGET:g} s",
            met=cold <= COLD_BUDGET,
        )
    )
    typical = harness.median(warm)
    report.add(
        harness.Row(
            "stopped to the first page",
            typical * 1000,
            max(warm) * 1000,
            budget=f"<= {WARM_BUDGET:g} s",
            met=typical <= WARM_BUDGET,
        )
    )
    report.show(options.json)


if __name__ == "__main__":
    main()
