"""The gate alone, on any two revisions: no model, no cycle, nothing written but what base was found to be."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from bot.compose.shop import Shop
from bot.model import Change, Claim, GateObjections, GatePassed, Ready, Snapshot, TreeEntry
from bot.nodes.gate import Gate
from bot.revisions import Revision
from bot.settings import digest


def judged(shop: Shop, base: Revision, candidate: Revision) -> GatePassed | GateObjections:
    """Every part's verdict on the candidate against base. Raises SiteBroken where base itself cannot be measured."""
    with ThreadPoolExecutor(thread_name_prefix="base") as pool:
        baselines = tuple(each.result() for each in [pool.submit(part.baseline, base.tree) for part in shop.parts])
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
    return Gate(lambda: shop.parts).run(ready, Snapshot(base.oid, base.tree, candidate.tree, claim, changes))


def _change(path: str, base: Mapping[str, TreeEntry], candidate: Mapping[str, TreeEntry]) -> Change:
    if path not in candidate:
        return Change(path, "deleted", base[path].mode)
    now = candidate[path]
    return Change(path, "changed" if path in base else "added", now.mode, now.size or 0)
