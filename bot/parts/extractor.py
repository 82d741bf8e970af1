"""The messages of a tree, extracted in the sandbox by the site's own Babel under base's mapping, and kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Literal

from bot.base.installed import packages, version_of
from bot.errors import SiteBroken
from bot.frozen import frozen
from bot.model import Bounds, Job, Ran, Site
from bot.parts.tools import Tools, cache_key
from gates.complaint import Unread, diagnosis, has_no_babel, reading, unread
from gates.extraction import PROGRAM, Plan, plan
from gates.messages import Message, Messages, messages

_CATALOGUES = (".po", ".mo", ".pot")


@frozen
class Extracted:
    """What came of it. `absent`: the site's interpreter has no Babel. `broken`: `why`, and in which `file`.

    `unread` are templates that were passed over.
    """

    state: Literal["read", "absent", "broken"]
    messages: Messages
    why: str = ""
    file: str = ""
    unread: Mapping[str, Unread] = field(default_factory=dict)


class Extractor:
    """Base's own mapping rules, whichever tree is read; `named` is the configured one, empty where there is none."""

    def __init__(self, tools: Tools, site: Site, named: str = "", seconds: float = 300.0) -> None:
        self._tools, self._site, self._named, self._seconds = tools, site, named, seconds

    @cached_property
    def _about(self) -> str:
        site = self._site
        return sha256(repr((PROGRAM, packages(site.python), site.path, site.env)).encode()).hexdigest()

    @property
    def tool(self) -> str:
        """The site's own Babel, empty where its version is not written anywhere."""
        known = version_of(self._site.python, "babel")
        return f"the site's babel {known}" if known else ""

    def plan(self, base_tree: str) -> Plan | None:
        """How base says that messages are extracted. Raises SiteBroken where the configured mapping is not there."""
        objects = self._tools.objects
        try:
            return plan(objects.entries(base_tree), objects.blob, self._named)
        except ValueError as error:
            raise SiteBroken(str(error)) from error

    def extracted(self, tree: str, base_tree: str, plan: Plan) -> Extracted:
        """The messages of the tree; catalogues themselves hold none, so that a change of one asks nothing anew."""
        key = self._key(tree, base_tree, plan)
        kept = _load(self._tools.cache.get(key))
        if kept is None:
            try:
                kept = self._fresh(tree, base_tree, plan)
            except SiteBroken as error:  # it cannot even be exported, which the guards say of a candidate
                return Extracted("broken", {}, str(error))
            self._tools.cache.put(key, json.dumps(_dumped(kept)).encode())
        return kept

    def knows(self, tree: str, base_tree: str, plan: Plan) -> bool:
        """Whether the messages of the tree were extracted before."""
        return _load(self._tools.cache.get(self._key(tree, base_tree, plan))) is not None

    def _key(self, tree: str, base_tree: str, plan: Plan) -> str:
        entries = self._tools.objects.entries(tree)
        content = tuple((path, one.oid) for path, one in entries.items() if not path.endswith(_CATALOGUES))
        rules = self._tools.objects.entries(base_tree)[plan.mapping].oid
        return cache_key("messages", sha256(repr(content).encode()).hexdigest(), rules, plan, self._about)

    def _fresh(self, tree: str, base_tree: str, plan: Plan) -> Extracted:
        rules = self._tools.objects
        mapping = rules.blob(rules.entries(base_tree)[plan.mapping].oid).decode("utf-8", "replace")
        with self._tools.exports.export(tree, rules_of=base_tree, also=(plan.mapping,)) as folder:
            ran = self._run(folder, plan)
        said = _text(ran.stderr)
        if ran.ended != "exit":
            why = f"{plan.mapping}: the extraction of messages was stopped at its limit ({ran.ended})"
            return Extracted("broken", {}, why, reading(said))
        if ran.status:
            state: Literal["absent", "broken"] = "absent" if has_no_babel(said) else "broken"
            return Extracted(state, {}, diagnosis(plan, mapping, said), reading(said))
        try:
            return Extracted("read", messages(ran.stdout), unread=unread(said))
        except ValueError as error:
            return Extracted("broken", {}, f"{plan.mapping}: the extracted messages cannot be read: {error}")

    def _run(self, folder: Path, plan: Plan) -> Ran:
        site = self._site
        argv = plan.command(site.python, site.path)
        bounds = Bounds(seconds=self._seconds, output=16 * 1024**2)
        return self._tools.sandbox.run(Job(argv, str(folder), env=dict(site.env or {}), read=site.read, bounds=bounds))


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _dumped(found: Extracted) -> dict[str, object]:
    whole = asdict(found)
    return {**whole, "messages": [asdict(message) for message in found.messages.values()]}


def _load(content: bytes | None) -> Extracted | None:
    try:
        kept = json.loads(content) if content is not None else None
        if kept is None:
            return None
        read = {(one.context, one.text): one for one in map(_message, kept["messages"])}
        passed_over = {file: Unread(**one) for file, one in kept["unread"].items()}
        return Extracted(kept["state"], read, kept["why"], kept["file"], passed_over)
    except (ValueError, KeyError, TypeError):
        return None


def _message(kept: Mapping[str, object]) -> Message:
    lists = {name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()}
    return Message(**lists)  # type: ignore[arg-type]
