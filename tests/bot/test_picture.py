"""Pictures of a graph: every node and edge is there, the path is shown, and the files are well formed."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from bot.cycle import cycle
from bot.draw import ways
from bot.graph import Graph
from bot.picture import TAKEN, VISITED, dot, svg
from tests.support.toys import toy

SVG = "{http://www.w3.org/2000/svg}"
GRAPHS = [toy(), cycle()]
PATH = ("precheck", "build", "scope", "guards", "gate", "decide", "fix", "scope", "guards")


def texts(picture: str) -> Counter[str]:
    return Counter("".join(one.itertext()) for one in ElementTree.fromstring(picture).iter(f"{SVG}text"))


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.name)
def test_the_svg_names_every_node_and_every_type_that_opens_an_edge(graph: Graph) -> None:
    found = texts(svg(graph))
    for node in graph.nodes:
        assert found[node.name] == 1
    for edge in graph.edges:
        assert any(line.startswith(edge.when.__name__) for line in found)


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.name)
def test_no_two_boxes_overlap_and_all_lie_inside(graph: Graph) -> None:
    root = ElementTree.fromstring(svg(graph))
    _, _, width, height = (float(number) for number in root.attrib["viewBox"].split())
    boxes = [box for group in root.iter(f"{SVG}g") for box in group.iter(f"{SVG}rect")]
    places = {(float(box.attrib["x"]), float(box.attrib["y"])) for box in boxes}
    assert len(places) == len(graph.nodes)
    assert all(x < width and y < height for x, y in places)


def test_the_path_of_a_run_is_filled_and_counted() -> None:
    picture = svg(cycle(), PATH)
    assert picture.count(f'fill="{VISITED}"') == len(set(PATH))
    assert texts(picture)["scope ×2"] == 1
    assert "path: precheck → build" in picture


def test_the_ways_that_a_run_took_are_drawn_over_the_others() -> None:
    assert svg(cycle()).count(TAKEN) == 0
    assert svg(cycle(), PATH).count(f'stroke="{TAKEN}"') == len({*pairwise(PATH)})
    assert svg(cycle(), ("precheck", "skipped")).count(f'stroke="{TAKEN}"') == 1


def test_the_svg_needs_no_style_sheet_and_no_script() -> None:
    picture = svg(cycle(), PATH)
    assert not re.search(r"<style|style=|<script|onload|href", picture)


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.name)
def test_dot_has_an_edge_for_every_way_and_an_ellipse_for_every_ending(graph: Graph) -> None:
    text = dot(graph)
    for node in graph.nodes:
        for target, _ in ways(graph, node):
            assert f'"{node.name}" -> "{target}" [label=' in text
    assert text.count("shape=ellipse") == len(graph.endings)


def test_dot_fills_the_path_and_dashes_what_speaks_to_a_model() -> None:
    text = dot(cycle(), ("build",))
    assert f'"build" [style="filled,dashed", fillcolor="{VISITED}"];' in text
    assert '"fix" [style="dashed"];' in text
