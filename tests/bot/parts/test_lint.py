"""The lint part over a real store and the real linter in the real sandbox."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest

from bot.errors import GateBroken, SiteBroken
from bot.model import Objection
from bot.parts import LintPart, Ruff, choose_ruff
from tests.support.sites import PYTHON, Yard, yard

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


def test_a_configuration_that_extends_a_file_outside_changes_nothing_and_shows_nothing_of_it(
    place: Yard, tmp_path: Path
) -> None:
    (tmp_path / "outside").write_text("harbour-secret-line = [[[\n")
    extend = f'extend = "{tmp_path}/outside"\n'
    rules = dict.fromkeys(("ruff.toml", "in/ruff.toml"), extend)
    found = judged(place, {**rules, "in/a.py": "import os\n", "b.py": "import os\n"})
    assert sorted((one.file, one.code) for one in found) == [("b.py", "lint"), ("in/a.py", "lint")]
    assert "harbour-secret" not in str(found)


def test_rules_in_a_file_of_another_name_are_those_of_base(tmp_path: Path) -> None:
    rules = {"ruff.toml": 'extend = "tools/lint.toml"\n', "tools/lint.toml": 'lint.select = ["F"]\n'}
    place = yard(tmp_path, {**rules, "b.py": "x = 1\n"})
    for softer in ("lint.select = []\n", None):
        found = judged(place, {"tools/lint.toml": softer, "b.py": "import os\n"})
        assert [(one.code, one.file) for one in found] == [("lint", "b.py")]
    wider = place.tree({"tools/lint.toml": 'lint.select = ["F", "D"]\n'})
    assert place.lint().baseline(wider).key != place.lint().baseline(place.base).key


def test_a_syntax_error_is_told_though_the_file_is_too_new_for_the_target(tmp_path: Path) -> None:
    matching = "def go(x):\n    match x:\n        case 1:\n            return 1\n"
    place = yard(tmp_path, {"ruff.toml": 'target-version = "py38"\n', "a.py": matching})
    assert judged(place, {"a.py": matching + "\n\nx = 1\n"}) == ()
    assert [one.code for one in judged(place, {"a.py": matching + "x = (1\n"})] == ["syntax-error"]


def test_files_are_linted_as_they_are_and_never_rewritten(place: Yard) -> None:
    found = judged(place, {"b.py": "import os\nx = 1\n"})
    assert [one.where for one in found] == ["b.py:1"]


def test_old_debt_moves_with_a_renamed_file_and_new_debt_does_not_hide_in_it(place: Yard) -> None:
    assert judged(place, {"a.py": None, "pkg/renamed.py": BASE["a.py"]}) == ()
    more = BASE["legacy.py"] + "import re\n"
    found = judged(place, {"legacy.py": None, "modern.py": more})
    assert [one.where for one in found] == ["modern.py:8"]
    assert len(judged(place, {"a.py": None, "other.py": "import os\ny = 1\nz = 2\nq = 3\n"})) == 1


def test_another_version_or_configuration_is_another_baseline(place: Yard) -> None:
    ours = choose_ruff(PYTHON)
    baseline = place.lint().baseline(place.base)
    other = LintPart(place.tools, Ruff(ours.path, "0.0.1")).baseline(place.base)
    assert other.key != baseline.key and other.tool == "ruff 0.0.1"
    wider = place.tree({"pyproject.toml": "[tool.ruff]\nlint.select = ['F', 'D']\n"})
    ready = replace(place.ready(), base_tree=wider)
    assert place.lint().baseline(wider).key != baseline.key
    assert place.lint().judge(ready, replace(place.snapshot({}), tree=wider))[0] == ()
    assert place.lint().judge(ready, place.snapshot({}))[0] == ()


def test_a_linter_that_cannot_be_read_is_broken_never_passed(place: Yard) -> None:
    with pytest.raises(GateBroken, match="cannot be read"):
        LintPart(place.tools, Ruff("/usr/bin/true", "true")).judge(place.ready(), place.snapshot({}))
    wrong = place.tree({"pyproject.toml": "[tool.ruff]\nrequired-version = '0.0.1'\n"})
    with pytest.raises(SiteBroken, match=r"ruff exited 2.*mend the linter's configuration"):
        place.lint().baseline(wrong)


def test_a_candidate_that_the_linter_does_not_get_through_in_time_is_told_by_its_largest_file(place: Yard) -> None:
    place.lint().baseline(place.base)
    hurried = LintPart(place.tools, choose_ruff(PYTHON), 0.0001)
    (found,), _ = hurried.judge(place.ready(), place.snapshot({"big.py": "x = 1\n" * 999}))
    assert (found.code, found.file) == ("lint-slow", "big.py") and "limit (wall)" in found.seen
    with pytest.raises(SiteBroken, match="stopped at its limit"):
        hurried.baseline(place.tree({"b.py": "x = 3\n"}))


def environment(folder: Path, version: str, program: bytes = b"\x7fELF") -> str:
    """What an installer leaves of a linter in a site's environment; its interpreter."""
    (folder / "bin").mkdir(parents=True)
    (folder / f"lib/python3.11/site-packages/ruff-{version}.dist-info").mkdir(parents=True)
    (folder / "bin/ruff").write_bytes(program)
    (folder / "bin/ruff").chmod(0o755)
    return str(folder / "bin/python")


def test_the_sites_own_linter_is_preferred_and_its_version_told(tmp_path: Path) -> None:
    python = environment(tmp_path / "site", "0.9.1")
    assert choose_ruff(python) == Ruff(str(tmp_path / "site/bin/ruff"), "0.9.1")


def test_a_linter_that_is_too_old_or_no_program_is_passed_over(tmp_path: Path) -> None:
    ours = choose_ruff(str(tmp_path / "none/bin/python"))
    assert ours.version == version("ruff")
    assert choose_ruff(environment(tmp_path / "old", "0.1.9")) == ours
    assert choose_ruff(environment(tmp_path / "script", "0.9.1", b"#!/bin/sh\n")) == ours
    unmarked = environment(tmp_path / "bare", "0.9.1")
    (tmp_path / "bare/lib/python3.11/site-packages/ruff-0.9.1.dist-info").rmdir()
    assert choose_ruff(unmarked) == ours
