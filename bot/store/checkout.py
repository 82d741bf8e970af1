"""Owns the operator's live checkout: looked at before a cycle, moved forward after a push when that is clean."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from bot.errors import CommandFailed, ConfigError, shortage
from bot.names import shown
from bot.store.git import Git
from bot.store.remote import owner_of
from bot.store.repository import Store
from bot.workspace.policy import matches

_STATUS = ("status", "--porcelain=v2", "-z", "--untracked-files=no", "--ignore-submodules=all", "--no-renames")
_MERGE = ("merge", "--ff-only", "--no-overwrite-ignore", "--no-autostash", "--no-verify", "--no-stat", "--quiet")


def dirty(checkout: Path, allow: tuple[str, ...]) -> tuple[str, ...]:
    """Tracked files outside the globs `allow` that are modified, staged or deleted; untracked ones never matter.

    Raises ConfigError where there is no checkout, or none that git can read.
    """
    try:
        records = _checkout(checkout).run(*_STATUS).split(b"\0")
    except CommandFailed as error:
        if shortage(error):
            raise
        raise ConfigError(f"{checkout} cannot be read, {error}; mend that checkout, or site.checkout") from error
    paths = (_path(record) for record in records if record)
    return tuple(sorted(shown(path) for path in paths if not matches(path, allow)))


def fast_forward(checkout: Path, branch: str, store: Store, oid: str, base: str) -> str:
    """Move the checkout from `base` to `oid`, as its owner and with hooks off; the note says what became of it.

    Nothing is touched unless its HEAD is that branch at that base and every tracked file is clean; nothing of the
    operator's is ever overwritten, also not what git ignores.
    """
    try:
        git = _checkout(checkout)
        if git.run("rev-parse", "HEAD").decode().strip() == oid:
            return f"{checkout} is at {oid[:12]}"  # a crash came between this and its record
        if why := _unfit(git, branch, base):
            return f"{checkout} was left alone: {why}"
        git.run("unpack-objects", "-q", stdin=store.pack(oid, base))
        git.run(*_MERGE, oid)
    except (CommandFailed, ConfigError, OSError) as error:  # the commit is pushed already: that is how the cycle ends
        return f"{checkout} was left alone: {error}"
    return f"{checkout} is at {oid[:12]}"


def lent(checkout: Path, name: str, store: Store) -> tuple[str, str] | None:
    """The commit that the checkout knows by that name, and its tree, which the store then holds too; else None."""
    try:
        git = _checkout(checkout)
    except ConfigError:
        return None
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options")
    status, printed, _ = git.ask(*asked, f"{name}^{{commit}}")
    if status:
        return None
    oid = printed.decode().strip()
    tree = git.run(*asked, f"{oid}^{{tree}}").decode().strip()
    ours = Git(store.folder)
    if ours.ask("cat-file", "-e", oid)[0]:  # the whole of a commit that was fetched is there; a tree alone may be torn
        pack = git.run("pack-objects", "--revs", "--stdout", "-q", stdin=f"{tree}\n".encode())
        ours.run("unpack-objects", "-q", stdin=pack)
    return oid, tree


def _unfit(git: Git, branch: str, base: str) -> str:
    status, head, _ = git.ask("symbolic-ref", "--quiet", "HEAD")
    if status or head.decode().strip() != f"refs/heads/{branch}":
        return f"it is not on {branch}"
    if (at := git.run("rev-parse", "HEAD").decode().strip()) != base:
        return f"it is at {at[:12]}, not at {base[:12]}"
    return "tracked files are modified there" if git.run(*_STATUS) else ""


def _checkout(checkout: Path) -> Git:
    """Git on the repository that the folder lies in, as its owner, with its filters disarmed too."""
    above = (folder for folder in (checkout, *checkout.parents) if (folder / ".git").exists())
    top = next(above, None)
    if top is None:
        raise ConfigError(f"{checkout}: not a checkout of a repository; mend site.checkout")
    named = {"GIT_COMMITTER_NAME": "plusone", "GIT_COMMITTER_EMAIL": "plusone@localhost"}
    git = Git(top / ".git", {"GIT_WORK_TREE": str(top), **named}, user=owner_of(top))
    if _names_no_filter(top / ".git" / "config"):
        return git
    status, printed, _ = git.ask(
        "config", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|smudge|process|required)$"
    )
    keys = [os.fsdecode(key) for key in printed.split(b"\0") if key] if status == 0 else []
    return replace(git, variables={**git.variables, **_overriding(keys)})


def _names_no_filter(settings: Path) -> bool:
    """Whether the file, by itself, cannot name a filter: it has neither that word nor one that leads to other files."""
    try:
        text = settings.read_bytes().lower()
    except OSError:
        return False
    return not any(word in text for word in (b"filter", b"include", b"worktreeconfig"))


def _overriding(keys: list[str]) -> dict[str, str]:
    """Settings by way of the environment, since a filter's name may hold what a command line cannot say."""
    pairs = [(key, "false" if key.endswith(".required") else "") for key in dict.fromkeys(keys)]
    numbered = {f"GIT_CONFIG_KEY_{n}": key for n, (key, _) in enumerate(pairs)}
    values = {f"GIT_CONFIG_VALUE_{n}": value for n, (_, value) in enumerate(pairs)}
    return {"GIT_CONFIG_COUNT": str(len(pairs)), **numbered, **values}


def _path(record: bytes) -> str:
    """The path of a changed (`1`) or unmerged (`u`) record."""
    return os.fsdecode(record.split(b" ", 8 if record.startswith(b"1") else 10)[-1])
