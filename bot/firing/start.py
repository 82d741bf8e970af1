"""One firing of the timer: take the lock, finish what a died process left or start a cycle, and say how it ended."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress

from bot import __version__
from bot.agents.client import ADDRESS
from bot.agents.models import ModelChoice
from bot.compose import Bodies, Shop
from bot.compose.shop import Watch
from bot.engine import Engine
from bot.errors import LockHeld, PlusoneError, shortage
from bot.firing.aftermath import catch_up, conclude, learn, renewing, sweep, trigger_of
from bot.firing.landing import landed, make_good
from bot.firing.leftover import leftover
from bot.firing.retention import tidy
from bot.folders import Folders
from bot.frozen import frozen
from bot.journal import Opening, Run
from bot.machine.clock import SystemClock
from bot.machine.environment import Environment
from bot.machine.lock import held
from bot.model import Outcome, Trigger
from bot.notify import announce, ready, starting
from bot.settings import Settings, digest
from bot.telling.ending import broken
from bot.telling.report import Report, unstarted


@frozen
class Order:
    """What `plusone run` was asked for. `address` is where the Messages API is; `watch` hears each node's name,
    and what tells the money that the cycle has spent so far; `along` hears how far a long part of the gate is.

    `after` comes last of all, with the lock still held; it raises nothing, for by then the cycle has ended.
    """

    settings: Settings
    folders: Folders
    environment: Environment
    choice: ModelChoice
    dry_run: bool = False
    tell: Callable[[Report], None] = lambda _: None
    address: str = ADDRESS
    watch: Watch = lambda _node, _money: None
    along: Callable[[str], None] = lambda _: None
    after: Callable[[Shop, Report], None] = lambda _shop, _report: None


def fire(order: Order) -> Report:
    """Run one cycle, or finish the one whose process died. `order.tell` hears the report, however it ended.

    Raises what broke, after the report was told, also where it broke before the cycle had a row.
    """
    order.folders.create()
    trigger = new_trigger(order)
    try:
        with held(order.folders.lock), renewing(order.folders):
            return _locked(order, trigger)
    except LockHeld as error:
        turned_away = {**unstarted(trigger.cycle, "skipped", "lock", str(error), order.dry_run), "exit_code": 75}
        order.tell(turned_away)
        return turned_away


def new_trigger(order: Order) -> Trigger:
    """A cycle id is the UTC start and a suffix, so that ids sort by time."""
    now = SystemClock().now().replace(microsecond=0)
    return Trigger(f"{now:%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}", now.isoformat(), order.dry_run, str(order.choice))


def _locked(order: Order, trigger: Trigger) -> Report:
    with ExitStack() as shops:
        shop = _shop(order, trigger, shops)
        try:
            run = _prepared(order, shop, shops)
            shop = _shop(order, trigger_of(shop, run), shops) if run else shop
            learn(shop, _outcome(shop, resumed=run is not None))
        except BaseException as error:
            safe = shop.redaction.clear(error)
            if _begun(shop):
                _concluded(order, shop)
            else:
                _unbegun(order, shop, safe)
            if safe is not error:
                raise safe from None
            raise
        return _concluded(order, shop)


def _prepared(order: Order, shop: Shop, shops: ExitStack) -> Run | None:
    """Make good what earlier firings left undone; the run among it that this one finishes."""
    if not order.dry_run:
        starting(order.settings, shop.journal, shop.trigger.cycle)
    sweep(order.folders, died=bool(shop.journal.open_runs()))
    catch_up(shop, lambda earlier: _shop(order, earlier, shops))
    if not order.dry_run:
        make_good(shop)
    return leftover(shop)


def _begun(shop: Shop) -> bool:
    """Whether the cycle has a row."""
    try:
        shop.journal.run(shop.trigger.cycle)
    except PlusoneError:
        return False
    return True


def _concluded(order: Order, shop: Shop) -> Report:
    ended = conclude(shop)
    order.tell(ended)
    announce(order.settings, order.environment, shop.journal, ended)
    if not order.dry_run:
        tidy(shop)
    order.after(shop, ended)
    return ended


def _unbegun(order: Order, shop: Shop, error: BaseException) -> None:
    """Tell what broke before the cycle had a row, to everybody who hears how others end."""
    status, why = broken(shortage(error) or error)
    ended: Report = {**unstarted(shop.trigger.cycle, "failed", "set-up", why, order.dry_run), "exit_code": status}
    order.tell(ended)
    with suppress(PlusoneError):  # the journal may be what broke, or an address that cannot be one
        ready(order.settings.notify)
        announce(order.settings, order.environment, shop.journal, ended)


def _shop(order: Order, trigger: Trigger, shops: ExitStack) -> Shop:
    given = (order.settings, order.folders, order.environment, trigger, order.choice)
    shop = shops.enter_context(closing(Shop(*given, address=order.address)))
    shop.watch, shop.tell = order.watch, order.along
    return shop


def _outcome(shop: Shop, resumed: bool) -> Outcome:
    engine = Engine(
        shop.graph,
        Bodies(shop),
        shop.journal,
        shop.governor,
        lambda _node, _values: None,
        lambda cycle: landed(shop, shop.journal.run(cycle)),
    )
    return engine.resume(shop.trigger.cycle) if resumed else engine.run(opening(shop))


def opening(shop: Shop) -> Opening:
    """The run's row before its first node."""
    trigger = shop.trigger
    return Opening(
        trigger.cycle,
        shop.graph.hash,
        trigger,
        __version__,
        digest(shop.settings),
        trigger.model,
        shop.settings.sandbox.mode,
        trigger.dry_run,
    )
