"""Which new files are old ones under another name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import SequenceMatcher

from bot.model import TreeEntry

ALIKE = 0.5  # as git's own threshold
_MOST = 40


def renames(
    base: Mapping[str, TreeEntry], candidate: Mapping[str, TreeEntry], blob: Callable[[str], bytes], suffix: str = ".py"
) -> dict[str, str]:
    """For each new path the old one that is gone and held the same, or at least half of the lines; each only once.

    Where very many files came and went, only those that are equal are paired.
    """
    gone = [path for path in sorted(base) if path not in candidate and path.endswith(suffix)]
    come = [path for path in sorted(candidate) if path not in base and path.endswith(suffix)]
    found: dict[str, str] = {}
    for new in come:
        equal = next((old for old in gone if base[old].oid == candidate[new].oid), None)
        if equal is not None:
            found[new] = equal
            gone.remove(equal)
    rest = [new for new in come if new not in found]
    if not gone or len(gone) > _MOST or len(rest) > _MOST:
        return found
    lines = {
        path: blob(side[path].oid).splitlines() for side, paths in ((base, gone), (candidate, rest)) for path in paths
    }
    ranked = sorted(((_likeness(lines[old], lines[new]), new, old) for new in rest for old in gone), reverse=True)
    for likeness, new, old in ranked:
        if likeness >= ALIKE and new not in found and old not in found.values():
            found[new] = old
    return found


def _likeness(old: list[bytes], new: list[bytes]) -> float:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= ALIKE else 0.0
