"""Settings that a site makes up anew in each process, told from those that a change gave another value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.errors import SiteBroken
from bot.model import Holdings, Snapshot

_SETTING = "setting "


def restless(
    afresh: Callable[[str], Holdings], snapshot: Snapshot, base: Holdings, candidate: Holdings
) -> tuple[Holdings, frozenset[str]]:
    """Base as it is wired today, and the settings that vary by themselves in both trees.

    Both are read once more, but only where a setting differs. A tree that cannot be read twice has none that vary.
    """
    if not _differing(base, candidate):
        return base, frozenset()
    try:
        again, then = afresh(snapshot.base_tree), afresh(snapshot.tree)
    except SiteBroken:
        return base, frozenset()
    return replace(base, wiring=again.wiring), _differing(base, again) & _differing(candidate, then)


def _differing(one: Holdings, other: Holdings) -> frozenset[str]:
    """Settings of both that are told otherwise."""
    before, now = one.wiring or {}, other.wiring or {}
    return frozenset(key for key in before.keys() & now.keys() if key.startswith(_SETTING) and before[key] != now[key])
