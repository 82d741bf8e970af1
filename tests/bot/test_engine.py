"""The engine over a real journal: what it hands over, records, stops, and takes up again."""

from __future__ import annotations

import dataclasses
import errno
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.errors import BudgetSpent, IllegalTransition, JournalError, Unreachable
from bot.model import Failed, Reverted
from tests.support.toys import (
    DONE,
    EDGES,
    NODES,
    REPAIRED,
    STRAIGHT,
    Again,
    Bad,
    Bench,
    Draft,
    Frozen,
    Ground,
    Mended,
    Script,
    Seed,
    journal,
    opening,
    toy,
)

Lines = dict[str, list[object]]


class Died(BaseException):
    """Stands for a process that is gone: nothing may be written after it."""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(journal(tmp_path), Script({}))
    yield made
    made.journal.shut()


def run(bench: Bench, lines: Lines) -> object:
    bench.script = Script(lines)
    return bench.engine.run(opening())


def test_a_straight_run_ends_with_the_value_of_its_last_node(bench: Bench) -> None:
    assert run(bench, STRAIGHT) == DONE
    row = bench.journal.run("c1")
    assert (row.outcome, row.stage, row.exit_code, row.commit) == ("committed", "finish", 0, "c0ffee")
    assert (row.base, row.tree) == ("base0", "tree1")
    assert row.path == ("prepare", "write", "freeze", "judge", "second", "decide", "finish")


def test_a_node_is_handed_what_its_signature_names_and_nothing_else(bench: Bench) -> None:
    run(bench, STRAIGHT)
    assert bench.script.handed("prepare", 1) == {"seed": Seed()}
    assert bench.script.handed("judge", 1) == {"ground": Ground(), "frozen": Frozen("tree1")}


def test_a_repaired_run_never_shows_a_stale_value(bench: Bench) -> None:
    assert run(bench, REPAIRED) == Reverted("decide", "no")
    assert bench.script.handed("freeze", 2) == {"ground": Ground(), "work": Mended("mended")}
    assert bench.script.handed("decide", 2) == {"frozen": Frozen("tree2"), "judged": Bad("tree2"), "second": None}


def test_a_row_is_started_before_the_node_and_ended_after_it(bench: Bench) -> None:
    seen: list[tuple[str, str | None]] = []

    bench.script = Script(STRAIGHT)
    engine = bench.engine
    body = engine._bodies["write"]

    def write(**handed: object) -> object:
        seen.extend((step.node, step.ended) for step in bench.journal.steps("c1"))
        return body(**handed)

    engine._bodies = {**engine._bodies, "write": write}
    engine.run(opening())
    assert [node for node, _ in seen] == ["prepare", "write"]
    assert seen[0][1] is not None
    assert seen[1][1] is None


def test_not_converged_is_failed_with_exactly_the_bound_paid(bench: Bench) -> None:
    many: Lines = {
        **REPAIRED,
        "freeze": [Frozen(f"tree{number}") for number in range(1, 5)],
        "judge": [Bad(f"tree{number}") for number in range(1, 5)],
        "decide": [Again(f"flaw{number}", f"tree{number}") for number in range(1, 5)],
        "mend": [Mended("m")] * 4,
    }
    outcome = run(bench, many)
    assert isinstance(outcome, Failed)
    assert (outcome.stopped_by, outcome.exit_code, outcome.tree) == ("decide→mend", 1, "tree3")
    assert bench.script.path.count("mend") == 2


def test_no_bound_at_all_allows_no_repair(bench: Bench) -> None:
    edges = tuple(dataclasses.replace(edge, at_most=0) if edge.at_most else edge for edge in EDGES)
    bench.graph = toy(edges=edges)
    outcome = run(bench, REPAIRED)
    assert isinstance(outcome, Failed)
    assert "mend" not in bench.script.path


@pytest.mark.parametrize("value", [None, Seed()])
def test_an_illegal_value_closes_the_run_and_is_not_recorded(bench: Bench, value: object) -> None:
    with pytest.raises(IllegalTransition, match="node write returned"):
        run(bench, {**STRAIGHT, "write": [value]})
    assert bench.journal.run("c1").outcome == "failed"
    assert bench.journal.steps("c1")[-1].ended is None


def test_steps_in_all_are_bounded(bench: Bench) -> None:
    bench.steps = 3
    outcome = run(bench, STRAIGHT)
    assert isinstance(outcome, Failed)
    assert (outcome.stopped_by, outcome.stage) == ("steps", "judge")
    assert bench.script.path == ["prepare", "write", "freeze"]


def test_time_that_is_over_stops_the_run_before_the_next_node(bench: Bench) -> None:
    bench.script = Script(STRAIGHT)
    engine = bench.engine
    body = engine._bodies["write"]

    def write(**handed: object) -> object:
        bench.clock.forward(seconds=60)
        return body(**handed)

    engine._bodies = {**engine._bodies, "write": write}
    outcome = engine.run(opening())
    assert outcome == Failed("freeze", "the 1 minutes of budget.minutes are over", "minutes")
    assert bench.journal.run("c1").stopped_by == "minutes"


def test_a_spent_budget_ends_the_run_with_its_governor_and_tree(bench: Bench) -> None:
    outcome = run(bench, {**STRAIGHT, "judge": [BudgetSpent("usd", "2.01 of 2.00")]})
    assert outcome == Failed("judge", "2.01 of 2.00", "usd", (), "tree1", 1)
    assert bench.journal.run("c1").exit_code == 1


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Unreachable("no\nroute"), 69),
        (ZeroDivisionError("oops"), 1),
        (KeyboardInterrupt(), 130),
        (SystemExit(143), 143),
        (SystemExit(0), 1),
    ],
)
def test_an_exception_closes_the_run_with_its_status_and_goes_on(
    bench: Bench, error: BaseException, status: int
) -> None:
    with pytest.raises(type(error)):
        run(bench, {**STRAIGHT, "judge": [error]})
    row = bench.journal.run("c1")
    assert (row.outcome, row.stage, row.exit_code, row.stopped_by) == ("failed", "judge", status, type(error).__name__)
    assert "\n" not in row.reason
    assert row.reason
    assert row.reason != "KeyboardInterrupt"  # told in words, as `status` shows it


def die(bench: Bench, lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that dies writes nothing more, so nothing may be closed either."""
    with monkeypatch.context() as patch:
        patch.setattr(bench.journal, "close", lambda *_, **__: None)
        with pytest.raises(Died):
            run(bench, lines)


@pytest.mark.parametrize("node", list(STRAIGHT))
def test_a_run_that_died_in_any_node_goes_on_from_it(bench: Bench, node: str, monkeypatch: pytest.MonkeyPatch) -> None:
    die(bench, {**STRAIGHT, node: [Died()]}, monkeypatch)
    before = [*STRAIGHT][: [*STRAIGHT].index(node)]
    bench.script = Script(STRAIGHT)
    assert bench.engine.resume("c1") == DONE
    assert bench.script.path == [name for name in STRAIGHT if name not in before]
    assert bench.journal.run("c1").path == tuple(STRAIGHT)
    assert [name for name, _ in bench.restored] == (["write"] if node == "write" else [])


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.support.toys import STRAIGHT, Bench, Script, journal, opening

bench = Bench(journal(Path(sys.argv[1])), Script(STRAIGHT))
engine = bench.engine
engine._bodies = {**engine._bodies, "second": lambda **_: os.kill(os.getpid(), signal.SIGKILL)}
engine.run(opening())
"""


def test_a_killed_process_leaves_a_run_that_another_finishes(tmp_path: Path) -> None:
    died = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert died.returncode == -signal.SIGKILL
    bench = Bench(journal(tmp_path), Script(STRAIGHT))
    assert [run.cycle for run in bench.journal.open_runs()] == ["c1"]
    assert bench.engine.resume("c1") == DONE
    assert bench.script.path == ["second", "decide", "finish"]
    bench.journal.shut()


def test_replay_walks_the_loop_again_and_hands_over_no_stale_value(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    die(bench, {**REPAIRED, "decide": [Again("spelling", "tree1"), Died()]}, monkeypatch)
    bench.script = Script({**REPAIRED, "decide": REPAIRED["decide"][1:]})
    assert bench.engine.resume("c1") == Reverted("decide", "no")
    assert bench.script.handed("decide", 1) == {"frozen": Frozen("tree2"), "judged": Bad("tree2"), "second": None}


def test_replay_counts_what_the_bounded_edge_was_offered(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    die(bench, {**REPAIRED, "mend": [Died()]}, monkeypatch)
    bench.script = Script(
        {**REPAIRED, "freeze": [Frozen("tree2")], "judge": [Bad("tree2")], "decide": [Again("spelling", "tree1")]}
    )
    outcome = bench.engine.resume("c1")
    assert isinstance(outcome, Failed)
    assert outcome.reason.startswith("no progress")
    assert bench.restored[0][0] == "mend"
    assert bench.restored[0][1][Again] == Again("spelling", "tree1")


def test_a_run_that_died_between_its_last_row_and_its_end_is_closed_without_a_body(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(bench.journal, "close", lambda *_, **__: None)
        run(bench, STRAIGHT)
    bench.script = Script({})
    assert bench.engine.resume("c1") == DONE
    assert bench.journal.run("c1").outcome == "committed"


def test_another_graph_refuses_to_resume_and_names_both(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    die(bench, {**STRAIGHT, "judge": [Died()]}, monkeypatch)
    bench.graph = toy(edges=tuple(dataclasses.replace(edge, at_most=1) if edge.at_most else edge for edge in EDGES))
    old, new = toy().hash[:12], bench.graph.hash[:12]
    with pytest.raises(JournalError, match=f"recorded under graph {old}, this program has {new}"):
        bench.engine.resume("c1")
    assert bench.journal.run("c1").fence == 1


def test_a_closed_run_is_not_resumed(bench: Bench) -> None:
    run(bench, STRAIGHT)
    with pytest.raises(JournalError, match="no open run c1"):
        bench.engine.resume("c1")


def test_the_old_process_can_write_no_more_after_a_resume(tmp_path: Path, bench: Bench) -> None:
    bench.journal.open_run(opening())
    other = Bench(journal(tmp_path), Script(STRAIGHT))
    assert other.engine.resume("c1") == DONE
    other.journal.shut()
    with pytest.raises(JournalError, match="taken over by another process"):
        bench.journal.start("c1", 1, "prepare")


def test_a_record_that_contradicts_the_table_is_refused(bench: Bench) -> None:
    bench.journal.open_run(opening())
    bench.journal.start("c1", 1, "write")
    bench.journal.end("c1", 1, Draft())
    with pytest.raises(JournalError, match="step 1 was recorded at write, but its run had come to step 1, prepare"):
        bench.engine.resume("c1")
    assert bench.journal.run("c1").outcome == "failed"


def test_a_record_with_a_step_missing_is_refused(bench: Bench) -> None:
    bench.journal.open_run(opening())
    bench.journal.start("c1", 2, "prepare")
    with pytest.raises(JournalError, match="step 2 was recorded at prepare, but its run had come to step 1, prepare"):
        bench.engine.resume("c1")


def test_a_record_that_cannot_be_read_does_not_wedge_the_next_firing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    die(bench, {**STRAIGHT, "judge": [Died()]}, monkeypatch)
    bench.journal._connection.execute("UPDATE step SET type = 'Good', value = '{\"tree\": \"t\"}' WHERE node = 'write'")
    with pytest.raises(IllegalTransition, match="node write returned Good"):
        bench.engine.resume("c1")
    assert bench.journal.open_runs() == ()


def test_words_that_cannot_be_written_down_close_the_run_all_the_same(bench: Bench) -> None:
    with pytest.raises(Unreachable):
        run(bench, {**STRAIGHT, "judge": [Unreachable("half \ud800 a letter, \x1b[2J and \u202e")]})
    assert bench.journal.run("c1").reason == "half \\ud800 a letter, \\x1b[2J and \\u202e"
    assert bench.journal.open_runs() == ()


def test_a_journal_that_fails_does_not_hide_what_broke(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise JournalError("the disk is full")

    monkeypatch.setattr(bench.journal, "close", full)
    with pytest.raises(Unreachable, match="no route"):
        run(bench, {**STRAIGHT, "judge": [Unreachable("no route")]})


def test_a_full_disk_closes_the_run_with_the_line_that_the_operator_reads(bench: Bench) -> None:
    with pytest.raises(OSError, match="No space left"):
        run(bench, {**STRAIGHT, "judge": [OSError(errno.ENOSPC, "No space left on device")]})
    ended = bench.journal.run("c1")
    assert (ended.outcome, ended.stopped_by, ended.exit_code) == ("failed", "DiskFull", 1)
    assert "free some space" in ended.reason


def test_a_run_that_starts_does_not_ask_for_a_restored_workspace(bench: Bench) -> None:
    first = dataclasses.replace(NODES[0], crash="restored")
    bench.graph = toy((first, *NODES[1:]))
    assert run(bench, STRAIGHT) == DONE
    assert bench.restored == []


def test_the_engine_writes_two_rows_a_node_and_reads_nothing(bench: Bench) -> None:
    """What keeps the added time of a cycle small: one commit before each node, one after it, one at each end."""
    said: list[str] = []
    bench.script = Script(STRAIGHT)
    engine = bench.engine
    bench.journal._connection.set_trace_callback(said.append)
    engine.run(opening())
    verbs = Counter(statement.split()[0] for statement in said)
    assert verbs == {"BEGIN": 1, "COMMIT": 1, "INSERT": 1 + len(STRAIGHT), "UPDATE": len(STRAIGHT) + 1}
