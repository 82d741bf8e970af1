"""The routes part: the site behind a pipe, base and candidate asked alike, and their answers compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from random import Random, SystemRandom

from bot.codec import encode
from bot.errors import SiteBroken
from bot.model import Baseline, Claim, Evidence, Holdings, Objection, Ready, Site, Snapshot
from bot.parts import candidate, doubt, twice
from bot.parts.candidate import Candidate
from bot.parts.doubt import Sides
from bot.parts.served import FOLDER
from bot.parts.stand import RouteRules, Stand
from bot.parts.tools import Tools, cache_key
from gates import arrival, compare, effect, gain, limits, sweep, twin, welcome
from gates.coverage import blind, coverage
from gates.finding import Finding, objections
from gates.page import PageFacts
from gates.question import Question, Target
from gates.sweep import Sweep

_DOUBTED = 60
_BATCHES = 5
_FIRST = 300


class RoutesPart:
    """Implements `ports.GatePart`."""

    name = "routes"

    def __init__(self, tools: Tools, site: Site, rules: RouteRules, random: Random | None = None) -> None:
        self._stand = Stand(tools, site, rules, random or SystemRandom())
        self._tools, self._rules = tools, rules
        program = sha256(b"".join(path.read_bytes() for path in sorted(FOLDER.glob("*.py")))).hexdigest()
        self._about = (sweep.VERSION, program, encode(site), rules.examples, rules.allow, rules.login)

    def baseline(self, base_tree: str) -> Baseline:
        """Sweep base twice, or find it swept. Raises SiteBroken where it does not boot, dies or cannot be seen."""
        base, _ = self._base(base_tree)
        ground = self._stand.ground(self._stand.holdings(base_tree))
        seen = coverage(ground.rules, base)
        problem = blind(seen, self._rules.floor) or arrival.astray(ground, base.pages)
        if problem:
            raise SiteBroken(problem)
        return Baseline(self.name, self._key(base_tree), base.tool, seen.counts)

    def judge(self, ready: Ready, snapshot: Snapshot) -> tuple[tuple[Objection, ...], Evidence]:
        """What works at base and not in the snapshot, what it takes away, and what is wrong with what it brings."""
        started = self._tools.clock.monotonic()
        base, cached = self._base(ready.base_tree)
        held, claim = self._stand.holdings(ready.base_tree), snapshot.claim
        try:
            found = candidate.swept(self._stand, base, held, snapshot.tree, claim)
        except SiteBroken as broken:
            return (_broken(self._stand.last, str(broken)),), Evidence(self.name, {"pages": 0}, base.tool)
        trees = (ready.base_tree, snapshot.tree)
        findings = [*self._sure(base, found, held, trees, claim), *_brought(base, found, held)]
        against = (*arrival.unreadable(claim), *objections(findings))
        featured = claim.key and snapshot.tree != ready.base_tree
        if featured and not against and not any(arrival.new_keys(found.ground, held).values()):
            against = () if self._effective(base, found, trees, claim) else (effect.none(claim),)
        notes = tuple(f"left out, for base disagrees with itself: {key}" for key in base.volatile)
        seconds = self._tools.clock.monotonic() - started
        return against, Evidence(self.name, _counts(base, found), base.tool, notes, seconds, cached)

    def _key(self, tree: str) -> str:
        return cache_key("routes", tree, *self._about)

    def _base(self, tree: str) -> tuple[Sweep, bool]:
        kept = self._tools.cache.get(self._key(tree))
        base = sweep.load(kept) if kept is not None else None
        if base is not None:
            self._stand.secure = bool(base.bare)
            return base, True
        base = twice.secured(self._stand, tree)
        self._tools.cache.put(self._key(tree), sweep.dump(base))
        return base, False

    def _sure(
        self, base: Sweep, found: Candidate, held: Holdings, trees: tuple[str, str], claim: Claim
    ) -> tuple[Finding, ...]:
        """What stands against existing pages, and against what any page holds, after everything doubted was reasked."""
        rises = [len(keys) for keys in arrival.new_keys(found.ground, held).values()]
        moves = compare.moves(base.pages, found.pages, found.questions, (*rises, sum(rises)))
        sides = Sides(base.pages, found.pages)

        def differences(
            some: Sequence[Question], now: Sides, seen: Iterable[PageFacts], dead: Mapping[Target, int]
        ) -> Iterator[Finding]:
            allowed = gain.known((*now.base.values(), *seen), self._rules.foreign_hosts, self._rules.inline_scripts)
            yield from compare.compare(some, now.base, now.candidate, moves, claim.changes)
            yield from gain.gained(some, now.candidate, allowed, dead)

        def settled(some: Sequence[Question], now: Sides, times: tuple[int, int]) -> tuple[Sides, tuple[Finding, ...]]:
            more = doubt.again(self._stand, trees, some, _visited(base), times)
            links, then = more.links(), more.settled(now)
            dead = {target: status for target, status in found.dead.items() if target in links}
            return then, tuple(differences(some, then, more.seen, dead))

        doubted = _asked(differences(found.questions, sides, (), found.dead))
        sure = settled(doubted[:_DOUBTED], sides, doubt.THOROUGH)[1] if doubted else ()
        rest = () if sure else doubted[_DOUBTED:]
        if rest:  # many pages: a day has passed, rather than that all of them are broken
            sides, left = settled(rest, sides, doubt.ONCE)
            rest = _asked(left)
        for some in _batches(rest):
            sure = sure or settled(some, sides, doubt.THOROUGH)[1]
        return sure

    def _effective(self, base: Sweep, found: Candidate, trees: tuple[str, str], claim: Claim) -> bool:
        """Whether a page differs, and not by chance; those that the claim names are asked first."""
        named = {change.partition("?")[0] for change in claim.changes}
        differing = effect.differing(found.questions, base.pages, found.pages)
        claimed = [one.question for one in found.arrived]
        ordered = dict.fromkeys((*claimed, *sorted(differing, key=lambda one: one.path not in named)))
        for some in _batches(tuple(ordered))[:_BATCHES]:
            more = doubt.again(self._stand, trees, some, _visited(base))
            if any(effect.effective(more.before[one.key], more.now.get(one.key, [])) for one in some):
                return True
        return False


def _brought(base: Sweep, found: Candidate, held: Holdings) -> Iterator[Finding]:
    scene = found.scene(base)
    yield from found.open
    yield from limits.tightened(base.moved, len(base.questions), found.moved, found.patient)
    yield from welcome.gone(held.rules, found.ground.holdings.rules, base.questions)
    yield from welcome.faults(found.arrived, scene)
    yield from welcome.unseen(found.fresh, scene)
    yield from twin.repeated(found.fresh, scene)


def _counts(base: Sweep, found: Candidate) -> dict[str, int]:
    """The numbers that depend on base, tree and configuration alone."""
    whole = Sweep(base.tool, found.questions, found.pages, found.ground.skipped)
    files = {one.key for one in found.questions if one.why == "static"}
    return {
        **coverage(found.ground.rules, whole).counts,
        "pages": len(found.pages) - len(files),
        "files": len(files),
    }


def _visited(base: Sweep) -> tuple[Question, ...]:
    """The pages that another page may need to have been visited."""
    return tuple(one for one in base.questions if one.why == "rule")[:_FIRST]


def _asked(findings: Iterable[Finding]) -> tuple[Question, ...]:
    return tuple(dict.fromkeys(one.question for one in findings))


def _batches(questions: tuple[Question, ...]) -> list[tuple[Question, ...]]:
    return [questions[start : start + _DOUBTED] for start in range(0, len(questions), _DOUBTED)]


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
