"""The routes part: the site behind a pipe, base and candidate asked alike, and their answers compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random, SystemRandom

from bot.codec import encode
from bot.errors import SiteBroken
from bot.model import Baseline, Evidence, Holdings, Objection, Ready, Site, Snapshot
from bot.parts.patience import Patience
from bot.parts.served import FOLDER, Served, served
from bot.parts.tools import Tools, cache_key
from gates import arrival, compare, plan, sweep
from gates.coverage import blind, coverage
from gates.page import PageFacts, same_frame, shared, together
from gates.plan import Ground
from gates.question import Question
from gates.sweep import Sweep

_AGAIN = 8
_DOUBTED = 60
_PROGRAM = ("serve.py", "loading.py", "page.py", "markup.py", "feed.py", "plan.py", "rules.py", "sweep.py")


@dataclass(frozen=True, slots=True)
class RouteRules:
    """`[gate.routes]`: pages to ask besides, harmful-looking rules that may be asked, the floor, the time limits."""

    examples: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    floor: float = 0.3
    seconds: float = 300.0
    page_seconds: float = 10.0


@dataclass(frozen=True, slots=True)
class _Swept:
    """The candidate's side of a comparison."""

    ground: Ground
    arrived: tuple[arrival.Arrival, ...]
    questions: tuple[Question, ...]
    pages: dict[str, PageFacts]


class RoutesPart:
    """Implements `ports.GatePart`."""

    name = "routes"

    def __init__(self, tools: Tools, site: Site, rules: RouteRules, random: Random | None = None) -> None:
        self._tools, self._site, self._rules = tools, site, rules
        self._random = random or SystemRandom()
        program = sha256(b"".join((FOLDER / name).read_bytes() for name in _PROGRAM)).hexdigest()
        self._about = (sweep.VERSION, program, encode(site), rules.examples, rules.allow)

    def baseline(self, base_tree: str) -> Baseline:
        """Sweep base twice, or find it swept. Raises SiteBroken where it does not boot, dies or cannot be seen."""
        base, _ = self._base(base_tree)
        seen = coverage(self._ground(self._holdings(base_tree)).rules, base)
        problem = blind(seen, self._rules.floor)
        if problem:
            raise SiteBroken(problem)
        return Baseline(self.name, self._key(base_tree), base.tool, seen.counts)

    def judge(self, ready: Ready, snapshot: Snapshot) -> tuple[tuple[Objection, ...], Evidence]:
        """What works at base and not in the snapshot, what it takes away, and what is wrong with what it brings."""
        started = self._tools.clock.monotonic()
        base, cached = self._base(ready.base_tree)
        last: list[Served] = []
        try:
            swept = self._candidate(base, ready, snapshot, last)
        except SiteBroken as broken:
            where = last[0].last.url if last else "/"
            return (_broken(where, str(broken)),), Evidence(self.name, {"pages": 0}, base.tool)
        found = compare.objections(self._findings(base, swept, ready, snapshot))
        against = (*arrival.unreadable(snapshot.claim), *found)
        whole = Sweep(base.tool, swept.questions, swept.pages, swept.ground.skipped)
        counts = {**coverage(swept.ground.rules, whole).counts, "pages": len(swept.pages), "new": len(against)}
        notes = tuple(f"left out, for base disagrees with itself: {key}" for key in base.volatile)
        return against, Evidence(self.name, counts, base.tool, notes, self._tools.clock.monotonic() - started, cached)

    def _key(self, tree: str) -> str:
        return cache_key("routes", tree, *self._about)

    def _holdings(self, tree: str) -> Holdings:
        return self._tools.reader.holdings(tree)[1]

    def _ground(self, holdings: Holdings, site: Served | None = None) -> Ground:
        ground = Ground(self._site, holdings, examples=self._rules.examples, allow=self._rules.allow)
        return replace(ground, server=site.hello.host, matching=site.hello.matching) if site else ground

    @contextmanager
    def _serving(self, tree: str) -> Iterator[tuple[Served, Patience]]:
        with served(self._tools, self._site, tree, self._rules.seconds) as site:
            yield site, Patience(site, self._tools.clock, self._rules.seconds, self._rules.page_seconds)

    def _base(self, tree: str) -> tuple[Sweep, bool]:
        kept = self._tools.cache.get(self._key(tree))
        base = sweep.load(kept) if kept is not None else None
        if base is not None:
            return base, True
        base = self._swept_twice(tree, self._holdings(tree))
        self._tools.cache.put(self._key(tree), sweep.dump(base))
        return base, False

    def _swept_twice(self, tree: str, holdings: Holdings) -> Sweep:
        """Two runs in two fresh processes; the second asks what the first found linked, too."""
        with self._serving(tree) as (site, patience):
            ground = self._ground(holdings, site)
            questions, unknown = plan.questions(ground), plan.unknown(ground, self._random)
            first = sweep.asked(patience.ask, (*questions, *unknown), self._random)
            more = plan.crawled(ground, questions, sweep.links(first.values()))
            first |= sweep.asked(patience.ask, more, self._random)
            questions += more
        with self._serving(tree) as (site, patience):
            second = sweep.asked(patience.ask, (*questions, *plan.unknown(ground, self._random)), self._random)
        pages, volatile = sweep.merged(first, second)
        return Sweep(site.hello.versions, questions, pages, ground.skipped, volatile)

    def _candidate(self, base: Sweep, ready: Ready, snapshot: Snapshot, last: list[Served]) -> _Swept:
        holdings = self._holdings(snapshot.tree)
        with self._serving(snapshot.tree) as (site, patience):
            last.append(site)
            ground = self._ground(holdings, site)
            known = arrival.siblings(ground, base.pages)
            arrived = arrival.arrivals(ground, self._holdings(ready.base_tree), snapshot.claim, known)
            new = (one.question for one in arrived)
            questions = tuple(dict.fromkeys((*base.questions, *plan.unknown(ground, self._random), *new)))
            return _Swept(ground, arrived, questions, sweep.asked(patience.ask, questions, self._random))

    def _findings(self, base: Sweep, swept: _Swept, ready: Ready, snapshot: Snapshot) -> tuple[compare.Finding, ...]:
        rises = self._rises(ready, swept.ground)
        missing = [swept.pages[one.key] for one in swept.questions if one.why == "unknown"]
        brought = tuple(arrival.findings(swept.arrived, swept.pages, missing))
        moves = compare.moves(swept.pages, swept.questions, rises)
        found = compare.compare(swept.questions, base.pages, swept.pages, moves, snapshot.claim.changes)
        doubted = tuple(dict.fromkeys(one.question for one in found))
        for start in range(0, len(doubted), _DOUBTED):
            some = doubted[start : start + _DOUBTED]
            pages, now = self._again(base, swept, ready, snapshot, some)
            sure = compare.compare(some, pages, now, moves, snapshot.claim.changes)
            if sure:
                return (*sure, *brought)
        return brought

    def _again(
        self, base: Sweep, swept: _Swept, ready: Ready, snapshot: Snapshot, doubted: tuple[Question, ...]
    ) -> tuple[dict[str, PageFacts], dict[str, PageFacts]]:
        """Both sides asked again before anything is held against the candidate: clocks and chance are no fault.

        A candidate that dies meanwhile stands as it was first found.
        """
        before, now = dict(base.pages), dict(swept.pages)
        with self._serving(ready.base_tree) as (_, patience):
            for one in doubted * _AGAIN:
                fresh = sweep.asked(patience.ask, (one,), self._random)[one.key]
                if one.key in before and same_frame(before[one.key], fresh):
                    before[one.key] = shared(before[one.key], fresh)
                else:
                    before.pop(one.key, None)
        with suppress(SiteBroken), self._serving(snapshot.tree) as (_, patience):
            for key, page in sweep.asked(patience.ask, doubted, self._random).items():
                now[key] = together(now[key], page)
        return before, now

    def _rises(self, ready: Ready, ground: Ground) -> tuple[int, ...]:
        added = [len(keys) for keys in arrival.new_keys(ground, self._holdings(ready.base_tree)).values()]
        return (*added, sum(added))


def _broken(url: str, why: str) -> Objection:
    return Objection(
        code="site-broken",
        node="gate",
        where=url,
        subject=url,
        what="the site does not get through the sweep that base gets through",
        seen=why,
        accept="the site boots, and answers every page that it answered before",
    )
