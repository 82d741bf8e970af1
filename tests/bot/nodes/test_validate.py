"""validate: how often the reviewer is asked, and what its answers become."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.agents.review import parse
from bot.model import GatePassed, Review, ReviewApproved, ReviewObjections, ReviewUnreadable
from bot.nodes.validate import AGAIN, Validate
from tests.support.values import OTHER, TREE, ready, reviews, snapshot
from tests.support.visitor import Visitor

YES = '{"verdict": "approve", "reasons": ["it does what it says"]}'
NO = '{"verdict": "reject", "reasons": ["3: it says nothing new", "5: a word is misspelt"]}'
PROSE = "I would approve of this."


def nothing(tree: str) -> Review | None:
    return None


def asked(*turns: str, recorded: Callable[[str], Review | None] = nothing, tree: str = TREE) -> tuple[Review, Visitor]:
    agent = Visitor(turns=turns)
    node = Validate(agent, lambda *_: ("system", "task"), parse, recorded, lambda: 2)
    return node.run(ready(), snapshot(tree), GatePassed(tree, ())), agent


def test_an_approval_quotes_the_tree_and_gives_its_reasons() -> None:
    review, agent = asked(YES)
    assert review == ReviewApproved(TREE, ("it does what it says",))
    assert agent.heard == [("review", "system", "task", "2", "")]


def test_a_change_that_cannot_be_shown_whole_is_not_reviewed_and_costs_nothing() -> None:
    agent = Visitor(turns=(YES,))
    node = Validate(agent, lambda *_: None, parse, nothing, lambda: 1)
    review = node.run(ready(), snapshot(TREE), GatePassed(TREE, ()))
    assert review == ReviewUnreadable(TREE, "the change is too large to be shown to a reviewer whole")
    assert agent.heard == []


def test_a_rejection_is_one_objection_for_each_reason() -> None:
    review, _ = asked(NO)
    assert isinstance(review, ReviewObjections)
    assert [(one.node, one.code, one.what) for one in review.objections] == [
        ("validate", "review", "3: it says nothing new"),
        ("validate", "review", "5: a word is misspelt"),
    ]
    assert {one.file for one in review.objections} == {None}, "a reviewer's words name no file that may be touched"


def test_a_rejection_without_a_reason_is_a_rejection() -> None:
    review, _ = asked('{"verdict": "reject", "reasons": []}')
    assert isinstance(review, ReviewObjections)
    assert "no reason" in review.objections[0].what


def test_an_answer_that_cannot_be_read_is_asked_for_once_more_in_the_same_visit() -> None:
    review, agent = asked(PROSE, YES)
    assert isinstance(review, ReviewApproved)
    assert [(call[3], call[4]) for call in agent.heard] == [("2", ""), ("2", AGAIN)]


def test_two_answers_that_cannot_be_read_are_the_end_of_asking() -> None:
    review, agent = asked(PROSE, "", YES)
    assert isinstance(review, ReviewUnreadable)
    assert review.tree == TREE
    assert len(agent.heard) == 2


@pytest.mark.parametrize("earlier", [one for one in reviews() if one is not None])
def test_a_tree_that_was_reviewed_is_not_paid_for_again(earlier: Review) -> None:
    review, agent = asked(recorded=lambda tree: earlier if tree == TREE else None)
    assert review == earlier
    assert agent.heard == []


def test_another_tree_is_reviewed_anew() -> None:
    review, agent = asked(YES, recorded=lambda tree: reviews()[2] if tree == TREE else None, tree=OTHER)
    assert review == ReviewApproved(OTHER, ("it does what it says",))
    assert len(agent.heard) == 1


def test_the_same_words_are_the_same_objection_however_often_they_are_said() -> None:
    first, second = asked(NO)[0], asked(NO, tree=OTHER)[0]
    assert isinstance(first, ReviewObjections)
    assert isinstance(second, ReviewObjections)
    assert {one.identity for one in first.objections} == {one.identity for one in second.objections}
