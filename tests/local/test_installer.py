"""What is said while packages are installed, and when they can not be. No package is fetched."""

import sys
from pathlib import Path

import pytest

from memoryhub.local import installer
from memoryhub.local.failure import CannotStart


@pytest.mark.parametrize(
    ("output", "code"),
    [
        ("WARNING: Retrying ... NewConnectionError(... Temporary failure in name resolution", "no_network"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "hash_mismatch"),
        ("ERROR: something else", "cannot_start"),
    ],
)
def test_an_installers_complaint_becomes_one_sentence(tmp_path: Path, output: str, code: str) -> None:
    assert installer.explained(output, tmp_path / "install.log").code == code


def test_a_full_disk_is_said_at_once(tmp_path: Path) -> None:
    complaint = "raise SystemExit('OSError: [Errno 28] No space left on device')"
    with pytest.raises(CannotStart) as refused:
        installer._run([sys.executable, "-c", complaint], tmp_path / "install.log")
    assert refused.value.code == "disk_full"
    assert str(tmp_path) in refused.value.message


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("", "Looking for the packages."),
        ("Collecting a==1\n  Downloading a-1.whl\nCollecting b.c==2 (from -r x)\n", "Fetching b.c."),
        ("Downloading numpy (15.0MiB)\n Downloaded numpy\n", "Fetching numpy."),
        ("Collecting a\nInstalling collected packages: a", "Unpacking the packages."),
    ],
)
def test_progress_says_what_is_being_done(output: str, said: str) -> None:
    assert installer.progress(output) == said


def test_a_lock_without_a_fitting_package_is_refused_by_hash_or_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text(f"no-such-package-of-ours==1 --hash=sha256:{'0' * 64}\n")
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "empty-index").as_uri())
    with pytest.raises(CannotStart, match="No matching distribution"):
        installer.install(Path(sys.executable), lock, tmp_path / "install.log")


def test_an_index_of_pips_own_keeps_uv_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.example/simple")
    assert installer._has_own_index(Path(sys.executable))
