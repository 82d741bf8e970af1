"""Pictures of a graph: DOT for Graphviz, and SVG with a layout of its own; the path of a run can be shown on both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from bot.draw import label, ways
from bot.graph import Graph

WIDTH, HEIGHT, ACROSS, DOWN, EDGE = 96, 36, 208, 92, 40
VISITED, PLAIN, LINE, INK, TAKEN = "#d8f0d8", "#ffffff", "#6b7280", "#1f2937", "#2a7a2a"


def dot(graph: Graph, path: Sequence[str] = ()) -> str:
    """The graph in Graphviz's language; nodes of `path` are filled, those that speak to a model dashed."""
    lines = [f'digraph "{graph.name}" {{', "  rankdir=LR;", '  node [shape=box, fontname="sans-serif"];']
    for node in graph.nodes:
        styles = [*(["filled"] if node.name in path else []), *(["dashed"] if node.model else [])]
        fill = f', fillcolor="{VISITED}"' if node.name in path else ""
        style = ",".join(styles)
        lines.append(f'  "{node.name}" [style="{style}"{fill}];')
    for kind in sorted(graph.endings, key=lambda kind: kind.__name__):
        lines.append(f'  "{kind.__name__}" [shape=ellipse];')
    for node in graph.nodes:
        lines += [f'  "{node.name}" -> "{target}" [label="{label(edges)}"];' for target, edges in ways(graph, node)]
        lines += [f'  "{node.name}" -> "{kind.__name__}";' for kind in node.returns if kind in graph.endings]
    return "\n".join([*lines, "}"]) + "\n"


def svg(graph: Graph, path: Sequence[str] = ()) -> str:
    """The graph as one SVG element that needs no style sheet, script or font; its description tells the run's path."""
    places = _places(graph)
    across, down = max(x for x, _ in places.values()), max(y for _, y in places.values())
    arcs = _highest(graph, places)
    width, height = across + WIDTH + 2 * EDGE, down + HEIGHT + 2 * EDGE + arcs + (HEIGHT if graph.reentries else 0)
    told = " → ".join(path) or "no run"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="sans-serif">',
        f"<title>{escape(graph.name)}</title><desc>{escape(f'{len(graph.nodes)} nodes; path: {told}')}</desc>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="{LINE}"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="{PLAIN}"/><g transform="translate({EDGE} {EDGE + arcs})">',
    )
    return "\n".join((*head, *_lines(graph, places, path), *_boxes(graph, places, path), "</g></svg>")) + "\n"


def _places(graph: Graph) -> dict[str, tuple[int, int]]:
    """A column for each step from the start, edges that go back left out; a row for each node of a column."""
    ranks = {graph.start: 0}
    for _ in graph.nodes:  # the longest way settles within as many rounds as there are nodes
        for edge in graph.edges:
            if edge not in graph.reentries and edge.source in ranks:
                ranks[edge.target] = max(ranks.get(edge.target, 0), ranks[edge.source] + 1)
    rows: dict[int, int] = {}
    places = {}
    for node in graph.nodes:
        rank = ranks[node.name]
        places[node.name] = (rank * ACROSS, rows.get(rank, 0) * DOWN)
        rows[rank] = rows.get(rank, 0) + 1
    return places


def _lines(graph: Graph, places: dict[str, tuple[int, int]], path: Sequence[str]) -> Iterator[str]:
    """Each way from node to node; those that the run took are thick and green."""
    taken = {*pairwise(path)}
    for node in graph.nodes:
        for target, edges in ways(graph, node):
            (x1, y1), (x2, y2) = places[node.name], places[target]
            back = any(edge in graph.reentries for edge in edges)
            d, at = _way(x1, y1, x2, y2, back)
            drawn = f'"{TAKEN}" stroke-width="3"' if (node.name, target) in taken else f'"{LINE}"'
            yield f'<path d="{d}" fill="none" stroke={drawn} marker-end="url(#tip)"/>'
            yield from _text(at, label(edges).split(" · "))


def _text(at: tuple[int, int], lines: Sequence[str]) -> Iterator[str]:
    """One line over the other, the last at the point."""
    for number, line in enumerate(reversed(lines)):
        yield (
            f'<text x="{at[0]}" y="{at[1] - 12 * number}" font-size="10" text-anchor="middle" fill="{INK}" '
            f'stroke="{PLAIN}" stroke-width="3" paint-order="stroke">{escape(line)}</text>'
        )


def _highest(graph: Graph, places: dict[str, tuple[int, int]]) -> int:
    """How far the highest arc rises above the first row."""
    spans = [places[edge.target][0] - places[edge.source][0] for edge in graph.edges if edge not in graph.reentries]
    return max((span // 4 for span in spans if span > ACROSS), default=0)


def _way(x1: int, y1: int, x2: int, y2: int, back: bool) -> tuple[str, tuple[int, int]]:
    """A straight line to the next column, an arc above what lies between, or an arc below for a way back."""
    middle = HEIGHT // 2
    if back:
        start, end, low = x1 + WIDTH // 2, x2 + WIDTH // 2, max(y1, y2) + HEIGHT + DOWN
        return f"M{start} {y1 + HEIGHT}C{start} {low} {end} {low} {end} {y2 + HEIGHT}", (
            (start + end) // 2,
            low - middle,
        )
    if x2 - x1 == ACROSS:
        a, b = (x1 + WIDTH, y1 + middle), (x2, y2 + middle)
        return f"M{a[0]} {a[1]}L{b[0]} {b[1]}", ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2 - 4)
    start, end, high = x1 + WIDTH // 2, x2 + WIDTH // 2, min(y1, y2) - (x2 - x1) // 3
    return f"M{start} {y1}C{start} {high} {end} {high} {end} {y2}", (
        (start + end) // 2,
        high + (min(y1, y2) - high) // 4,
    )


def _boxes(graph: Graph, places: dict[str, tuple[int, int]], path: Sequence[str]) -> Iterator[str]:
    for node in graph.nodes:
        x, y = places[node.name]
        fill = VISITED if node.name in path else PLAIN
        dashes = ' stroke-dasharray="5 4"' if node.model else ""
        times = f" ×{path.count(node.name)}" if path.count(node.name) > 1 else ""
        yield f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{fill}" stroke="{INK}"{dashes}/>'
        yield (
            f'<text x="{x + WIDTH // 2}" y="{y + HEIGHT // 2 + 5}" font-size="14" text-anchor="middle" fill="{INK}">'
            f"{escape(node.name)}{times}</text>"
        )
