"""What is installed in an environment, told from the names of its records."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from bot.base.installed import packages, version_of


def test_our_own_environment_is_read_right() -> None:
    python = str(Path(sys.prefix) / "bin/python")
    for name in ("babel", "ruff", "flask", "pytest-xdist"):
        assert version_of(python, name) == version(name)
    assert version_of(python, "no-such-package") == ""


def test_every_form_of_record_is_known_and_all_else_is_passed_over(tmp_path: Path) -> None:
    site, system = tmp_path / "lib/python3.12/site-packages", tmp_path / "lib/python3/dist-packages"
    for place, name in (
        (site, "Flask_Babel-4.0.0.dist-info"),
        (site, "zope.interface-6.1.dist-info"),
        (site, "notes"),
        (site, "broken.dist-info"),
        (system, "PyYAML-6.0-py3.11.egg-info"),
    ):
        (place / name).mkdir(parents=True)
    found = (("flask-babel", "4.0.0"), ("pyyaml", "6.0"), ("zope-interface", "6.1"))
    assert packages(str(tmp_path / "bin/python")) == found
    assert packages(str(tmp_path / "none/bin/python")) == ()
