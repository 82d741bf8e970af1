"""Nodes are told as they begin, on a terminal and nowhere else."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

from tests.support.commands import demo_stage, started


def on_a_terminal(cwd: Path) -> str:
    ours, theirs = pty.openpty()
    program = [str(Path(sys.prefix, "bin", "plusone")), "run"]
    done = subprocess.run(program, cwd=cwd, stdout=subprocess.PIPE, stderr=theirs, timeout=60)
    os.close(theirs)
    assert done.returncode == 0
    seen = os.read(ours, 10_000).decode()
    os.close(ours)
    return seen


def test_a_terminal_sees_each_node_with_the_seconds_so_far(tmp_path: Path) -> None:
    demo_stage(tmp_path / "site", timedelta(minutes=5))
    assert re.fullmatch(r" +\d+\.\d s  precheck\r\n +\d+\.\d s  skipped\r\n", on_a_terminal(tmp_path / "site"))


def test_a_pipe_sees_none(tmp_path: Path) -> None:
    demo_stage(tmp_path / "site", timedelta(minutes=5))
    done = started("run", cwd=tmp_path / "site")
    assert (done.status, done.err) == (0, "") and done.out.startswith("skipped: ")
