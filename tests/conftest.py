"""Seals the suite: no operator settings, no home, no keys; a test that wants one sets it itself."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Enough to find what a change breaks; an open-ended search is for another day than this suite's six minutes.
settings.register_profile("suite", max_examples=20, deadline=None)
# What `make fuzz` runs: as many examples as it says, and an example that takes seconds is a hang.
settings.register_profile("fuzz", max_examples=int(os.environ.get("PLUSONE_FUZZ") or 20), deadline=5_000)
settings.load_profile("fuzz" if os.environ.get("PLUSONE_FUZZ") else "suite")

# The suite makes much and drops it whole: looking through all that was ever imported again and again is wasted.
gc.set_threshold(100_000, 20, 100)

# What takes longest, the longest first; and what of it waits more than it computes: httpbin answers late by design.
LONG = (
    "test_month",
    "test_strangers",
    "test_sites",
    "test_random_crashes",
    "test_full_disk",
    "test_httpbin",
    "test_camera",
)
WAITING = ("httpbin", "test_camera")


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all tests' homes."""
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def sealed(monkeypatch: pytest.MonkeyPatch, homes: Path) -> Iterator[Path]:
    """No test can reach the developer's git settings, home folder, state or keys."""
    home = Path(tempfile.mkdtemp(dir=homes))  # pytest's own way looks through all that it made before
    for name in list(os.environ):
        if name.startswith(("GIT_", "ANTHROPIC_", "XDG_", "PLUSONE_", "STATE_", "CREDENTIALS_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "file")
    yield home


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Twice the processors: much of what is tested waits for disks, clocks and other processes."""
    return 2 * (os.cpu_count() or 1)


def pytest_collection_finish() -> None:
    """What was imported and collected stays: it need not be looked through."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each worker begins with some of the long ones, so that none waits at the end for another's last test.

    A worker is first given an equal share of the list, in one piece. One of them has all that waits: were several to
    wait at once, the processors would.
    """
    workers = int(getattr(config, "workerinput", {}).get("workercount", 1))
    shares = _dealt([item for item in items if item.path.name.startswith(LONG)], workers)
    rest = [item for item in items if not item.path.name.startswith(LONG)]
    size, spread = -(-len(items) // workers), []
    for mine in shares:
        spread += mine + rest[: size - len(mine)]
        rest = rest[size - len(mine) :]
    items[:] = spread


def _dealt(long: list[pytest.Item], workers: int) -> list[list[pytest.Item]]:
    """The long ones for each worker."""
    waiting = [item for item in long if any(word in item.nodeid for word in WAITING)]
    busy = [item for item in long if item not in waiting]
    busy.sort(key=lambda item: [item.path.name.startswith(name) for name in LONG].index(True))
    others = max(1, workers - 1)
    return [*(busy[worker::others] for worker in range(others)), waiting] if workers > 1 else [busy + waiting]
