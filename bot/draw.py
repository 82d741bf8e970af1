"""Drawings of a graph: text for a terminal, mermaid for a page; the path of a run can be shown on both."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Literal

from bot.graph import Edge, Graph, Node

_STYLES = (
    "classDef model stroke-dasharray: 5 5",
    "classDef visited fill:#d8f0d8,stroke:#2a7a2a,color:#123412",
)


def draw(graph: Graph, format: Literal["text", "mermaid"], path: Sequence[str] = ()) -> str:
    """The graph as text of at most 80 columns, or as a mermaid flowchart; nodes of `path` are marked as visited."""
    return _text(graph, path) if format == "text" else _mermaid(graph, path)


def _text(graph: Graph, path: Sequence[str]) -> str:
    width = max(len(node.name) for node in graph.nodes)
    lines = [f"{graph.name}: {len(graph.nodes)} nodes, from {graph.start}; * speaks to a model, ■ ends the run"]
    for node in graph.nodes:
        ways = [*_opened(graph, node), *_ended(graph, node)]
        mark = f"  ● {path.count(node.name)}" if node.name in path else ""
        lines += ["", f"{node.name}{' *' if node.model else ''}{mark}"]
        lines += _fit(ways, width)
    if path:
        lines += ["", *_wrapped("● the run went:", " → ", path)]
    return "\n".join(lines) + "\n"


def _opened(graph: Graph, node: Node) -> list[tuple[str, str]]:
    return [(label(edges), target) for target, edges in ways(graph, node)]


def _ended(graph: Graph, node: Node) -> list[tuple[str, str]]:
    names = [kind.__name__ for kind in node.returns if kind in graph.endings]
    return [(" · ".join(names), "■")] if names else []


def ways(graph: Graph, node: Node) -> list[tuple[str, list[Edge]]]:
    """Edges of the node, those to one target together, in the table's order."""
    order = {edge.target: number for number, edge in reversed([*enumerate(graph.out(node.name))])}
    edges = sorted(graph.out(node.name), key=lambda edge: order[edge.target])
    return [(target, [*found]) for target, found in groupby(edges, key=lambda edge: edge.target)]


def label(edges: Sequence[Edge]) -> str:
    """The types that open the edges, and a bound where there is one."""
    return " · ".join(_when(edge) for edge in edges)


def _when(edge: Edge) -> str:
    return edge.when.__name__ + ("" if edge.at_most is None else f" (at most {edge.at_most})")


def _fit(ways: Sequence[tuple[str, str]], width: int) -> list[str]:
    lines = []
    for number, (label, target) in enumerate(ways, start=1):
        branch, rest = ("└─", "  ") if number == len(ways) else ("├─", "│ ")
        arrow = f"─► {target:<{width}}  "
        first, *more = _wrapped(f"  {branch}{arrow}", " · ", label.split(" · "), f"  {rest}{' ' * len(arrow)}")
        lines += [first, *more]
    return lines


def _wrapped(lead: str, between: str, words: Sequence[str], indent: str = "  ") -> list[str]:
    """Words behind `lead`, broken before the 80th column; later lines begin with `indent`."""
    lines = [f"{lead.rstrip()} {words[0]}" if not lead.endswith("  ") else f"{lead}{words[0]}"]
    for word in words[1:]:
        longer = f"{lines[-1]}{between}{word}"
        if len(longer) <= 80:
            lines[-1] = longer
        else:
            lines.append(f"{indent}{between.lstrip()}{word}")
    return lines


def _mermaid(graph: Graph, path: Sequence[str]) -> str:
    lines = ["flowchart TD"]
    lines += [f"  {node.name}[{node.name}]" for node in graph.nodes]
    lines += [f"  {_id(kind)}([{_id(kind).lower()}])" for kind in sorted(graph.endings, key=_id)]
    for node in graph.nodes:
        lines += [f'  {node.name} -->|"{label(edges)}"| {target}' for target, edges in ways(graph, node)]
        lines += [f"  {node.name} --> {_id(kind)}" for kind in node.returns if kind in graph.endings]
    lines += [f"  {style}" for style in _STYLES]
    for style, names in (
        ("model", [node.name for node in graph.nodes if node.model]),
        ("visited", [*dict.fromkeys(path)]),
    ):
        if names:
            lines.append(f"  class {','.join(names)} {style}")
    return "\n".join(lines) + "\n"


def _id(kind: type) -> str:
    return kind.__name__
