"""From the workspace to a snapshot, with what the bot itself does to it: catalogues completed, compiled, kept quiet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from bot.frozen import frozen
from bot.model import Change, Claim, Dropped, Objection, Snapshot
from bot.ports import canonical
from bot.store.repository import Store
from bot.workspace.freeze import freeze
from bot.workspace.ignored import ignored
from bot.workspace.policy import Policy
from bot.workspace.refusal import refusal
from guards.patch import fingerprint

Compile = Callable[[bytes], bytes | None]
Same = Callable[[bytes, bytes], bool]
Append = Callable[[str, str, Mapping[str, bytes]], Mapping[str, bytes]]
_IDLE = "only headers, comments or line breaks differ"
_CATALOGUES = (".po", ".pot")


@frozen
class _Own:
    """What the bot writes: catalogues put back as base has them, and those to which it added entries."""

    idle: Mapping[str, bytes]
    more: Mapping[str, bytes]


class WorkspaceFreezer:
    """Implements what the node `scope` asks.

    `compiler` makes a `.mo`, `same` tells whether two catalogues mean the same, and `append` gives, for base's tree,
    the candidate's, and contents other than the candidate's, the catalogues to which it added entries. Without the
    latter two, catalogues are compiled and otherwise left alone.
    """

    def __init__(
        self,
        store: Store,
        root: Path,
        policy: Policy,
        compiler: Compile,
        same: Same = lambda _before, _now: False,
        append: Append = lambda _base, _tree, _instead: {},
    ) -> None:
        self._store, self._root, self._policy = store, root, policy
        self._compiler, self._same, self._append = compiler, same, append

    def freeze(self, base: str, base_tree: str, claim: Claim) -> Snapshot | tuple[Objection, ...]:
        """The snapshot, or every objection to its becoming one."""
        frozen = self._frozen(base, base_tree, claim)
        if not isinstance(frozen, Snapshot):
            return frozen
        ours = {change.path for change in frozen.changes if change.by == "bot"}
        return replace(frozen, patch=fingerprint(self._store.patch(base_tree, frozen.tree), ours))

    def _frozen(self, base: str, base_tree: str, claim: Claim) -> Snapshot | tuple[Objection, ...]:
        entries = self._store.entries(base_tree)
        tracked = {path: self._store.blob(one.oid) for path, one in entries.items() if path.endswith(".mo")}
        draft = freeze(self._store, self._root, base, claim, self._policy, tracked)
        if not isinstance(draft, Snapshot):
            return draft
        new = (change.path for change in draft.changes if change.status == "added")
        if unseen := ignored(self._store, base_tree, new):
            return canonical(refusal(path, "git-ignored") for path in unseen)
        idle = self._idle(draft)
        more = self._append(base_tree, draft.tree, idle)
        ours = {**idle, **self._compiled(draft, idle, bool(tracked)), **more}
        if not ours:
            return draft
        frozen = freeze(self._store, self._root, base, claim, self._policy, {**tracked, **ours})
        return self._finished(draft, frozen, _Own(idle, more)) if isinstance(frozen, Snapshot) else frozen

    def changed(self, before: str, after: str) -> tuple[str, ...]:
        """The paths in which two trees differ."""
        return self._store.changed(before, after)

    def keep(self, cycle: str, tree: str) -> None:
        """Under `refs/plusone/snapshots/`, until retention."""
        self._store.keep(f"snapshots/{cycle}/{tree[:12]}", tree)

    def agents_tree(self, snapshot: Snapshot) -> str:
        """The snapshot's tree with the bot's own files as base has them, and without the lines that the bot added."""
        base, here = self._store.entries(snapshot.base_tree), self._store.entries(snapshot.tree)
        files: dict[str, tuple[str, bytes] | None] = {}
        for change in snapshot.changes:
            path = change.path
            if change.by == "bot":
                files[path] = (base[path].mode, self._store.blob(base[path].oid)) if path in base else None
            elif change.bot_lines:
                lines = self._store.blob(here[path].oid).splitlines(keepends=True)
                files[path] = (here[path].mode, b"".join(lines[: -change.bot_lines]))
        return self._store.write_tree(snapshot.tree, files) if files else snapshot.tree

    def _idle(self, draft: Snapshot) -> dict[str, bytes]:
        """Base's own content of every catalogue in which the agent changed nothing that anybody is served."""
        base, here = self._store.entries(draft.base_tree), self._store.entries(draft.tree)
        found: dict[str, bytes] = {}
        for change in draft.changes:
            path = change.path
            if change.status == "changed" and path.endswith(_CATALOGUES):
                before = self._store.blob(base[path].oid)
                if self._same(before, self._store.blob(here[path].oid)):
                    found[path] = before
        return found

    def _compiled(self, draft: Snapshot, idle: Mapping[str, bytes], tracks: bool) -> dict[str, bytes]:
        """Where the site tracks compiled catalogues, one is made of each `.po` that the agent changed, if it can be.

        All others are as base has them: what the agent compiled itself is never taken.
        """
        base, here = self._store.entries(draft.base_tree), self._store.entries(draft.tree)
        made: dict[str, bytes] = {}
        for change in draft.changes if tracks else ():
            path = change.path.removesuffix(".po") + ".mo"
            is_source = change.path.endswith(".po") and change.path in here and change.path not in idle
            if is_source and (path in base or change.path not in base):
                content = self._compiler(self._store.blob(here[change.path].oid))
                made |= {path: content} if content is not None else {}
        return made

    def _finished(self, draft: Snapshot, frozen: Snapshot, own: _Own) -> Snapshot | tuple[Objection, ...]:
        """The agent's share of each file told apart; nothing at all where only idle catalogues were changed."""
        changes = tuple(self._share(change, draft, own) for change in frozen.changes)
        if not any(change.by == "agent" for change in changes):
            return (refusal(".", "nothing-changed", _IDLE if own.idle else ""),)
        return replace(frozen, changes=changes, dropped=(*frozen.dropped, *(Dropped(path, _IDLE) for path in own.idle)))

    def _share(self, change: Change, draft: Snapshot, own: _Own) -> Change:
        path = change.path
        if path in own.idle:
            return replace(change, by="bot")
        if path not in own.more or change.by == "bot":
            return change
        agents = self._store.blob(self._store.entries(draft.tree)[path].oid)
        lines = len(own.more[path].splitlines()) - len(agents.splitlines())
        return replace(change, size=len(agents), bot_lines=lines)
