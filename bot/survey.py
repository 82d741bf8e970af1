"""The dear facts of base: what it holds, what is known, and what each gate part measures there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass

from bot.model import Allowance, Baseline, Ready, Trigger
from bot.ports import Cache, GatePart, Ledger, Reader


@dataclass(frozen=True, slots=True)
class Terms:
    """What every cycle of this configuration has in common."""

    branch: str
    config: str
    prompts: dict[str, str]
    allowance: Allowance
    sandbox: str


@dataclass(frozen=True, slots=True)
class Known:
    """What the ledger knew when the cycle began: keys with how they are known; recent rejected ideas, a line each."""

    keys: dict[str, str]
    rejected: tuple[str, ...] = ()


class Survey:
    """Measures base, or finds it measured. `learn` brings the ledger up to the base; `rejected` reads recent ideas."""

    def __init__(
        self,
        terms: Terms,
        reader: Reader,
        parts: Sequence[GatePart],
        learn: Callable[[str], Ledger],
        rejected: Callable[[], Iterable[str]],
        cache: Cache,
    ) -> None:
        self._terms, self._reader, self._parts = terms, reader, parts
        self._learn, self._rejected, self._cache = learn, rejected, cache

    def ready(self, trigger: Trigger, base: str, base_tree: str) -> Ready:
        """Raises SiteBroken with the site's own message where base cannot be loaded, asked or measured."""
        holdings, _ = self._reader.holdings(base_tree)
        terms = self._terms
        return Ready(
            trigger.cycle,
            trigger.started,
            trigger.dry_run,
            terms.branch,
            base,
            base_tree,
            terms.config,
            terms.prompts,
            holdings,
            self._known(base),
            self._baselines(base_tree),
            terms.allowance,
            terms.sandbox,
        )

    def _baselines(self, base_tree: str) -> tuple[Baseline, ...]:
        with ThreadPoolExecutor(max_workers=max(1, len(self._parts)), thread_name_prefix="base") as pool:
            running = [pool.submit(part.baseline, base_tree) for part in self._parts]
            return tuple(each.result() for each in running)

    def _known(self, base: str) -> str:
        ledger = self._learn(base)
        found = Known(dict(ledger.known()), tuple(self._rejected()))
        content = json.dumps(asdict(found), sort_keys=True, ensure_ascii=False).encode()
        key = f"known-{hashlib.sha256(content).hexdigest()}"
        self._cache.put(key, content)
        return key


def known(cache: Cache, key: str) -> Known | None:
    """What `ready` put there, or None where the cache was emptied since."""
    content = cache.get(key)
    if content is None:
        return None
    found = json.loads(content)
    return Known(dict(found["keys"]), tuple(found["rejected"]))
