"""Takes one of Plusone's own commits back: exactly its paths, judged against the branch as it is, pushed by lease."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from bot.compose.shop import Shop
from bot.errors import CommandFailed, ConfigError, SiteBroken
from bot.frozen import frozen
from bot.journal import Run
from bot.model import Change, Claim, Committed, Evidence, Holdings, Objection, Ready, Snapshot
from bot.names import shown
from bot.operation.past import Past
from bot.ports import canonical
from bot.store.git import Identity
from bot.store.publisher import EMAIL, NAME
from gates.plan import page_url
from gates.rules import reaches
from guards.facts import spelt
from ledger.trailers import parse, trailers

_TAKEN = frozenset({"page-lost", "page-emptied"})  # a list without the removed entry is what is wanted


@frozen
class Undone:
    """The commit that took it back, the keys that went, and what became of the live checkout."""

    commit: str
    removes: tuple[str, ...]
    checkout: str


@frozen
class _Plan:
    """What is to be undone: the run's own commit, the ledger keys it added, the branch's tip, and the tree to come."""

    run: Run
    done: Committed
    ready: Ready
    tip: str
    tip_tree: str
    tree: str


class Reversal:
    """For one site; wants its lock held."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop

    def undo(self, run: Run, who: str) -> Undone | tuple[Objection, ...]:
        """Push the revert commit, or say what speaks against it.

        Raises ConfigError where the commit is not ours, not on the branch, or its paths were changed since.
        """
        plan = self._plan(run)
        evidence, against = self._judged(plan)
        if against:
            return against
        shop, branch, now = self._shop, plan.ready.branch, self._shop.clock.now().isoformat(timespec="seconds")
        commit = shop.store.commit(plan.tree, plan.tip, _message(plan, evidence), Identity(NAME, EMAIL, now))
        if shop.store.push(commit, branch, plan.tip) == "lost":
            raise CommandFailed(f"{branch} moved meanwhile, so nothing was pushed; try again")
        note = {"commit": commit, "who": who, "when": now}
        shop.journal.set_note(f"reverted/{run.cycle}", json.dumps(note))
        if shop.ledger.exists:
            shop.ledger.rebuild(shop.history(commit), commit)
        return Undone(commit, plan.done.adds, shop.follow(commit, plan.ready))

    def _plan(self, run: Run) -> _Plan:
        journal, store = self._shop.journal, self._shop.store
        done = journal.value(run.result_type, run.result) if run.result_type and run.result else None
        past = Past.of(journal, run.cycle).ready
        if not isinstance(done, Committed) or past is None:
            raise ConfigError(f"{run.cycle} is {run.outcome or 'not ended'}: only what was committed can be reverted")
        tip = store.fetch(past.branch)
        *_, last = store.log(done.commit)
        if parse(last.message).cycle != run.cycle or not store.landed(done.commit, past.branch):
            raise ConfigError(f"{done.commit[:12]} is no commit of {run.cycle} on {past.branch}; revert it by hand")
        tip_tree = store.tree_of(tip)
        ready = replace(past, base=tip, base_tree=tip_tree)
        return _Plan(run, done, ready, tip, tip_tree, self._without(done.commit, tip_tree))

    def _without(self, commit: str, tip_tree: str) -> str:
        """The tip's tree with the commit's paths as they were before it. Raises ConfigError."""
        store = self._shop.store
        before, after = store.tree_of(f"{commit}^"), store.tree_of(commit)
        paths = store.changed(before, after)
        was, made, now = store.entries(before), store.entries(after), store.entries(tip_tree)
        if all(now.get(path) == was.get(path) for path in paths):
            raise ConfigError(f"{commit[:12]} is taken back already: its paths are as they were before it")
        if moved := [path for path in paths if now.get(path) != made.get(path)]:
            named = ", ".join(shown(path) for path in moved[:3])
            raise ConfigError(f"{commit[:12]} does not revert cleanly: {named} changed since; revert it by hand")
        files = {path: (was[path].mode, store.blob(was[path].oid)) if path in was else None for path in paths}
        return store.write_tree(tip_tree, files)

    def _judged(self, plan: _Plan) -> tuple[tuple[Evidence, ...], tuple[Objection, ...]]:
        """It boots, holds all that the tip held but what the commit added, lints, and the surviving routes answer."""
        shop = self._shop
        _, tip = shop.reader.holdings(plan.tip_tree)
        try:
            _, left = shop.reader.holdings(plan.tree)
        except SiteBroken as error:
            what = "without it the site can no longer be loaded"
            return (), (_objection("site-unreadable", what, shop.redaction.text(str(error))),)
        if against := tuple(_strange(tip, left, plan.done.adds)):
            return (), against
        snapshot = self._snapshot(plan)
        parts = [part for part in shop.parts if part.name != "catalogue"]  # its files are as they once were judged
        verdicts = [part.judge(plan.ready, snapshot) for part in parts]
        gone = _Gone(shop, tip, left)
        found = tuple(one for objections, _ in verdicts for one in canonical(objections) if not gone.excuses(one))
        return tuple(evidence for _, evidence in verdicts), found

    def _snapshot(self, plan: _Plan) -> Snapshot:
        paths = self._shop.store.changed(plan.tip_tree, plan.tree)
        changes = tuple(Change(path, "changed", by="bot") for path in paths)
        claim = Claim("revert", plan.run.cycle, _title(plan.done))
        return Snapshot(plan.tip, plan.tip_tree, plan.tree, claim, changes)


class _Gone:
    """What is meant to be away afterwards: pages of removed entries, and URLs that only removed rules answer."""

    def __init__(self, shop: Shop, tip: Holdings, left: Holdings) -> None:
        self._pages = {
            page_url(source, entry.key)
            for source in shop.site.sources
            if source.page
            for entry in set(tip.registry(source.name).entries) - set(left.registry(source.name).entries)
        }
        self._rules = [rule for rule in tip.rules if rule not in left.rules]
        self._left = left.rules

    def excuses(self, objection: Objection) -> bool:
        """Whether it is about what is meant to go."""
        if objection.code in _TAKEN:
            return True
        path = f"/{objection.subject.partition('?')[0].partition('/')[2]}"
        if any(path.endswith(page) for page in self._pages):  # a locale may stand before it
            return True
        return any(reaches(rule, path) for rule in self._rules) and not any(reaches(rule, path) for rule in self._left)


def _strange(tip: Holdings, left: Holdings, adds: tuple[str, ...]) -> Iterator[Objection]:
    """Keys that go and were not added by the commit, and keys that stay or come."""
    before, after = _keys(tip), _keys(left)
    wanted = {key for key in adds if key in before}
    for key in sorted((before - after) ^ wanted | (after - before)):
        what = "would go too" if key in before - after else "would not go" if key in before else "would come"
        yield _objection("revert-unclean", f"without the commit {key} {what}", key)


def _keys(holdings: Holdings) -> set[str]:
    return {spelt(name, entry.key) for name in holdings.names for entry in holdings.registry(name).entries}


def _objection(code: str, what: str, seen: str) -> Objection:
    return Objection(code, "revert", "", "site", what, seen, "a revert by hand")


def _title(done: Committed) -> str:
    return done.reason.partition(", approved")[0].removeprefix("added ")


def _message(plan: _Plan, evidence: tuple[Evidence, ...]) -> str:
    last = trailers(plan.run.cycle, (), tuple(one.line for one in evidence), plan.done.adds)
    return f"Revert {_title(plan.done)}\n\nTakes {plan.done.commit} back.\n\n{last}"
