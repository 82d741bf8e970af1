"""One firing of the timer: take the lock, finish what a died process left or start a cycle, and say how it ended."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

from bot import __version__
from bot.agents.client import ADDRESS
from bot.agents.models import ModelChoice
from bot.compose import Bodies, Shop
from bot.compose.shop import Watch
from bot.engine import Engine
from bot.errors import JournalError, LockHeld, PlusoneError
from bot.firing.aftermath import catch_up, conclude, learn, renewing, sweep, trigger_of
from bot.firing.landing import landed, make_good
from bot.firing.retention import tidy
from bot.folders import Folders
from bot.frozen import frozen
from bot.journal import Opening, Run
from bot.machine.clock import SystemClock
from bot.machine.environment import Environment
from bot.machine.lock import held
from bot.machine.removal import remove
from bot.model import Failed, Outcome, Trigger
from bot.notify import announce, starting
from bot.operation.past import Past
from bot.settings import Settings, digest
from bot.telling.report import Report, unstarted

OLDEST = timedelta(days=1)


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

    Raises what broke, after the report was told; there is none where it broke before the cycle had a row.
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
    shop = _shop(order, trigger)
    if not order.dry_run:
        starting(order.settings, shop.journal, trigger.cycle)
    sweep(order.folders, died=bool(shop.journal.open_runs()))
    catch_up(shop, lambda earlier: _shop(order, earlier))
    if not order.dry_run:
        make_good(shop)
    if open_run := _left(order, shop):
        shop = _shop(order, trigger_of(shop, open_run))
    try:
        outcome = _outcome(shop, resumed=open_run is not None)
        learn(shop, outcome)
    except BaseException:
        if _begun(shop):
            _concluded(order, shop)
        raise
    return _concluded(order, shop)


def _begun(shop: Shop) -> bool:
    """Whether the cycle has a row; where not even that could be written, what broke is all that there is to tell."""
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


def _shop(order: Order, trigger: Trigger) -> Shop:
    shop = Shop(order.settings, order.folders, order.environment, trigger, order.choice, address=order.address)
    shop.watch, shop.tell = order.watch, order.along
    return shop


def _left(order: Order, shop: Shop) -> Run | None:
    """The run that a died process left and this firing finishes; one that nobody can finish is closed as failed.

    A run is finished only as it was begun: never a dry run by a wet one, nor with another model.
    """
    for run in shop.journal.open_runs():
        if why := unfit(shop, run):
            _give_up(shop, run, why)
        elif run.dry_run == order.dry_run and run.model == str(order.choice):
            return run
    return None


def _give_up(shop: Shop, run: Run, why: str) -> None:
    """Close it as failed, unless its commit is on the branch; its snapshots stay under their refs, its folder goes."""
    shop.journal.take_over(run.cycle)
    try:
        past = Past.of(shop.journal, run.cycle)
    except JournalError:  # another program wrote it, in words that this one does not know
        past = Past(run.path[-1] if run.path else "precheck")
    done = None
    with suppress(PlusoneError):  # where the remote cannot be asked now, a later firing makes it good
        done = landed(shop, run)
    outcome = done or Failed(past.node, why, "resume", tree=past.tree)
    shop.journal.close(run.cycle, outcome, stage=past.node, base=past.base)
    remove(shop.folders.cycle(run.cycle) / "workspace")


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


def unfit(shop: Shop, run: Run) -> str:
    """Why a run that died cannot be finished; empty where it can."""
    if run.graph != shop.graph.hash:
        return f"the program was changed meanwhile: graph {run.graph[:12]} is now {shop.graph.hash[:12]}"
    if run.config != digest(shop.settings):
        return "the configuration was changed meanwhile"
    if shop.clock.now() - datetime.fromisoformat(run.started) > OLDEST:
        return f"its process died more than a day ago; it began at {run.started[:16]} UTC"
    try:
        past, _ = Past.of(shop.journal, run.cycle), trigger_of(shop, run)
    except JournalError as error:
        return f"its record cannot be followed: {error}"
    if past.base is None or past.node == "commit":
        return ""  # commit itself asks the remote whether it is done
    tip = shop.store.fetch(shop.settings.site.branch)
    return "" if past.base == tip else f"the branch moved from {past.base[:12]} to {tip[:12]} meanwhile"
