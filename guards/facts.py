"""What the guards judge by: two readings of the site, the change, and what is known already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import quote

from bot.frozen import frozen
from bot.model import AddedLine, Addition, FieldRule, Holdings, Limits, Objection, Range, Registry, Snapshot

URL_MAP = "url_map"


@frozen
class Difference:
    """How a registry of the candidate differs from base; keys of entries, repeated where an entry is.

    Order is no difference: a site may sort its entries as it likes.
    """

    name: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    edited: tuple[str, ...]
    twice: tuple[str, ...]


@dataclass(frozen=True)  # without slots, so that the differences of large registries are worked out once
class Facts:
    """Everything that the guards know. `known` maps ledger keys to how they are known.

    `binaries` are added or changed paths that are not UTF-8 text; `secrets` are exact values, which are never printed.
    `files` are the agent's text files, before (None where new) and after; `rules` are the owner's words about fields of
    registries; `today` is the UTC date on which the cycle began, empty where it plays no part. `attempts` maps digests
    of earlier rejected changes to what came of them. `restless` are keys of the wiring that vary by themselves, in base
    and in the candidate.
    """

    snapshot: Snapshot
    base: Holdings
    candidate: Holdings
    additions: tuple[Addition, ...]
    known: Mapping[str, str]
    limits: Limits
    added: tuple[AddedLine, ...] = ()
    binaries: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    files: Mapping[str, tuple[str | None, str]] = field(default_factory=dict)
    rules: Mapping[str, Mapping[str, FieldRule]] = field(default_factory=dict)
    today: str = ""
    attempts: Mapping[str, str] = field(default_factory=dict)
    restless: frozenset[str] = frozenset()

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """One for every registry, in the candidate's order."""
        return tuple(_difference(self.base, self.candidate.registry(name)) for name in self.candidate.names)

    @property
    def fitting(self) -> tuple[Addition, ...]:
        """The declared additions that the observed new keys are one of."""
        counts = {one.name: len(one.added) for one in self.differences}
        return tuple(addition for addition in self.additions if _fits(addition, counts))

    @property
    def claimed(self) -> Addition | None:
        """The declared addition of the claim's kind."""
        return next((one for one in self.additions if one.kind == self.snapshot.claim.kind), None)

    def place(self, text: str) -> str:
        """`path:line` of the first added line that holds the text; empty where there is none."""
        return next((f"{line.path}:{line.number}" for line in self.added if text in line.text), "")


Guard = Callable[[Facts], Iterator[Objection]]


def spelt(registry: str, key: str) -> str:
    """A ledger key: the registry, a slash, the key percent-encoded."""
    return f"{registry}/{quote(key, safe='')}"


def adds(facts: Facts) -> tuple[str, ...]:
    """The ledger keys of what was added; a kind that adds URL rules at most has the key `feature/<claim key>` too."""
    keys = [spelt(one.name, key) for one in facts.differences for key in one.added]
    claimed = facts.claimed
    if claimed and not set(claimed.adds) - {URL_MAP}:
        keys.insert(0, spelt("feature", facts.snapshot.claim.key))
    return tuple(dict.fromkeys(keys))


def _difference(base: Holdings, new: Registry) -> Difference:
    old = base.registry(new.name) if new.name in base.names else Registry(new.name, ())
    before, after = Counter(one.key for one in old.entries), Counter(one.key for one in new.entries)
    lost = Counter(old.entries) - Counter(new.entries)
    more, less = after - before, before - after
    return Difference(
        new.name,
        tuple(more.elements()),
        tuple(less.elements()),
        tuple(dict.fromkeys(one.key for one in lost if one.key not in less)),
        tuple(key for key in more if after[key] > 1),
    )


def _fits(addition: Addition, counts: Mapping[str, int]) -> bool:
    nothing = Range(0, 0)
    wanted = {name: addition.adds.get(name, nothing) for name in (*counts, *addition.adds)}
    return all(counts.get(name, 0) in span for name, span in wanted.items())
