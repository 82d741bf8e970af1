"""A change, from the builder's claim to the frozen tree that every verdict quotes."""

from __future__ import annotations

from typing import Literal

from bot.frozen import frozen


@frozen
class Claim:
    """What the builder says it added (DESIGN §5); never evidence."""

    kind: str
    key: str
    summary: str
    routes: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


@frozen
class Change:
    """One path that differs from base; `by` says whether the bot itself wrote it.

    `bot_lines` is how many lines the bot put at the end of what the agent wrote; `size` is the agent's share.
    """

    path: str
    status: Literal["added", "changed", "deleted"]
    mode: str = "100644"
    size: int = 0
    by: Literal["agent", "bot"] = "agent"
    bot_lines: int = 0


@frozen
class Dropped:
    """A new stray file outside the allowed paths: left out of the tree, and noted."""

    path: str
    why: str


@frozen
class Snapshot:
    """The workspace frozen into one git tree object; what is judged and, unchanged, what ships.

    `patch` is a digest of what the agent changed, by which the same attempt is known again.
    """

    base: str
    base_tree: str
    tree: str
    claim: Claim
    changes: tuple[Change, ...]
    dropped: tuple[Dropped, ...] = ()
    patch: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path of the change that the agent wrote."""
        return tuple(change.path for change in self.changes if change.by == "agent")


@frozen
class TreeEntry:
    """One entry of a git tree, as `ls-tree` lists it; `size` is None for a submodule."""

    mode: str
    oid: str
    size: int | None = None


@frozen
class AddedLine:
    """One line that a change adds, with its number in the new file."""

    path: str
    number: int
    text: str
