"""`plusone graph`: the cycle's table, drawn or proved."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.options import CONFIG, Json
from bot.cli.output import print_object
from bot.cli.reported import reported

if TYPE_CHECKING:
    from bot.graph import Graph


class Format(StrEnum):
    """What a drawing is made of."""

    TEXT = "text"
    MERMAID = "mermaid"
    DOT = "dot"
    SVG = "svg"


Drawn = Annotated[Format, typer.Option("--format", help="text for a terminal; mermaid, dot or svg for a page.")]
Check = Annotated[bool, typer.Option("--check", help="Print each claim about the graph with its proof.")]


def graph(format: Drawn = Format.TEXT, check: Check = False, as_json: Json = False) -> None:
    """Draw the cycle, or print what is proved of it."""
    from bot.cycle import cycle
    from bot.graph import worst
    from bot.graph.proof import prove

    with reported():
        table = cycle(_repairs())
        if as_json:
            print_object({**_table(table), **({"proofs": [asdict(one) for one in prove(table)]} if check else {})})
            return
        if not check:
            typer.echo(_drawn(table, format), nl=False)
            return
        for proof in prove(table):
            typer.echo(f"holds  {proof.claim}\n       {proof.how}")
        if CONFIG.exists():
            typer.echo(_limits())
        visits = ", ".join(f"{name} {count}" for name, count in worst(table).items())
        typer.echo(f"at most, in one cycle: {visits}")


def _table(table: Graph) -> dict[str, object]:
    """The nodes, the edges and the most visits of each node, as data."""
    from bot.graph import worst

    edges = [
        {"source": one.source, "target": one.target, "when": one.when.__name__, "at_most": one.at_most}
        for one in table.edges
    ]
    nodes = [{"name": one.name, "model": one.model, "crash": one.crash} for one in table.nodes]
    ends = sorted(kind.__name__ for kind in table.endings)
    return {"schema_version": 1, "nodes": nodes, "edges": edges, "endings": ends, "at_most": worst(table)}


def _drawn(table: Graph, format: Format) -> str:
    from bot.draw import draw
    from bot.picture import dot, svg

    match format:
        case Format.DOT:
            return dot(table)
        case Format.SVG:
            return svg(table)
        case Format.MERMAID:
            return draw(table, "mermaid")
        case Format.TEXT:
            return draw(table, "text")


def _limits() -> str:
    """What one cycle may cost and last, as configured here."""
    from bot.settings import load
    from bot.timer import deadline

    settings = load(CONFIG)
    budget, limits = settings.budget, deadline(settings)
    money = "no cap on money" if budget.usd_per_cycle is None else f"{budget.usd_per_cycle:.2f} USD"
    return (
        f"as configured: {budget.model_calls} model calls, {budget.tokens_per_cycle} tokens, {money}, "
        f"{limits.own // 60} minutes, a last node of {-(-limits.overrun // 60)}, pictures of {limits.pictures // 60}; "
        f"systemd ends it after {limits.systemd // 60}"
    )


def _repairs() -> int:
    """As configured, where there is a configuration here."""
    from bot.settings import load

    return load(CONFIG).cycle.repairs if CONFIG.exists() else 3
