"""What a job may see and do, as bubblewrap's arguments."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path

from bot.errors import NoSandbox
from bot.frozen import frozen
from bot.model import Bounds, Job

ISOLATION = (
    *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--disable-userns", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox"),
    *("--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"),
)
ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "mime.types", "protocols", "services")
USR_LINKS = ("bin", "sbin", "lib", "lib32", "lib64")
PASSWD = b"root:x:0:0:root:/:/usr/sbin/nologin\nsandbox:x:1000:1000:sandbox:/home:/bin/sh\n"
GROUP = b"root:x:0:\nsandbox:x:1000:\n"
SCRATCH = (("/tmp", 256), ("/dev/shm", 16), ("/home", 64))  # noqa: S108 - megabytes each, inside only


@frozen
class Channels:
    """Descriptors that bubblewrap reads filter, files and environment from, and writes its record to."""

    seccomp: int
    passwd: int
    group: int
    record: int
    variables: int


def arguments(job: Job, channels: Channels, mask: tuple[str, ...]) -> list[str]:
    """Everything between bubblewrap's own name and the command's; `mask` is how `/w/.git` is hidden."""
    return [
        *ISOLATION,
        *("--json-status-fd", str(channels.record)),
        *system(),
        *("--ro-bind-data", str(channels.passwd), "/etc/passwd", "--ro-bind-data", str(channels.group), "/etc/group"),
        *("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"),
        *scratch(),
        *(word for path in visible(job.read) for word in ("--ro-bind", path, path)),
        *("--bind" if writable(job) else "--ro-bind", job.work, "/w"),
        *mask,
        *("--args", str(channels.variables)),
        *("--chdir", "/w", "--seccomp", str(channels.seccomp)),
        *("--remount-ro", "/dev", "--remount-ro", "/"),  # last: both are tmpfs, without a size of their own
    ]


def system() -> Iterator[str]:
    """The host's programs and libraries, and the few settings that they need; nothing else of the host."""
    yield from ("--ro-bind", "/usr", "/usr")
    for name in USR_LINKS:
        place = Path("/", name)
        if place.is_symlink():
            yield from ("--symlink", str(place.readlink()), str(place))
        elif place.is_dir():
            yield from ("--ro-bind", str(place), str(place))
    for name in ETC:
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")


def scratch() -> Iterator[str]:
    """Places to write that vanish with the job, each with its size."""
    for place, megabytes in SCRATCH:
        yield from ("--size", str(megabytes * 1024**2), "--tmpfs", place)


def visible(paths: tuple[str, ...]) -> list[str]:
    """Host paths to show, outer ones first, without those that are there anyway."""
    return sorted({path for path in paths if path != "/usr" and not path.startswith("/usr/")})


def writable(job: Job) -> bool:
    """Whether the job may write below `/w`."""
    return job.profile == "agent" or job.writable


def environment(job: Job) -> dict[str, str]:
    """The whole environment of the job: interpreters among its read paths come first on the search path."""
    folders = [Path(path, "bin") for path in job.read]
    lent = [str(folder) for folder in folders if (folder / "python").exists() or (folder / "python3").exists()]
    return {
        "PATH": ":".join([*lent, "/usr/bin", "/bin"]),
        "HOME": "/home",
        "TMPDIR": "/tmp",  # noqa: S108 - the job's own
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        **job.env,
    }


def variables(job: Job) -> bytes:
    """The environment as words for bubblewrap; in a file, for every user of the host can read a command line."""
    words = (word for name, value in environment(job).items() for word in ("--setenv", name, value))
    return b"".join(os.fsencode(word) + b"\0" for word in words)


def limited(argv: tuple[str, ...], bounds: Bounds, memory: int, *, alone: bool = True) -> list[str]:
    """The command under limits that hold for each of its processes, and a clock of its own should we be gone.

    The number of processes is counted by user, so it can be limited only where the job is `alone` under its user.
    """
    return [
        *("/usr/bin/timeout", "-s", "KILL", str(math.ceil(bounds.seconds) + 5)),
        *ceilings(bounds, memory),
        *((f"--nproc={bounds.processes}",) if alone else ()),
        *("--", *argv),
    ]


def ceilings(bounds: Bounds, memory: int) -> list[str]:
    """The limits of a single process. Bubblewrap stands under them too: what runs inside can write to its memory."""
    cpu = math.ceil(bounds.seconds) * 2 + 5
    addresses = () if bounds.reserving else (f"--as={memory}",)
    return ["/usr/bin/prlimit", *addresses, f"--fsize={bounds.file}", "--nofile=512", f"--cpu={cpu}", "--core=0"]


def git_mask(work: Path) -> tuple[str, ...]:
    """How `/w/.git` is hidden: an empty folder or file that nobody can write. Raises NoSandbox when it is a link."""
    git = work / ".git"
    if git.is_symlink():
        raise NoSandbox(f"sandbox: {git} is a symbolic link; remove it, a workspace holds no repository")
    if git.is_dir():
        return ("--tmpfs", "/w/.git", "--remount-ro", "/w/.git")
    return ("--ro-bind", "/dev/null", "/w/.git") if git.exists() else ()
