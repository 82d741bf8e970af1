"""Sites that show their pages over https alone: how that is told, and that it stays so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from gates.finding import Finding
from gates.page import PageFacts
from gates.question import Question
from gates.sweep import Sweep


def insisting(sweep: Sweep) -> tuple[Question, ...]:
    """The pages that led to themselves under another scheme, as plain questions; none unless most pages did."""
    asked = [one for one in sweep.questions if one.method == "GET" and one.why == "rule" and one.key in sweep.pages]
    led = [one for one in asked if _led(one, sweep.pages[one.key])]
    shown = [one for one in asked if 200 <= sweep.pages[one.key].status < 300]
    return tuple(replace(one, plain=True) for one in led) if len(led) > len(shown) else ()


def opened(bare: tuple[Question, ...], pages: Mapping[str, PageFacts]) -> Iterator[Finding]:
    """What no longer leads to https when it is asked without."""
    for one in bare:
        if not _led(one, pages[one.key]):
            page, what = pages[one.key], f"{one.shown} no longer leads to https when it is asked over http"
            seen, accept = f"status {page.status}", "a redirect to the same page under https, as before"
            yield Finding("unsecured", one, page.where or one.shown, what, seen, accept)


def _led(one: Question, page: PageFacts) -> bool:
    return 300 <= page.status < 400 and page.location == one.url
