"""Patches are read by their counts, whatever their lines look like."""

from __future__ import annotations

import subprocess
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.model import AddedLine
from guards.patch import added_lines, fingerprint

FLAGS = ("--no-index", "--no-color", "--src-prefix=a/", "--dst-prefix=b/")
TRICKS = ["", "+++ b/other.py", "--- a/other.py", "@@ -1 +1 @@", "diff --git a/x b/x", "\\ No newline", "+", "-"]
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=8)
LINES = st.lists(st.one_of(st.sampled_from(TRICKS), TEXT), max_size=8)


def diff(root: Path, name: str, old: str, new: str) -> str:
    for side, text in (("old", old), ("new", new)):
        (root / side).mkdir(exist_ok=True)
        (root / side / name).write_bytes(text.encode())
    ran = subprocess.run(["git", "diff", *FLAGS, "old", "new"], cwd=root, capture_output=True)
    return ran.stdout.decode(errors="replace")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=LINES, new=LINES)
def test_the_added_lines_of_any_real_patch_stand_where_it_says(tmp_path: Path, old: list[str], new: list[str]) -> None:
    if any("\0" in one for one in (*old, *new)):
        return
    patch = diff(tmp_path, "page.txt", "".join(f"{one}\n" for one in old), "".join(f"{one}\n" for one in new))
    found = added_lines(patch)
    assert all(new[one.number - 1] == one.text and one.path == "new/page.txt" for one in found)
    kept = [text for number, text in enumerate(new, 1) if number not in {one.number for one in found}]
    rest = iter(old)
    assert all(text in rest for text in kept)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    for patch in (text, "+++ b/x\n@@ -0,0 +1,9 @@\n" + text):
        assert all(isinstance(one, AddedLine) for one in added_lines(patch))


def test_names_with_blanks_quotes_and_foreign_letters_are_read(tmp_path: Path) -> None:
    for name in ("a b.txt", 'ä\t"q".txt'):
        (tmp_path / name).mkdir()
        assert [one.path for one in added_lines(diff(tmp_path / name, name, "", "x\n"))] == [f"new/{name}"]


def test_new_files_and_lines_without_an_end_are_read() -> None:
    patch = """diff --git a/x b/x
new file mode 100644
--- /dev/null
+++ b/x
@@ -0,0 +1,2 @@
+one
+two
\\ No newline at end of file
diff --git a/y b/y
--- a/y
+++ b/y
@@ -3 +3 @@ def f():
-old
\\ No newline at end of file
+new
\\ No newline at end of file
Binary files a/z and b/z differ
"""
    assert added_lines(patch) == (AddedLine("x", 1, "one"), AddedLine("x", 2, "two"), AddedLine("y", 3, "new"))


OLD = "one\ntwo\nthree\nfour\n"


def print_of(root: Path, new: str, old: str = OLD, name: str = "page.txt") -> str:
    return fingerprint(diff(root, name, old, new))


def test_the_same_change_is_known_again_wherever_it_stands_and_however_it_is_indented(tmp_path: Path) -> None:
    first = print_of(tmp_path, OLD + "a  new line\n")
    assert first and first == print_of(tmp_path, "\ta new\u00a0line \n\n" + OLD)
    assert first == print_of(tmp_path, "zero\none\na new line\ntwo\n", "zero\none\ntwo\n")


def test_other_words_another_file_or_a_line_taken_make_another_change(tmp_path: Path) -> None:
    found = [
        print_of(tmp_path, OLD + "a new line\n"),
        print_of(tmp_path, OLD + "a New line\n"),
        print_of(tmp_path, OLD + "a new line\n", name="other.txt"),
        print_of(tmp_path, "one\ntwo\nthree\na new line\n"),
        print_of(tmp_path, OLD, OLD + "a new line\n"),
    ]
    assert len(set(found)) == len(found)


def test_files_may_be_left_out_and_nothing_has_no_digest(tmp_path: Path) -> None:
    patch = diff(tmp_path, "page.txt", OLD, OLD + "x\n")
    assert fingerprint(patch, {"new/page.txt", "old/page.txt"}) == ""
    assert fingerprint("") == print_of(tmp_path, OLD + "\n\n") == ""


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=200))
def test_no_text_breaks_the_digest(text: str) -> None:
    fingerprint(text)
    fingerprint("@@ -1,9 +1,9 @@\n" + text)
