"""The catalogue part: gettext catalogues read from the store's own objects, never in place."""

from __future__ import annotations

import json
from importlib.metadata import version

from bot.model import Baseline, Evidence, Objection, Ready, Snapshot
from bot.parts.tools import Tools, cache_key
from gates.catalogue import catalogues, locale_of, objections
from gates.po import Reading, reading


class CataloguePart:
    """Implements `ports.GatePart`. `folder` holds the locales; empty, catalogues are looked for anywhere."""

    name = "catalogue"

    def __init__(self, tools: Tools, folder: str = "") -> None:
        self._tools, self._folder = tools, folder
        self._tool = f"babel {version('babel')}"

    def baseline(self, base_tree: str) -> Baseline:
        """How many catalogues, messages and problems base has; problems at base are debt."""
        found = self._found(base_tree)
        key = cache_key("catalogue", self._tool, tuple(found.items()))
        counts = self._kept(key)
        if counts is None:
            readings = [self._read(path, oid) for path, oid in found.items()]
            messages, problems = sum(one.messages for one in readings), sum(len(one.problems) for one in readings)
            counts = {"catalogues": len(found), "messages": messages, "problems at base": problems}
            self._tools.cache.put(key, json.dumps(counts).encode())
        return Baseline(self.name, key, self._tool, counts)

    def judge(self, ready: Ready, snapshot: Snapshot) -> tuple[tuple[Objection, ...], Evidence]:
        """What the snapshot broke in the catalogues that it changed; those that it left alone are as they were."""
        started = self._tools.clock.monotonic()
        base, candidate = self._found(ready.base_tree), self._found(snapshot.tree)
        changed = [path for path in sorted({*base, *candidate}) if base.get(path) != candidate.get(path)]
        against: list[Objection] = []
        notes: list[str] = []
        for path in changed:
            before = self._read(path, base[path]) if path in base else None
            now = self._read(path, candidate[path]) if path in candidate else None
            against += objections(path, before, now)
            if now is not None and now.fuzzy:
                notes.append(f"{path}: {now.fuzzy} fuzzy entries are not served")
        counts = {**self.baseline(ready.base_tree).counts, "changed": len(changed), "new": len(against)}
        seconds = self._tools.clock.monotonic() - started
        return tuple(against), Evidence(self.name, counts, self._tool, tuple(notes), seconds)

    def _found(self, tree: str) -> dict[str, str]:
        return catalogues(self._tools.objects.entries(tree), self._folder)

    def _read(self, path: str, oid: str) -> Reading:
        return reading(self._tools.objects.blob(oid), locale_of(path))

    def _kept(self, key: str) -> dict[str, int] | None:
        content = self._tools.cache.get(key)
        try:
            kept = json.loads(content) if content is not None else None
        except ValueError:
            return None
        return {str(name): int(number) for name, number in kept.items()} if isinstance(kept, dict) else None
