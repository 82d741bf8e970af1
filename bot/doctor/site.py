"""What a cycle asks of the site: sandbox, interpreter, remote, boot, registries, baselines and ledger.

Nothing is measured here in a way of its own: these are the very parts that a cycle is put together from.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from functools import cached_property

from bot.compose import Shop
from bot.doctor.check import Check, Look
from bot.lines import one_line
from bot.model import Bounds, Holdings, Job
from bot.operation.attempts import attempts
from bot.ports import GatePart
from bot.store.git import Identity
from ledger.audit import differences

_ASK = "import importlib.metadata as m, platform; import flask; print(platform.python_version(), m.version('flask'))"
_NOBODY = Identity("plusone doctor", "plusone@localhost", "2000-01-01T00:00:00+00:00")
_PARTS = ("lint", "catalogue", "routes")


def newer(python: str) -> bool:
    """Whether that version of Python, as in `3.13.0`, may know a syntax that our own does not."""
    return tuple(int(part) for part in python.split(".")[:2]) > sys.version_info[:2]


class Site:
    """The looks at one site, each taken once. The lock must be held: a cycle sweeps what others leave."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self._branch = shop.settings.site.branch

    def looks(self) -> Iterator[Look]:
        """In the order in which they build on each other."""
        python = self._shop.settings.python
        flask = f"{python} -m flask --app {self._shop.settings.site.app} routes"
        yield Look("sandbox", self._sandbox, "apt-get install bubblewrap")
        yield Look("interpreter", self._interpreter, f"{python} -m pip install flask", ("sandbox",))
        yield Look("remote", self._remote, "git ls-remote, with the remote of site.remote")
        yield Look("push", self._push, "give [credentials] the right to push, or mend site.remote", ("remote",))
        yield Look("boot", self._boot, flask, ("sandbox", "interpreter", "remote"))
        yield Look("registries", self._registries, "mend [[registry]]", ("boot",))
        for name in _PARTS:
            yield Look(name, lambda name=name: self._part(name), f"mend [gate.{name}], or the branch", ("boot",))  # type: ignore[misc]
        yield Look("ledger", self._ledger, "plusone ledger rebuild", ("remote",))

    @cached_property
    def _base(self) -> str:
        return self._shop.store.fetch(self._branch)

    @cached_property
    def _tree(self) -> str:
        return self._shop.store.tree_of(self._base)

    @cached_property
    def _holdings(self) -> Holdings:
        return self._shop.reader.holdings(self._tree)[1]

    def _sandbox(self) -> Check:
        mode = self._shop.sandbox.mode
        if self._shop.settings.sandbox.mode != "auto":
            return Check(
                "sandbox", "warning", f"none ({mode}): the site's code runs unconfined", '[sandbox] mode = "auto"'
            )
        return Check("sandbox", "ok", f"{mode} holds")

    def _interpreter(self) -> Check:
        shop = self._shop
        with tempfile.TemporaryDirectory(dir=shop.folders.scratch) as folder:
            if shop.sandbox.owner is not None:
                os.chown(folder, *shop.sandbox.owner)
            job = Job(
                (shop.site.python, "-I", "-B", "-c", _ASK), folder, read=shop.site.read, bounds=Bounds(seconds=30)
            )
            ran = shop.sandbox.run(job)
        if ran.status or ran.ended != "exit":
            said = one_line(ran.stderr.decode("utf-8", "replace"))[-200:]
            return Check(
                "interpreter", "failure", f"{shop.site.python}: {said}", f"{shop.site.python} -m pip install flask"
            )
        python, flask = ran.stdout.decode().split()
        seen = f"Python {python}, Flask {flask} ({shop.site.python})"
        if newer(python):
            own = "{}.{}".format(*sys.version_info)
            seen = f"{seen}; Plusone's own is {own}, and changed files in a syntax that it does not know are refused"
            return Check("interpreter", "warning", seen, f"install Plusone with that Python, or write for {own}")
        return Check("interpreter", "ok", seen)

    def _remote(self) -> Check:
        when = self._shop.store.committed_at(self._base)
        if when > self._shop.clock.now():
            seen = f"{self._branch} is dated {when:%Y-%m-%d %H:%M} UTC, which is to come"
            return Check("remote", "warning", seen, "timedatectl set-ntp true, here or where it was committed")
        return Check("remote", "ok", f"{self._branch} is at {self._base[:12]}, of {when:%Y-%m-%d %H:%M} UTC")

    def _push(self) -> Check:
        """A commit that changes nothing, offered under the lease of a real push and not sent."""
        oid = self._shop.store.commit(self._tree, self._base, "Not to be pushed\n", _NOBODY)
        self._shop.store.try_push(oid, self._branch, self._base)
        return Check("push", "ok", f"a push to {self._branch} would be let in (tried dry)")

    def _boot(self) -> Check:
        return Check("boot", "ok", f"{self._shop.site.app} loads: {len(self._holdings.rules)} URL rules")

    def _registries(self) -> Check:
        held = {one.name: len(one.entries) for one in self._holdings.registries}
        told = ", ".join(f"{name} {count}" for name, count in held.items()) or "none but the URL map"
        empty = [name for name, count in held.items() if not count]
        if empty:
            return Check("registries", "warning", f"{empty[0]} is empty ({told})", f'mend [[registry]] "{empty[0]}"')
        return Check("registries", "ok", told)

    def _part(self, name: str) -> Check:
        found: GatePart = next(one for one in self._shop.parts if one.name == name)
        counts = found.baseline(self._tree).counts
        told = ", ".join(f"{word} {count}" for word, count in counts.items())
        bad = counts.get("problems at base", 0) or counts.get("failing", 0)
        return Check(name, "warning" if bad else "ok", told, "mend them on the branch" if bad else "")

    def _ledger(self) -> Check:
        shop = self._shop

        ideas = attempts(shop.journal, shop.settings.additions) if shop.folders.journal.exists() else ()
        if found := next(differences(shop.ledger, self._base, shop.history, ideas), ""):
            return Check("ledger", "failure", found, "plusone ledger rebuild")
        return Check("ledger", "ok", f"{len(shop.ledger.known())} keys known, as the history says")
