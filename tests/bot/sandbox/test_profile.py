from __future__ import annotations

from pathlib import Path

import pytest

from bot.model import Bounds, Job
from bot.sandbox.account import Account
from bot.sandbox.profile import Channels, arguments, environment, limited, variables, visible
from bot.sandbox.stage import stage


def words(**job: object) -> str:
    """The arguments for a job, each followed by a blank."""
    made = Job(("true",), "/srv/work", **job)  # type: ignore[arg-type]
    return " ".join(arguments(made, Channels(3, 4, 5, 6, 7), ())) + " "


@pytest.mark.parametrize(
    "belt",
    [
        "--unshare-user ", "--unshare-ipc ", "--unshare-pid ", "--unshare-net ", "--unshare-uts ", "--disable-userns ",
        "--unshare-cgroup-try ", "--die-with-parent ", "--new-session ", "--clearenv ", "--cap-drop ALL ",
        "--ro-bind /proc/sys /proc/sys ", "--seccomp 3 ", "--json-status-fd 6 ", "--remount-ro / ",
    ],
)  # fmt: skip
def test_every_belt_is_worn_though_braces_hold_too(belt: str) -> None:
    assert belt in words()
    assert belt in words(profile="agent")


@pytest.mark.parametrize(
    ("job", "bind"),
    [({}, "--ro-bind"), ({"writable": True}, "--bind"), ({"profile": "agent"}, "--bind")],
    ids=["check", "served", "agent"],
)
def test_only_the_agent_and_private_copies_may_write(job: dict[str, object], bind: str) -> None:
    assert f" {bind} /srv/work /w " in words(**job)


def test_nothing_of_the_host_is_writable_but_the_work(tmp_path: Path) -> None:
    said = words(profile="agent", read=(str(tmp_path),)).split()
    assert [said[at + 1] for at, word in enumerate(said) if word == "--bind"] == ["/srv/work"]


def test_what_is_lent_comes_outer_folders_first_and_the_systems_own_is_left_out() -> None:
    assert visible(("/srv/a/b", "/usr/lib/python3", "/srv/a", "/usr", "/srv/a", "/usrlocal")) == [
        "/srv/a", "/srv/a/b", "/usrlocal",
    ]  # fmt: skip


def test_an_interpreter_that_is_lent_comes_first_on_the_path(tmp_path: Path) -> None:
    (tmp_path / "venv/bin").mkdir(parents=True)
    (tmp_path / "venv/bin/python").touch()
    job = Job(("true",), "/srv", read=(str(tmp_path), str(tmp_path / "venv")))
    assert environment(job)["PATH"] == f"{tmp_path}/venv/bin:/usr/bin:/bin"


def test_the_environment_is_on_no_command_line_where_every_user_could_read_it() -> None:
    assert "harbour-4711" not in words(env={"KEY": "harbour-4711"})
    assert b"--setenv\0KEY\0harbour-4711\0" in variables(Job(("true",), "/srv", env={"KEY": "harbour-4711"}))


def test_limits_stand_before_the_command_and_after_them_nothing_is_read_as_an_option() -> None:
    said = limited(("--version",), Bounds(seconds=1.2, file=10, processes=3), 99)
    assert said[:4] == ["/usr/bin/timeout", "-s", "KILL", "7"]
    assert {"--as=99", "--fsize=10", "--nproc=3", "--core=0"} < set(said)
    assert said[-2:] == ["--", "--version"]
    assert not any(word.startswith("--as") for word in limited(("true",), Bounds(reserving=True), 99))
    assert "--nproc=3" not in limited(("true",), Bounds(processes=3), 99, alone=False)


def test_every_folder_above_what_the_dropped_user_needs_is_open_to_it() -> None:
    said = " ".join(stage("/usr/bin/bwrap", Account(7, 8), 9, ["/root/state/w"], ["/root/py"]))
    assert "--perms 0755 --dir /root --perms 0755 --dir /root/state --perms 0755 --dir /tmp --ro-bind /root/py" in said
    assert said.endswith("--chdir / -- /usr/bin/setpriv --reuid 7 --regid 8 --clear-groups --")
