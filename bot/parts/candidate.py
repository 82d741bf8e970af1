"""The sweep of a candidate: what base was asked, what the change brings, and where its new links lead."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field

from bot.frozen import frozen
from bot.model import Claim, Holdings, Rule
from bot.parts.patience import Patience
from bot.parts.stand import Stand
from gates import arrival, gain, plan, secured, sweep, twin, welcome
from gates.arrival import Arrival
from gates.finding import Finding
from gates.page import PageFacts
from gates.plan import Ground
from gates.question import Question, Target
from gates.sweep import Sweep


@frozen
class Candidate:
    """One tree's site as it answered. `dead` are new link targets that lead nowhere, with their status.

    `open` are pages that base shows over https alone and this tree over http as well, `moved` is as in a sweep,
    `patient` how many requests came before the first of them.
    """

    ground: Ground
    arrived: tuple[Arrival, ...]
    fresh: tuple[Rule, ...]
    questions: tuple[Question, ...]
    pages: dict[str, PageFacts]
    dead: dict[Target, int] = field(default_factory=dict)
    open: tuple[Finding, ...] = ()
    moved: int = 0
    patient: int = 0

    def scene(self, base: Sweep) -> welcome.Scene:
        """The candidate as the judgement of what it brings needs it."""
        links: dict[Target, set[str]] = defaultdict(set)
        for one in self.questions:
            for target in sweep.leads(one, self.pages[one.key].links):
                links[target].add(one.path)
        return welcome.Scene(self.questions, self.pages, links, {one.key for one in base.questions})


def swept(stand: Stand, base: Sweep, held: Holdings, tree: str, claim: Claim) -> Candidate:
    """Everything asked of the tree's site; `held` is what base holds. Raises SiteBroken."""
    holdings = stand.holdings(tree)
    with stand.serving(tree) as asker:
        ground = stand.ground(holdings, asker.hello)
        arrived = arrival.arrivals(ground, held, claim, arrival.siblings(ground, base.pages))
        fresh = arrival.new_rules(ground, held)
        new = (*(one.question for one in arrived), *twin.twins(fresh, arrived, stand.rules.examples))
        questions = tuple(dict.fromkeys((*base.questions, *plan.unknown(ground, stand.random), *new)))
        pages: dict[str, PageFacts] = {}
        for some in _rounds(base, questions):
            pages |= sweep.asked(asker.ask, some, stand.random)
        told = [one.question.url for one in arrived]
        followed = tuple(arrival.followed(ground, fresh, sweep.links(questions, pages), told))
        more = tuple(one.question for one in followed)
        pages |= sweep.asked(asker.ask, more, stand.random)
        opened = tuple(secured.opened(base.bare, sweep.asked(asker.ask, base.bare, stand.random)))
        arrivals = (*arrived, *followed)
        found = Candidate(
            *(ground, arrivals, fresh, (*questions, *more), pages),
            open=opened,
            moved=asker.moved,
            patient=asker.patient,
        )
        found.dead.update(_dead(stand, asker, base, found))
        return found


def _rounds(base: Sweep, questions: tuple[Question, ...]) -> tuple[tuple[Question, ...], ...]:
    """What base was asked at first comes first, for a page may need another one to have been visited."""
    first = {one.key for one in base.questions if one.why != "crawl"}
    return tuple(one for one in questions if one.key in first), tuple(one for one in questions if one.key not in first)


def _dead(stand: Stand, asker: Patience, base: Sweep, found: Candidate) -> dict[Target, int]:
    new = {one.question.target for one in found.arrived}
    fresh = gain.fresh(found.questions, base.pages, base.questions, found.pages)
    targets = [target for target in fresh if target not in new]  # those are judged by themselves
    answers: dict[Target, list[PageFacts]] = defaultdict(list)
    for one in found.questions:
        answers[one.target].append(found.pages[one.key])
    locale = next(iter(stand.site.locales), "") if stand.site.locale_by == "accept-language" else ""
    for target in targets:
        if target not in answers:
            asked = (Question("GET", target.url, target.host, locale, "link", user=target.user),)
            answers[target] += sweep.asked(asker.ask, asked, stand.random).values()
    return {target: answers[target][0].status for target in targets if gain.nowhere(answers[target])}
