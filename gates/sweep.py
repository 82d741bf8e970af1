"""All that one tree's site answered: asked, merged over two runs, and kept as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from random import Random

from bot.model import Request, Response
from gates.page import PageFacts, facts, same_frame, shared
from gates.part import Part
from gates.question import Question

VERSION = 1
Ask = Callable[[Request], Response]


@dataclass(frozen=True, slots=True)
class Sweep:
    """The questions that were asked, the facts under each question's key, and what was left out and why."""

    tool: str
    questions: tuple[Question, ...]
    pages: dict[str, PageFacts]
    skipped: tuple[str, ...] = ()
    volatile: tuple[str, ...] = ()


def asked(ask: Ask, questions: Sequence[Question], random: Random) -> dict[str, PageFacts]:
    """Ask everything, in random order."""
    order = list(questions)
    random.shuffle(order)
    return {one.key: facts(one.blanked(ask(one.request)), one.whole) for one in order}


def merged(first: dict[str, PageFacts], second: dict[str, PageFacts]) -> tuple[dict[str, PageFacts], tuple[str, ...]]:
    """What two runs of one tree agree on, and the keys of the pages that they do not agree on."""
    both = first.keys() & second.keys()
    volatile = {key for key in both if not same_frame(first[key], second[key])} | (first.keys() ^ second.keys())
    return {key: shared(first[key], second[key]) for key in sorted(both - volatile)}, tuple(sorted(volatile))


def dump(sweep: Sweep) -> bytes:
    """The sweep as it is cached."""
    pages = {
        key: {**asdict(page), "parts": [[*part, number] for part, number in page.parts]}
        for key, page in sweep.pages.items()
    }
    whole = {
        "version": VERSION,
        "tool": sweep.tool,
        "questions": [asdict(one) for one in sweep.questions],
        "pages": pages,
        "skipped": sweep.skipped,
        "volatile": sweep.volatile,
    }
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()


def load(content: bytes) -> Sweep | None:
    """A cached sweep, or None for one that this version cannot read."""
    try:
        whole = json.loads(content)
        if whole["version"] != VERSION:
            return None
        return Sweep(
            tool=whole["tool"],
            questions=tuple(Question(**one) for one in whole["questions"]),
            pages={key: _page(page) for key, page in whole["pages"].items()},
            skipped=tuple(whole["skipped"]),
            volatile=tuple(whole["volatile"]),
        )
    except (ValueError, KeyError, TypeError):
        return None


def links(pages: Iterable[PageFacts]) -> set[str]:
    """Every internal link target."""
    return {target for page in pages for target in page.links}


def _page(plain: dict[str, object]) -> PageFacts:
    parts = plain["parts"]
    assert isinstance(parts, list)
    made = {
        **plain,
        "origin": tuple(plain["origin"]) if isinstance(plain["origin"], list) else None,
        "links": tuple(plain["links"]) if isinstance(plain["links"], list) else (),
        "parts": tuple((Part(kind, value, entry), number) for kind, value, entry, number in parts),
    }
    return PageFacts(**made)  # type: ignore[arg-type]
