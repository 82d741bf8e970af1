"""One real store for all trees of these tests."""

from __future__ import annotations

import pytest

from tests.support.repository import Scene, scene


@pytest.fixture(scope="package")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return scene(tmp_path_factory.mktemp("forest"), {"README": "site\n"})
