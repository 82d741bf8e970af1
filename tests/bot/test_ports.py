"""One order of objections, whoever finished first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.model import Objection
from bot.ports import canonical
from tests.support.values import objection

WORDS = st.sampled_from(["a", "b", "c"])
OBJECTIONS = st.lists(st.builds(Objection, WORDS, WORDS, WORDS, WORDS, WORDS), max_size=6)


@given(OBJECTIONS, st.randoms())
def test_the_order_in_which_they_were_found_does_not_matter(found: list[Objection], random) -> None:  # type: ignore[no-untyped-def]
    shuffled = found.copy()
    random.shuffle(shuffled)
    assert canonical(shuffled) == canonical(found)


@given(OBJECTIONS)
def test_none_is_lost_and_none_is_made_up(found: list[Objection]) -> None:
    key = str
    assert sorted(canonical(iter(found)), key=key) == sorted(found, key=key)


def test_they_are_sorted_by_judge_then_code_then_place() -> None:
    mixed = [objection("validate", "A"), objection("gate", "B", where="z"), objection("gate", "B", where="a")]
    assert [(one.node, one.code, one.where) for one in canonical(mixed)] == [
        ("gate", "B", "a"),
        ("gate", "B", "z"),
        ("validate", "A", "src/a.py:3"),
    ]
