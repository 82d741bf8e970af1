"""Sites that nobody here wrote are swept, and a view taken away is missed: one here, ten each in `make sites-check`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.model import Claim, Rule
from bot.parts import RoutesPart
from gates import rules
from gates.coverage import coverage
from tests.support.strangers import STRANGERS, Stranger

CLAIM = Claim("", "", "")
DELETED = int(os.environ.get("PLUSONE_DELETED", "1"))
# What becomes of the GET rules at base. Most of ihatemoney's want a project's token; klaus has no `~namespace` here.
NUMBERS = {
    "httpbin": {"verified": 41, "login": 5, "failing": 2, "never": 2, "skipped": 1, "total": 51},
    "ihatemoney": {"verified": 22, "login": 1, "failing": 1, "never": 10, "skipped": 1, "total": 35},
    "klaus": {"verified": 13, "login": 0, "failing": 2, "never": 19, "skipped": 0, "total": 34},
}


def verified(part: RoutesPart, base: str) -> set[str]:
    """The rules that base's sweep verifies."""
    return set(coverage(part._stand.ground(part._stand.holdings(base)).rules, part._base(base)[0]).verified)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("one", STRANGERS, ids=lambda one: one.name)
def test_the_numbers_add_up_and_a_view_that_is_taken_away_is_missed(one: Stranger, tmp_path: Path) -> None:
    assert one.environment.exists(), f"{one.environment} is missing: run `make sites` (it needs the network, once)"
    place = one.yard(tmp_path)
    part = place.routes(one.site())
    counts = part.baseline(place.base).counts
    held = place.using(one.site()).reader.holdings(place.base)[1].rules
    assert counts == NUMBERS[one.name]
    assert counts["total"] == sum(rules.asked(rule) for rule in held) == sum(counts.values()) - counts["total"]
    seen = verified(part, place.base)
    tried = [(path, change) for path, change in one.deletions() if path in seen][:DELETED]
    assert len(tried) == DELETED
    for path, change in tried:
        found, _ = part.judge(place.ready(), place.snapshot(change, CLAIM))
        assert any(rules.reaches(Rule(path, "", ()), each.subject) for each in found), (path, found)
