"""The survey of base: what stands in `Ready`, and what is kept in the cache beside it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.base.cache import FolderCache
from bot.base.known import Known, kept
from bot.base.survey import Survey, Terms
from bot.codec import decode, encode
from bot.errors import SiteBroken
from bot.model import Allowance, Baseline, Evidence, Holdings, Objection, Ready, Snapshot
from bot.ports import GatePart
from tests.support.holdings import BASE
from tests.support.values import trigger

BASE_ID, TREE = "c" * 40, "d" * 40
TERMS = Terms("main", "0" * 64, {"build": "1" * 64}, Allowance(80, 3_000_000, None, 60.0), "bwrap")
KEYS = {"articles/海": "committed in 1234567890", "articles/a": "known before"}


@dataclass
class Part:
    """A part that measures, after doing something."""

    name: str
    first: Callable[[], object] = lambda: None

    def baseline(self, base_tree: str) -> Baseline:
        self.first()
        return Baseline(self.name, f"{self.name}-{base_tree[:4]}", "tool 1", {"files": 1})

    def judge(self, ready: Ready, snapshot: Snapshot) -> tuple[tuple[Objection, ...], Evidence]:
        raise AssertionError("there is no change yet")


class Reading:
    """A reader that knows base."""

    def holdings(self, tree: str) -> tuple[str, Holdings]:
        return f"holdings-of-{tree[:4]}", BASE


@dataclass
class Book:
    """What is known, and at which commit and holdings it was asked."""

    keys: Mapping[str, str]
    rejected: tuple[str, ...] = ()
    learnt: list[tuple[str, Holdings]] = field(default_factory=list)

    def learn(self, base: str, held: Holdings) -> Known:
        self.learnt.append((base, held))
        return Known(dict(self.keys), self.rejected)


def ready(cache: FolderCache, book: Book, *parts: GatePart) -> Ready:
    return Survey(TERMS, Reading(), parts, book.learn, cache).ready(trigger(), BASE_ID, TREE)


@pytest.fixture
def cache(tmp_path: Path) -> FolderCache:
    return FolderCache(tmp_path)


def test_ready_carries_ids_cache_keys_and_numbers(cache: FolderCache) -> None:
    book = Book(KEYS)
    found = ready(cache, book, Part("lint"))
    assert (found.cycle, found.started, found.dry_run) == (trigger().cycle, trigger().started, False)
    assert (found.branch, found.base, found.base_tree) == ("main", BASE_ID, TREE)
    assert (found.config, found.prompts, found.allowance) == (TERMS.config, TERMS.prompts, TERMS.allowance)
    assert (found.holdings, found.sandbox) == ("holdings-of-dddd", "bwrap")
    assert found.baselines == (Baseline("lint", "lint-dddd", "tool 1", {"files": 1}),)
    assert book.learnt == [(BASE_ID, BASE)], "what is known is asked at this base, with what it holds"
    assert decode("Ready", encode(found)) == found


def test_what_the_ledger_knew_is_read_back_from_the_cache(cache: FolderCache) -> None:
    found = ready(cache, Book(KEYS, ("articles/b: it says nothing new",)))
    assert kept(cache, found.known) == Known(KEYS, ("articles/b: it says nothing new",))


def test_other_knowledge_has_another_key(cache: FolderCache) -> None:
    assert ready(cache, Book(KEYS)).known == ready(cache, Book(KEYS)).known
    assert ready(cache, Book(KEYS)).known != ready(cache, Book(KEYS, ("one more",))).known


def test_what_is_no_longer_in_the_cache_is_none(cache: FolderCache) -> None:
    assert kept(cache, "known-" + "0" * 64) is None


def test_the_parts_measure_side_by_side_and_stand_in_their_order(cache: FolderCache) -> None:
    meeting = threading.Barrier(2, timeout=10)
    found = ready(cache, Book(KEYS), Part("lint", meeting.wait), Part("catalogue", meeting.wait))
    assert [one.part for one in found.baselines] == ["lint", "catalogue"]


def test_a_base_that_a_part_cannot_measure_is_broken(cache: FolderCache) -> None:
    def blind() -> None:
        raise SiteBroken("the sweep is blind")

    with pytest.raises(SiteBroken, match="blind"):
        ready(cache, Book(KEYS), Part("lint"), Part("routes", blind))
