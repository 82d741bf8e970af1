"""Names: each rule by its code, spellings of `.git`, collisions, and that shown text is inert."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.names import collisions, folded, is_branch, is_git, problems, shown
from bot.store.git import Git

BRANCHES = (
    "-x",
    ".x",
    "a..b",
    "a/.b",
    "a//b",
    "/a",
    "a/",
    "a.",
    "a.lock",
    "a.lock/b",
    "a@{1}",
    "a b",
    "a:b",
    "a~",
    "a*",
)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("a/\udcff.txt", "name-not-utf8"),
        ("a/e\u0301.txt", "name-not-nfc"),
        ("a\tb", "name-control"),
        ("a\nb", "name-control"),
        ("a\x85b", "name-control"),
        ("evil\u202etxt.py", "name-invisible"),
        ("a\u200bb", "name-invisible"),
        ("a\u3164b", "name-invisible"),
        ("a\ufe0f", "name-invisible"),
        ("a\U000e0041", "name-invisible"),
        (".git/config", "name-git"),
        ("a/../b", "name-dots"),
        ("a//b", "name-dots"),
        ("./a", "name-dots"),
        ("a\\b", "name-backslash"),
        ("/etc/passwd", "name-absolute"),
        ("a" * 201, "name-too-long"),
        ("/".join(["a" * 90] * 12), "name-too-long"),
        ("/".join("a" * 31), "name-too-deep"),
        (" a", "name-blank-edge"),
    ],
)
def test_each_rule_refuses_by_its_own_code(path: str, code: str) -> None:
    assert code in {bad.code for bad in problems(path)}


@pytest.mark.parametrize(
    "name",
    [
        ".git",
        ".GIT",
        ".Git",
        ".git.",
        ".git ",
        ".git . .",
        "git~1",
        "GIT~12",
        ".g\u200cit",
        ".gi\ufefft",
        "\uff0egit",
        "\uff0e\uff47\uff49\uff54",
        ".git::$INDEX_ALLOCATION",
        ".g\u034fit",
        ".\u2147it".replace("\u2147", "\uff47"),
    ],
)
def test_git_is_known_in_every_spelling(name: str) -> None:
    assert is_git(name)


@pytest.mark.parametrize("name", [".gitignore", "git", "git~", "git~x", ".gitx", "a.git", "legit"])
def test_what_only_resembles_it_is_not_git(name: str) -> None:
    assert not is_git(name)


@pytest.mark.parametrize("path", ["app.py", "two words.html", "caf\u00e9/\u4e2d\u6587.md", "a" * 200, "-x", ".env"])
def test_ordinary_names_pass(path: str) -> None:
    assert problems(path) == ()


def test_a_new_name_that_differs_by_case_or_form_collides() -> None:
    paths = ["Docs/a", "readme", "x/caf\u00e9"]
    assert collisions([*paths, "docs/b"], ["docs/b"]) == (("docs/b", "Docs"),)
    assert collisions([*paths, "README"], ["README"]) == (("README", "readme"),)
    assert collisions([*paths, "x/cafe\u0301"], ["x/cafe\u0301"]) == (("x/cafe\u0301", "x/caf\u00e9"),)
    assert collisions(["a", "b"], ["a", "b"]) == ()


def test_two_new_names_collide_with_each_other_but_old_ones_are_left_alone() -> None:
    assert collisions(["New", "new"], ["New", "new"]) == (("new", "New"),)
    assert collisions(["Old", "old", "b"], ["b"]) == ()


@given(st.text())
def test_shown_text_has_nothing_that_moves_or_hides(text: str) -> None:
    seen = shown(text)
    assert not {unicodedata.category(char) for char in seen} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert seen.encode().decode() == seen


@given(st.text(st.characters(categories=("Ll", "Lu", "Nd")), min_size=1, max_size=20))
def test_shown_leaves_letters_and_digits_alone_and_folding_settles(name: str) -> None:
    assert shown(name) == name
    assert folded(name.upper()) == folded(folded(name.upper()))


@given(st.text(min_size=1, max_size=8), st.sampled_from(["\u200b", "\u200d", "\ufeff", "\u2060", "\u00ad"]))
def test_an_ignorable_letter_anywhere_never_hides_git(tail: str, unseen: str) -> None:
    for at in range(5):
        assert is_git(".git"[:at] + unseen + ".git"[at:])
    assert any(bad.code == "name-invisible" for bad in problems(tail + unseen))


@given(st.lists(st.text("aAbB\u00e9\u00c9", min_size=1, max_size=3), unique=True, max_size=8))
def test_collisions_are_found_exactly_where_folded_names_meet(names: list[str]) -> None:
    alone = len({name.casefold() for name in names}) == len(names)
    assert (collisions(names, names) == ()) == alone


@settings(max_examples=60, deadline=None)
@given(
    st.text(st.sampled_from("aB1-_/.@{~^:?*[\\ \x01\x7f\u00e9lock"), min_size=1, max_size=9) | st.sampled_from(BRANCHES)
)
def test_a_branch_is_never_called_what_git_would_not_call_it(name: str) -> None:
    refused = Git().ask("check-ref-format", "--branch", name)[0] != 0
    assert not (is_branch(name) and refused)


@pytest.mark.parametrize("name", ["main", "release/1.2", "feature/a-b_c", "caf\u00e9", "a.b", "x@y"])
def test_usual_names_of_branches_are_accepted(name: str) -> None:
    assert is_branch(name)


@pytest.mark.parametrize("name", ["", *BRANCHES])
def test_what_no_branch_can_be_called_is_refused(name: str) -> None:
    assert not is_branch(name)
