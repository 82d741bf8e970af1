"""The entries that a change's new messages lack in the site's catalogues, put there by the bot."""

from __future__ import annotations

from collections.abc import Mapping

from bot.parts.extractor import Extractor
from bot.ports import Objects
from gates.catalogue import catalogues, locale_of, target
from gates.entries import appended
from gates.messages import fresh


class Appender:
    """Asks the same extraction as the gate, which finds it done. `folder` holds the locales; empty: anywhere."""

    def __init__(self, objects: Objects, extractor: Extractor, folder: str = "") -> None:
        self._objects, self._extractor, self._folder = objects, extractor, folder

    def files(self, base_tree: str, tree: str, instead: Mapping[str, bytes]) -> dict[str, bytes]:
        """Each catalogue that lacks a new message, with it; `instead` are contents other than the tree's.

        Nothing where messages cannot be extracted: that is for the gate to say.
        """
        found = catalogues(self._objects.entries(tree), self._folder)
        plan = self._extractor.plan(base_tree) if found else None
        if plan is None:
            return {}
        sides = (self._extractor.extracted(one, base_tree, plan) for one in (base_tree, tree))
        before, now = sides
        if "read" not in (before.state, now.state) or before.state != now.state:
            return {}
        new = fresh(before.messages, now.messages)
        made: dict[str, bytes] = {}
        for locale in sorted({locale_of(path) for path in found}) if new else ():
            path = target(found, locale)
            if path:
                content = instead[path] if path in instead else self._objects.blob(found[path])
                more = appended(content, locale, new)
                made |= {path: more} if more != content else {}
        return made
