"""What people do with a cycle is told like a cycle's end, to those who asked for it, and by no ping."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from bot.operation.consent import Consent, give
from ledger.store import LedgerStore
from tests.endings.conftest import Stager
from tests.endings.test_waiting import ASK, say
from tests.support.firing import Place
from tests.support.hearers import Hearer, hearing


@pytest.fixture
def ear() -> Iterator[Hearer]:
    with hearing() as hearer:
        yield hearer


def listening(staged: Stager, ear: Hearer) -> Place:
    here = staged(ASK)
    on = '["committed", "reverted", "waiting"]'
    told = f'\n[notify]\nhealthchecks = "{ear.url}"\nwebhook = "{ear.url}/hook"\non = {on}\n'
    here.made.config.write_text(here.made.config.read_text() + told)
    return here


def heard(ear: Hearer) -> list[tuple[str, str]]:
    """Each post to the webhook: its event, and the reason's beginning."""
    bodies = [json.loads(body) for path, body in ear.heard if path.endswith("/hook")]
    return [(one["event"], one["report"]["reason"].partition(" on ")[0].partition(" waits")[0]) for one in bodies]


def test_an_approval_and_what_takes_it_back_are_told_and_the_ledger_follows_at_once(
    staged: Stager, ear: Hearer
) -> None:
    here = listening(staged, ear)
    here.fire("committed")
    pings = [path for path, _ in ear.heard if not path.endswith("/hook")]
    added = "article the-horn-on-gannet-rock"
    assert say(here, "approve last").status == 0
    assert heard(ear) == [("waiting", added), ("committed", f"added {added}, approved by root")]
    key = "articles/the-horn-on-gannet-rock"
    assert [one.key for one in LedgerStore(here.state.ledger).list()] == here.keys() == [key]
    assert f"committed {key}" in say(here, "ledger list").out
    assert say(here, "revert last").status == 0
    assert heard(ear)[2:] == [("committed", f"took back {key} by the word of root")]
    assert json.loads(ear.heard[-1][1])["report"]["commit"] == here.tip
    assert [path for path, _ in ear.heard if not path.endswith("/hook")] == pings, "no ping"
    assert f"removed {key}" in say(here, "ledger list").out
    assert "and removed since" in LedgerStore(here.state.ledger).known()[key]
    before = here.state.ledger.read_bytes()
    assert say(here, "ledger verify").status == 0 and say(here, "ledger rebuild").status == 0
    assert here.state.ledger.read_bytes() == before


def test_a_rejection_by_the_page_is_told_by_the_firing_that_carries_it_out(staged: Stager, ear: Hearer) -> None:
    here = listening(staged, ear)
    here.fire("committed")
    with here.journal() as journal:
        give(journal, journal.runs(1)[0], Consent("reject", "the page", "2026-11-30T18:00:00+00:00", "no"))
    here.edit(('quiet_period = "0s"', 'quiet_period = "9d"'))
    here.fire("committed")
    assert heard(ear)[1:] == [("reverted", "rejected by the page")]
    here.fire("committed")
    assert len(heard(ear)) == 2, "once"
