"""The dear facts of base: what it holds, what is known, and what each gate part measures there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from bot.base.known import Known, keep
from bot.frozen import frozen
from bot.model import Allowance, Baseline, Holdings, Ready, Trigger
from bot.ports import Cache, GatePart, Reader


@frozen
class Terms:
    """What every cycle of this configuration has in common."""

    branch: str
    config: str
    prompts: dict[str, str]
    allowance: Allowance
    sandbox: str


class Survey:
    """Measures base, or finds it measured. `learn` reads what is known at a base that holds this."""

    def __init__(
        self,
        terms: Terms,
        reader: Reader,
        parts: Sequence[GatePart],
        learn: Callable[[str, Holdings], Known],
        cache: Cache,
    ) -> None:
        self._terms, self._reader, self._parts = terms, reader, parts
        self._learn, self._cache = learn, cache

    def ready(self, trigger: Trigger, base: str, base_tree: str) -> Ready:
        """Raises SiteBroken with the site's own message where base cannot be loaded, asked or measured."""
        holdings, held = self._reader.holdings(base_tree)
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
            keep(self._cache, self._learn(base, held)),
            self._baselines(base_tree),
            terms.allowance,
            terms.sandbox,
        )

    def _baselines(self, base_tree: str) -> tuple[Baseline, ...]:
        with ThreadPoolExecutor(max_workers=max(1, len(self._parts)), thread_name_prefix="base") as pool:
            running = [pool.submit(part.baseline, base_tree) for part in self._parts]
            return tuple(each.result() for each in running)
