from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox import Box
from tests.support import jail

Seen = dict[str, Any]
SECRET = "a-key-that-only-we-may-know"


@pytest.fixture(scope="module", params=jail.MODES)
def sandbox(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Box:
    return jail.box(tmp_path_factory.mktemp("scratch"), request.param)


@pytest.fixture(scope="module")
def listening() -> Iterator[tuple[int, str]]:
    """A port and an abstract socket of the host."""
    name = f"plusone-test-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("\0" + name)
        abstract.listen()
        yield port.getsockname()[1], name


def attack(sandbox: Box, work: Path, listening: tuple[int, str], profile: str) -> Seen:
    canary = work.parent / "canary"
    canary.write_text("outside")
    (work.parent / ".ssh").mkdir(exist_ok=True)
    (work.parent / ".ssh/id_ed25519").write_text("outside")
    with subprocess.Popen(["/bin/sleep", "60"]) as outside:
        arguments = (str(canary), str(listening[0]), listening[1], str(outside.pid))
        ran = sandbox.run(jail.python(jail.ATTACKER, work, *arguments, profile=profile))
        outside.kill()
    assert (ran.status, ran.ended) == (0, "exit"), ran.stderr.decode()
    seen: Seen = json.loads(ran.stdout)
    return seen


@pytest.fixture(scope="module")
def agent(sandbox: Box, tmp_path_factory: pytest.TempPathFactory, listening: tuple[int, str]) -> Iterator[Seen]:
    """What an attacker in the agent's profile achieved."""
    os.environ["PLUSONE_CANARY"] = SECRET
    work = jail.folder(sandbox, tmp_path_factory.mktemp("agent") / "work")
    yield attack(sandbox, work, listening, "agent") | {"left": sorted(os.listdir(work))}
    os.environ.pop("PLUSONE_CANARY", None)


@pytest.fixture(scope="module")
def check(sandbox: Box, tmp_path_factory: pytest.TempPathFactory, listening: tuple[int, str]) -> Seen:
    """What an attacker in the read-only profile achieved."""
    work = jail.folder(sandbox, tmp_path_factory.mktemp("check") / "work")
    (work / ".git").mkdir()
    return attack(sandbox, work, listening, "check")


def test_files_beside_the_workspace_and_the_hosts_own_are_not_there(agent: Seen) -> None:
    assert set(agent["files"].values()) == {"ENOENT"}


def test_no_environment_inside_holds_the_parents_secret(agent: Seen) -> None:
    assert SECRET not in agent["processes"]["environments"]
    assert "HOME=/home" in agent["processes"]["environments"]


def test_only_the_three_standard_descriptors_are_open(agent: Seen) -> None:
    ours = [one for one in agent["fds"] if not one.endswith("/fd")]
    assert sorted(one.split(":")[0] for one in ours) == ["0", "1", "2"]
    assert len(agent["first"]) <= 4


def test_the_agent_writes_in_its_workspace_and_nowhere_else(agent: Seen) -> None:
    done = {path for path, ended in agent["writes"].items() if ended == "done"}
    assert done == {"/w/new", "/tmp/new"}
    assert agent["left"] == ["new"]


def test_a_check_writes_nothing_below_its_folder(check: Seen) -> None:
    assert check["writes"]["/w/new"] == "EROFS"
    assert {path for path, ended in check["writes"].items() if ended == "done"} == {"/tmp/new"}


def test_the_repository_folder_can_be_neither_filled_nor_replaced(agent: Seen, check: Seen) -> None:
    assert "done" not in {*agent["repository"].values(), *check["repository"].values()}


def test_nothing_on_the_network_answers(agent: Seen) -> None:
    network = agent["network"]
    assert network["host"] == network["abstract"] == "ECONNREFUSED"
    assert network["outside"] == "ENETUNREACH"
    assert network["names"] != "done"
    assert network["interfaces"] == ["lo"]


def test_strange_socket_families_are_refused_and_pairs_still_work(agent: Seen) -> None:
    assert agent["network"]["vsock"] == agent["network"]["packet"] == "EPERM"
    assert agent["network"]["pair"] == "done"


def test_processes_outside_cannot_be_seen_or_signalled(agent: Seen) -> None:
    assert agent["processes"]["kill"] == "ESRCH"
    assert agent["processes"]["count"] < 10


def test_dangerous_system_calls_are_refused(agent: Seen) -> None:
    expected = dict.fromkeys(agent["calls"], "EPERM") | {"clone3": "ENOSYS"}  # the library then takes clone
    assert agent["calls"] == expected


def test_it_holds_no_capability_and_can_gain_none(agent: Seen) -> None:
    wanted = {"CapEff": "0" * 16, "CapPrm": "0" * 16, "CapBnd": "0" * 16, "NoNewPrivs": "1", "Seccomp": "2"}
    assert {name: agent["status"][name] for name in wanted} == wanted


def test_it_is_not_the_hosts_administrator(agent: Seen) -> None:
    assert agent["user"] == 1000
    assert agent["owner"] == 65534  # who owns the system outside has no number inside


def test_the_kernels_settings_cannot_be_written(agent: Seen) -> None:
    assert "done" not in agent["kernel"].values()


def test_the_terminal_cannot_be_typed_into_or_opened(agent: Seen) -> None:
    assert agent["terminal"]["type"] == agent["terminal"]["type_high"] == "EPERM"
    assert agent["terminal"]["open"] == "ENXIO"


def test_what_it_writes_belongs_to_the_owner(sandbox: Box, tmp_path: Path) -> None:
    work = jail.folder(sandbox, tmp_path / "work")
    sandbox.run(jail.python("open('file', 'w').close(); import os; os.chmod('file', 0o4755)", work))
    info = (work / "file").stat()
    assert (info.st_uid, info.st_gid) == (sandbox.owner or (os.getuid(), os.getgid()))
    assert info.st_uid != 0
