"""On a terminal, and nowhere else: each node with the seconds and the money so far, told anew while it runs."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from bot.cli.progress import Progress
from bot.errors import JournalError
from tests.support.commands import demo_stage, started

LINE = r"\r +\d+\.\d s  0\.0000 USD  %s *"


@contextmanager
def terminal() -> Iterator[int]:
    """Standard error is a terminal; what it shows can be read here."""
    ours, theirs = pty.openpty()
    os.set_blocking(ours, False)
    before = sys.stderr
    with os.fdopen(theirs, "w") as file:
        sys.stderr = file
        try:
            yield ours
        finally:
            sys.stderr = before
    os.close(ours)


def shown(screen: int, lines: int) -> list[str]:
    """That many lines, each as it looked at last; a terminal passes on what it was told when it comes to it."""
    return [line.rstrip("\r").split("\r")[-1].strip() for line in heard(screen, lines).split("\n")][:-1]


def heard(screen: int, lines: int) -> str:
    """All that it was told, up to the end of that many lines."""
    text, deadline = "", time.monotonic() + 60
    while text.count("\n") < lines and time.monotonic() < deadline:
        if select.select([screen], [], [], 1.0)[0]:
            text += os.read(screen, 100_000).decode()
    return text


def test_a_terminal_sees_each_node_with_the_seconds_and_the_money(tmp_path: Path) -> None:
    demo_stage(tmp_path / "site", timedelta(minutes=5))
    ours, theirs = pty.openpty()
    program = [str(Path(sys.prefix, "bin", "plusone")), "run"]
    done = subprocess.run(program, cwd=tmp_path / "site", stdout=subprocess.PIPE, stderr=theirs, timeout=60)
    assert done.returncode == 0
    seen = heard(ours, 2)
    os.close(theirs)
    os.close(ours)
    whole = f"(?:{LINE % 'precheck'})+\r\n(?:{LINE % 'skipped'})+\r\n"
    assert re.fullmatch(whole, seen.replace("\r\r", "\r")), seen
    assert "\x1b" not in seen


def test_a_pipe_sees_none(tmp_path: Path) -> None:
    demo_stage(tmp_path / "site", timedelta(minutes=5))
    done = started("run", cwd=tmp_path / "site")
    assert (done.status, done.err) == (0, "") and done.out.startswith("skipped: ")


def test_the_line_goes_on_while_a_node_runs() -> None:
    money, all_told = iter([0.0, 0.5, 1.25]), threading.Event()

    def spent() -> float:
        worth = next(money, None)
        if worth is None:
            all_told.set()
        return 1.25 if worth is None else worth

    with terminal() as screen:
        with Progress("", tick=0.02) as progress:
            progress.at("build", spent)
            assert all_told.wait(60)
            progress.at("scope", lambda: None)
        lines = shown(screen, 2)
    assert [line.split(" s  ")[1] for line in lines] == ["1.2500 USD  build", "cost unknown  scope"]


def test_a_journal_that_cannot_be_asked_does_not_stop_the_line() -> None:
    def sick() -> float:
        raise JournalError("damaged")

    with terminal() as screen:
        with Progress("", tick=0.02) as progress:
            progress.at("build", sick)
            time.sleep(0.1)
        lines = shown(screen, 1)
    assert lines[0].endswith("0.0000 USD  build")
