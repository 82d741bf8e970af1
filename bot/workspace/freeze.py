"""Owns the step from a workspace to a snapshot: what differs from base is judged by path, then written as one tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.model import Change, Claim, Dropped, Objection, Snapshot, TreeEntry
from bot.names import prefixes, problems, shown
from bot.ports import canonical
from bot.store.repository import Store
from bot.store.trees import Files, blob_id
from bot.workspace.policy import Policy
from bot.workspace.refusal import refusal
from bot.workspace.scan import Scan, ScanLimits, walk

__all__ = ["Policy", "freeze"]

_UNSPELT = "name-not-utf8"  # no record could hold it
_STRAY = "a new file outside cycle.allow"
_COMPILED = "a new compiled catalogue: the bot makes those itself, where the site tracks them"


@dataclass(slots=True)
class _Sorted:
    """The differences from base, by what becomes of them."""

    changes: list[Change] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    objections: list[Objection] = field(default_factory=list)


def freeze(
    store: Store,
    root: Path,
    base: str,
    claim: Claim,
    policy: Policy,
    extra: Mapping[str, bytes] | None = None,
) -> Snapshot | tuple[Objection, ...]:
    """The workspace as a snapshot, or every objection to its becoming one.

    `extra` are files that the bot writes itself, over what the workspace holds: no path rule is asked about them, and
    they are marked as the bot's, unless the agent changed the same file to something else; a compiled catalogue is the
    bot's whatever the agent compiled, for only what the bot made is kept.
    """
    base_tree = store.tree_of(base)
    entries = store.entries(base_tree)
    scan = walk(root, entries, ScanLimits(file_bytes=policy.max_file_bytes))
    ours = dict(extra or {})
    found = _sorted(scan, entries, policy, ours)
    if not found.changes and not found.objections:
        found.objections.append(refusal(".", "nothing-changed"))
    if found.objections:
        return canonical(found.objections)
    files: Files = {change.path: _file(change, scan) for change in found.changes}
    added = {path: (_mode(path, scan, entries), content) for path, content in ours.items()}
    tree = store.write_tree(base_tree, {**files, **added})
    changes = _with_ours(found.changes, ours, scan, entries)
    return Snapshot(base, base_tree, tree, claim, changes, tuple(found.dropped))


def _sorted(scan: Scan, base: Mapping[str, TreeEntry], policy: Policy, ours: Mapping[str, bytes]) -> _Sorted:
    found = _Sorted()
    for path, refusals in scan.refused.items():
        stray = policy.judge(path, tracked=path in base) == "stray"
        if stray and all(one.code == "oversize" for one in refusals):
            found.dropped.append(Dropped(shown(path), _STRAY))  # a database that the site made while the agent ran it
        else:
            found.objections.extend(refusals)
    for change in _differences(scan, base):
        if not _is_ours(change.path, scan, ours):
            _place(change, policy, found)
    return found


def _place(change: Change, policy: Policy, found: _Sorted) -> None:
    verdict = policy.judge(change.path, tracked=change.status != "added")
    if verdict == "allowed" and change.status == "added" and change.path.endswith(".mo"):
        found.dropped.append(Dropped(shown(change.path), _COMPILED))
    elif verdict == "allowed" and (unfit := tuple(_unfit(change))):
        found.objections.extend(unfit)
    elif verdict == "allowed":
        found.changes.append(change)
    elif verdict == "stray":
        found.dropped.append(Dropped(shown(change.path), _STRAY))
    else:
        found.objections.append(refusal(change.path, verdict, f"{change.status}"))


def _unfit(change: Change) -> Iterator[Objection]:
    """What the walk, which sees names alone and only those that are there, cannot say."""
    if change.status == "deleted":
        yield from (refusal(change.path, one.code, one.text) for one in problems(change.path) if one.code == _UNSPELT)
    elif any(name.endswith(".mo") for name in change.path.split("/")[:-1]):
        yield refusal(change.path, "name-compiled", "a folder is named as a compiled catalogue is")


def _differences(scan: Scan, base: Mapping[str, TreeEntry]) -> Iterator[Change]:
    """What may be judged by its path: not what was refused already, nor what lies below that and was not walked."""
    for path in sorted(scan.files.keys() | base.keys()):
        if "." in scan.refused or any(above in scan.refused for above in prefixes(path)):
            continue
        now, before = scan.files.get(path), base.get(path)
        if now is None:
            yield Change(path, "deleted", mode=base[path].mode)
        elif before is None:
            yield Change(path, "added", now.mode, now.size)
        elif (now.mode, now.oid) != (before.mode, before.oid):
            yield Change(path, "changed", now.mode, now.size)


def _is_ours(path: str, scan: Scan, ours: Mapping[str, bytes]) -> bool:
    """A restored workspace holds what the bot added before; that is no change of the agent's."""
    now = scan.files.get(path)
    return path in ours and (path.endswith(".mo") or (now is not None and now.oid == blob_id(ours[path])))


def _file(change: Change, scan: Scan) -> tuple[str, bytes] | None:
    return None if change.status == "deleted" else (change.mode, scan.content(change.path))


def _mode(path: str, scan: Scan, base: Mapping[str, TreeEntry]) -> str:
    """Of a file that the bot writes: as base has it, whatever the agent did to it."""
    known = base.get(path) or scan.files.get(path)
    return known.mode if known else "100644"


def _with_ours(
    changes: list[Change], ours: Mapping[str, bytes], scan: Scan, base: Mapping[str, TreeEntry]
) -> tuple[Change, ...]:
    """The agent's changes and the bot's own, in the order of paths; sizes are those of what was written."""
    merged = {change.path: change for change in changes}
    for path, content in ours.items():
        mode, before = _mode(path, scan, base), base.get(path)
        if before is not None and (before.mode, before.oid) == (mode, blob_id(content)):
            merged.pop(path, None)
            continue
        by = merged[path].by if path in merged else "bot"
        merged[path] = Change(path, "added" if before is None else "changed", mode, len(content), by)
    return tuple(merged[path] for path in sorted(merged))
