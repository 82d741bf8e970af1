"""How much of a site a sweep saw: four numbers that add up, and when that is too little to judge by."""

from __future__ import annotations

import re
from collections import Counter

from bot.frozen import frozen
from bot.model import Rule
from gates import rules
from gates.page import PageFacts
from gates.sweep import Sweep

_LOGIN = re.compile(r"(^|[^a-z])(log-?in|sign-?in|auth|sso|oauth)([^a-z]|$)", re.IGNORECASE)


@frozen
class Coverage:
    """The GET rules by what became of them."""

    verified: tuple[str, ...]
    login: tuple[str, ...]
    failing: tuple[str, ...]
    never: tuple[str, ...]
    skipped: tuple[str, ...]
    samples: tuple[str, ...]
    causes: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The four numbers, those skipped, and their total."""
        numbers = {
            "verified": len(self.verified),
            "login": len(self.login),
            "failing": len(self.failing),
            "never": len(self.never),
            "skipped": len(self.skipped),
        }
        return {**numbers, "total": sum(numbers.values())}


def coverage(swept: tuple[Rule, ...], sweep: Sweep) -> Coverage:
    """Sort the rules by the best answer that any of their pages gave."""
    kinds: dict[str, list[str]] = {"verified": [], "login": [], "failing": [], "never": []}
    causes: Counter[str] = Counter()
    samples: list[str] = []
    asked = [one for one in sweep.questions if one.method == "GET" and one.why not in ("unknown", "twin")]
    answers = [(one, sweep.pages[one.key]) for one in asked if one.key in sweep.pages]
    for rule in swept:
        pages = [
            page for one, page in answers if page.endpoint in (rule.endpoint, None) and rules.reaches(rule, one.path)
        ]
        kind = _kind(pages)
        kinds[kind].append(rules.name(rule))
        if kind == "never":
            samples.append(rules.sample(rule))
        if kind == "failing":
            causes.update({next((page.origin[0] for page in pages if page.origin), f"status {pages[0].status}")})
    named = {kind: tuple(names) for kind, names in kinds.items()}
    return Coverage(**named, skipped=sweep.skipped, samples=tuple(samples), causes=tuple(_told(causes)))


def blind(seen: Coverage, floor: float) -> str:
    """Why the sweep sees too little to judge by, with the line that mends it; empty when it sees enough."""
    counts = seen.counts
    within = counts["total"] - counts["skipped"]
    requested = within - counts["never"]
    if counts["verified"] and requested >= floor * within:
        return ""
    if requested and not counts["verified"]:
        why = "; ".join(seen.causes) or "all redirect to a login"
        return (
            f"the sweep is blind: none of the {requested} requested rules could be verified ({why});"
            " give the pages what they need in site.env and site.provide: they answer without a network"
        )
    examples = ", ".join(f'"{url}"' for url in seen.samples[:5])
    return (
        f"the sweep is blind: {requested} of {within} GET rules were requested, the floor is {floor:.0%};"
        f" never requested: {', '.join(seen.never[:5])};"
        f" add to [gate.routes] in plusone.toml, filled in: examples = [{examples}]"
    )


def to_login(page: PageFacts) -> bool:
    """Whether the site sent the visitor away to log in."""
    redirected = 300 <= page.status < 400 and _LOGIN.search(page.location.partition("?")[0]) is not None
    return redirected or page.status in (401, 403)


def _kind(pages: list[PageFacts]) -> str:
    if not pages:
        return "never"
    if any(200 <= page.status < 400 and not to_login(page) for page in pages):
        return "verified"
    return "login" if any(to_login(page) for page in pages) else "failing"


def _told(causes: Counter[str]) -> list[str]:
    return [f"{number} fail with {cause}" for cause, number in causes.most_common(3)]
