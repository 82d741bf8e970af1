"""The stand-alone editor, run as it is run in the sandbox: a program with JSON in and JSON out."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agents import editor
from bot.agents.hands import Hands, Result
from tests.support.agents import BareSandbox

HANDS = Hands(BareSandbox(), sys.executable)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("one\ntwo\nthree\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def do(command: str, path: str = "src/a.py", **given: object) -> str:
    """In this process, for speed: one test runs the program itself."""
    answer = editor.answer(json.dumps({"command": command, "path": path, **given}))
    return ("" if answer["ok"] else "! ") + str(answer["text"])


def test_it_runs_as_a_program_in_the_site_s_interpreter(work: Path) -> None:
    edit = {"command": "str_replace", "path": "/w/src/a.py", "old_str": "two", "new_str": "zwei"}
    assert HANDS.edit(edit, work) == Result("edited:\n     1\tone\n     2\tzwei\n     3\tthree\n     4\t")
    assert HANDS.edit({"command": "view", "path": "no"}, work) == Result("no: no such file or directory", failed=True)


def test_it_keeps_to_the_syntax_of_python_3_9() -> None:
    ast.parse(Path(editor.__file__).read_text(), feature_version=(3, 9))


def test_view_numbers_the_lines_and_keeps_to_a_range(work: Path) -> None:
    assert do("view") == "     1\tone\n     2\ttwo\n     3\tthree"
    assert do("view", view_range=[2, -1]) == "     2\ttwo\n     3\tthree"
    assert do("view", view_range=[2, 99]) == "     2\ttwo\n     3\tthree"


@pytest.mark.parametrize("asked", [[0, 2], [3, 2], [4, -1], [1], "1-2", [True, 2]])
def test_a_range_that_does_not_fit_is_refused(work: Path, asked: object) -> None:
    assert do("view", view_range=asked).startswith("! view_range")


def test_view_lists_a_folder_two_levels_deep_without_hidden_names(work: Path) -> None:
    (work / "src" / "deep" / "deeper").mkdir(parents=True)
    (work / ".git").mkdir()
    assert do("view", "/w") == "src/\n  a.py\n  deep/"
    assert do("view", ".") == do("view", str(work)) == do("view", "/w/")
    assert do("view", "src/deep/deeper") == "[the folder is empty]"


def test_create_makes_folders_and_overwrites_keeping_the_mode(work: Path) -> None:
    assert do("create", "/w/x/y/b.txt", file_text="b") == "wrote x/y/b.txt"
    (work / "src" / "a.py").chmod(0o755)
    do("create", file_text="short")
    assert (work / "src" / "a.py").read_text() == "short"
    assert (work / "src" / "a.py").stat().st_mode & 0o777 == 0o755


def test_a_text_is_replaced_only_where_it_stands_once(work: Path) -> None:
    assert do("str_replace", old_str="four", new_str="") == "! old_str does not occur in src/a.py"
    assert do("str_replace", old_str="e\n", new_str="") == (
        "! old_str occurs 2 times: give more of what is around it in src/a.py"
    )
    assert do("str_replace", old_str="", new_str="x").startswith("! old_str is empty")
    assert (work / "src" / "a.py").read_text() == "one\ntwo\nthree\n"
    do("str_replace", old_str="two\n")
    assert (work / "src" / "a.py").read_text() == "one\nthree\n"


@pytest.mark.parametrize(
    ("line", "new", "whole"),
    [
        (0, "zero", "zero\none\ntwo\nthree\n"),
        (1, "x\n", "one\nx\ntwo\nthree\n"),
        (3, "four", "one\ntwo\nthree\nfour"),
    ],
)
def test_lines_are_inserted_whole(work: Path, line: int, new: str, whole: str) -> None:
    do("insert", insert_line=line, insert_text=new)
    assert (work / "src" / "a.py").read_text() == whole


@pytest.mark.parametrize("line", [-1, 4, None, "1", True])
def test_a_line_that_is_not_there_takes_no_insertion(work: Path, line: object) -> None:
    assert do("insert", insert_line=line, insert_text="x").startswith("! insert_line must be a number from 0 to 3")


def test_a_file_without_a_last_newline_gets_one_before_what_follows(work: Path) -> None:
    (work / "src" / "a.py").write_text("one")
    do("insert", insert_line=1, insert_text="two\n")
    assert (work / "src" / "a.py").read_text() == "one\ntwo\n"


def test_a_file_keeps_its_line_endings(work: Path) -> None:
    (work / "src" / "a.py").write_bytes(b"one\r\ntwo\r\n")
    do("str_replace", old_str="one\ntwo", new_str="1\n2")
    do("insert", insert_line=1, insert_text="x")
    assert (work / "src" / "a.py").read_bytes() == b"1\r\nx\r\n2\r\n"


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "src/../../x", "/w/../etc", "/wide", "/", "a\0b"])
@pytest.mark.parametrize("command", ["view", "create", "str_replace", "insert"])
def test_a_path_outside_the_workspace_is_refused(work: Path, command: str, path: str) -> None:
    given = {"file_text": "", "old_str": "a", "insert_text": "", "insert_line": 0}
    assert "outside the workspace" in do(command, path, **given)


@pytest.mark.parametrize("command", ["view", "create", "str_replace", "insert"])
def test_a_symbolic_link_is_never_followed(work: Path, tmp_path_factory: pytest.TempPathFactory, command: str) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret").write_text("a")
    (work / "link").symlink_to(outside)
    (work / "src" / "secret").symlink_to(outside / "secret")
    given = {"file_text": "b", "old_str": "a", "insert_text": "b", "insert_line": 0}
    for path in ("link/secret", "src/secret", "link/new"):
        assert do(command, path, **given).startswith("! ")
    assert (outside / "secret").read_text() == "a"
    assert os.listdir(outside) == ["secret"]


def test_what_is_no_text_file_is_said(work: Path) -> None:
    os.mkfifo(work / "pipe")
    (work / "bin").write_bytes(b"\xff\xfe\x00")
    (work / "big").write_bytes(b"x" * 1_000_001)
    assert do("view", "pipe") == "! pipe is not a regular file"
    assert "'utf-8' codec can't decode" in do("view", "bin")
    assert "larger than" in do("view", "big")
    assert do("create", "src", file_text="").startswith("! ")
    assert do("create", file_text="\ud800").startswith("! ")
    assert (work / "src" / "a.py").read_text() == "one\ntwo\nthree\n"


def test_a_long_view_is_cut_and_says_so(work: Path) -> None:
    do("create", "long", file_text="x" * 30_000)
    assert do("view", "long").endswith("[... cut here: use view_range to see the rest]")


@pytest.mark.parametrize("asked", ["", "[]", "7", '{"command": ["view"]}', '{"command": "view"}', "{"])
def test_whatever_it_is_asked_it_answers(work: Path, asked: str) -> None:
    assert editor.answer(asked)["ok"] is False


@given(st.text(max_size=80), st.text(min_size=1, max_size=5), st.text(max_size=5))
def test_a_replacement_is_python_s_own(
    tmp_path_factory: pytest.TempPathFactory, content: str, old: str, new: str
) -> None:
    folder = tmp_path_factory.getbasetemp() / "replaced"
    folder.mkdir(exist_ok=True)
    content, old, new = (one.replace("\r", "") for one in (content, old, new))
    with contextlib.chdir(folder):
        do("create", "f", file_text=content)
        do("str_replace", "f", old_str=old, new_str=new)
    expected = content.replace(old, new) if old and content.count(old) == 1 else content
    assert (folder / "f").read_bytes().decode() == expected
