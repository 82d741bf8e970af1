"""`plusone run` on a disk that fills up: one clear line, its exit status, nothing lost, and the next firing commits."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.support import firing
from tests.support.full_disk import Fill, firings

BWRAP = shutil.which("bwrap")
# Room for the call's row but not for its recording; pushed, and nobody can note it. `make crash` fills many more.
FILLS = [Fill("build", 40_000), Fill("commit")]


@pytest.mark.timeout(300)  # four whole processes, one after the other
@pytest.mark.skipif(BWRAP is None, reason="bubblewrap is not installed, which mounts the small file system here")
def test_a_full_disk_is_one_line_and_the_next_firing_commits(tmp_path: Path, cache: Path) -> None:
    assert BWRAP is not None
    here = firing.place(tmp_path)
    for fill, ended in zip(FILLS, firings(BWRAP, here.made.config.parent, cache, FILLS), strict=True):
        assert (ended.status, ended.out) == (1, ""), fill
        (line,) = ended.err.splitlines()
        assert line.startswith("plusone: ") and "the disk is full; free some space" in line, fill
        assert "unforeseen" not in line and "Traceback" not in line, fill
        assert ended.next_status == 0 and ended.next_out.startswith("committed "), (fill, ended.next_out)
    pushed = Counter(firing.told_by(here.made.remote))
    assert len(pushed) == len(FILLS) and set(pushed.values()) == {1}, "each was pushed once, by whoever came to it"
