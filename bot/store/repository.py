"""Owns the store: a bare repository of our own in which trees are read, written, committed and pushed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import Literal

from bot.errors import CommandFailed, ConfigError, PlusoneError, SnapshotFailed, Unreachable
from bot.frozen import frozen
from bot.model import TreeEntry
from bot.names import is_branch
from bot.store import trees
from bot.store.bare import prepare
from bot.store.fetched import fetched, known
from bot.store.git import Git, Identity, commit_tree
from bot.store.held import Held
from bot.store.remote import Remote
from bot.store.transport import Transport

_FETCHED = "refs/fetched/tip"
_KEPT = "refs/plusone/"
_LITTLE = 256 * 1024


@frozen
class Logged:
    """One commit of the history: its id, its committer's date as ISO 8601, its whole message."""

    oid: str
    when: str
    message: str


class Store:
    """Implements `bot.ports.Objects`, and all writing to git. Use `Store.open`."""

    def __init__(self, folder: Path, remote: Remote) -> None:
        self.folder = folder
        self.remote = remote
        self._git = Git(folder)
        self._held = Held(self._git)
        self._transport = Transport(self._git, remote)
        self._facts: dict[str, tuple[str, datetime]] = {}  # tree and time of commits, which never change

    @classmethod
    def open(cls, folder: Path, remote: Remote) -> Store:
        """The store in the folder, made if there is none. Raises as `prepare` does for what lies there."""
        prepare(folder)
        return cls(folder, remote)

    def fetch(self, branch: str) -> str:
        """Fetch the branch and return its tip.

        Raises ConfigError, Unreachable or CredentialsRefused with what next, StoreDamaged where the store is to blame.
        """
        if not is_branch(branch):
            raise ConfigError(f"site.branch {branch!r}: not a name that a branch can have")
        try:
            self._transport.fetch(branch, _FETCHED)
        except PlusoneError as error:
            from bot.store.damage import raise_blamed  # late: seldom needed

            raise_blamed(self.folder, error)
        found = fetched(self._git, self.folder, branch, self.remote.url)
        if found is None:  # git says nothing of it: a shallow clone, or no room for FETCH_HEAD
            _fill_a_little(self.folder)
            raise ConfigError(
                f"{self.remote.url}: {branch} cannot be fetched whole, it is a shallow clone; "
                "run `git fetch --unshallow` there, or name another site.remote"
            )
        self._facts[found.oid] = found.tree, found.when
        return found.oid

    def known(self, branch: str) -> str | None:
        """The tip that the last fetch of the branch found; the remote is not asked, and may have moved on since."""
        found = known(self.folder, branch, self.remote.url)
        if found is None:
            return None
        self._facts[found.oid] = found.tree, found.when
        return found.oid

    def tip(self, branch: str) -> str | None:
        """The commit that the remote's branch is at now; None where it has no such branch."""
        return self._transport.tips(branch).get(branch)

    def push(self, oid: str, branch: str, expected: str) -> Literal["pushed", "lost"]:
        """Move the remote's branch from `expected` to its child `oid`, exactly once and never by force.

        "pushed" also where the commit is on the branch already. "lost" where the branch is not at `expected`.
        """
        if self._git.run("rev-parse", f"{oid}^@").decode().split() != [expected]:
            raise SnapshotFailed(f"{oid[:12]} does not sit on {expected[:12]}: it is not pushed")
        if self.tip(branch) != expected:
            return "pushed" if self.landed(oid, branch) else "lost"
        try:
            self._transport.push(oid, branch, expected)
        except (CommandFailed, Unreachable):
            if self.tip(branch) == expected:
                raise
        return "pushed" if self.landed(oid, branch) else "lost"

    def try_push(self, oid: str, branch: str, expected: str) -> None:
        """Ask the remote whether `push` would be let in, and send nothing. A refusal is raised."""
        self._transport.push(oid, branch, expected, dry=True)

    def tree_of(self, commit: str) -> str:
        """The tree of a commit."""
        if commit in self._facts:
            return self._facts[commit][0]
        return self._git.run("rev-parse", "--verify", "--end-of-options", f"{commit}^{{tree}}").decode().strip()

    def entries(self, tree: str) -> Mapping[str, TreeEntry]:
        """Every path of the tree, recursively, in git's order; names that are not UTF-8 hold surrogate escapes."""
        return self._held.entries(tree)

    def blob(self, oid: str) -> bytes:
        """A blob's content."""
        return self._held.blob(oid)

    def blobs(self, oids: Iterable[str]) -> Mapping[str, bytes]:
        """The contents of many blobs, read by one command."""
        return self._held.blobs(oids)

    def patch(self, before: str, after: str) -> str:
        """The difference of two trees as a unified patch; bytes that are not UTF-8 are replaced."""
        flags = ("--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", "--src-prefix=a/", "--dst-prefix=b/")
        return self._git.run("diff-tree", "-r", "-p", *flags, before, after).decode("utf-8", "replace")

    def changed(self, before: str, after: str) -> tuple[str, ...]:
        """The paths in which two trees differ; a rename is its two paths."""
        return trees.changed(self._git, before, after)

    def committed_at(self, oid: str) -> datetime:
        """When the commit was made, by its committer's clock, in UTC."""
        if oid in self._facts:
            return self._facts[oid][1]
        shown = self._git.run("show", "--no-patch", "--format=%ct", oid).decode()
        return datetime.fromtimestamp(int(shown), UTC)

    def log(self, tip: str) -> Iterator[Logged]:
        """The history of the commit, oldest first, however long it is."""
        pieces = self._git.stream("log", "--reverse", "-z", "--encoding=UTF-8", "--format=%H%x00%cI%x00%B", tip)
        fields = (field.decode("utf-8", "replace") for field in _split(pieces))
        return (Logged(oid, when, message) for oid, when, message in zip(fields, fields, fields, strict=True))

    def write_tree(self, base_tree: str, files: trees.Files) -> str:
        """Write `base_tree` with each path set to its mode and content, None deleting it. Raises SnapshotFailed."""
        return trees.write_tree(self._git, base_tree, files)

    def commit(self, tree: str, parent: str, message: str, identity: Identity) -> str:
        """Write the commit of the tree on the parent; equal arguments make the same commit."""
        return commit_tree(self._git, tree, (parent,), message, identity)

    def keep(self, name: str, oid: str) -> None:
        """Hold a commit or a tree under `refs/plusone/<name>`, whatever stood there."""
        self._git.run("update-ref", "--no-deref", _KEPT + name, oid)

    def kept(self, prefix: str) -> Mapping[str, str]:
        """What is held under names that begin with the folder or name `prefix`; all of it for an empty prefix."""
        listed = self._git.run("for-each-ref", "--format=%(refname) %(objectname)", (_KEPT + prefix).rstrip("/"))
        pairs = (line.split(" ") for line in listed.decode().splitlines())
        return {ref.removeprefix(_KEPT): oid for ref, oid in pairs}

    def drop(self, name: str) -> None:
        """Hold it no longer; a name that is not held is fine."""
        self._git.run("update-ref", "-d", _KEPT + name)

    def pack(self, oid: str, without: str) -> bytes:
        """A pack of all that the commit has and the other has not, for a repository that cannot read the store."""
        return self._git.run("pack-objects", "--revs", "--stdout", "-q", stdin=f"{oid}\n^{without}\n".encode())

    def landed(self, oid: str, branch: str) -> bool:
        """Whether the commit is on the remote's branch, at its tip or, where others were quick, below it."""
        tip = self.tip(branch)
        if tip is None or tip == oid:
            return tip == oid
        status, _, _ = self._git.ask("merge-base", "--is-ancestor", oid, self.fetch(branch))
        return status == 0


def _fill_a_little(folder: Path) -> None:
    """Raises OSError where the disk is full or nearly so."""
    with TemporaryFile(dir=folder, buffering=0) as file:
        file.write(bytes(_LITTLE))


def _split(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\0")
        yield from whole
    if rest.strip():
        yield rest
