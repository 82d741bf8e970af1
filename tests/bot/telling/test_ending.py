"""The five words and their exit statuses."""

from __future__ import annotations

import pytest

from bot.model import Committed, Failed, Outcome, Reverted, Skipped, Waiting
from bot.telling.ending import exit_code, word


@pytest.mark.parametrize(
    ("outcome", "name", "status"),
    [
        (Committed("c", "t", "done"), "committed", 0),
        (Waiting("c", "t", "asked"), "waiting", 0),
        (Reverted("guards", "no"), "reverted", 0),
        (Skipped("wait", "quiet", "too soon"), "skipped", 0),
        (Skipped("setup", "boot", "does not boot"), "skipped", 78),
        (Failed("gate", "broke"), "failed", 1),
        (Failed("gate", "broke", exit_code=69), "failed", 69),
    ],
)
def test_an_outcome_has_one_word_and_one_status(outcome: Outcome, name: str, status: int) -> None:
    assert (word(outcome), exit_code(outcome)) == (name, status)
