"""The values that stages hand to one another: frozen, plain, and free of behaviour that touches the world."""

from bot.model.change import AddedLine, Change, Claim, Dropped, Snapshot, TreeEntry
from bot.model.decision import Approve, Decision, Reject, Repair
from bot.model.objection import Evidence, Objection
from bot.model.outcome import Committed, Failed, Outcome, Reverted, Skipped, Waiting
from bot.model.ready import Allowance, Baseline, Ready, Refused, Trigger
from bot.model.registry import Addition, Entry, FieldRule, Holdings, Limits, Range, Registry, Rule, Site, Source
from bot.model.usage import Spent, Tokens
from bot.model.verdict import (
    Built,
    GateObjections,
    GatePassed,
    GuardObjections,
    GuardsPassed,
    Repaired,
    Review,
    ReviewApproved,
    ReviewObjections,
    ReviewUnreadable,
    ScopeObjections,
)
from bot.model.work import WITHHELD, Bounds, Job, Origin, Ran, Request, Response

__all__ = [
    "WITHHELD",
    "AddedLine",
    "Addition",
    "Allowance",
    "Approve",
    "Baseline",
    "Bounds",
    "Built",
    "Change",
    "Claim",
    "Committed",
    "Decision",
    "Dropped",
    "Entry",
    "Evidence",
    "Failed",
    "FieldRule",
    "GateObjections",
    "GatePassed",
    "GuardObjections",
    "GuardsPassed",
    "Holdings",
    "Job",
    "Limits",
    "Objection",
    "Origin",
    "Outcome",
    "Ran",
    "Range",
    "Ready",
    "Refused",
    "Registry",
    "Reject",
    "Repair",
    "Repaired",
    "Request",
    "Response",
    "Reverted",
    "Review",
    "ReviewApproved",
    "ReviewObjections",
    "ReviewUnreadable",
    "Rule",
    "ScopeObjections",
    "Site",
    "Skipped",
    "Snapshot",
    "Source",
    "Spent",
    "Tokens",
    "TreeEntry",
    "Trigger",
    "Waiting",
]
