"""Both sides asked again before anything is held against the candidate: clocks and chance are no fault."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import reduce

from bot.errors import SiteBroken
from bot.frozen import frozen
from bot.parts.stand import Stand
from gates import sweep
from gates.page import PageFacts, same_frame, shared, together
from gates.question import Question, Target

THOROUGH = (8, 2)  # how often base and candidate are asked before anything is held against the candidate
ONCE = (1, 1)  # to find out what only the day has changed


@frozen
class Sides:
    """The pages of base and of the candidate, by the questions' keys."""

    base: dict[str, PageFacts]
    candidate: dict[str, PageFacts]


@frozen
class Doubt:
    """Further answers to some questions: several of each side, and `cold`, base's before any other page was visited."""

    questions: tuple[Question, ...]
    before: dict[str, list[PageFacts]]
    now: dict[str, list[PageFacts]]
    cold: dict[str, PageFacts]

    def settled(self, sides: Sides) -> Sides:
        """What base always shows and what the candidate showed at any time; a page without a fixed frame is out.

        Of a page that base shows otherwise before others were visited, only answers of visited sites are compared.
        """
        base, candidate = dict(sides.base), dict(sides.candidate)
        for key, pages in self.before.items():
            if key in base and all(same_frame(base[key], page) for page in pages):
                base[key] = reduce(shared, pages, base[key])
            else:
                base.pop(key, None)
        for key, pages in self.now.items():
            first = [] if pages and self._sways(key) else [candidate[key]]
            candidate[key] = reduce(together, [*first, *pages])
        return Sides(base, candidate)

    def _sways(self, key: str) -> bool:
        pages = self.before.get(key, [])
        return any(not same_frame(self.cold[key], page) for page in pages[:1] if key in self.cold)

    @property
    def seen(self) -> list[PageFacts]:
        """All that base answered."""
        return [page for pages in self.before.values() for page in pages]

    def links(self) -> set[Target]:
        """Where every one of the candidate's answers leads: a link made up anew each time is none."""
        found: set[Target] = set()
        for one in self.questions:
            told = [{*sweep.leads(one, (*page.links, *page.loads))} for page in self.now.get(one.key, [])]
            found |= set.intersection(*told) if told else set()
        return found


def again(
    stand: Stand,
    trees: tuple[str, str],
    questions: Iterable[Question],
    first: tuple[Question, ...],
    times: tuple[int, int] = THOROUGH,
) -> Doubt:
    """Ask base and candidate, side by side, what is to come `first` once. A candidate that dies stands as it was."""
    doubted = tuple(questions)
    with ThreadPoolExecutor(2, thread_name_prefix="doubt") as pool:
        before = pool.submit(_answers, stand, trees[0], (first, doubted), times[0])
        now = pool.submit(_answers, stand, trees[1], (first, doubted), times[1])
        cold, answers = before.result()
        found = Doubt(doubted, answers, {}, cold)
        with suppress(SiteBroken):
            found.now.update(now.result()[1])
        return found


def _answers(
    stand: Stand, tree: str, asked: tuple[tuple[Question, ...], tuple[Question, ...]], times: int
) -> tuple[dict[str, PageFacts], dict[str, list[PageFacts]]]:
    """Those before any other page was visited, and those after."""
    first, doubted = asked
    found: dict[str, list[PageFacts]] = {question.key: [] for question in doubted}
    with stand.serving(tree) as asker:
        cold = sweep.asked(asker.ask, doubted, stand.random)
        sweep.asked(asker.ask, first, stand.random)
        for _ in range(times):
            for key, page in sweep.asked(asker.ask, doubted, stand.random).items():
                found[key].append(page)
    return cold, found
