"""A cycle's story as lines of plain text that fit 80 columns: what each node returned, objections, evidence, cost."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from datetime import datetime

from bot.journal import Journal, Run, Step
from bot.lines import one_line, shortened
from bot.model import Evidence, Objection, Spent

WIDTH = 80


def row(run: Run) -> str:
    """One run on one line."""
    outcome = run.outcome or "open"
    return f"{run.cycle:<22} {outcome:<10} {shortened(run.reason or 'not ended', WIDTH - 34)}"


def story(journal: Journal, run: Run) -> Iterator[str]:
    """The whole of one run."""
    yield f"{run.cycle}  {run.outcome or 'open'}{'  (dry run)' if run.dry_run else ''}"
    yield from _wrapped(run.reason, "  ")
    yield from _facts(run)
    yield from _wrapped(f"{cost(journal.spent(run.cycle))}; {_span(run.started, run.ended)}", "  ")
    yield ""
    steps = journal.steps(run.cycle)
    yield f"  {'node':<10}{'seconds':>8}  {'returned':<17} what"
    for step in steps:
        yield from _step(journal, step)
    yield from _evidence(journal, steps)
    yield from _objections(journal, steps)


def cost(spent: Spent) -> str:
    """Calls, tokens and money in words."""
    tokens = spent.tokens
    usd = "price unknown" if spent.usd is None else f"{spent.usd:.4f} USD"
    cached = f", {tokens.cache_read} read from cache" if tokens.cache_read else ""
    return f"{spent.calls} model calls, {tokens.input} tokens in, {tokens.output} out{cached}; {usd}"


def objection(one: Objection) -> Iterator[str]:
    """An objection for a person: what and where, how it was seen, what would be accepted."""
    where = f"{one.where}: " if one.where else ""
    yield from _wrapped(f"[{one.code}] {where}{one.what}", "  ", hanging="      ")
    if one.seen:
        yield from _wrapped(f"seen: {one.seen}", "      ")
    if one.accept:
        yield from _wrapped(f"accepted would be: {one.accept}", "      ")


def _facts(run: Run) -> Iterator[str]:
    pairs = (("base", run.base), ("tree", run.tree), ("commit", run.commit), ("stopped by", run.stopped_by))
    found = [f"{name} {value if name == 'stopped by' else value[:12]}" for name, value in pairs if value]
    yield from _wrapped(", ".join(found), "  ")
    yield from _wrapped(f"model {run.model}, sandbox {run.sandbox or 'not opened'}", "  ")


def _step(journal: Journal, step: Step) -> Iterator[str]:
    seconds = _seconds(step.started, step.ended)
    value = journal.value(step.type, step.value) if step.type and step.value else None
    what = shortened(gist(value), WIDTH - 40)
    yield f"  {step.node:<10}{seconds:>8}  {step.type or 'in flight':<17} {what}".rstrip()


def gist(value: object) -> str:
    """What a node returned, in a few words."""
    objections = getattr(value, "objections", ())
    if objections:
        return f"{len(objections)}: {objections[0].what}"
    for name in ("declined", "reason", "adds", "claim", "summary", "snapshot"):
        if found := getattr(value, name, None):
            return _spelt(found)
    return f"tree {tree[:12]}" if isinstance(tree := getattr(value, "tree", None), str) else ""


def _spelt(found: object) -> str:
    if isinstance(found, tuple):
        return ", ".join(str(one) for one in found)
    if hasattr(found, "kind") and hasattr(found, "key"):
        return f"{found.kind} {found.key}"
    return f"tree {found.tree[:12]}" if hasattr(found, "tree") else str(found)


def _evidence(journal: Journal, steps: Sequence[Step]) -> Iterator[str]:
    found: list[Evidence] = []
    for step in steps:
        if step.node in ("guards", "gate") and step.type and step.value:
            found.extend(getattr(journal.value(step.type, step.value), "evidence", ()))
    if found:
        yield ""
        yield f"  {'evidence':<12}{'seconds':>7}  {'base':<8}found"
    for one in found:
        yield from evidence(one)


def evidence(one: Evidence) -> Iterator[str]:
    """A row of the table: the part, its seconds, whether base was in the cache, counts and tool; its notes below."""
    counts = ", ".join(f"{name} {number}" for name, number in one.counts.items())
    found = "; ".join(text for text in (counts, one.tool) if text) or "nothing to count"
    first = f"  {one.part:<12}{one.seconds:>7.1f}  {'cached' if one.cached else 'asked':<8}"
    yield from _wrapped(found, first, " " * len(first))
    for note in one.notes:
        yield from _wrapped(note, " " * len(first))


def _objections(journal: Journal, steps: Sequence[Step]) -> Iterator[str]:
    """Those of every judge in the order in which they rose, so that a repaired change shows what was wrong with it."""
    judges = ("scope", "guards", "gate", "validate")
    for step in steps:
        if step.node in judges and step.type and step.value:
            against = getattr(journal.value(step.type, step.value), "objections", ())
            if against:
                yield ""
                yield f"  objections of {step.node} (step {step.seq})"
                for one in against:
                    yield from objection(one)


def _wrapped(text: str, indent: str, hanging: str | None = None) -> list[str]:
    return textwrap.wrap(
        one_line(text),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_on_hyphens=False,
    )


def _span(started: str, ended: str | None) -> str:
    return f"{_seconds(started, ended)} s from {started[:19]} UTC"


def _seconds(started: str, ended: str | None) -> str:
    if ended is None:
        return "…"
    return f"{(datetime.fromisoformat(ended) - datetime.fromisoformat(started)).total_seconds():.2f}"
