"""Status lines to systemd, and levels for its journal."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from bot.machine.logs import marked
from bot.machine.supervisor import tell
from tests.support.commands import started


@pytest.mark.parametrize("abstract", [False, True])
def test_a_status_line_reaches_the_socket(tmp_path: Path, abstract: bool) -> None:
    ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    name = f"plusone-test-{os.getpid()}" if abstract else str(tmp_path / "s")
    ear.bind("\0" + name if abstract else name)
    tell(f"@{name}" if abstract else name, "at gate\nREADY=1")
    assert ear.recv(100) == b"STATUS=at gate READY=1"
    ear.close()


@pytest.mark.parametrize("address", ["", "/nowhere/at/all", "@nobody-listens-here"])
def test_nobody_who_listens_is_no_trouble(address: str) -> None:
    tell(address, "at gate")


def test_a_line_is_marked_only_where_the_journal_itself_reads_it(tmp_path: Path) -> None:
    with (tmp_path / "err").open("w") as file:
        found = os.fstat(file.fileno())
        stream = f"{found.st_dev}:{found.st_ino}"
        assert marked("so", "error", stream, file.fileno()) == "<3>so"
        assert marked("so", "notice", stream, file.fileno()) == "<5>so"
        assert marked("so", "error", "1:1", file.fileno()) == "so"
        assert marked("so", "error", "", file.fileno()) == "so"
    assert marked("so", "error", stream, 987) == "so"


def test_a_command_under_systemd_complains_with_a_level(tmp_path: Path) -> None:
    read, write = os.pipe()
    found = os.fstat(write)
    plain = started("run", cwd=tmp_path, JOURNAL_STREAM=f"{found.st_dev}:{found.st_ino}")
    assert (plain.status, plain.err[:9]) == (78, "plusone: ")  # its standard error is another pipe
    for end in (read, write):
        os.close(end)
