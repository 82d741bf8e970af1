"""A staged site for each test, with what is measured of its base at hand."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support import firing
from tests.support.traces import adopt_orphans

Stager = Callable[..., firing.Place]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared by all workers of a run."""
    own = tmp_path_factory.getbasetemp()
    return firing.warmed(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture
def staged(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Stager:
    """Makes the site; temporary files go to a folder that the test looks into."""
    adopt_orphans()

    def stager(*edits: tuple[str, str], age: timedelta = firing.AGE) -> firing.Place:
        here = firing.place(tmp_path, cache, age, edits)
        monkeypatch.setattr(tempfile, "tempdir", str(here.scratch))
        return here

    return stager
