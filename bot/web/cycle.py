"""The page of one cycle: its way through the graph, what each node found and cost, the change, and who said what."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from bot.errors import CommandFailed
from bot.journal import Run
from bot.lines import printable
from bot.model import Claim
from bot.operation.consent import expires, given
from bot.telling.report import Report, report
from bot.telling.story import gist
from bot.web.overview import seconds
from bot.web.site import Watched


def cycle_page(site: Watched, run: Run) -> Report:
    """The page as one object, also for `/cycles/ID.json`; the model's exchanges are not in it."""
    values = [*_values(site, run)]
    consent = given(site.journal, run.cycle)
    return {
        **report(site.journal, run),
        "outcome": run.outcome or "open",
        "started": run.started,
        "ended": run.ended,
        "steps": [step for step, _ in values],
        "verdicts": [*_verdicts(values)],
        "evidence": [*_evidence(values)],
        "claim": next((asdict(one) for _, value in reversed(values) if (one := _claim(value))), None),
        "until": expires(run, site.settings.cycle.approve_expires).isoformat(timespec="minutes"),
        "consent": asdict(consent) if consent else None,
        "taken_back": json.loads(site.journal.note(f"reverted/{run.cycle}") or "null"),
        "pictures": asdict(site.album(run.cycle)),
        "diff": difference(site, run),
    }


def difference(site: Watched, run: Run) -> str:
    """The patch of the cycle's newest tree; empty where it made none, or where git has thrown it away since."""
    store = site.store
    if not run.base or not run.tree or store is None:
        return ""
    try:
        return printable(store.patch(store.tree_of(run.base), run.tree))
    except CommandFailed:
        return ""


def _values(site: Watched, run: Run) -> Iterator[tuple[dict[str, object], object]]:
    """Each step with the value that its node returned, None where it is in flight."""
    for step in site.journal.steps(run.cycle):
        value = site.journal.value(step.type, step.value) if step.type and step.value else None
        yield (
            {
                "seq": step.seq,
                "node": step.node,
                "visit": step.visit,
                "seconds": seconds(step.started, step.ended),
                "returned": step.type,
                "what": printable(gist(value)),
                "tokens": step.tokens,
                "usd": step.usd,
            },
            value,
        )


def _verdicts(values: list[tuple[dict[str, object], object]]) -> Iterator[dict[str, object]]:
    """The objections of every judge, in the order in which they rose."""
    for step, value in values:
        against = getattr(value, "objections", ())
        if against and step["node"] in ("scope", "guards", "gate", "validate"):
            yield {"node": step["node"], "seq": step["seq"], "objections": [asdict(one) for one in against]}


def _evidence(values: list[tuple[dict[str, object], object]]) -> Iterator[dict[str, object]]:
    """What guards and gate counted, each time that they judged."""
    for step, value in values:
        if step["node"] in ("guards", "gate"):
            yield from ({"step": step["seq"], **asdict(one)} for one in getattr(value, "evidence", ()))


def _claim(value: object) -> Claim | None:
    found = getattr(value, "claim", None)
    return found if isinstance(found, Claim) else None
