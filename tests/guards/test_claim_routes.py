"""A claimed route is answered by a rule whatever its converters hold and however its letters are spelt."""

from __future__ import annotations

import pytest

from bot.model import Claim
from guards.claim_holds import claim_holds
from tests.support.holdings import facts, holdings


@pytest.mark.parametrize(
    ("rule", "route"),
    [
        ('/<regex("(a|b)+"):code>', "/ab"),
        ('/<regex("[a-z]{2}(-[A-Z]{2})?"):code>/lamps', "/de-AT/lamps"),
        ("/über-uns", "/über-uns"),
        ("/über-uns", "/%C3%BCber-uns"),
        ("/灯塔/<slug>", "/%E7%81%AF%E5%A1%94/mole"),
    ],
)
def test_a_route_that_a_rule_answers_is_found(rule: str, route: str) -> None:
    claim = Claim("feature", "more", "More.", routes=(route,))
    assert not list(claim_holds(facts(holdings(rules=("/", rule)), claim)))


def test_a_route_that_no_rule_answers_is_told() -> None:
    claim = Claim("feature", "more", "More.", routes=("/%C3%BCber-euch",))
    assert [one.code for one in claim_holds(facts(holdings(rules=("/über-uns",)), claim))] == ["claim-route"]
