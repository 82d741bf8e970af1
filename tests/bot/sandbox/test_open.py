from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import bot.sandbox
from bot.errors import ConfigError, NoSandbox
from bot.model import Bounds, Job
from bot.sandbox import Box, _candidates, open_sandbox
from bot.sandbox.account import DYNAMIC, Account
from bot.sandbox.bare import Bare
from bot.sandbox.preflight import proven
from bot.sandbox.stage import stage
from tests.support import jail

RISK = "none-i-accept-the-risk"
AS_ROOT = os.getuid() == 0


@pytest.mark.skipif(not jail.SYSTEMS, reason=jail.NO_SYSTEMS)
def test_the_systems_bubblewrap_comes_first_and_the_wheels_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert open_sandbox(scratch=tmp_path).mode == "bwrap"
    monkeypatch.setattr(bot.sandbox, "SYSTEM", str(tmp_path / "none"))
    assert open_sandbox(scratch=tmp_path).mode == "bwrap-wheel"


def test_without_bubblewrap_it_refuses_and_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.sandbox, "SYSTEM", str(tmp_path / "none"))
    with pytest.raises(NoSandbox, match="apt-get install bubblewrap") as caught:
        open_sandbox("bwrap", scratch=tmp_path)
    assert caught.value.exit_code == 78


def test_a_bubblewrap_that_fails_is_passed_over_for_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: Unknown option --disable-userns' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(bot.sandbox, "SYSTEM", str(broken))
    assert open_sandbox(scratch=tmp_path).mode == "bwrap-wheel"
    with pytest.raises(NoSandbox, match="too old"):
        open_sandbox("bwrap", scratch=tmp_path)


def test_opening_leaves_nothing_in_the_scratch_folder(tmp_path: Path) -> None:
    open_sandbox(scratch=tmp_path)
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not jail.SYSTEMS, reason=jail.NO_SYSTEMS)
def test_it_opens_where_nothing_that_is_shown_lies_in_the_folder_of_temporary_files() -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as scratch:  # not where pytest's own folders lie
        assert open_sandbox(scratch=Path(scratch)).mode == "bwrap"


def test_where_namespaces_are_forbidden_it_refuses_and_says_how_to_mend_it(tmp_path: Path) -> None:
    """The real thing: inside our own sandbox there can be no other."""
    box = jail.box(tmp_path)
    work = jail.folder(box, tmp_path / "work")
    site = str(Path(bot.sandbox.__file__).parents[2])
    source = f"""
import sys
sys.path[:0] = [{site!r}, *{[one for one in sys.path if one]!r}]
from pathlib import Path
from bot.errors import NoSandbox
from bot.sandbox import open_sandbox
try:
    print("opened", open_sandbox({box.mode!r}, scratch=Path("/tmp")).mode)
except NoSandbox as error:
    print(error)
    sys.exit(error.exit_code)
"""
    job = Job((jail.PYTHON.python, "-I", "-c", source), str(work), read=(*jail.PYTHON.read, site))
    ran = box.run(job)
    assert ran.status == 78, ran.stderr.decode()
    assert b"user namespaces are off" in ran.stdout
    assert b"sysctl -w" in ran.stdout


def test_the_self_test_sees_what_an_open_door_lets_through(tmp_path: Path) -> None:
    account = Account(DYNAMIC, DYNAMIC) if AS_ROOT else None
    owner = (DYNAMIC, DYNAMIC) if AS_ROOT else None
    scratch = reachable(tmp_path)
    try:
        with pytest.raises(NoSandbox) as caught:
            proven(Box("open", owner, Bare(account, 2 * 1024**3, scratch), 2 * 1024**3), scratch)
    finally:
        shutil.rmtree(scratch)
    for miss in ("Seccomp is 0", "network is", "canary is found", "work is written"):
        assert miss in str(caught.value)


def reachable(tmp_path: Path) -> Path:
    """A folder that another user can walk to; pytest's own are private."""
    folder = Path("/tmp", f"plusone-test-{os.getpid()}-{tmp_path.name}")
    folder.mkdir()
    return folder


@pytest.mark.skipif(not AS_ROOT, reason="an ordinary user is not dropped, and walks where it can")
def test_the_opt_out_names_the_folder_that_the_dropped_user_cannot_walk_through(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    box = open_sandbox(RISK, "vm", scratch=tmp_path)
    work = jail.folder(box, tmp_path / "work")
    with pytest.raises(NoSandbox, match="is closed to user 61500"):
        box.run(Job(("true",), str(work)))


@pytest.mark.parametrize("outer", ["", "house"])
def test_the_opt_out_needs_to_know_what_surrounds_it(tmp_path: Path, outer: str) -> None:
    with pytest.raises(ConfigError, match=r"sandbox\.outer"):
        open_sandbox(RISK, outer, scratch=tmp_path)


def test_an_unknown_mode_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no none"):
        open_sandbox("none", scratch=tmp_path)


def test_the_opt_out_runs_with_our_environment_and_limits_and_never_as_root(tmp_path: Path) -> None:
    scratch = reachable(tmp_path)
    try:
        box = open_sandbox(RISK, "container", scratch=scratch)
        work = jail.folder(box, scratch / "work")
        ran = box.run(Job(("sh", "-c", "id -u; pwd; cd /w && pwd; env; ulimit -n"), str(work), env={"AT": "/w/x"}))
        assert box.mode == f"{RISK}/container"
        lines = ran.stdout.decode().splitlines()
        assert lines[0] == str(DYNAMIC if AS_ROOT else os.getuid()) != "0"
        assert lines[1] == lines[2] == str(work)
        seen = dict(line.split("=", 1) for line in lines[3:-1])
        assert seen.keys() == {
            "PATH", "HOME", "TMPDIR", "LANG", "PYTHONDONTWRITEBYTECODE", "PYTHONNOUSERSITE", "PWD", "OLDPWD", "AT",
        }  # fmt: skip
        assert seen["AT"] == f"{work}/x"
        assert lines[-1] == "512"
        assert os.listdir(scratch) == ["work"]
    finally:
        shutil.rmtree(scratch)


def test_the_opt_out_still_ends_the_whole_group(tmp_path: Path) -> None:
    scratch = reachable(tmp_path)
    token = f"61{os.getpid()}"
    try:
        box = open_sandbox(RISK, "vm", scratch=scratch)
        work = jail.folder(box, scratch / "work")
        script = f"sleep {token} & sleep {token} & setsid sleep {token} & wait"
        ran = box.run(Job(("sh", "-c", script), str(work), bounds=Bounds(seconds=0.5)))
        assert ran.ended == "wall"
        assert jail.gone(token, 15)
    finally:
        shutil.rmtree(scratch)


def test_an_unknown_processor_has_no_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(NoSandbox, match="no system call table for riscv64") as caught:
        open_sandbox(scratch=tmp_path)
    assert caught.value.exit_code == 78


@pytest.mark.skipif(not AS_ROOT, reason="an ordinary user has no rights to drop")
def test_where_the_administrators_rights_cannot_be_dropped_nothing_is_run(tmp_path: Path) -> None:
    """The real thing: an administrator who may not become anybody else, as in some containers."""
    source = f"""
import sys
from pathlib import Path
from bot.errors import NoSandbox
from bot.sandbox import open_sandbox
try:
    print("opened", open_sandbox(scratch=Path({str(tmp_path)!r})).mode)
except NoSandbox as error:
    print(error)
    sys.exit(error.exit_code)
"""
    less = ("/usr/bin/setpriv", "--bounding-set=-setuid,-setgid", "--inh-caps=-setuid,-setgid")
    command = [*less, sys.executable, "-c", source]
    ran = subprocess.run(command, cwd=jail.PROJECT, capture_output=True, text=True, check=False)
    assert ran.returncode == 78, ran.stdout + ran.stderr
    assert "the administrator's rights cannot be dropped" in ran.stdout and "set sandbox.user" in ran.stdout


def test_a_user_that_does_not_exist_is_a_configuration_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no user nobody-here"):
        open_sandbox(user="nobody-here", scratch=tmp_path)


def test_the_administrator_is_no_user_to_drop_to(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is the administrator"):
        open_sandbox(user="root", scratch=tmp_path)


@pytest.mark.skipif(not AS_ROOT, reason="only the administrator can drop to another user")
def test_a_named_user_owns_what_jobs_write(tmp_path: Path) -> None:
    box = open_sandbox(user="nobody", scratch=tmp_path)
    work = jail.folder(box, tmp_path / "work")
    assert box.owner is not None
    box.run(Job(("touch", "file"), str(work), profile="agent"))
    assert (work / "file").stat().st_uid == box.owner[0]


@pytest.mark.skipif(not AS_ROOT, reason="this whole run is one by an ordinary user already")
def test_the_attacks_and_limits_hold_for_an_ordinary_user_too(tmp_path: Path) -> None:
    account = Account(DYNAMIC, DYNAMIC)
    account.own(tmp_path)
    read, write = os.pipe()
    bwrap = next(path for _, path, _ in _candidates("auto"))
    drop = stage(bwrap, account, write, [str(tmp_path)], [*jail.PYTHON.read, str(jail.PROJECT)])
    files = [str(jail.PROJECT / "tests/bot/sandbox" / name) for name in ("test_attacks.py", "test_limits.py")]
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", f"--basetemp={tmp_path}/base", f"--rootdir={jail.PROJECT}"]
    command = [*drop, sys.executable, "-B", "-m", "pytest", "-q", *options, *files]
    environment = {"PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path), "PYTHONPATH": str(jail.PROJECT)}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, pass_fds=(write,), timeout=110)
    os.close(read)
    os.close(write)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert " skipped" not in ran.stdout
