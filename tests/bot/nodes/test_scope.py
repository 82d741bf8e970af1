"""scope: what becomes a snapshot over real stores and folders, and how far a repair may go."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.model import Built, Objection, Repair, Repaired, ScopeObjections, Snapshot
from bot.nodes.fix import Fix
from bot.nodes.scope import Freezer, Scope
from tests.support.values import CLAIM, objection
from tests.support.visitor import Visitor
from tests.support.workshop import MO, PAGE, PO, Workshop, catalogue, workshop

MORE = catalogue(Home="首页", Tides="潮汐")
BUILT = Built(CLAIM)


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return workshop(tmp_path)


def judged(shop: Workshop, work: Built | Repaired) -> Snapshot | ScopeObjections:
    return Scope(lambda: shop.freezer).run(shop.ready, work)


def repaired(shop: Workshop, first: Snapshot, *objections: Objection, **edits: str) -> Repaired:
    """What the real node `fix` returns when its agent makes these edits."""

    def acts() -> None:
        for path, text in edits.items():
            shop.work(path, text)

    node = Fix(Visitor(acts), shop.workspace, lambda *_: ("", ""), shop.freezer.agents_tree, lambda: 1)
    return node.run(shop.ready, Repair(first, objections or (objection(where="/"),)))


def never() -> Freezer:
    raise AssertionError("nothing may be frozen")


@pytest.mark.parametrize(
    ("built", "code", "told"),
    [
        (Built(None, "nothing good enough"), "declined", "nothing good enough"),
        (Built(None), "no-claim", "without saying"),
    ],
)
def test_work_without_a_claim_is_objected_to_and_never_frozen(
    shop: Workshop, built: Built, code: str, told: str
) -> None:
    found = Scope(never).run(shop.ready, built)
    assert isinstance(found, ScopeObjections)
    assert (found.tree, found.claim, found.objections[0].code) == (None, None, code)
    assert told in found.objections[0].what


def test_a_change_becomes_a_snapshot_that_quotes_base_and_claim(shop: Workshop) -> None:
    shop.work(PAGE, "<p>new</p>\n")
    found = judged(shop, BUILT)
    assert isinstance(found, Snapshot)
    assert (found.base, found.base_tree, found.claim) == (shop.here.base, shop.here.base_tree, CLAIM)
    assert shop.content(found.tree, PAGE) == b"<p>new</p>\n"


def test_every_snapshot_is_kept_under_a_ref_of_its_cycle(shop: Workshop) -> None:
    shop.work(PAGE, "<p>new</p>\n")
    found = judged(shop, BUILT)
    assert isinstance(found, Snapshot)
    assert list(shop.here.store.kept(f"snapshots/{shop.ready.cycle}").values()) == [found.tree]


def test_what_cannot_be_frozen_has_no_tree_but_keeps_its_claim(shop: Workshop) -> None:
    shop.work("app.py", "print('mine')\n")
    found = judged(shop, BUILT)
    assert isinstance(found, ScopeObjections)
    assert (found.tree, found.claim) == (None, CLAIM)
    assert [(one.code, one.where) for one in found.objections] == [("outside-allow", "app.py")]
    assert shop.here.store.kept("snapshots") == {}


def test_a_repair_of_the_changes_own_file_is_a_snapshot(shop: Workshop) -> None:
    shop.work(PAGE, "<p>new</p>\n")
    first = shop.frozen()
    found = judged(shop, repaired(shop, first, **{PAGE: "<p>newer</p>\n"}))
    assert isinstance(found, Snapshot)
    assert shop.content(found.tree, PAGE) == b"<p>newer</p>\n"


def test_a_repair_that_widens_the_change_is_objected_to_by_path_and_its_tree_is_kept(shop: Workshop) -> None:
    shop.work(PAGE, "<p>new</p>\n")
    first = shop.frozen()
    found = judged(shop, repaired(shop, first, **{PAGE: "<p>newer</p>\n", "pages/extra.html": "<p>extra</p>\n"}))
    assert isinstance(found, ScopeObjections)
    assert [(one.code, one.where) for one in found.objections] == [("repair-widened", "pages/extra.html")]
    assert PAGE in found.objections[0].accept
    assert found.tree in shop.here.store.kept("snapshots").values()


def test_a_repair_may_touch_a_file_that_a_gate_objection_names(shop: Workshop) -> None:
    shop.work(PAGE, "<p>new</p>\n")
    first = shop.frozen()
    named = objection("gate", where="pages/two words.html:1")
    found = judged(shop, repaired(shop, first, named, **{"pages/two words.html": "<p>2</p>\n"}))
    assert isinstance(found, Snapshot)


def test_what_the_bot_compiles_after_a_repair_does_not_widen_it(shop: Workshop) -> None:
    shop.work(PO, MORE)
    first = shop.frozen()
    found = judged(shop, repaired(shop, first, **{PO: catalogue(Home="首页", Tides="潮水")}))
    assert isinstance(found, Snapshot)
    assert [(one.path, one.by) for one in found.changes] == [(MO, "bot"), (PO, "agent")]


def test_a_repair_may_take_its_catalogue_entries_back(shop: Workshop) -> None:
    shop.work(PO, MORE)
    shop.work(PAGE, "<p>new</p>\n")
    first = shop.frozen()
    found = judged(shop, repaired(shop, first, **{PO: catalogue(Home="首页")}))
    assert isinstance(found, Snapshot), found
    assert [one.path for one in found.changes] == [PAGE]


def test_what_a_fixer_compiles_is_never_taken(shop: Workshop) -> None:
    shop.work(PAGE, "<p>new</p>\n")
    first = shop.frozen()
    found = judged(shop, repaired(shop, first, **{MO: "not what the bot would write"}))
    assert isinstance(found, Snapshot), found
    assert [one.path for one in found.changes] == [PAGE]
