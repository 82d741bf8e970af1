"""What the sandbox adds to one command: as an ordinary user, and in two stages as root."""

from __future__ import annotations

import ctypes  # noqa: F401 - a child that became an ordinary user may not be able to read it any more
import json
import os
import sys
import tempfile
import traceback
from pathlib import Path

from bot.model import Job
from bot.sandbox import open_sandbox
from tests.bench.figure import Figure
from tests.bench.timing import Pair, ms, paired, program

TRUE = "/usr/bin/true"
NOBODY = 61501  # an id that no account has
ROUNDS = 40


def sandbox() -> list[Figure]:
    """Each way that this machine allows; root can show both."""
    if os.getuid() != 0:
        return [_figure("as an ordinary user", 15.0, _timed())]
    return [
        _figure("as an ordinary user", 15.0, _as_nobody()),  # first: no thread runs yet that a fork would lose
        _figure("in two stages, as root", 40.0, _timed()),
    ]


def _figure(how: str, limit: float, pair: Pair) -> Figure:
    plain, held = sorted(pair.theirs)[ROUNDS // 2], sorted(pair.ours)[ROUNDS // 2]
    detail = f"{TRUE} takes {ms(plain)} plain and {ms(held)} in the sandbox"
    return Figure("sandbox", f"one command more, {how}", pair.added * 1000, "ms", limit, detail)


def _timed() -> Pair:
    with tempfile.TemporaryDirectory(prefix="plusone-bench-") as folder:
        box = open_sandbox(scratch=Path(folder))
        work = Path(folder, "work")
        work.mkdir()
        if box.owner is not None:
            Path(folder).chmod(0o755)
            os.chown(work, *box.owner)
        job = Job((TRUE,), str(work))
        return paired(ROUNDS, lambda: box.run(job), program([TRUE], {}))


def _as_nobody() -> Pair:
    """The same in a child that has become somebody else, whatever folder our interpreter lies in."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _become_nobody()
            pair = _timed()
            os.write(theirs, json.dumps([pair.ours, pair.theirs]).encode())
        finally:
            if sys.exc_info()[0]:
                traceback.print_exc()
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    assert told, "the child that became an ordinary user has measured nothing"
    held, plain = json.loads(told)
    return Pair(tuple(held), tuple(plain))


def _become_nobody() -> None:
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
