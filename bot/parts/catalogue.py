"""The catalogue part: gettext catalogues and messages of base and candidate, never touched in place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import version

from bot.errors import SiteBroken
from bot.frozen import frozen
from bot.model import Baseline, Evidence, Objection, Ready, Snapshot
from bot.parts.extractor import Extracted, Extractor
from bot.parts.tools import Tools, cache_key
from gates import messages
from gates.catalogue import catalogues, locale_of, objections, target, untranslated
from gates.extraction import Plan
from gates.po import Key, Reading, reading


@frozen
class CatalogueRules:
    """`[gate.catalogue]`: where catalogues lie, empty for anywhere, and the locales that must be complete."""

    folder: str = ""
    require: tuple[str, ...] = ()


@frozen
class _Compared:
    """The messages of both sides: what is held against the change, what it took out, and what it brings."""

    against: tuple[Objection, ...] = ()
    removed: frozenset[Key] = frozenset()
    fresh: tuple[messages.Message, ...] = ()
    note: str = ""


class CataloguePart:
    """Implements `ports.GatePart`."""

    name = "catalogue"

    def __init__(self, tools: Tools, extractor: Extractor, rules: CatalogueRules) -> None:
        self._tools, self._extractor, self._rules = tools, extractor, rules
        self._tool = ", ".join(filter(None, (f"babel {version('babel')}", extractor.tool)))

    def baseline(self, base_tree: str) -> Baseline:
        """How many catalogues, messages and problems base has; problems at base are debt.

        Raises SiteBroken where messages cannot be extracted at base though its files say how, with the line to change.
        """
        found = self._found(base_tree)
        extracted = self._checked(base_tree, found)
        key = self._key(found)
        counts = self._kept(key)
        if counts is None:
            readings = [self._read(path, oid) for path, oid in found.items()]
            entries, problems = sum(one.messages for one in readings), sum(len(one.problems) for one in readings)
            counts = {"catalogues": len(found), "messages": entries, "problems at base": problems}
            self._tools.cache.put(key, json.dumps(counts).encode())
        return Baseline(self.name, key, self._tool, {**counts, "extracted": len(extracted.messages)})

    def judge(self, ready: Ready, snapshot: Snapshot) -> tuple[tuple[Objection, ...], Evidence]:
        """What the snapshot broke in the catalogues it changed, and the messages that it lost or did not translate."""
        started = self._tools.clock.monotonic()
        cached = self._known(ready.base_tree)
        base, candidate = self._found(ready.base_tree), self._found(snapshot.tree)
        compared = self._compared(ready.base_tree, snapshot.tree)
        changed = [path for path in sorted({*base, *candidate}) if base.get(path) != candidate.get(path)]
        against = [*compared.against]
        notes = [compared.note] if compared.note else []
        for path in changed:
            before = self._read(path, base[path]) if path in base else None
            now = self._read(path, candidate[path]) if path in candidate else None
            against += objections(path, before, now, compared.removed)
            more = (now.fuzzy if now else 0) - (before.fuzzy if before else 0)
            notes += [f"{path}: {more} more fuzzy entries are not served"] if more > 0 else []
        against += self._untranslated(candidate, compared.fresh)
        counts = self.baseline(ready.base_tree).counts
        numbers = {"changed": len(changed), "new messages": len(compared.fresh), "new": len(against)}
        seconds = self._tools.clock.monotonic() - started
        return tuple(against), Evidence(self.name, {**counts, **numbers}, self._tool, tuple(notes), seconds, cached)

    def _key(self, found: dict[str, str]) -> str:
        return cache_key("catalogue", self._tool, tuple(found.items()))

    def _known(self, base_tree: str) -> bool:
        """Whether base is measured already."""
        found = self._found(base_tree)
        plan = self._plan(base_tree, found)
        extracted = plan is None or self._extractor.knows(base_tree, base_tree, plan)
        return extracted and self._kept(self._key(found)) is not None

    def _checked(self, base_tree: str, found: dict[str, str]) -> Extracted:
        """Base's messages. Raises SiteBroken where what the owner asks for cannot be had."""
        plan = self._plan(base_tree, found)
        known = {locale_of(path) for path in found}
        lacking = [locale for locale in self._rules.require if not target(found, locale)]
        if lacking and found:
            raise SiteBroken(
                f"gate.catalogue.require names {', '.join(lacking)}, but messages.po is there for"
                f" {', '.join(sorted(known))} only; add the catalogue, or take the locale out"
            )
        extracted = Extracted("read", {}) if plan is None else self._extractor.extracted(base_tree, base_tree, plan)
        if extracted.state == "broken" or (extracted.state == "absent" and self._rules.require):
            raise SiteBroken(extracted.why)
        if plan is None and self._rules.require:
            raise SiteBroken(
                "gate.catalogue.require is set, but no file says how messages are extracted (babel.cfg, setup.cfg,"
                " pyproject.toml); name one as gate.catalogue.mapping, or have catalogues below gate.catalogue.folder"
            )
        return extracted

    def _plan(self, base_tree: str, found: dict[str, str]) -> Plan | None:
        """Without catalogues there is nothing to be extracted for."""
        return self._extractor.plan(base_tree) if found else None

    def _compared(self, base_tree: str, tree: str) -> _Compared:
        plan = self._plan(base_tree, self._found(base_tree))
        if plan is None:
            return _Compared()
        base = self._extractor.extracted(base_tree, base_tree, plan)
        if base.state != "read":
            return _Compared(note="messages are not compared: the site's environment has no Babel")
        now = self._extractor.extracted(tree, base_tree, plan)
        if now.state != "read":
            return _Compared((_unextracted(now, plan),))
        lost, removed = messages.vanished(base.messages, now.messages, self._texts(base_tree, tree))
        new = {file: one for file, one in now.unread.items() if file not in base.unread}
        against = tuple(messages.objections(lost, new))
        return _Compared(against, removed, messages.fresh(base.messages, now.messages))

    def _texts(self, base_tree: str, tree: str) -> messages.Texts:
        sides = [self._tools.objects.entries(one) for one in (base_tree, tree)]

        def texts(path: str) -> tuple[str | None, str | None]:
            before, now = (
                self._tools.objects.blob(side[path].oid).decode("utf-8", "replace") if path in side else None
                for side in sides
            )
            return before, now

        return texts

    def _untranslated(self, found: dict[str, str], fresh: tuple[messages.Message, ...]) -> Iterator[Objection]:
        for locale in self._rules.require:
            path = target(found, locale)
            if fresh and path:
                yield from untranslated(path, self._read(path, found[path]), fresh)

    def _found(self, tree: str) -> dict[str, str]:
        return catalogues(self._tools.objects.entries(tree), self._rules.folder)

    def _read(self, path: str, oid: str) -> Reading:
        return reading(self._tools.objects.blob(oid), locale_of(path))

    def _kept(self, key: str) -> dict[str, int] | None:
        content = self._tools.cache.get(key)
        try:
            kept = json.loads(content) if content is not None else None
        except ValueError:
            return None
        return {str(name): int(number) for name, number in kept.items()} if isinstance(kept, dict) else None


def _unextracted(now: Extracted, plan: Plan) -> Objection:
    return Objection(
        code="messages-unreadable",
        node="gate",
        where=now.file,
        subject=now.file or plan.mapping,
        what="messages can no longer be extracted",
        seen=now.why,
        accept="write every file so that the site's own extraction gets through it, as it does at base",
    )
