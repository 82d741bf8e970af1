"""The sweep of base: two fresh processes side by side, so that what varies by itself is known."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from bot.errors import SiteBroken
from bot.parts.patience import Patience
from bot.parts.stand import Stand
from gates import crawl, plan, statics, sweep
from gates.page import PageFacts
from gates.plan import Ground
from gates.question import Question, Target
from gates.secured import insisting
from gates.sweep import Sweep

ROUNDS = 3
READ = (".py", ".html", ".jinja", ".jinja2", ".j2", ".xml", ".md", ".txt", ".rst", ".json", ".yaml", ".yml", ".toml")
FILES, BYTES = 2000, 200_000

Pages = dict[str, PageFacts]


class Twice:
    """Asks both processes everything, made-up paths in each anew."""

    def __init__(self, stand: Stand, askers: tuple[Patience, Patience]) -> None:
        self._stand, self._askers = stand, askers
        self.pages: tuple[Pages, Pages] = ({}, {})

    def ask(self, first: tuple[Question, ...], second: tuple[Question, ...]) -> None:
        """Both at once: two processes of the site, two threads that wait for them."""
        with ThreadPoolExecutor(2, thread_name_prefix="sweep") as pool:
            asked = [
                pool.submit(sweep.asked, asker.ask, questions, self._stand.random)
                for asker, questions in zip(self._askers, (first, second), strict=True)
            ]
            for pages, more in zip(self.pages, asked, strict=True):
                pages.update(more.result())

    def crawled(self, ground: Ground, questions: tuple[Question, ...]) -> tuple[Question, ...]:
        """The questions with those about pages that are linked and not asked yet, asked now."""
        more = crawl.crawled(ground, questions, self.links(questions))
        self.ask(more, more)
        return (*questions, *more)

    def links(self, questions: tuple[Question, ...]) -> set[Target]:
        """Where the pages lead in both processes; a link made up anew each time is none."""
        one, other = (sweep.links(questions, pages) for pages in self.pages)
        return one & other


def swept(stand: Stand, tree: str) -> Sweep:
    """Everything that the tree's site answers. Raises SiteBroken where it does not boot, dies or takes too long."""
    holdings = stand.holdings(tree)
    with stand.serving(tree) as one, stand.serving(tree) as other:
        ground = stand.ground(holdings, one.hello)
        twice = Twice(stand, (one, other))
        questions = planned(stand, tree, ground, one)
        made_up = (plan.unknown(ground, stand.random), plan.unknown(ground, stand.random))
        twice.ask((*questions, *made_up[0]), (*questions, *made_up[1]))
        questions = tuple(question for question in questions if not _missed(question, twice.pages))
        for _ in range(ROUNDS):
            questions = twice.crawled(ground, questions)
        guesses = plan.plain(ground, crawl.lent(ground, questions), "literal")
        twice.ask(guesses, guesses)
        questions += tuple(question for question in guesses if not _missed(question, twice.pages))
        questions = twice.crawled(ground, questions)
        asked = {question.key for question in (*questions, *made_up[0])}
        first, second = ({key: page for key, page in pages.items() if key in asked} for pages in twice.pages)
        pages, volatile = sweep.merged(first, second)
        moved = max(one.moved, other.moved)
        return Sweep(one.hello.versions, questions, pages, ground.skipped, volatile, moved=moved)


def secured(stand: Stand, tree: str) -> Sweep:
    """The sweep of the tree's site, over https where its pages lead there. Raises SiteBroken as `swept` does."""
    stand.secure = False
    try:
        base = swept(stand, tree)
        bare = insisting(base)
    except SiteBroken:  # perhaps because nobody signs in over http
        bare = insisting(swept(stand.visited(), tree)) if stand.rules.login else ()
        if not bare:
            raise
    if not bare:
        return base
    stand.secure = True
    return replace(swept(stand, tree), bare=bare)


def planned(stand: Stand, tree: str, ground: Ground, asker: Patience) -> tuple[Question, ...]:
    """What can be asked before any page is read."""
    entries = stand.tools.objects.entries(tree)
    files = [path for path, entry in entries.items() if entry.mode.startswith("100")]
    read = [entries[path] for path in files if path.endswith(READ)][:FILES]
    texts = stand.tools.objects.blobs(one.oid for one in read if (one.size or 0) <= BYTES)
    guesses = plan.plain(ground, crawl.guessed(ground, texts.values()), "literal")
    told = plan.questions(ground)
    known = {question.target for question in told}
    fresh = (question for question in guesses if question.target not in known)
    return (*told, *fresh, *statics.questions(ground, asker.hello.statics, files))


def _missed(question: Question, sides: tuple[Pages, Pages]) -> bool:
    """Whether it was a guess, and the site has no such page."""
    return question.why == "literal" and all(pages[question.key].status in (400, 404, 405) for pages in sides)
