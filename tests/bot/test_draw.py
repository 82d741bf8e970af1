"""Drawings: what they show, and that they fit."""

from __future__ import annotations

import re

import pytest

from bot.cycle import cycle
from bot.draw import draw
from bot.graph import Graph
from tests.support.toys import toy

LOOPED = ("prepare", "write", *("freeze", "judge", "decide", "mend") * 3, "freeze", "judge", "decide", "finish")
GRAPHS = [toy(), cycle()]


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.name)
@pytest.mark.parametrize("path", [(), LOOPED])
def test_the_text_fits_a_terminal(graph: Graph, path: tuple[str, ...]) -> None:
    assert max(len(line) for line in draw(graph, "text", path).splitlines()) <= 80


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.name)
def test_the_text_names_every_edge_and_every_ending(graph: Graph) -> None:
    text = draw(graph, "text")
    for node in graph.nodes:
        block = text.split(f"\n\n{node.name}")[1].split("\n\n")[0]
        for kind in node.returns:
            edge = graph.edge(node.name, kind)
            target = edge.target if edge else "■"
            assert re.search(rf"─► {target} .*", block)
            assert kind.__name__ in block


def test_the_text_says_the_bound_and_who_speaks_to_a_model() -> None:
    text = draw(toy(), "text")
    assert "─► mend     Again (at most 2)" in text
    assert re.findall(r"^(\w+) \*", text, re.MULTILINE) == ["write", "mend"]


def test_the_text_shows_the_path_of_a_run() -> None:
    text = draw(toy(), "text", ("prepare", "write", "freeze", "judge", "decide", "mend", "freeze"))
    assert re.findall(r"^(\w+) \*?  ?● (\d)|^(\w+)  ● (\d)", text, re.MULTILINE)
    assert "freeze  ● 2" in text
    assert "finish  ●" not in text
    assert "● the run went: prepare → write → freeze → judge → decide → mend → freeze" in text


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.name)
def test_every_line_of_the_mermaid_chart_is_a_statement_over_known_names(graph: Graph) -> None:
    first, *lines = draw(graph, "mermaid", ("decide",)).splitlines()
    assert first == "flowchart TD"
    known = {match[1] for line in lines if (match := re.fullmatch(r"  (\w+)(\[\w+\]|\(\[\w+\]\))", line))}
    assert known == {node.name for node in graph.nodes} | {kind.__name__ for kind in graph.endings}
    for line in lines:
        if arrow := re.fullmatch(r'  (\w+) -->(?:\|"[^"|]+"\|)? (\w+)', line):
            assert {arrow[1], arrow[2]} <= known
        else:
            assert re.fullmatch(r"  (\w+(\[\w+\]|\(\[\w+\]\))|classDef \w+ [^ ].*|class [\w,]+ \w+)", line), line


def test_the_mermaid_chart_labels_the_bounded_edge_and_marks_the_visited() -> None:
    chart = draw(toy(), "mermaid", ("prepare", "write", "prepare"))
    assert '  decide -->|"Again (at most 2)"| mend\n' in chart
    assert "  class prepare,write visited\n" in chart
    assert "visited\n" not in draw(toy(), "mermaid").replace("classDef visited", "")
