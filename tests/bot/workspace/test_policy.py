"""Path policy: what globs mean, what is protected whatever the operator allows, and what becomes of the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.workspace.policy import Policy, matches

ALL = Policy(allow=("**",))
NAMES = st.text("abx._-[]+\u00e9 ", min_size=1, max_size=5).filter(lambda name: name.strip(" .") != "")
PATHS = st.lists(NAMES, min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("glob", "yes", "no"),
    [
        ("src/**", ("src/a", "src/a/b.py"), ("src", "a/src/b", "srcs/a")),
        ("src/", ("src/a", "src/a/b"), ("src",)),
        ("**/x.py", ("x.py", "a/x.py", "a/b/x.py"), ("ax.py", "x.py/a")),
        ("src/*.py", ("src/a.py", "src/.py"), ("src/a/b.py", "src/apy")),
        ("a/**/z", ("a/z", "a/b/z", "a/b/c/z"), ("az", "a/z/b")),
        ("a?c", ("abc",), ("ac", "a/c", "abbc")),
        ("[ab].txt", ("[ab].txt",), ("a.txt",)),
        ("README.md", ("README.md",), ("docs/README.md", "readme.md")),
        ("./a", ("a",), ("b",)),
        ("a**b", ("ab", "axb"), ("a/b",)),
        ("*", ("a", "a\nb"), ("a/b",)),
    ],
)
def test_globs_mean_what_policy_says(glob: str, yes: tuple[str, ...], no: tuple[str, ...]) -> None:
    assert [path for path in yes if not matches(path, (glob,))] == []
    assert [path for path in no if matches(path, (glob,))] == []


@given(PATHS)
def test_two_stars_match_everything_below_and_nothing_else(parts: list[str]) -> None:
    path = "/".join(parts)
    assert matches(path, ("**",))
    assert matches(f"top/{path}", ("top/**",))
    assert matches(f"top/{path}", ("top/",))
    assert not matches(path, (f"{path}/**",))


@given(PATHS)
def test_one_star_stays_within_a_name(parts: list[str]) -> None:
    assert matches("/".join(parts), ("/".join("*" for _ in parts),))
    assert not matches("/".join(parts), ("/".join("*" for _ in [*parts, "x"]),))


@given(PATHS, PATHS)
def test_a_glob_without_stars_matches_itself_alone(one: list[str], other: list[str]) -> None:
    assert matches("/".join(one), ("/".join(one),))
    assert matches("/".join(one), ("/".join(other),)) == (one == other)


@pytest.mark.parametrize(
    "name",
    [
        ".gitattributes",
        ".gitmodules",
        ".gitignore",
        ".github/workflows/ci.yml",
        ".gitlab-ci.yml",
        ".circleci/config.yml",
        "requirements.txt",
        "requirements-dev.txt",
        "requirements/prod.txt",
        "uv.lock",
        "poetry.lock",
        "package-lock.json",
        "pyproject.toml",
        "setup.cfg",
        "setup.py",
        "tox.ini",
        "ruff.toml",
        ".ruff.toml",
        ".pre-commit-config.yaml",
        "mypy.ini",
        "pytest.ini",
        "babel.cfg",
        "sitecustomize.py",
        "usercustomize.py",
        "x.pth",
        "conftest.py",
        "CLAUDE.md",
        "AGENTS.md",
        ".claude/settings.json",
        ".cursorrules",
        ".cursor/rules/x.md",
        ".mcp.json",
        ".vscode/tasks.json",
        ".idea/x.xml",
        ".github/copilot-instructions.md",
        "plusone.toml",
    ],
)
@pytest.mark.parametrize("above", ["", "src/deep/"])
def test_the_built_in_list_wins_over_what_is_allowed_at_any_depth(above: str, name: str) -> None:
    assert ALL.judge(above + name, tracked=False) == "protected"
    assert ALL.judge(above + name, tracked=True) == "protected"


@pytest.mark.parametrize("name", ["PyProject.TOML", "\uff30yproject.toml", ".g\u200citignore", "Claude.md", "tox.ini."])
def test_a_protected_name_is_known_in_other_spellings(name: str) -> None:
    assert ALL.judge(name, tracked=False) == "protected"


def test_the_operators_own_list_is_added_and_wins_too() -> None:
    policy = Policy(allow=("**",), protected=("Deploy/**",))
    assert policy.judge("Deploy/x", tracked=False) == "protected"
    assert policy.judge("deploy/x", tracked=False) == "protected"
    assert policy.judge("src/deploy/x", tracked=False) == "allowed"


@pytest.mark.parametrize("path", ["tests/data.json", "src/tests/x.py", "src/test_x.py", "x_test.py", "test/a"])
def test_tests_that_exist_stay_and_new_ones_are_welcome_where_allowed(path: str) -> None:
    assert ALL.judge(path, tracked=True) == "existing-test"
    assert ALL.judge(path, tracked=False) == "allowed"
    assert Policy(allow=("docs/**",)).judge(path, tracked=False) == "stray"


def test_outside_what_is_allowed_old_files_are_objected_to_and_new_ones_are_strays() -> None:
    policy = Policy(allow=("src/**",))
    assert policy.judge("src/a.py", tracked=True) == "allowed"
    assert policy.judge("README.md", tracked=True) == "outside-allow"
    assert policy.judge("notes.txt", tracked=False) == "stray"
