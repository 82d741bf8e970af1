"""Owns which paths a cycle may touch: the operator's globs, and the built-in list that wins over all of them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from bot.frozen import frozen
from bot.names import folded

Verdict = Literal["allowed", "protected", "existing-test", "outside-allow", "stray"]

_GIT = (".gitattributes", ".gitmodules", ".gitignore", "gitmod~*", "gi7eba~*", "gitatt~*", "gitign~*")
_CI = (
    *(".github/**", ".circleci/**", ".gitlab/**", ".buildkite/**", ".woodpecker/**", ".husky/**", ".githooks/**"),
    *(".gitlab-ci.yml", ".travis.yml", ".drone.yml", ".woodpecker.yml", "azure-pipelines.yml", "appveyor.yml"),
    *("bitbucket-pipelines.yml", "jenkinsfile", ".ci/**"),
)
_DEPENDENCIES = (
    *("*.lock", "requirements*.txt", "requirements*.in", "requirements/**", "constraints*.txt", "pylock*.toml"),
    *("pipfile", "setup.py", "package.json", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml"),
    *("environment.yml", "environment.yaml", ".python-version"),
)
_TOOLS = (
    *("pyproject.toml", "setup.cfg", "tox.ini", "ruff.toml", ".ruff.toml", "mypy.ini", ".mypy.ini", "pytest.ini"),
    *(
        ".pytest.ini",
        "babel.cfg",
        "babel.ini",
        "babel.toml",
        ".flake8",
        ".pylintrc",
        "pylintrc",
        ".isort.cfg",
        ".bandit",
    ),
    *(".coveragerc", ".pre-commit-config.yaml", ".pre-commit-config.yml", "noxfile.py", "pyrightconfig.json"),
    *(".editorconfig", ".djlintrc", ".yamllint"),
)
_START = ("sitecustomize.py", "usercustomize.py", "*.pth", "conftest.py")
_AGENTS = (
    *("claude.md", "claude.local.md", "agents.md", "agents.override.md", "gemini.md", ".claude/**", ".mcp.json"),
    *(".cursor*", ".cursor*/**", ".windsurf*", ".windsurf*/**", ".vscode/**", ".idea/**", ".devcontainer/**"),
    *("copilot-instructions.md", ".aider*", ".codex/**"),
)
PROTECTED = tuple(f"**/{glob}" for glob in (*_GIT, *_CI, *_DEPENDENCIES, *_TOOLS, *_START, *_AGENTS, "plusone.toml"))
TESTS = ("**/tests/**", "**/test/**", "**/test_*.py", "**/*_test.py")


@frozen
class Policy:
    """Globs over whole paths, from the repository's root; `protected` adds to the built-in list and wins over `allow`.

    `*` and `?` stay within a name; `**` as a whole part stands for any number of parts, also none, and at the end for
    at least one; a glob that ends with a slash means all below. Protected paths match in any spelling and case.
    """

    allow: tuple[str, ...]
    protected: tuple[str, ...] = ()
    max_file_bytes: int = 200_000

    def judge(self, path: str, *, tracked: bool) -> Verdict:
        """What the path's being new (`tracked` False), changed or deleted means."""
        plain = "/".join(folded(name) for name in path.split("/"))
        if matches(plain, PROTECTED) or matches(path, self.protected) or matches(plain, _folded(self.protected)):
            return "protected"
        if tracked and matches(plain, TESTS):
            return "existing-test"
        if matches(path, self.allow):
            return "allowed"
        return "outside-allow" if tracked else "stray"


def matches(path: str, globs: tuple[str, ...]) -> bool:
    """Whether any of the globs matches the whole path; what they mean is said at `Policy`."""
    return any(_compiled(glob).fullmatch(path) for glob in globs)


def _folded(globs: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(glob.casefold() for glob in globs)


@lru_cache(maxsize=512)
def _compiled(glob: str) -> re.Pattern[str]:
    parts = (glob + "**" if glob.endswith("/") else glob).removeprefix("./").split("/")
    *above, last = parts
    pattern = "".join("(?:[^/]+/)*" if part == "**" else _part(part) + "/" for part in above)
    return re.compile(pattern + (".+" if last == "**" else _part(last)), re.DOTALL)


def _part(part: str) -> str:
    kinds = {"*": "[^/]*", "?": "[^/]"}
    return "".join(kinds.get(char, re.escape(char)) for char in part)
