"""`plusone pause` and `resume` really hold a site back, and let it go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import Done, Fired, demo_stage, plusone


@pytest.fixture
def site(tmp_path: Path) -> Fired:
    demo_stage(tmp_path / "site")
    return Fired(tmp_path / "site")


def steered(command: str, site: Fired, *more: str) -> Done:
    return plusone(command, "--config", site.config, *more)


def stage(site: Fired) -> tuple[object, object]:
    found = steered("run", site, "--json", "--dry-run").object
    return found["outcome"], str(found["reason"])


def test_a_paused_site_starts_no_cycle_until_it_is_resumed(site: Fired) -> None:
    done = steered("pause", site, "--why", "the lamp\x1b is being mended")
    assert (done.status, done.out, done.err) == (0, "", "paused; `plusone resume` goes on\n")
    outcome, reason = stage(site)
    assert outcome == "skipped" and str(reason).startswith("paused since ")
    assert "the lamp\\x1b is being mended; `plusone resume` goes on" in str(reason)
    assert "paused since" in steered("status", site).out
    assert str(steered("status", site, "--json").object["paused"]).startswith("since ")

    done = steered("resume", site)
    assert (done.status, done.out, done.err) == (0, "", "the next firing may start a cycle\n")
    assert steered("status", site, "--json").object["paused"] is None
    (site.folder / "remote.git").rename(site.folder / "moved.git")
    outcome, reason = stage(site)  # it goes on as far as the remote
    assert outcome == "failed" and "remote.git" in str(reason)


def test_resume_closes_the_breaker(site: Fired) -> None:
    (site.folder / "remote.git").rename(site.folder / "moved.git")
    assert [steered("run", site).status for _ in range(3)] == [69, 69, 69]
    status = steered("status", site, "--json").object
    assert (status["breaker_open"], status["failures_in_a_row"]) == (True, 3)
    assert "the breaker is open: 3 cycles failed in a row" in steered("status", site).out
    refused = steered("run", site)
    assert (refused.status, refused.out) == (78, "") and "plusone resume" in refused.err
    assert steered("resume", site).status == 0
    assert steered("run", site).status == 69
    assert steered("status", site, "--json").object["failures_in_a_row"] == 1


def test_pausing_twice_keeps_one_reason_and_resuming_twice_does_no_harm(site: Fired) -> None:
    for why in ("first", "second"):
        assert steered("pause", site, "--why", why).status == 0
    assert str(steered("status", site, "--json").object["paused"]).endswith(": second")
    assert [steered("resume", site).status, steered("resume", site).status] == [0, 0]
