"""All that one tree's site answered: asked, merged over two runs, and kept as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from random import Random
from typing import Any

from bot.frozen import frozen
from bot.model import Response
from gates.hazards import Hazard
from gates.page import PageFacts, facts, same_frame, shared
from gates.part import Part
from gates.question import Question, Target

VERSION = 4
Ask = Callable[[Sequence[Question]], Iterable[Response]]


@frozen
class Sweep:
    """The questions that were asked, the facts under each question's key, and what was left out and why.

    `bare` are pages that led to themselves when they were asked over http, where the rest was then asked over https.
    `moved` is how often the site had enough of a visitor, and was then asked as another one.
    """

    tool: str
    questions: tuple[Question, ...]
    pages: dict[str, PageFacts]
    skipped: tuple[str, ...] = ()
    volatile: tuple[str, ...] = ()
    bare: tuple[Question, ...] = ()
    moved: int = 0


def asked(ask: Ask, questions: Sequence[Question], random: Random) -> dict[str, PageFacts]:
    """Ask everything, in random order; an answer is taken apart while the site works on the next one."""
    order = list(questions)
    random.shuffle(order)
    answers = zip(order, ask(order), strict=True)
    return {one.key: facts(one.blanked(answer), one.whole, opaque=one.why == "static") for one, answer in answers}


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
        "bare": [asdict(one) for one in sweep.bare],
        "moved": sweep.moved,
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
            bare=tuple(Question(**one) for one in whole["bare"]),
            moved=int(whole["moved"]),
        )
    except (ValueError, KeyError, TypeError):
        return None


def links(questions: Iterable[Question], pages: Mapping[str, PageFacts]) -> set[Target]:
    """Where every page leads."""
    return {target for one in questions if one.key in pages for target in leads(one, pages[one.key].links)}


def leads(one: Question, urls: Iterable[str]) -> Iterator[Target]:
    """Links or loads of the page of that question, as targets."""
    return (Target(one.host, url, one.user) for url in urls)


def _page(plain: dict[str, Any]) -> PageFacts:
    made = {
        **plain,
        "origin": tuple(plain["origin"]) if plain["origin"] else None,
        "links": tuple(plain["links"]),
        "loads": tuple(plain["loads"]),
        "hazards": tuple(Hazard(*one) for one in plain["hazards"]),
        "parts": tuple((Part(kind, value, entry), number) for kind, value, entry, number in plain["parts"]),
    }
    return PageFacts(**made)
