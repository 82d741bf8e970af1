"""When two repairs are the same one, and when a repair makes no progress."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model import Objection, Repair
from tests.support.values import OTHER, TREE, objection, repair


def test_two_repairs_are_equal_whatever_the_line_prose_tree_or_order() -> None:
    first = repair(objection(where="src/a.py:3"), objection(code="F401"))
    moved = replace(objection(where="src/a.py:90"), what="other words", seen="1.2 seconds", accept="anything")
    second = repair(objection(code="F401"), moved, tree=OTHER)
    assert first == second
    assert hash(first) == hash(second)


@pytest.mark.parametrize(
    "other", [objection(code="F401"), objection(where="src/b.py:3"), objection(subject="y"), objection(where="")]
)
def test_another_code_path_or_subject_makes_another_repair(other: Objection) -> None:
    assert repair(objection()) != repair(other)


def test_a_repair_is_not_equal_to_anything_else() -> None:
    assert repair() != "repair"
    assert repair().__eq__("repair") is NotImplemented


def test_the_same_objections_are_no_progress() -> None:
    assert repair(tree=OTHER).stalls(repair(tree=TREE))


def test_the_same_tree_is_no_progress_even_with_other_objections() -> None:
    assert repair(objection(code="F401")).stalls(repair(objection(code="E501")))


def test_other_objections_to_another_tree_are_progress() -> None:
    earlier, later = repair(objection(code="F401")), repair(objection(code="E501"), tree=OTHER)
    assert not later.stalls(earlier)
    assert isinstance(later, Repair)
