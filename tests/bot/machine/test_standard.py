"""A process that was started without standard input, output or error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FILE = """
import sys
from pathlib import Path
from bot.machine.standard import complete

complete()
with open(sys.argv[1], "w") as file:
    print("to standard output", flush=True)
    print("to standard error", file=sys.stderr, flush=True)
    file.write(f"{sys.stdin.read()!r}, {file.fileno() > 2}")
"""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_what_is_told_there_never_ends_in_a_file_that_was_opened_later(closed: str, tmp_path: Path) -> None:
    told = tmp_path / "file"
    command = ["/bin/sh", "-c", f'exec "$0" "$@" {closed}', sys.executable, "-c", FILE, str(told)]
    done = subprocess.run(command, input=b"", capture_output=True, timeout=60, check=False)
    assert (done.returncode, told.read_text()) == (0, "'', True")
    assert done.stdout == (b"" if ">&- " in f"{closed} ".replace("2>&-", "") else b"to standard output\n")
    assert done.stderr == (b"" if "2>&-" in closed else b"to standard error\n")
