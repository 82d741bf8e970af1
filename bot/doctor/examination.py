"""The whole examination, in an order in which each failure explains those that follow it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.compose import Shop
from bot.doctor import drilled, machine, timers
from bot.doctor.check import Check, Look, taken
from bot.doctor.site import Site
from bot.errors import LockHeld
from bot.machine.lock import held
from bot.machine.removal import remove


def examine(shop: Shop, firing: timers.Firing) -> Iterator[Check]:
    """Each check as soon as it is done, in words that hold no secret of this machine.

    It writes what a cycle would also keep: the store, and results for base.
    """
    for one in _examined(shop, firing):
        yield replace(one, seen=shop.redaction.text(one.seen))


def _examined(shop: Shop, firing: timers.Firing) -> Iterator[Check]:
    yield from _configuration(shop)
    found = list(taken(machine.looks(shop)))
    yield from found
    if any(one.name == "state" and one.level == "failure" for one in found):
        yield Check("site", "warning", "not looked at: mend state first")
    else:
        yield from _site(shop)
    yield from taken([drilled.look(shop), *timers.looks(firing)])


def _configuration(shop: Shop) -> Iterator[Check]:
    yield Check("configuration", "ok", f"{shop.settings.file} is sound")


def _site(shop: Shop) -> Iterator[Check]:
    looks: tuple[Look, ...] = tuple(Site(shop).looks())
    try:
        shop.folders.create()
        with held(shop.folders.lock):
            try:
                yield from taken(looks)
            finally:
                remove(shop.folders.scratch)
    except LockHeld as error:
        yield Check("site", "warning", f"not looked at: {error}", "plusone doctor, once that cycle has ended")
