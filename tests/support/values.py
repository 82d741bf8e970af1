"""Values of the model for tests, each with the one thing that matters given."""

from __future__ import annotations

from bot.model import (
    Allowance,
    Change,
    Claim,
    Evidence,
    GateObjections,
    GatePassed,
    GuardObjections,
    GuardsPassed,
    Objection,
    Ready,
    Repair,
    ReviewApproved,
    ReviewObjections,
    ReviewUnreadable,
    ScopeObjections,
    Snapshot,
    Trigger,
)

TREE, OTHER = "a" * 40, "b" * 40
CLAIM = Claim("article", "harbour-lights", "Add an article about harbour lights")


def objection(node: str = "gate", code: str = "E501", where: str = "src/a.py:3", subject: str = "x") -> Objection:
    return Objection(code, node, where, subject, "something is wrong")


def snapshot(tree: str = TREE, *paths: str, by_bot: tuple[str, ...] = ()) -> Snapshot:
    changes = [Change(path, "changed") for path in paths or ("src/a.py",)]
    changes += [Change(path, "changed", by="bot") for path in by_bot]
    return Snapshot("c" * 40, "d" * 40, tree, CLAIM, tuple(changes))


def ready(cycle: str = "20261130T040000Z-7f3a", *, dry_run: bool = False) -> Ready:
    return Ready(
        cycle=cycle,
        started="2026-11-30T04:00:00+00:00",
        dry_run=dry_run,
        branch="main",
        base="c" * 40,
        base_tree="d" * 40,
        config="0" * 64,
        prompts={"build": "1" * 64},
        holdings="holdings",
        known="known",
        baselines=(),
        allowance=Allowance(80, 3_000_000, 2.0, 2100.0),
        sandbox="bwrap",
    )


def trigger(started: str = "2026-11-30T04:00:00+00:00") -> Trigger:
    return Trigger("20261130T040000Z-7f3a", started)


def repair(*objections: Objection, tree: str = TREE) -> Repair:
    return Repair(snapshot(tree), objections or (objection(),))


def scopes(tree: str = TREE) -> list[Snapshot | ScopeObjections]:
    return [snapshot(tree), ScopeObjections(tree, (objection("scope"),), CLAIM)]


def guards(tree: str = TREE) -> list[GuardsPassed | GuardObjections | None]:
    return [None, GuardsPassed(tree, ("articles/harbour-lights",)), GuardObjections(tree, (objection("guards"),))]


def gates(tree: str = TREE) -> list[GatePassed | GateObjections | None]:
    return [None, GatePassed(tree, (Evidence("lint", {"files": 3}),)), GateObjections(tree, (objection("gate"),))]


def reviews(tree: str = TREE) -> list[ReviewApproved | ReviewObjections | ReviewUnreadable | None]:
    return [
        None,
        ReviewApproved(tree, ("fine",)),
        ReviewObjections(tree, (objection("validate", where=""),)),
        ReviewUnreadable(tree, "unreadable twice"),
    ]
