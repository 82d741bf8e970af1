"""From the workspace to a snapshot, with what the bot itself adds: the compiled catalogues that the site tracks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from bot.freeze import freeze
from bot.model import Claim, Objection, Snapshot
from bot.policy import Policy
from bot.scan import ScanLimits, walk
from bot.store import Store
from guards.patch import fingerprint

Compile = Callable[[bytes], bytes | None]


class WorkspaceFreezer:
    """Implements what the node `scope` asks."""

    def __init__(self, store: Store, root: Path, policy: Policy, compiler: Compile) -> None:
        self._store, self._root, self._policy, self._compiler = store, root, policy, compiler

    def freeze(self, base: str, base_tree: str, claim: Claim) -> Snapshot | tuple[Objection, ...]:
        """The snapshot, or every objection to its becoming one."""
        frozen = freeze(self._store, self._root, base, claim, self._policy, self._compiled(base_tree))
        if not isinstance(frozen, Snapshot):
            return frozen
        ours = {change.path for change in frozen.changes if change.by == "bot"}
        return replace(frozen, patch=fingerprint(self._store.patch(base_tree, frozen.tree), ours))

    def changed(self, before: str, after: str) -> tuple[str, ...]:
        """The paths in which two trees differ."""
        return self._store.changed(before, after)

    def keep(self, cycle: str, tree: str) -> None:
        """Under `refs/plusone/snapshots/`, until retention."""
        self._store.keep(f"snapshots/{cycle}/{tree[:12]}", tree)

    def agents_tree(self, snapshot: Snapshot) -> str:
        """The snapshot's tree with the bot's own files as base has them."""
        ours = [change.path for change in snapshot.changes if change.by == "bot"]
        if not ours:
            return snapshot.tree
        base = self._store.entries(snapshot.base_tree)
        files = {path: (base[path].mode, self._store.blob(base[path].oid)) if path in base else None for path in ours}
        return self._store.write_tree(snapshot.tree, files)

    def _compiled(self, base_tree: str) -> Mapping[str, bytes]:
        """Each tracked `.mo` whose `.po` the agent changed, made anew; what cannot be compiled is for the gate."""
        base = self._store.entries(base_tree)
        tracked = [path for path in base if path.endswith(".mo")]
        if not tracked:
            return {}
        scan = walk(self._root, base, ScanLimits(file_bytes=self._policy.max_file_bytes))
        made: dict[str, bytes] = {}
        for path in tracked:
            source = path.removesuffix(".mo") + ".po"
            found, before = scan.files.get(source), base.get(source)
            if found and (before is None or found.oid != before.oid):
                content = self._compiler(scan.content(source))
                made |= {path: content} if content is not None else {}
        return made
