"""One cycle per site, over the real lock."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.errors import ConfigError, LockHeld
from bot.machine.lock import held

HOLD = """
import sys
from pathlib import Path
from bot.machine.lock import held

with held(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_the_lock_is_free_again_after_the_block(tmp_path: Path) -> None:
    for _ in range(2):
        with held(tmp_path / "lock"):
            assert (tmp_path / "lock").exists()


def test_a_second_holder_is_turned_away_at_once_with_75(tmp_path: Path) -> None:
    with (
        held(tmp_path / "lock"),
        pytest.raises(LockHeld, match=r"it holds .*/lock") as refused,
        held(tmp_path / "lock"),
    ):
        pass
    assert refused.value.exit_code == 75


def test_the_lock_is_free_after_an_exception(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), held(tmp_path / "lock"):
        raise ZeroDivisionError
    with held(tmp_path / "lock"):
        pass


def test_the_kernel_frees_the_lock_of_a_killed_process(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(LockHeld), held(path):
            pass
        other.send_signal(signal.SIGKILL)
        other.wait()
    with held(path):
        pass


def test_a_child_does_not_inherit_the_lock(tmp_path: Path) -> None:
    with held(tmp_path / "lock"):
        child = subprocess.Popen(["sleep", "60"])
    try:
        with held(tmp_path / "lock"):
            pass
    finally:
        child.kill()
        child.wait()


def test_a_symlink_in_the_lock_s_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="cannot be opened"), held(tmp_path / "lock"):
        pass
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_that_cannot_be_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="make the state folder writable"), held(tmp_path / "file" / "lock"):
        pass
