"""The gate alone, on any two revisions: no model, no cycle, nothing written but what base was found to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

from bot.compose.shop import Shop
from bot.frozen import frozen
from bot.model import (
    Baseline,
    Change,
    Claim,
    Evidence,
    GateObjections,
    GatePassed,
    Objection,
    Ready,
    Snapshot,
    TreeEntry,
)
from bot.nodes.gate import Gate
from bot.ports import GatePart
from bot.settings import digest
from bot.store.revisions import Revision

Tell = Callable[[str], None]


@frozen
class _Heard:
    """A part of the gate that says when it is done."""

    part: GatePart
    tell: Tell

    @property
    def name(self) -> str:
        return self.part.name

    def baseline(self, base_tree: str) -> Baseline:
        found = self.part.baseline(base_tree)
        self.tell(f"{self.name}: base is measured")
        return found

    def judge(self, ready: Ready, snapshot: Snapshot) -> tuple[tuple[Objection, ...], Evidence]:
        against, evidence = self.part.judge(ready, snapshot)
        self.tell(f"{self.name}: {len(against)} objections after {evidence.seconds:.1f} s")
        return against, evidence


def judged(shop: Shop, base: Revision, candidate: Revision, tell: Tell) -> GatePassed | GateObjections:
    """Every part's verdict on the candidate against base. Raises SiteBroken where base itself cannot be measured.

    `tell` hears how far it is.
    """
    shop.tell = tell
    parts = tuple(_Heard(part, tell) for part in shop.parts)
    with ThreadPoolExecutor(thread_name_prefix="base") as pool:
        baselines = tuple(each.result() for each in [pool.submit(part.baseline, base.tree) for part in parts])
    settings, trigger = shop.settings, shop.trigger
    ready = Ready(
        *(trigger.cycle, trigger.started, trigger.dry_run, settings.site.branch, base.oid, base.tree, digest(settings)),
        prompts={},
        holdings="",
        known="",
        baselines=baselines,
        allowance=settings.allowance(),
        sandbox=shop.sandbox.mode,
    )
    sides = shop.store.entries(base.tree), shop.store.entries(candidate.tree)
    changes = tuple(_change(path, *sides) for path in shop.store.changed(base.tree, candidate.tree))
    claim = Claim("", "", "")  # nobody claims anything: what a person changed is judged by what it does
    return Gate(lambda: parts).run(ready, Snapshot(base.oid, base.tree, candidate.tree, claim, changes))


def _change(path: str, base: Mapping[str, TreeEntry], candidate: Mapping[str, TreeEntry]) -> Change:
    if path not in candidate:
        return Change(path, "deleted", base[path].mode)
    now = candidate[path]
    return Change(path, "changed" if path in base else "added", now.mode, now.size or 0)
