"""Owns what a revision on the command line means: a branch of the remote, or a commit that the checkout knows."""

from __future__ import annotations

from pathlib import Path

from bot.errors import ConfigError
from bot.frozen import frozen
from bot.lines import one_line
from bot.store.checkout import lent
from bot.store.git import Git
from bot.store.repository import Store


@frozen
class Revision:
    """A commit and its tree, which the store holds."""

    oid: str
    tree: str


def revision(store: Store, branch: str, checkout: Path | None, name: str) -> Revision:
    """The revision of that name: the site's branch as the remote has it now, else what the checkout calls so, else a
    commit that the store knows. Raises ConfigError where nobody knows it, and what fetching raises.
    """
    if name == branch:
        return _held(store, store.fetch(branch))
    found = lent(checkout, name, store) if checkout is not None else None
    if found is not None:
        return Revision(*found)
    store.fetch(branch)
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    status, printed, _ = Git(store.folder).ask(*asked)
    if status:
        where = f"{checkout} and " if checkout is not None else ""
        raise ConfigError(f"{one_line(name)!r}: no such commit or branch in {where}{store.remote.url}; name another")
    return _held(store, printed.decode().strip())


def _held(store: Store, oid: str) -> Revision:
    return Revision(oid, store.tree_of(oid))
