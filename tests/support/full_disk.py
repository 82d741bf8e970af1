"""Firings of the command line on a state folder whose disk fills up at a named moment; run in a mount of its own."""

from __future__ import annotations

import json
import os
import resource
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.support.plays import YES, article, play, say, submit

PLUSONE = [sys.executable, "-c", "import sys; from bot.cli.main import main; sys.argv[0] = 'plusone'; main()"]


@dataclass(frozen=True, slots=True)
class Fill:
    """When the disk fills up (a node's name; `start`: before the program starts), and how many bytes it leaves."""

    moment: str
    left: int = 0


@dataclass(frozen=True, slots=True)
class Ended:
    """How a firing ended that met a full disk, and how the next one ended, with room again."""

    status: int
    out: str
    err: str
    next_status: int
    next_out: str


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Inside, the kernel lets no file grow beyond that, as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def firings(bwrap: str, site: Path, cache: Path, fills: list[Fill], size: int = 96 * 1024**2) -> list[Ended]:
    """Each fill in turn on one site, every one followed by a good firing, on a file system of `size` bytes."""
    state = site / "state"
    state.mkdir(exist_ok=True)
    own = ["--cap-add", "ALL"] if os.geteuid() == 0 else []
    mount = [bwrap, *own, "--dev-bind", "/", "/", "--size", str(size), "--tmpfs", str(state), "--die-with-parent"]
    told = json.dumps([asdict(fill) for fill in fills])
    asked = [*mount, "--", sys.executable, "-m", "tests.support.full_disk", str(site), str(cache), told]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [Ended(**one) for one in json.loads(done.stdout)]


def _all(site: Path, cache: Path, fills: list[Fill]) -> list[Ended]:
    (site / "state" / "harbour-lights").mkdir()
    shutil.copytree(cache, site / "state" / "harbour-lights" / "cache")
    return [_one(site, number, fill) for number, fill in enumerate(fills)]


def _one(site: Path, number: int, fill: Fill) -> Ended:
    """A run that could not even be closed is finished as it was begun; any other is followed by another idea."""
    filler = site / "state" / "filler"
    _write_script(site, _slug(2 * number))
    status, out, err = _run(site, fill, filler)
    filler.unlink(missing_ok=True)
    if not _open_runs(site):
        _write_script(site, _slug(2 * number + 1))
    next_status, next_out, next_err = _run(site, None, filler)
    return Ended(status, out, err, next_status, next_out + next_err)


def _write_script(site: Path, slug: str) -> None:
    built = play([article(slug), submit(key=slug, routes=(f"/articles/{slug}",)), say("Done.")], (YES,))
    (site / "play.json").write_text(json.dumps(built))


def _slug(number: int) -> str:
    return f"lamp-{123_456_789 * (number + 7)}"


def _open_runs(site: Path) -> int:
    journal = site / "state" / "harbour-lights" / "journal.db"
    if not journal.exists():
        return 0
    with sqlite3.connect(journal) as book:
        return int(book.execute("SELECT count(*) FROM run WHERE ended IS NULL").fetchone()[0])


def _run(site: Path, fill: Fill | None, filler: Path) -> tuple[int, str, str]:
    """One `plusone run`; its own status line, which systemd would hear, tells when to fill the disk."""
    address = site / "notify"
    address.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(address))
        ear.settimeout(0.02)
        if fill and fill.moment == "start":
            _fill(filler, fill.left)
        command = [*PLUSONE, "run", "--config", str(site / "plusone.toml"), "--model", f"script:{site / 'play.json'}"]
        environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "NOTIFY_SOCKET": str(address)}
        with subprocess.Popen(command, env=environment, stdout=-1, stderr=-1, text=True) as child:
            while child.poll() is None:
                with suppress(TimeoutError):
                    if ear.recv(4096).decode() == f"STATUS=at {fill.moment if fill else ''}":
                        _fill(filler, fill.left if fill else 0)
            out, err = child.communicate()
    return child.returncode, out, err


def _fill(filler: Path, left: int) -> None:
    with filler.open("ab", buffering=0) as file, suppress(OSError):
        while (room := os.statvfs(filler.parent).f_bavail * 4096 - left) > 0:
            file.write(bytes(min(room, 1 << 20)))


if __name__ == "__main__":
    asked = [Fill(**one) for one in json.loads(sys.argv[3])]
    print(json.dumps([asdict(one) for one in _all(Path(sys.argv[1]), Path(sys.argv[2]), asked)]))
