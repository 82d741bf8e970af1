"""What git tells of a checkout: its tracked files, its branch and its remotes."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from bot.errors import ConfigError
from bot.frozen import frozen
from bot.store.git import Git
from bot.store.remote import owner_of, resolve

_MOST = 20_000


@frozen
class Checkout:
    """A checkout's folder, its tracked files (relative), its branch, and the name and address of its remote.

    `remote` is empty where there is none, `trouble` says why its address cannot be used.
    """

    folder: Path
    files: tuple[str, ...]
    branch: str
    remote: str
    url: str
    trouble: str = ""

    def text(self, path: str) -> str:
        """A tracked file's text; empty where it cannot be read or is a link."""
        file = self.folder / path
        if file.is_symlink() or not file.is_file():
            return ""
        with file.open("rb") as stream:
            return stream.read(1024**2).decode("utf-8", "replace")

    def below(self, *suffixes: str) -> tuple[str, ...]:
        """Tracked files with one of these endings."""
        return tuple(path for path in self.files if path.endswith(suffixes))


def read_checkout(folder: Path) -> Checkout:
    """The checkout at the folder. Raises ConfigError where it is none, or has no commit, or is a part of one."""
    folder = folder.absolute()
    if not (folder / ".git").exists():
        raise ConfigError(f"{folder} {_lacking(folder)}")
    git = Git(folder / ".git", {"GIT_WORK_TREE": str(folder)}, user=owner_of(folder))
    if git.ask("rev-parse", "--verify", "--quiet", "HEAD")[0]:
        raise ConfigError(f"{folder} has no commit yet: commit and push the site first")
    listed = git.run("ls-files", "-z").split(b"\0")
    names = (os.fsdecode(name) for name in listed[:_MOST] if name)
    files = tuple(name for name in names if name.isprintable() and "\\" not in name)  # others fit no configuration
    status, head, _ = git.ask("symbolic-ref", "--quiet", "--short", "HEAD")
    branch = head.decode().strip() if status == 0 else ""
    name = _remote(git, branch)
    url, trouble = _address(name, folder)
    return Checkout(folder, files, branch, name, url, trouble)


def _lacking(folder: Path) -> str:
    """Why there is no checkout at the folder, and what next."""
    if not folder.is_dir():
        return "is no folder: name the top of the site's checkout"
    if top := next((one for one in folder.parents if (one / ".git").exists()), None):
        return f"is a part of the checkout at {top}: run `plusone init {shlex.quote(str(top))}`"
    if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
        return "is a bare repository: clone it, and change to the clone"
    return "is not the top of a git checkout: change to it, or run `git init` and commit first"


def _remote(git: Git, branch: str) -> str:
    """The one that the branch follows, else `origin`, else the only one."""
    status, followed, _ = git.ask("config", "--get", f"branch.{branch}.remote")
    if status == 0 and (name := followed.decode().strip()) != ".":
        return name
    names = git.run("remote").decode().split()
    return "origin" if "origin" in names else names[0] if names else ""


def _address(name: str, folder: Path) -> tuple[str, str]:
    if not name:
        return "", "the checkout has no remote: git remote add origin URL"
    try:
        return resolve(name, folder), ""
    except ConfigError as error:
        return "", str(error)
