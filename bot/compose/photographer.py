"""Has pictures taken of what a cycle would ship or shipped. They follow the verdict and are no part of it."""

from __future__ import annotations

from itertools import islice

from bot.compose.shop import Shop
from bot.journal import Journal, Run
from bot.machine.removal import remove
from bot.model import Claim
from bot.pictures import MOST, Album, Camera, arranged, chosen, keep, located


def portray(shop: Shop) -> None:
    """Keep an album of the cycle that just ended, or the reason why there is none; nothing where none is wanted.

    Raises what the store and the sandbox raise, and OSError.
    """
    run = shop.journal.run(shop.trigger.cycle)
    if shop.settings.page.pictures == "never" or not shipped(run) or not run.base or not run.tree:
        return
    folder = shop.folders.pictures(run.cycle)
    pages = dict(islice(chosen(_claim(shop.journal, run)).items(), MOST))
    if why := _hindered(shop, pages):
        keep(folder, Album(why=why), {})
        return
    shop.watch("pictures", shop.money)
    try:
        album, pictures = _taken(shop, run, pages)
    finally:
        remove(shop.folders.scratch)
    keep(folder, album, pictures)


def shipped(run: Run) -> bool:
    """Whether the cycle got as far as the write: it was committed, waits, or was dry and would have been."""
    return run.outcome in ("committed", "waiting") or (run.dry_run and run.path[-1:] == ("commit",))


def _hindered(shop: Shop, pages: dict[str, bool]) -> str:
    if not pages:
        return "the claim names no page"
    if located() is None:
        return "no Chromium is installed on this machine"
    if shop.settings.sandbox.mode != "auto":
        return "without a sandbox no browser is started"
    return ""


def _taken(shop: Shop, run: Run, pages: dict[str, bool]) -> tuple[Album, dict[str, bytes]]:
    browser = located()
    assert browser and run.base and run.tree
    camera = Camera(shop.exports, shop.sandbox, shop.site, browser)
    changed = [url for url, new in pages.items() if not new]
    before = camera.pictures(shop.store.tree_of(run.base), changed) if changed else {}
    after = camera.pictures(run.tree, [*pages])
    shown = tuple(arranged(pages, before, after))
    pictures = {one.before: before[one.url].picture for one in shown if one.before}
    return Album(shown), pictures | {one.after: after[one.url].picture for one in shown if one.after}


def _claim(journal: Journal, run: Run) -> Claim:
    """The newest claim of the cycle, an empty one where there is none."""
    for step in reversed(journal.steps(run.cycle)):
        value = journal.value(step.type, step.value) if step.type and step.value else None
        if isinstance(found := getattr(value, "claim", None), Claim):
            return found
    return Claim("", "", "")
