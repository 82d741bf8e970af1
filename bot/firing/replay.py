"""Replays a recorded cycle offline: the recorded answers, everything else for real, into a scratch store."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import httpx2

from bot.agents.models import ModelChoice
from bot.agents.recording import Recorded, load
from bot.base.cache import FolderCache
from bot.base.known import kept
from bot.codec import decode
from bot.compose import Bodies, Shop
from bot.engine import Engine
from bot.errors import JournalError, PlusoneError, ScriptError
from bot.firing.start import opening
from bot.folders import Folders
from bot.frozen import frozen
from bot.machine.drafts import draft
from bot.machine.environment import Environment
from bot.machine.removal import remove
from bot.model import Ready, Refused, Trigger
from bot.ports import Cache
from bot.settings import Settings, digest
from bot.store.replica import replica
from bot.store.repository import Store
from bot.telling.report import Report, report

COMPARED = ("path", "tree", "outcome", "stage", "commit", "reason")


@frozen
class Replayed:
    """The replayed cycle's report, how it differs from the record, and what is worth a note beside that."""

    report: Report
    differences: tuple[str, ...]
    notes: tuple[str, ...]


class Layered:
    """A cache that reads what the site has measured and writes to the replay's own folder alone."""

    def __init__(self, own: Cache, below: Cache) -> None:
        self._own, self._below = own, below

    def get(self, key: str) -> bytes | None:
        """The replay's own, else the site's."""
        found = self._own.get(key)
        return self._below.get(key) if found is None else found

    def put(self, key: str, content: bytes) -> None:
        """Into the replay's own folder."""
        self._own.put(key, content)


@dataclass(kw_only=True)
class ReplayShop(Shop):
    """As any firing's, but its precheck is the recorded one, and its store, journal and remote are scratch."""

    live: Folders
    ready: Ready
    raced: bool

    @cached_property
    def store(self) -> Store:
        """A copy whose remote is a copy too, as they were when the cycle began."""
        where = (self.folders.root, self.ready.branch, self.ready.base)
        return replica(self.live.store, *where, raced=self.raced)

    @cached_property
    def cache(self) -> Cache:
        """Base need not be measured again where it was."""
        return Layered(FolderCache(self.folders.cache), FolderCache(self.live.cache))

    @cached_property
    def transport(self) -> httpx2.BaseTransport:
        """Answers come from the record alone; nothing is written down or counted again."""
        return self.wire

    def precheck(self, trigger: Trigger) -> Ready | Refused:  # noqa: ARG002 - named as the table names it
        """As it was: the quiet period and the ledger have moved on since."""
        return self.ready

    def follow(self, _commit: str, _ready: Ready) -> str:
        """The live checkout is not touched."""
        return ""


def replay(file: Path, settings: Settings, live: Folders, environment: Environment) -> Replayed:
    """Run the recorded cycle again. Raises ScriptError where the file cannot be followed at all."""
    recorded = load(file)
    ready, trigger, end = _read(file, recorded)
    with _scratch(live) as folders:
        shop = ReplayShop(
            settings,
            folders,
            environment,
            trigger,
            ModelChoice("recording", file),
            live=live,
            ready=ready,
            raced=str(end.get("reason", "")).startswith("lost the race"),
        )
        if kept(shop.cache, ready.known) is None:
            raise ScriptError(f"{file}: {live.cache} no longer holds what the cycle knew, so it cannot be replayed")
        seen = _run(shop)
        notes = [*_drifts(shop), *_config(settings, recorded)]
    return Replayed(seen, tuple(_differences(end, seen)), tuple(notes))


def _run(shop: ReplayShop) -> Report:
    engine = Engine(shop.graph, Bodies(shop), shop.journal, shop.governor, lambda _node, _values: None)
    try:
        engine.run(opening(shop))
    except PlusoneError:
        pass  # the journal has it, and the comparison names it
    finally:
        remove(shop.folders.cycle(shop.trigger.cycle) / "workspace")
    return report(shop.journal, shop.journal.run(shop.trigger.cycle))


def _read(file: Path, recorded: Recorded) -> tuple[Ready, Trigger, Mapping[str, object]]:
    if not recorded.end:
        raise ScriptError(f"{file}: the recording has no end, its cycle was cut short; `plusone run` finishes it")
    try:
        ready = decode("Ready", json.dumps(recorded.header.get("ready")))
        trigger = decode("Trigger", json.dumps(recorded.header.get("trigger")))
    except JournalError as error:
        raise ScriptError(f"{file}:1: {error}") from error
    assert isinstance(ready, Ready)
    assert isinstance(trigger, Trigger)
    return ready, trigger, recorded.end


@contextmanager
def _scratch(live: Folders) -> Iterator[Folders]:
    with draft("replay", live.root) as folder:
        folders = Folders(folder)
        folders.create()
        yield folders


def _differences(end: Mapping[str, object], seen: Report) -> Iterator[str]:
    for name in COMPARED:
        if end.get(name) != seen.get(name):
            yield f"{name} was {spelt(end.get(name))}, is now {spelt(seen.get(name))}"


def spelt(value: object) -> str:
    """A compared value for people."""
    return " → ".join(map(str, value)) if isinstance(value, list) else str(value)


def _drifts(shop: ReplayShop) -> Iterator[str]:
    for drift in shop.drifts:
        yield f"request {drift.seq} of {drift.visit.node}, visit {drift.visit.number}, has drifted:\n{drift.difference}"


def _config(settings: Settings, recorded: Recorded) -> Iterator[str]:
    if recorded.header.get("config") != digest(settings):
        yield "the configuration is not the one that the cycle ran under"
