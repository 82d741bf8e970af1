"""What was known when a cycle began: keys, rejected ideas and earlier changes, kept in the cache under a key."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, field
from datetime import datetime

from bot.codec import decode
from bot.errors import JournalError
from bot.frozen import frozen
from bot.journal import Journal
from bot.lines import shortened
from bot.model import Holdings
from bot.operation.past import Past
from bot.ports import Cache
from ledger.contents import Added, Rejected
from ledger.standing import gone, standing
from ledger.store import LedgerStore

TOLD, REASON, RECENT = 40, 300, 20


@frozen
class Known:
    """Keys with how they are known, what the builder cannot see in the site first; recent rejected ideas, a line each.

    `patches` are digests of rejected changes with what came of them.
    """

    keys: dict[str, str]
    rejected: tuple[str, ...] = ()
    patches: dict[str, str] = field(default_factory=dict)


def learnt(ledger: LedgerStore, held: Holdings, now: datetime) -> Known:
    """What the ledger tells at a base that holds this; ideas that met bad luck alone fade."""
    keys = dict(ledger.known(now, gone(ledger.list(), held)))
    for key in standing(held):
        keys.setdefault(key, "stands in the site")
    ideas = ledger.rejected(now=now)
    patches = {patch: f"rejected in {idea.cycle}: {idea.reason}" for idea in reversed(ideas) for patch in idea.patches}
    return Known(keys, tuple(_told(ideas)), patches)


def keep(cache: Cache, known: Known) -> str:
    """Put it into the cache; the key under which it lies."""
    content = json.dumps(asdict(known), ensure_ascii=False).encode(errors="replace")
    key = f"known-{hashlib.sha256(content).hexdigest()}"
    cache.put(key, content)
    return key


def kept(cache: Cache, key: str) -> Known | None:
    """What `keep` put there, or None where the cache was emptied since."""
    content = cache.get(key)
    if content is None:
        return None
    found = json.loads(content)
    return Known(dict(found["keys"]), tuple(found["rejected"]), dict(found["patches"]))


def gone_from_base(journal: Journal, cache: Cache, added: Iterable[Added]) -> frozenset[str]:
    """Keys that the newest base which was looked at held no longer; none where that is not remembered.

    That base is older than what its own cycle added.
    """
    for run in journal.runs(RECENT):
        if (held := _held(journal, cache, run.cycle)) is not None:
            return gone((one for one in added if one.cycle != run.cycle), held)
    return frozenset()


def _held(journal: Journal, cache: Cache, cycle: str) -> Holdings | None:
    """What the base of that cycle held, if that is remembered still."""
    with suppress(JournalError):  # another version wrote it: an older base may do
        ready = Past.of(journal, cycle).ready
        content = cache.get(ready.holdings) if ready else None
        held = decode("Holdings", content.decode()) if content is not None else None
        return held if isinstance(held, Holdings) else None
    return None


def _told(ideas: tuple[Rejected, ...]) -> list[str]:
    """The newest, each on a bounded line; a list that is cut says so, and by what rule."""
    lines = [shortened(f"{', '.join(one.keys)}: {one.reason}", REASON) for one in ideas[:TOLD]]
    left = len(ideas) - TOLD
    return (
        [*lines, f"(and {left} older ones; only the newest {TOLD} are listed, all are refused)"] if left > 0 else lines
    )
