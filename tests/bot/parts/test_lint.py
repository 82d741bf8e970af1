"""The lint part over a real store and the real linter in the real sandbox."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.errors import GateBroken, SiteBroken
from bot.model import Objection
from bot.parts import LintPart
from tests.support.sites import Yard, yard

BASE = {
    "pyproject.toml": """
        [tool.ruff]
        fix = true
        force-exclude = true
        exclude = ["old"]
        lint.select = ["F"]
    """,
    "legacy.py": "import os\nimport sys\nimport json\n\n\ndef ok():\n    return 1\n",
    "a.py": "import os\nimport sys\n",
    "b.py": "x = 1\n",
    "@odd name.py": "x = 1\n",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    return yard(tmp_path_factory.mktemp("lint"), BASE)


def judged(place: Yard, files: dict[str, str | None]) -> tuple[Objection, ...]:
    return place.lint().judge(place.ready(), place.snapshot(files))[0]


def test_base_is_measured_once(place: Yard) -> None:
    baseline = place.lint().baseline(place.base)
    assert baseline.counts == {"violations": 5, "files": 4}
    assert place.lint().judge(place.ready(), place.snapshot({}))[1].cached


def test_a_syntax_error_objects_though_the_count_goes_down(place: Yard) -> None:
    found = judged(place, {"legacy.py": BASE["legacy.py"].replace("ok()", "ok(:")})
    assert [(one.code, one.file) for one in found] == [("syntax-error", "legacy.py")]


def test_old_debt_does_not_pay_for_new_debt_and_lines_may_shift(place: Yard) -> None:
    found = judged(place, {"a.py": "import sys\n", "b.py": "import json\nx = 1\n"})
    assert [one.where for one in found] == ["b.py:1"]
    assert judged(place, {"a.py": '"""Doc."""\nimport os\nimport sys\n'}) == ()


def test_a_change_cannot_silence_the_linter(place: Yard) -> None:
    found = judged(
        place,
        {
            "noqa.py": "import os  # noqa\n",
            "filelevel.py": "# ruff: noqa\nimport os\n",
            "flake8.py": "# flake8: noqa\nimport os\n",
            "nested/a.py": "import os\n",
            "nested/ruff.toml": "lint.select = []\n",
            "pyproject.toml": "[tool.ruff]\nlint.select = []\n",
            "old/new.py": "import os\n",
            ".gitignore": "ignored.py\n",
            "ignored.py": "import os\n",
            "@odd name.py": "import os\n",
        },
    )
    assert sorted((one.file, one.code) for one in found) == [
        ("@odd name.py", "lint"),
        ("filelevel.py", "lint-suppressed"),
        ("flake8.py", "lint-suppressed"),
        ("ignored.py", "lint"),
        ("nested/a.py", "lint"),
        ("noqa.py", "lint-suppressed"),
        ("old/new.py", "lint"),
    ]


def test_another_version_or_configuration_is_another_baseline(place: Yard) -> None:
    ours, key = place.lint(), place.lint().baseline(place.base).key
    other = LintPart(place.tools, ours._ruff, "0.0.1")
    assert other.baseline(place.base).key != key
    relaxed = place.tree({"pyproject.toml": "[tool.ruff]\nlint.select = []\n"})
    ready = replace(place.ready(), base_tree=relaxed)
    assert place.lint().judge(ready, place.snapshot({}))[0] == ()


def test_a_linter_that_cannot_be_read_is_broken_never_passed(place: Yard, tmp_path: Path) -> None:
    with pytest.raises(GateBroken, match="cannot be read"):
        LintPart(place.tools, "/usr/bin/true", "true").judge(place.ready(), place.snapshot({}))
    wrong = place.tree({"pyproject.toml": "[tool.ruff]\nrequired-version = '0.0.1'\n"})
    with pytest.raises(SiteBroken, match=r"ruff exited 2.*mend the linter's configuration"):
        place.lint().baseline(wrong)
