"""How much of a site a sweep saw: four numbers that add up, and when that is too little to judge by."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl, urlsplit

from bot.frozen import frozen
from bot.model import Rule
from gates import rules
from gates.page import PageFacts
from gates.question import Question
from gates.sweep import Sweep

_LOGIN = re.compile(r"(^|[^a-z])(log-?[io]n|sign-?in|auth|sso|oauth)([^a-z]|$)", re.IGNORECASE)


_NEEDED = (
    "give the pages what they need in site.env and site.provide: they answer without a network, at the host that"
    " SERVER_NAME or TRUSTED_HOSTS of the site's own configuration names, else at localhost"
)
_LOG_IN = (
    'add to [gate.routes] in plusone.toml a user of the served copy: login = { path = "/login", form = { … } };'
    " where no form lets anyone in (401), let the site's own code do without under a variable of site.env"
)


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
    words: dict[str, str] = {}
    samples: list[str] = []
    asked = [one for one in sweep.questions if one.method == "GET" and one.why not in ("unknown", "twin")]
    answers = [(one, sweep.pages[one.key]) for one in asked if one.key in sweep.pages]
    for rule in swept:
        found = [pair for pair in answers if pair[1].endpoint in (rule.endpoint, None) and _is_of(rule, pair[0])]
        kind = _kind(found)
        kinds[kind].append(rules.name(rule))
        if kind == "never":
            samples.append(rules.sample(rule))
        if kind == "failing":
            cause, said = _cause(found)
            causes.update({cause})
            words.setdefault(cause, said)
    named = {kind: tuple(names) for kind, names in kinds.items()}
    return Coverage(**named, skipped=sweep.skipped, samples=tuple(samples), causes=tuple(_told(causes, words)))


def blind(seen: Coverage, floor: float) -> str:
    """Why the sweep sees too little to judge by, with the line that mends it; empty when it sees enough."""
    counts = seen.counts
    within = counts["total"] - counts["skipped"]
    requested = within - counts["never"]
    if counts["verified"] and requested >= floor * within:
        return ""
    if requested and not counts["verified"]:
        why = "; ".join(seen.causes) or "all want a login"
        advice = _NEEDED if seen.causes else _LOG_IN
        return f"the sweep is blind: none of the {requested} requested rules could be verified ({why}); {advice}"
    examples = ", ".join(f'"{url}"' for url in seen.samples[:5])
    return (
        f"the sweep is blind: {requested} of {within} GET rules were requested, the floor is {floor:.0%};"
        f" never requested: {', '.join(seen.never[:5])};"
        f" add to [gate.routes] in plusone.toml, filled in: examples = [{examples}]"
    )


def to_login(page: PageFacts, url: str = "") -> bool:
    """Whether the site sent the visitor, who asked for that URL, away to log in.

    It does where the name of the target says so, and where the target is told where to lead back to.
    """
    if not 300 <= page.status < 400:
        return page.status in (401, 403)
    target, _, query = page.location.partition("?")
    return _LOGIN.search(target) is not None or (url != "" and url in (_own(value) for _, value in parse_qsl(query)))


def _own(value: str) -> str:
    """The path and query of what leads back."""
    parts = urlsplit(value)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _to_itself(page: PageFacts, url: str) -> bool:
    """Whether the page is there under another scheme or host only, where nobody asks."""
    return 300 <= page.status < 400 and _own(page.location) == url


def _is_of(rule: Rule, one: Question) -> bool:
    return rules.reaches(rule, one.path)


def _kind(found: Sequence[tuple[Question, PageFacts]]) -> str:
    if not found:
        return "never"
    if any(
        200 <= page.status < 400 and not to_login(page, one.url) and not _to_itself(page, one.url)
        for one, page in found
    ):
        return "verified"
    return "login" if any(to_login(page, one.url) for one, page in found) else "failing"


def _cause(found: Sequence[tuple[Question, PageFacts]]) -> tuple[str, str]:
    """What the first that failed failed with, and its words."""
    for one, page in found:
        if page.origin:
            return page.origin[0], page.message[:80]
        if _to_itself(page, one.url):
            return "a redirect to the same page elsewhere", f"{one.shown} to {page.location[:80]}"
    return f"status {found[0][1].status}", ""


def _told(causes: Counter[str], words: Mapping[str, str]) -> list[str]:
    told = (f": {words[cause]}" if words.get(cause) else "" for cause, _ in causes.most_common(3))
    return [
        f"{number} fail with {cause}{said}" for (cause, number), said in zip(causes.most_common(3), told, strict=True)
    ]
