"""Owns the question whether a run that broke off in `commit` had pushed by then: the branch itself answers it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from bot.compose import Shop
from bot.errors import JournalError, PlusoneError
from bot.journal import Run
from bot.model import Committed
from bot.operation.past import Past

if TYPE_CHECKING:
    from bot.store.repository import Logged

_NODE = "commit"
_ASKED = "asked-whether-landed"  # the newest run that broke off there and was told about


def landed(shop: Shop, run: Run) -> Committed | None:
    """What the run came to where its commit is on the branch, the rest of `commit` made good; None where it is not.

    Nothing but the run's row and the history is needed, so another version's runs are found too. Raises what asking
    the remote raises.
    """
    if run.dry_run or not run.path or run.path[-1] != _NODE:
        return None
    from ledger.trailers import parse

    store = shop.store
    log = store.log(store.fetch(shop.settings.site.branch))
    ours = next((one for one in log if _is_of(one, run.cycle)), None)
    if ours is None:
        return None
    store.drop(f"rescue/{run.cycle}")
    title, note = _completed(shop, run, ours)
    return Committed(ours.oid, store.tree_of(ours.oid), f"added {title}", parse(ours.message).adds, note)


def make_good(shop: Shop) -> None:
    """Where the newest run that failed in `commit` is on the branch after all, say so in journal and ledger.

    The remote is asked until it has answered once.
    """
    run = shop.journal.failed_in(_NODE)
    if run is None or shop.journal.note(_ASKED) == run.cycle:
        return
    from bot.operation.attempts import attempts

    with suppress(PlusoneError):  # cannot be asked now: the next firing asks
        if done := landed(shop, run):
            shop.journal.settle_run(run.cycle, done)
            shop.ledger.renew(shop.history(done.commit), done.commit, attempts(shop.journal, shop.settings.additions))
        shop.journal.set_note(_ASKED, run.cycle)


def _is_of(one: Logged, cycle: str) -> bool:
    """Whether the cycle's own commit; one that takes it back names the cycle too, but adds nothing."""
    from ledger.trailers import parse

    found = parse(one.message) if cycle in one.message else None
    return found is not None and found.cycle == cycle and bool(found.adds)


def _completed(shop: Shop, run: Run, ours: Logged) -> tuple[str, str]:
    """What was added, in words, and what became of the live checkout, which died with the run."""
    try:
        past = Past.of(shop.journal, run.cycle)
    except JournalError:  # another version wrote it, in words that this one does not know
        return ours.message.partition("\n")[0], ""
    title = f"{past.claim.kind} {past.claim.key}" if past.claim else ours.message.partition("\n")[0]
    wet = past.ready is not None and not shop.trigger.dry_run
    return title, shop.follow(ours.oid, past.ready) if wet and past.ready else ""
