"""Owns what was judged and is not on the branch: the refs that keep it, and how a person gets it back."""

from __future__ import annotations

from pathlib import Path

from bot.errors import ConfigError
from bot.frozen import frozen
from bot.names import is_branch
from bot.store.git import Git, Identity
from bot.store.repository import Store
from bot.store.transport import Transport
from bot.workspace.plain import Folder, write_tree_to

_ROOT = "refs/plusone/"
_FOLDERS = ("rescue", "waiting", "snapshots")  # in the order in which a cycle's name is looked up


@frozen
class Kept:
    """One kept commit (`rescue`, `waiting`) or tree (`snapshots`), and the cycle that made it."""

    ref: str
    oid: str

    @property
    def cycle(self) -> str:
        """The cycle's id."""
        return self.ref.split("/")[1]

    @property
    def is_commit(self) -> bool:
        """Whether it is a whole commit; else it is a tree."""
        return not self.ref.startswith("snapshots/")


def kept(store: Store) -> tuple[Kept, ...]:
    """All of it, commits first, then by cycle."""
    found = {folder: store.kept(folder) for folder in _FOLDERS}
    return tuple(Kept(ref, oid) for folder in _FOLDERS for ref, oid in sorted(found[folder].items()))


def find(store: Store, name: str) -> Kept:
    """The one of that ref, or what the cycle of that name came to last. Raises ConfigError where there is none."""
    all_of_it = kept(store)
    short = name.removeprefix(_ROOT)
    exact = [one for one in all_of_it if one.ref == short]
    of_cycle = [one for one in all_of_it if one.cycle == short]
    best = [one for one in of_cycle if one.is_commit] or of_cycle
    if len(exact or best) == 1:
        return (exact or best)[0]
    how = f"{len(best)} trees are kept of it, name one" if best else "nothing of that name is kept"
    raise ConfigError(f"{name}: {how}; `plusone rescue list` lists what there is")


def patch(store: Store, one: Kept, base: str | None) -> str:
    """What it changes; `base` is the commit that its cycle began from. Raises ConfigError where that is not known."""
    if one.is_commit:
        return store.patch(store.tree_of(f"{one.oid}^"), store.tree_of(one.oid))
    return store.patch(store.tree_of(_known(one, base)), one.oid)


def restore_folder(store: Store, one: Kept, folder: Path) -> None:
    """Write it as plain files into a new or empty folder; links become empty files. Raises ConfigError."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder} is not an empty folder; name a new one")
    write_tree_to(Folder(folder.absolute()), store, store.entries(one.oid))
    (folder / ".git").rmdir()


def restore_branch(store: Store, one: Kept, base: str | None, branch: str, who: Identity) -> str:
    """Push it to the remote as a new branch, and say which commit that is. Raises ConfigError, and what a push raises.

    It never is the branch that cycles push to: `branch` must be new.
    """
    if not is_branch(branch):
        raise ConfigError(f"{branch!r}: not a name that a branch can have")
    if store.tip(branch) is not None:
        raise ConfigError(f"{store.remote.url} has a branch {branch} already; name a new one")
    commit = one.oid
    if not one.is_commit:
        message = f"What {one.cycle} judged\n\nNobody approved of it: look first.\n"
        commit = store.commit(one.oid, _known(one, base), message, who)
    Transport(Git(store.folder), store.remote).push(commit, branch, "")
    return commit


def _known(one: Kept, base: str | None) -> str:
    if base is None:
        raise ConfigError(f"{one.ref}: the journal does not tell what it was based on; restore it with --to FOLDER")
    return base
