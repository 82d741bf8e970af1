"""skipped: a refusal becomes an outcome, kind and words unchanged."""

from __future__ import annotations

from typing import Literal

import pytest

from bot.model import Refused
from bot.nodes.skipped import Skip
from bot.telling.ending import exit_code


@pytest.mark.parametrize(("kind", "status"), [("wait", 0), ("setup", 78)])
def test_a_refusal_keeps_its_kind_code_and_reason(kind: Literal["wait", "setup"], status: int) -> None:
    skipped = Skip().run(Refused(kind, "too-soon", "the branch moved at noon"))
    assert (skipped.kind, skipped.code, skipped.reason) == (kind, "too-soon", "the branch moved at noon")
    assert skipped.stage == "precheck"
    assert exit_code(skipped) == status, "a skip that needs a person is told to the timer"
