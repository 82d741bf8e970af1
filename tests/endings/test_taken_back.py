"""`plusone revert`: one of its own commits is taken back, or it says why not and touches nothing."""

from __future__ import annotations

import json

import pytest

from bot.telling.report import Report
from ledger.store import LedgerStore
from ledger.trailers import parse
from tests.endings.conftest import Stager
from tests.endings.test_waiting import say
from tests.support.firing import Place
from tests.support.plays import ARTICLES
from tests.support.repository import git


@pytest.fixture
def here(staged: Stager) -> Place:
    return staged()


@pytest.fixture
def done(here: Place) -> Report:
    """An article has been added."""
    report = here.fire("committed")
    assert report["outcome"] == "committed"
    return report


def test_the_paths_are_as_before_and_the_key_is_marked_as_removed(here: Place, done: Report) -> None:
    before = git(here.made.remote, "rev-parse", "main^^{tree}")
    said = say(here, "revert last", "--json").object
    assert (said["cycle"], said["objections"]) == (done["cycle"], [])
    assert said["removes"] == ["articles/the-horn-on-gannet-rock"]
    tip, tree, parent, message = git(here.made.remote, "log", "-1", "--format=%H%n%T%n%P%n%B", "main").split("\n", 3)
    assert (tip, tree, parent) == (said["commit"], before, done["commit"])
    found = parse(message)
    assert (found.cycle, found.adds, found.removes) == (done["cycle"], (), ("articles/the-horn-on-gannet-rock",))
    assert "Plusone-Judged: routes: " in message and message.startswith("Revert article the-horn-on-gannet-rock\n")
    assert git(here.made.checkout, "rev-parse", "HEAD") == tip
    with here.journal() as journal:
        assert json.loads(journal.note(f"reverted/{done['cycle']}") or "")["commit"] == tip
    here.clean()


def test_what_was_taken_back_is_not_added_again(here: Place, done: Report) -> None:
    assert say(here, "revert last").status == 0
    again = here.fire("committed")
    assert (again["outcome"], again["stage"]) == ("reverted", "guards")
    assert "articles/the-horn-on-gannet-rock" in LedgerStore(here.state.ledger).known()


def test_a_feature_is_taken_back_with_its_rule_under_other_commits(here: Place) -> None:
    feature = here.fire("committed-feature")
    assert feature["outcome"] == "committed"
    here.human({"NOTES.md": b"by hand\n"})
    said = say(here, "revert", str(feature["cycle"]))
    assert said.status == 0 and "reverted in " in said.out
    assert git(here.made.remote, "diff", "--name-only", "main~3", "main") == "NOTES.md"


def test_twice_is_refused(here: Place, done: Report) -> None:
    assert say(here, "revert last").status == 0
    with here.unmoved():
        again = say(here, "revert last")
    assert again.status == 78 and "taken back already" in again.err


def test_paths_that_changed_since_do_not_revert_cleanly(here: Place, done: Report) -> None:
    text = git(here.made.remote, "show", f"main:{ARTICLES}")
    here.human({ARTICLES: (text + "\n# a note\n").encode()})
    with here.unmoved():
        refused = say(here, "revert last")
    assert refused.status == 78 and f"does not revert cleanly: {ARTICLES} changed since" in refused.err


def test_a_site_that_came_to_need_it_keeps_it(here: Place, done: Report) -> None:
    pages = "src/lights/views/pages.py"
    text = git(here.made.remote, "show", f"main:{pages}")
    first, rest = text.split("\n", 1)
    need = "from lights.content.articles import ARTICLES\n\nassert any('horn-on' in one['slug'] for one in ARTICLES)\n"
    here.human({pages: f"{first}\n{need}{rest}\n".encode()})
    with here.unmoved():
        refused = say(here, "revert last")
    assert refused.status == 1 and "without it the site can no longer be loaded" in refused.err


def test_a_surviving_page_that_breaks_without_it_is_an_objection(here: Place, done: Report) -> None:
    pages = "src/lights/views/projects.py"
    text = git(here.made.remote, "show", f"main:{pages}")
    assert "render_template(" in text
    need = "len([a for a in __import__('lights.content.articles', fromlist=['x']).ARTICLES if 'horn-on' in a['slug']])"
    here.human({pages: (text + f"\n\ndef _need():\n    return 1 // {need}\n").replace(
        "    return render_template(", "    _need()\n    return render_template(", 1).encode()})  # fmt: skip
    with here.unmoved():
        refused = say(here, "revert last", "--json")
    assert refused.status == 1
    objections = refused.object["objections"]
    assert isinstance(objections, list) and {one["code"] for one in objections} == {"status-changed"}


def test_a_cycle_that_committed_nothing_has_nothing_to_revert(here: Place) -> None:
    here.fire("declined")
    with here.unmoved():
        refused = say(here, "revert last")
    assert refused.status == 78 and "only what was committed can be reverted" in refused.err
