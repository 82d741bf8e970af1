"""The linter's answer, read and compared."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import TreeEntry
from gates.lint import Report, Violation, command, configuration, objections, read, sources

VIOLATIONS = st.lists(
    st.builds(Violation, st.sampled_from(["a.py", "b.py"]), st.sampled_from(["F401", "E501"]), st.integers(1, 9),
              st.sampled_from(["import os", "import sys"]), st.just("told"))
)  # fmt: skip


def report(found: list[Violation]) -> Report:
    return Report(tuple(found), tuple(found))


def test_no_path_is_read_as_an_option_or_an_argument_file() -> None:
    argv = command("/x/ruff", ("-a.py", "@b.py"), ignore_noqa=True)
    assert argv[-3:] == ("--", "./-a.py", "./@b.py") and "--ignore-noqa" in argv and "--no-fix" in argv


def test_only_regular_python_files_are_linted_and_configuration_is_found_at_any_depth() -> None:
    file = TreeEntry("100644", "1", 1)
    entries = {"a.py": file, "b.pyi": file, "c.txt": file, "d.py": TreeEntry("120000", "2", 1), "x/ruff.toml": file}
    assert sources(entries) == ("a.py", "b.pyi")
    assert configuration(entries, lambda _: b"") == (("x/ruff.toml", "1"),)


def test_what_a_configuration_builds_upon_is_configuration_too() -> None:
    texts = {
        "pyproject.toml": b"[tool.ruff]\nextend = 'tools/lint.toml'\n",
        "tools/lint.toml": b"extend = '../strict.toml'\n",
        "strict.toml": b"extend = 'tools/lint.toml'\n",
        "in/ruff.toml": b"extend = '../../outside.toml'\n",
        "on/ruff.toml": b"extend = [[[",
        "other.toml": b"",
    }
    entries = {path: TreeEntry("100644", path, 1) for path in texts}
    found = [path for path, _ in configuration(entries, lambda oid: texts[oid])]
    assert found == ["in/ruff.toml", "on/ruff.toml", "pyproject.toml", "strict.toml", "tools/lint.toml"]


def test_the_text_of_the_line_counts_without_its_suppression() -> None:
    item = {"filename": "/w/a.py", "location": {"row": 1}, "code": "F401", "message": "told"}
    (found,) = read(json.dumps([item]).encode(), ("/w",), {"a.py": ["import os  # noqa: F401"]})
    assert found == Violation("a.py", "F401", 1, "import os", "told")


@pytest.mark.parametrize(
    "answer", [b"", b"{}", b"[1]", b'[{"filename": "/w/a.py"}]', b"All checks passed!",
               b'[{"filename": "/etc/passwd", "location": {"row": 1}, "code": null, "message": "root:x"}]'],
)  # fmt: skip
def test_another_answer_is_an_error(answer: bytes) -> None:
    with pytest.raises(ValueError):
        read(answer, ("/w",), {})


def test_what_older_linters_call_a_syntax_error_is_one() -> None:
    item = {"filename": "/w/a.py", "location": {"row": 1}, "code": "E999", "message": "told"}
    assert read(json.dumps([item]).encode(), ("/w",), {})[0].rule == "invalid-syntax"


def test_debt_is_followed_to_the_new_name_only() -> None:
    old, new = (Violation(path, "F401", 1, "import os", "told") for path in ("a.py", "b.py"))
    assert objections(report([old]), report([new]), {"b.py": "a.py"}) == ()
    assert len(objections(report([old]), report([new, new]), {"b.py": "a.py"})) == 1
    assert len(objections(report([old]), report([new]))) == 1


def test_a_syntax_error_has_no_code_and_is_told_once_a_file() -> None:
    broken = [Violation("a.py", "invalid-syntax", row, "", "told") for row in (1, 2)]
    assert [one.code for one in objections(report([]), report(broken))] == ["syntax-error"]
    assert objections(report(broken[:1]), report(broken)) == ()


def test_a_syntax_error_at_base_excuses_no_other_one() -> None:
    old, new = (Violation("a.py", "invalid-syntax", 1, "", told) for told in ("`match` is too new", "Expected `)`"))
    assert [one.seen for one in objections(report([old]), report([old, new, new]))] == ["Expected `)`"]


@given(VIOLATIONS, VIOLATIONS)
def test_exactly_what_is_beyond_base_is_objected_to(base: list[Violation], more: list[Violation]) -> None:
    shifted = [Violation(one.path, one.rule, one.row + 3, one.text, "") for one in base]
    assert len(objections(report(base), report(shifted + more))) == len(more)
    assert objections(report(base + more), report(base)) == ()
