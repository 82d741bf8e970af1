"""Reading units, and those that may hang (the shared case 36, its three units written out here)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.timer.unit import Unit, flaws, read_unit, span

GOOD = "[Unit]\nDescription=x\n[Service]\nType=oneshot\nTimeoutStartSec=45min\nExecStart=/usr/bin/true\n"
HANGS = "[Service]\nType=oneshot\nExecStart=/usr/bin/sleep infinity\n"
WRONG_KNOB = "[Service]\nType=oneshot\nRuntimeMaxSec=45min\nExecStart=/usr/bin/sleep infinity\n"


def unit(folder: Path, text: str, *drops: str) -> Unit:
    path = folder / "plusone.service"
    path.write_text(text)
    for number, drop in enumerate(drops):
        path.with_name("plusone.service.d").mkdir(exist_ok=True)
        path.with_name("plusone.service.d").joinpath(f"{number}.conf").write_text(drop)
    return read_unit(path)


def test_a_oneshot_with_a_start_timeout_is_sound(tmp_path: Path) -> None:
    assert list(flaws(unit(tmp_path, GOOD), own=2400)) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (HANGS, "has no start timeout"),
        (WRONG_KNOB, "RuntimeMaxSec= has no effect on a oneshot"),
        (HANGS + "TimeoutStartSec=infinity\n", "has no start timeout"),
        (HANGS + "TimeoutStartSec=0\n", "has no start timeout"),
        (GOOD.replace("oneshot", "simple"), "is not Type=oneshot"),
        (GOOD + "RemainAfterExit=yes\n", "the timer starts no other"),
        (GOOD + "KillMode=process\n", "goes on after it was ended"),
        (GOOD + "SendSIGKILL=no\n", "blocks all later ones"),
        (GOOD.replace("45min", "90"), "is ended after 90 s, before a cycle's own deadline of 2400 s"),
    ],
)
def test_one_that_may_hang_or_end_too_early_is_flagged(tmp_path: Path, text: str, told: str) -> None:
    (found,) = flaws(unit(tmp_path, text), own=2400)
    assert told in found


def test_a_drop_in_counts_whichever_way(tmp_path: Path) -> None:
    assert list(flaws(unit(tmp_path, HANGS, "[Service]\nTimeoutSec=1h\n"), own=2400)) == []
    (found,) = flaws(unit(tmp_path, GOOD, "[Service]\nTimeoutStartSec=infinity\n"), own=2400)
    assert "has no start timeout" in found


def test_drop_ins_of_every_folder_count_and_the_first_folder_most(tmp_path: Path) -> None:
    etc, lib = tmp_path / "etc", tmp_path / "lib"
    for path, text in {
        lib / "plusone-harbour.service": HANGS,
        lib / "service.d/10.conf": "[Service]\nTimeoutSec=1h\n",
        lib / "plusone-.service.d/20.conf": "[Service]\nTimeoutSec=infinity\n",
        etc / "plusone-harbour.service.d/20.conf": "[Service]\nTimeoutSec=2h\n",
        etc / "plusone-other.service.d/30.conf": "[Service]\nTimeoutSec=3h\n",
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = read_unit(lib / "plusone-harbour.service", (etc, lib))
    assert found.all("Service", "TimeoutSec") == ("1h", "2h")
    assert list(flaws(found, own=2400)) == []
    assert read_unit(lib / "plusone-harbour.service").last("Service", "TimeoutSec") == "infinity"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("45min", 2700), ("2700", 2700), ("1h 5min", 3900), ("1h5min 3s", 3903), ("1.5 hours", 5400), ("500ms", 0.5),
        ("1M", 2_629_800), ("5m", 300), ("1y", 31_557_600), ("250 msec", 0.25), ("1us", 0.000_001),
        ("infinity", None), ("0", None), ("soon", None), ("", None), ("5 parsecs", None), ("1..5s", None),
    ],
)  # fmt: skip
def test_spans_are_read_as_systemd_writes_them(text: str, seconds: float | None) -> None:
    assert span(text) == seconds


def test_an_empty_assignment_takes_away_what_stood_before(tmp_path: Path) -> None:
    text = "[Service]\nExecStart=/bin/old\nExecStart=\n# ExecStart=/no\nExecStart=-/bin/new a \\\n  'b c'\n"
    assert unit(tmp_path, text).commands == (("/bin/new", "a", "b c"),)
