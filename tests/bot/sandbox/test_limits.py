from __future__ import annotations

import os
import platform
import socket
import subprocess
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bot.errors import NoSandbox
from bot.model import Bounds, Job
from bot.sandbox import Box
from tests.support import jail

MIB = 1024**2
DAEMONS = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for _ in range(5):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
{then}
"""

BOMB = """
import os, time
made = 0
try:
    while made < 600:
        if os.fork() == 0:
            time.sleep(60)
        made += 1
except BlockingIOError:
    pass
"""
BOTH = pytest.mark.parametrize("sandbox", jail.MODES, indirect=True)
FORKS_ELSEWHERE = """
import os, signal, time
with open("/proc/2/syscall") as file:  # the tool that keeps the time
    place = int(file.read().split()[-1], 16)
code = bytes.fromhex("bb") + ({count}).to_bytes(4, "little")  # as often as that: fork; then all of them wait
code += bytes.fromhex("b8390000000f0585c07404ffcb75f1b8220000000f05ebf7")
with open("/proc/2/mem", "r+b", buffering=0) as file:
    file.seek(place)
    file.write(code)
print("planted", flush=True)
os.kill(2, signal.SIGCHLD)
time.sleep(10)
"""


@pytest.fixture(scope="module")
def sandbox(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Box:
    return jail.box(tmp_path_factory.mktemp("scratch"), getattr(request, "param", "auto"))


@pytest.fixture
def work(sandbox: Box, tmp_path: Path) -> Path:
    return jail.folder(sandbox, tmp_path / "work")


@pytest.fixture
def token() -> str:
    return f"token-{uuid.uuid4().hex}"


def test_a_job_gets_its_input_and_gives_its_output_and_status(sandbox: Box, work: Path) -> None:
    text = b"x" * (3 * MIB)
    ran = sandbox.run(Job(("/bin/sh", "-c", "cat; echo said >&2; exit 7"), str(work), stdin=text))
    assert (ran.status, ran.ended, ran.stdout == text, ran.stderr) == (7, "exit", True, b"said\n")


def test_a_command_that_is_missing_is_the_commands_failure(sandbox: Box, work: Path) -> None:
    ran = sandbox.run(Job(("no-such-command",), str(work)))
    assert (ran.status, ran.ended) == (127, "exit")


def test_a_path_that_is_missing_is_the_sandboxs_failure(sandbox: Box, work: Path) -> None:
    with pytest.raises(NoSandbox, match="/no/such/folder"):
        sandbox.run(Job(("true",), str(work), read=("/no/such/folder",)))


def test_the_environment_is_ours_and_the_jobs(sandbox: Box, work: Path) -> None:
    ran = sandbox.run(Job(("env",), str(work), env={"MODE": "test", "LANG": "C"}, read=jail.PYTHON.read))
    seen = dict(line.split("=", 1) for line in ran.stdout.decode().splitlines())
    path = seen.pop("PATH").split(":")
    assert path[-2:] == ["/usr/bin", "/bin"]
    assert path[0] == str(Path(jail.PYTHON.python).parent) or not jail.PYTHON.read
    assert seen == {
        "HOME": "/home", "TMPDIR": "/tmp", "LANG": "C", "MODE": "test", "PWD": "/w",
        "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1",
    }  # fmt: skip


@BOTH
def test_forks_stop_at_the_limit(sandbox: Box, work: Path) -> None:
    source = BOMB + "print(made, flush=True)\nos._exit(0)\n"
    ran = sandbox.run(jail.python(source, work, bounds=Bounds(seconds=30, processes=40)))
    assert 20 < int(ran.stdout) < 40


def test_the_limit_counts_the_sandbox_alone_and_nobody_outside_feels_it(sandbox: Box, work: Path) -> None:
    """Processes of the same user outside take none of the job's, and the job's bomb takes none of theirs."""
    source = BOMB + "print(made, flush=True)\ntime.sleep(0.3)\nos._exit(0)\n"
    outside = [somebody(sandbox, "/bin/sleep", "60") for _ in range(30)]
    with ThreadPoolExecutor() as pool:
        running = pool.submit(sandbox.run, jail.python(source, work, bounds=Bounds(seconds=30, processes=25)))
        while not running.done():
            assert somebody(sandbox, "/bin/true").wait() == 0
    assert 10 < int(running.result().stdout) < 25
    assert all(one.poll() is None for one in outside)
    for one in outside:
        one.kill()
        one.wait()


def somebody(sandbox: Box, *argv: str) -> subprocess.Popen[bytes]:
    """A process of the user that the jobs have on the host."""
    if sandbox.owner is None:
        return subprocess.Popen(argv)
    return subprocess.Popen(argv, user=sandbox.owner[0], group=sandbox.owner[1], extra_groups=[])


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the program that is planted is written for x86-64")
def test_a_process_that_was_made_to_fork_without_its_limit_ends_the_run(sandbox: Box, work: Path, token: str) -> None:
    ran = sandbox.run(jail.python(FORKS_ELSEWHERE.format(count=400), work, token, bounds=Bounds(seconds=20)))
    assert (ran.ended, ran.stdout) == ("processes", b"planted\n")
    assert not jail.alive(token)


def test_every_process_inside_has_the_limits_of_the_command(sandbox: Box, work: Path) -> None:
    source = """
import os
NAMES = ("Max address space", "Max file size", "Max open files", "Max cpu time", "Max core file size")
for pid in filter(str.isdigit, os.listdir("/proc")):
    with open(f"/proc/{pid}/limits") as lines:
        print([line.split("  ")[0] + line[20:].split()[1] for line in lines if line.startswith(NAMES)])
"""
    said = sandbox.run(jail.python(source, work)).stdout.splitlines()
    assert len(said) >= 3
    assert len(set(said)) == 1


def test_one_process_cannot_take_more_memory_than_it_may(sandbox: Box, work: Path) -> None:
    source = "try:\n  bytearray(3 * 1024**3)\nexcept MemoryError:\n  print('refused')"
    assert sandbox.run(jail.python(source, work)).stdout == b"refused\n"


@BOTH
def test_a_tree_of_processes_that_together_takes_too_much_is_ended(sandbox: Box, work: Path, token: str) -> None:
    source = "import os, time\nfor _ in range(4): os.fork()\nheld = b'x' * (20 * 1024**2)\ntime.sleep(60)"
    ran = sandbox.run(jail.python(source, work, token, bounds=Bounds(seconds=30, memory=150 * MIB)))
    assert ran.ended == "memory"
    assert ran.seconds < 15
    assert not jail.alive(token)


def test_one_that_may_reserve_more_is_ended_for_what_it_uses(sandbox: Box, work: Path, token: str) -> None:
    """As a browser is: with gigabytes of addresses, and the same watch on its memory."""
    reserve = "import mmap, time\nmmap.mmap(-1, 40 * 1024**3, flags=0x4022, prot=1)\n"
    source = reserve + "held = b'x' * (300 * 1024**2)\ntime.sleep(60)"
    bounds = Bounds(seconds=30, memory=150 * MIB, reserving=True)
    ran = sandbox.run(jail.python(source, work, token, bounds=bounds))
    assert (ran.ended, ran.stderr) == ("memory", b"")
    assert not jail.alive(token)


UNMAPPED = (
    "fd = os.memfd_create('x')\n    os.write(fd, block)",
    "held.append(mmap.mmap(-1, len(block)))\n    held[-1][:] = block\n    held[-1].madvise(mmap.MADV_DONTNEED)",
)


def test_memory_that_no_process_maps_counts_too(sandbox: Box, work: Path) -> None:
    """In a file without a name, and shared and no longer mapped. The machine's growth is what counts, and others may
    give memory back meanwhile: so one after the other, and far more than they may have.
    """
    for source in UNMAPPED:
        held = (
            f"import mmap, os, time\nos.fork()\nheld, block = [], b'x' * {8 * MIB}\nfor _ in range(40):\n    {source}\n"
        )
        ran = sandbox.run(jail.python(held + "time.sleep(60)", work, bounds=Bounds(seconds=30, memory=400 * MIB)))
        assert (ran.ended, ran.seconds < 15) == ("memory", True), source


def test_nothing_can_be_put_beside_the_devices(sandbox: Box, work: Path) -> None:
    assert sandbox.run(Job(("/bin/sh", "-c", "echo x >/dev/null"), str(work))).status == 0
    source = "try:\n  open('/dev/new', 'w')\nexcept OSError as error:\n  print(error.errno)"
    assert sandbox.run(jail.python(source, work)).stdout == b"30\n"  # EROFS


def test_a_file_stops_at_its_size(sandbox: Box, work: Path) -> None:
    source = "try:\n  open('big', 'wb').write(b'x' * 3_000_000)\nexcept OSError as error:\n  print(error.errno)"
    ran = sandbox.run(jail.python(source, work, bounds=Bounds(seconds=30, file=MIB)))
    assert ran.stdout == b"27\n"  # EFBIG
    assert (work / "big").stat().st_size == MIB


def test_scratch_space_stops_at_its_size(sandbox: Box, work: Path) -> None:
    source = """
block = b'x' * 2**20
try:
    for name in range(20):
        with open(f'/dev/shm/{name}', 'wb') as file:
            file.write(block)
except OSError as error:
    print(name, error.errno)
"""
    assert sandbox.run(jail.python(source, work)).stdout == b"16 28\n"  # ENOSPC


@pytest.mark.parametrize("profile", ["agent", "served"])
def test_a_workspace_that_outgrows_its_cap_ends_the_run(sandbox: Box, work: Path, profile: str) -> None:
    source = "import time\nfor n in range(8): open(str(n), 'wb').write(b'x' * 2**20)\ntime.sleep(60)"
    bounds = Bounds(seconds=30, work_bytes=3 * MIB)
    ran = sandbox.run(jail.python(source, work, bounds=bounds, profile=profile))
    assert ran.ended == "workspace"
    assert ran.seconds < 15


@pytest.mark.parametrize(
    "source",
    [
        "for n in range(30): open(str(n), 'w').close()",
        "import os\nos.mkdir('d')\nopen('d/x', 'w').close()\nos.chmod('d', 0)",
        "import os\nfor n in range(25): os.mkdir('d' * 200); os.chdir('d' * 200)",
    ],
    ids=["too many files", "a folder closed to us", "a path too long to name"],
)
def test_a_short_run_is_measured_at_its_end(sandbox: Box, work: Path, source: str) -> None:
    ran = sandbox.run(jail.python(source, work, bounds=Bounds(seconds=30, work_files=20)))
    assert ran.ended == "workspace" or (os.getuid() == 0 and "chmod" in source)  # we can look into any folder


def test_output_is_cut_at_its_cap_and_the_run_ended(sandbox: Box, work: Path, token: str) -> None:
    source = "import os, sys\nwhile True: os.write(1, b'x' * 65536); os.write(2, b'y' * 65536)"
    ran = sandbox.run(jail.python(source, work, token, bounds=Bounds(seconds=30, output=MIB)))
    assert ran.ended == "output"
    assert len(ran.stdout) + len(ran.stderr) == MIB
    assert not jail.alive(token)


@BOTH
def test_a_tree_that_ignores_signals_ends_with_its_time(sandbox: Box, work: Path, token: str) -> None:
    source = DAEMONS.format(then="while True: pass")
    ran = sandbox.run(jail.python(source, work, token, bounds=Bounds(seconds=1)))
    assert (ran.ended, ran.seconds < 15) == ("wall", True)
    assert not jail.alive(token)


def test_daemons_end_with_the_command_that_left_them(sandbox: Box, work: Path, token: str) -> None:
    ran = sandbox.run(jail.python(DAEMONS.format(then="time.sleep(0.1)"), work, token))
    assert (ran.ended, ran.status) == ("exit", 0)
    assert not jail.alive(token)


@BOTH
def test_nothing_lives_on_when_the_parent_is_killed(sandbox: Box, work: Path, token: str, tmp_path: Path) -> None:
    parent = f"""
import sys
from pathlib import Path
from tests.support import jail
box = jail.box(Path({str(tmp_path)!r}), {sandbox.mode!r})
box.run(jail.python(sys.argv[1], Path({str(work)!r}), {token!r}))
"""
    source = DAEMONS.format(then="open('begun', 'w').close()\ntime.sleep(600)")
    ours = subprocess.Popen([sys.executable, "-c", parent, source], cwd=jail.PROJECT)
    deadline = time.monotonic() + 20
    while not (work / "begun").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(jail.alive(token)) >= 6
    ours.kill()
    ours.wait()
    assert jail.gone(token, 15)


def test_a_socket_in_the_folder_is_refused_before_anything_runs(
    sandbox: Box, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(work)  # a socket's whole path may not be long
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("door")
        with pytest.raises(NoSandbox, match="door is a socket"):
            sandbox.run(Job(("touch", "ran"), str(work), profile="agent"))
    assert not (work / "ran").exists()


def test_a_dead_socket_that_a_job_left_does_not_stop_the_next(sandbox: Box, work: Path) -> None:
    sandbox.run(jail.python("import socket\nsocket.socket(socket.AF_UNIX).bind('door')", work))
    assert not (work / "door").exists()
    assert sandbox.run(Job(("true",), str(work))).status == 0


@pytest.mark.parametrize("profile", ["agent", "check"])
def test_a_repository_folder_is_hidden_and_a_repository_file_too(sandbox: Box, work: Path, profile: str) -> None:
    (work / ".git").mkdir()
    (work / ".git" / "config").write_text("secret")
    job = jail.python("import os; print(os.listdir('.git'))", work, profile=profile)
    assert sandbox.run(job).stdout == b"[]\n"
    (work / ".git" / "config").unlink()
    (work / ".git").rmdir()
    (work / ".git").write_text("gitdir: elsewhere")
    source = "for mode in 'rw':\n  try:\n    print(open('.git', mode).read())\n  except OSError:\n    print('refused')"
    assert sandbox.run(jail.python(source, work, profile=profile)).stdout == b"refused\nrefused\n"
    assert (work / ".git").read_text() == "gitdir: elsewhere"


def test_a_repository_link_is_refused(sandbox: Box, work: Path) -> None:
    (work / ".git").symlink_to("/tmp")
    with pytest.raises(NoSandbox, match="symbolic link"):
        sandbox.run(Job(("true",), str(work)))


def test_a_missing_repository_folder_is_missing_again_afterwards(sandbox: Box, work: Path) -> None:
    ran = sandbox.run(Job(("mkdir", ".git/hooks"), str(work), profile="agent"))
    assert ran.status == 1
    assert os.listdir(work) == []


def test_a_folder_that_is_a_link_is_refused(sandbox: Box, work: Path) -> None:
    link = work.parent / "link"
    link.symlink_to(work)
    with pytest.raises(NoSandbox, match="not a folder"):
        sandbox.run(Job(("true",), str(link)))


def test_nothing_of_a_job_stays_open_in_the_parent(sandbox: Box, work: Path) -> None:
    sandbox.run(Job(("true",), str(work)))
    before = sorted(os.listdir("/proc/self/fd"))
    for _ in range(3):
        sandbox.run(Job(("true",), str(work)))
    assert sorted(os.listdir("/proc/self/fd")) == before


def test_a_job_leaves_no_zombies(sandbox: Box, work: Path) -> None:
    before = set(children())
    sandbox.run(Job(("true",), str(work)))
    sandbox.run(Job(("sleep", "30"), str(work), bounds=Bounds(seconds=0.1)))
    assert set(children()) <= before


def children() -> list[str]:
    return [one for task in Path("/proc/self/task").iterdir() for one in (task / "children").read_text().split()]
