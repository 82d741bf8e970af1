"""One firing of the timer: take the lock, finish what a died process left or start a cycle, and say how it ended."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot import __version__
from bot.agents.client import ADDRESS
from bot.attempts import attempt
from bot.clock import SystemClock
from bot.compose import Bodies, Shop
from bot.engine import Engine
from bot.environment import Environment
from bot.errors import LockHeld
from bot.folders import Folders
from bot.journal import Opening, Run
from bot.lock import held
from bot.model import Failed, Outcome, Trigger
from bot.models import ModelChoice
from bot.past import Past
from bot.removal import remove
from bot.report import Report, report, unstarted
from bot.settings import Settings, digest
from bot.settings.later import refuse_later

OLDEST = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Order:
    """What `plusone run` was asked for. `address` is where the Messages API is."""

    settings: Settings
    folders: Folders
    environment: Environment
    choice: ModelChoice
    dry_run: bool = False
    tell: Callable[[Report], None] = lambda _: None
    address: str = ADDRESS


def fire(order: Order) -> Report:
    """Run one cycle, or finish the one whose process died. `order.tell` hears the report, however it ended.

    Raises what broke, after the report was told.
    """
    refuse_later(order.settings)
    order.folders.create()
    trigger = new_trigger(order)
    try:
        with held(order.folders.lock):
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
    remove(order.folders.scratch)  # nobody else runs: what lies there was left by a process that died
    if open_run := _left(order, shop):
        shop = _shop(order, _trigger_of(shop, open_run))
    try:
        _outcome(shop, resumed=open_run is not None)
        learn(shop)
    finally:
        ended = _ended(shop)
        order.tell(ended)
    return ended


def _ended(shop: Shop) -> Report:
    """Nothing stays behind but the record, and the record says how it ended."""
    remove(shop.folders.scratch)
    remove(shop.folders.cycle(shop.trigger.cycle) / "workspace")
    ended = report(shop.journal, shop.journal.run(shop.trigger.cycle))
    if shop.record.exists():
        shop.recording.finish(ended)
    return ended


def _shop(order: Order, trigger: Trigger) -> Shop:
    return Shop(order.settings, order.folders, order.environment, trigger, order.choice, address=order.address)


def _left(order: Order, shop: Shop) -> Run | None:
    """The run that a died process left and this firing finishes; one that cannot be finished is closed as failed.

    A run is finished only as it was begun: never a dry run by a wet one, nor with another model.
    """
    for run in shop.journal.open_runs():
        if run.dry_run != order.dry_run or run.model != str(order.choice):
            continue
        if not (why := unfit(shop, run)):
            return run
        shop.journal.take_over(run.cycle)
        past = Past.of(shop.journal, run.cycle)
        shop.journal.close(run.cycle, Failed(past.node, why, "resume", tree=past.tree), base=past.base)
    return None


def _trigger_of(shop: Shop, run: Run) -> Trigger:
    given = shop.journal.value(run.given_type, run.given)
    assert isinstance(given, Trigger)
    return given


def _outcome(shop: Shop, resumed: bool) -> Outcome:
    engine = Engine(shop.graph, Bodies(shop), shop.journal, shop.governor, lambda _node, _values: None)
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
    if shop.clock.now() - datetime.fromisoformat(run.started) > OLDEST:
        return f"its process died more than a day ago; it began at {run.started[:16]} UTC"
    past = Past.of(shop.journal, run.cycle)
    if past.base is None or past.node == "commit":
        return ""  # commit itself asks the remote whether it is done
    tip = shop.store.fetch(shop.settings.site.branch)
    return "" if past.base == tip else f"the branch moved from {past.base[:12]} to {tip[:12]} meanwhile"


def learn(shop: Shop) -> None:
    """Remember a rejected idea, so that it is not had again."""
    run = shop.journal.run(shop.trigger.cycle)
    if found := attempt(shop.journal, run, shop.settings.additions):
        shop.ledger.remember([found])
