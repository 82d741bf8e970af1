"""The gateway to git: its environment, its status, its limits, and the builders."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from bot.errors import CommandFailed, ConfigError
from bot.store import git as gateway
from bot.store.git import Git, Identity, clone, commit_files, found, last_words
from tests.support.repository import PERSON, SITE, git, write


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    write(tmp_path / "first", SITE)
    found(tmp_path / "bare.git", tmp_path / "first", "First", PERSON, "main")
    return tmp_path / "bare.git"


def test_nothing_of_our_environment_reaches_git(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUSONE_CANARY", "secret")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "alias.leak")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "!env")
    with pytest.raises(CommandFailed, match="leak"):
        Git(bare).run("leak")
    seen = Git(bare, settings=("alias.leak=!env",)).run("leak").decode()
    assert "CANARY" not in seen
    assert "HOME=/nonexistent" in seen


def test_a_failure_is_raised_with_gits_own_words_made_inert(bare: Path) -> None:
    with pytest.raises(CommandFailed, match=r"git rev-parse: fatal: .*") as caught:
        Git(bare).run("rev-parse", "--verify", "no\x1b[31msuch")
    assert "\x1b" not in str(caught.value)


def test_bytes_go_in_and_come_out_unchanged(bare: Path) -> None:
    content = bytes(range(256)) + b"\n\n"
    oid = Git(bare).run("hash-object", "-w", "--no-filters", "--stdin", stdin=content).decode().strip()
    assert Git(bare).run("cat-file", "blob", oid) == content
    assert b"".join(Git(bare).stream("cat-file", "blob", oid, size=7)) == content


def test_a_stream_that_fails_is_an_error_too(bare: Path) -> None:
    with pytest.raises(CommandFailed):
        list(Git(bare).stream("cat-file", "blob", "0" * 40))


def test_a_command_without_end_is_stopped(bare: Path) -> None:
    endless = Git(bare, settings=("alias.wait=!sleep 30",), seconds=1)
    with pytest.raises(CommandFailed, match="no end after 1 seconds"):
        endless.run("wait")


def sleeping(sign: str) -> bool:
    """Whether a program that was told to sleep that long is there."""
    found = False
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found = found or path.read_bytes() == f"sleep\0{sign}\0".encode()
    return found


def comes_true(what: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 30
    while not what() and time.monotonic() < deadline:
        time.sleep(0.05)
    return what()


class Asked(BaseException):
    """To end."""


def test_a_command_that_is_interrupted_ends_with_all_that_it_started(bare: Path) -> None:
    def interrupt() -> None:
        comes_true(lambda: sleeping("7171"))
        os.kill(os.getpid(), signal.SIGUSR1)

    def interrupted(_number: int, _frame: object) -> None:
        raise Asked

    before = signal.signal(signal.SIGUSR1, interrupted)
    interrupting = Thread(target=interrupt)
    interrupting.start()
    try:
        with pytest.raises(Asked):
            Git(bare, settings=("alias.wait=!sleep 7171",)).run("wait")
    finally:
        interrupting.join()
        signal.signal(signal.SIGUSR1, before)
    assert comes_true(lambda: not sleeping("7171"))


def test_a_command_ends_when_we_are_killed(bare: Path) -> None:
    code = "import sys; from pathlib import Path; from bot.store.git import Git\n"
    code += "Git(Path(sys.argv[1]), settings=('alias.wait=!sleep 7272',)).run('wait')"
    ours = subprocess.Popen([sys.executable, "-c", code, str(bare)])
    try:
        assert comes_true(lambda: sleeping("7272"))
    finally:
        ours.kill()
        ours.wait()
    assert comes_true(lambda: not sleeping("7272"))


def test_a_missing_git_names_the_package(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "PROGRAM", Path("/nonexistent/git"))
    with pytest.raises(ConfigError, match="apt-get install git"):
        Git(bare).run("version")


def test_no_protocol_is_spoken_unless_it_is_allowed(bare: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandFailed, match="not allowed"):
        Git(bare).run("ls-remote", str(bare))


def test_a_full_disk_is_told_rather_than_what_failed_for_it() -> None:
    said = "fatal: write error: No space left on device\nfatal: index-pack failed\n"
    assert last_words(said, 128, 5) == "fatal: write error: No space left on device"
    theirs = "remote: error: file write error: No space left on device\nfatal: the remote end hung up\n"
    assert last_words(theirs, 128, 5) == "fatal: the remote end hung up"


def test_the_last_words_leave_hints_out() -> None:
    assert last_words("error: one\nfatal: two\nhint: try\nplain\n", 128, 5) == "fatal: two"
    assert last_words("", 3, 5) == "exit status 3"


def test_root_becomes_the_user_that_is_named() -> None:
    argv = replace(Git(), user=(61500, 61500)).argv(("version",), {})
    assert argv.index("--reuid=61500") < argv.index("/usr/bin/git")


def test_a_founded_repository_holds_modes_names_and_nothing_of_hooks(bare: Path) -> None:
    assert "100755 blob" in git(bare, "ls-tree", "-r", "main", "run.sh")
    assert git(bare, "show", "main:pages/two words.html") == "<p>two</p>"
    assert not (bare / "hooks").exists()


def test_equal_inputs_make_equal_commits(tmp_path: Path) -> None:
    write(tmp_path / "files", SITE)
    one, two = (found(tmp_path / name, tmp_path / "files", "First", PERSON, "main") for name in ("a.git", "b.git"))
    assert one == two


def test_a_time_without_an_offset_is_refused() -> None:
    with pytest.raises(ConfigError, match="offset"):
        assert Identity("A", "a@b.c", "2026-01-01T00:00:00").variables


def test_a_clone_is_an_ordinary_checkout_that_a_person_can_pull(bare: Path, tmp_path: Path) -> None:
    clone(str(bare), tmp_path / "checkout", "main")
    commit_files(bare, "main", {"new.txt": b"new", "app.py": None}, "More", PERSON)
    git(tmp_path / "checkout", "pull", "--quiet", "--ff-only")
    assert (tmp_path / "checkout/new.txt").read_text() == "new"
    assert not (tmp_path / "checkout/app.py").exists()
    assert stat.S_IMODE((tmp_path / "checkout/run.sh").stat().st_mode) & 0o100
