"""fix: what a repair may touch, what it may say, and where it starts from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from bot.model import Claim, Repair
from bot.nodes.fix import Fix, amended, touchable
from tests.support.values import CLAIM, TREE, objection, ready, snapshot


def test_a_repair_may_touch_the_files_of_the_change_and_those_that_gate_objections_name() -> None:
    repair = Repair(snapshot(TREE, "src/new.py"), (objection("gate", where="src/old.py:7"),))
    assert touchable(repair) == ("src/new.py", "src/old.py")


def test_a_reviewers_words_add_no_file_and_a_url_is_no_file() -> None:
    objections = (objection("validate", where="src/secret.py:1"), objection("gate", where="/articles/a"))
    assert touchable(Repair(snapshot(TREE, "src/new.py"), objections)) == ("src/new.py",)


def test_the_bots_own_files_are_not_the_fixers_to_touch() -> None:
    repair = Repair(snapshot(TREE, "locales/zh.po", by_bot=("locales/zh.mo",)), (objection(where="/x"),))
    assert touchable(repair) == ("locales/zh.po",)


def test_a_fix_may_amend_its_words_but_never_kind_or_key() -> None:
    said = Claim("project", "something-else", "Better words", routes=("/x",))
    assert amended(CLAIM, said) == replace(CLAIM, summary="Better words", routes=("/x",))
    assert amended(CLAIM, None) == CLAIM


@dataclass
class Said:
    claim: Claim | None = None
    declined: str = ""


class Recorder:
    """Agent and workspace at once: it writes down what it is asked, in order."""

    root = Path("/nowhere")

    def __init__(self) -> None:
        self.asked: list[object] = []

    def restore(self, tree: str) -> None:
        self.asked.append(("restore", tree))

    def discard(self) -> None:
        raise AssertionError("fix does not discard the workspace")

    def build(self, system: str, task: str, workspace: Path) -> Said:
        raise AssertionError("fix does not build")

    def review(self, system: str, task: str, visit: int, again: str = "") -> str:
        raise AssertionError("fix does not review")

    def fix(self, system: str, task: str, workspace: Path, visit: int) -> Said:
        self.asked.append(("fix", visit))
        return Said()


def test_a_fix_starts_from_the_rejected_tree_without_the_bots_own_files() -> None:
    world = Recorder()
    node = Fix(world, world, lambda *_: ("system", "task"), lambda _: "tree-of-the-agent", lambda: 2)
    repaired = node.run(ready(), Repair(snapshot(TREE, "src/a.py"), (objection(),)))
    assert world.asked == [("restore", "tree-of-the-agent"), ("fix", 2)]
    assert (repaired.rejected, repaired.claim, repaired.may_touch) == ("tree-of-the-agent", CLAIM, ("src/a.py",))
