"""Builders: bare repositories, stores and people who push, all over real git."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.store.git import Identity, commit_files, found
from bot.store.remote import Remote
from bot.store.repository import Store

PERSON = Identity("A Person", "person@example.org", "2026-01-02T03:04:05+00:00")
BOT = Identity("Plusone", "plusone@example.org", "2026-11-30T04:00:00+00:00")
SITE = {
    "app.py": "print('site')\n",
    "run.sh": "#!/bin/sh\n",
    "pages/one.html": "<p>one</p>\n",
    "pages/two words.html": "<p>two</p>\n",
    "tests/test_app.py": "def test_it(): pass\n",
    "pyproject.toml": "[tool.ruff]\n",
}


@dataclass(frozen=True, slots=True)
class Scene:
    """A bare remote with one branch, `main`, and a store that has fetched it."""

    bare: Path
    store: Store
    base: str

    @property
    def base_tree(self) -> str:
        """The tree of the fetched tip."""
        return self.store.tree_of(self.base)


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write text files into the folder; scripts (`.sh`) are executable."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755 if name.endswith(".sh") else 0o644)


def scene(folder: Path, files: Mapping[str, str] = SITE) -> Scene:
    """A bare repository that holds the files, and a store that has fetched it."""
    bare = folder / "remote.git"
    shutil.copytree(_founded(tuple(sorted(files.items()))), bare)
    store = Store.open(folder / "store.git", Remote(str(bare)))
    return Scene(bare, store, store.fetch("main"))


@cache
def _founded(files: tuple[tuple[str, str], ...]) -> Path:
    """The bare repository that is copied, made once in a process; the folder goes with it."""
    folder = TemporaryDirectory(prefix="founded-")
    atexit.register(folder.cleanup)
    write(Path(folder.name) / "first", dict(files))
    found(Path(folder.name) / "remote.git", Path(folder.name) / "first", "First commit", PERSON, "main")
    return Path(folder.name) / "remote.git"


def push_by_hand(bare: Path, name: str = "by-hand.txt", text: str = "mine\n") -> str:
    """A person pushes one file to `main`; return the commit."""
    return commit_files(bare, "main", {name: text.encode()}, "By hand", PERSON)


def with_links(here: Scene) -> str:
    """The base tree with a symlink `link` and a submodule `module` in it, as people's repositories have them."""
    target = git(here.store.folder, "hash-object", "-w", "--stdin", said="/etc/passwd")
    listed = git(here.store.folder, "ls-tree", here.base_tree)
    added = f"\n120000 blob {target}\tlink\n160000 commit {here.base}\tmodule\n"
    return git(here.store.folder, "mktree", said=listed + added)


def git(where: Path, *arguments: str, said: str = "", check: bool = True) -> str:
    """Plain git, as a person at a terminal has it."""
    named = {f"GIT_{who}_{what}": "person" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = subprocess.run(
        ["git", *arguments],
        cwd=where,
        env={**os.environ, **named},
        input=said,
        capture_output=True,
        text=True,
        check=check,
    )
    return done.stdout.strip()


def branch_of(bare: Path, branch: str = "main") -> str:
    """The commit that a branch of the bare repository is at."""
    return git(bare, "rev-parse", f"refs/heads/{branch}")
