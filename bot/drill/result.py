"""How one drill went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Literal

from bot.drill.drill import Drill
from bot.drill.moves import ESCAPED, TRIED
from bot.drill.trace import Trace
from bot.frozen import frozen

Verdict = Literal["stopped", "survived", "passed", "wrongly stopped", "not here", "broken"]
_LANDED = ("committed", "waiting")
_FAIR = ("GateBroken", "SiteBroken", "SnapshotFailed")  # exceptions that a change itself can bring about, and fail by
BAD_ENDS = ("survived", "wrongly stopped", "broken")


@frozen
class Result:
    """`by` is the node and the checks that stopped it, or the harm that was done; `why` is the cycle's own reason."""

    name: str
    good: bool
    story: str
    verdict: Verdict
    by: str = ""
    why: str = ""
    seconds: float = 0.0
    checks: tuple[str, ...] = ()

    @property
    def fails(self) -> bool:
        """Whether the drill as a whole fails for it."""
        return self.verdict in BAD_ENDS

    def row(self) -> Mapping[str, object]:
        """As `--json` prints it."""
        return asdict(self)


def result(drill: Drill, trace: Trace, harm: str) -> Result:
    """Read from what the cycle left."""
    report = trace.report
    landed = report["outcome"] in _LANDED
    if report["outcome"] == "skipped" or report.get("exit_code") not in (0, 1) or _fault(str(report["stopped_by"])):
        verdict: Verdict = "broken"  # the cycle did not come to judge it
    elif drill.good:
        verdict = "passed" if landed else "wrongly stopped"
    elif landed or harm:
        verdict = "survived"
    else:
        verdict = "stopped"
    seconds = report["seconds"]
    return Result(
        *(drill.name, drill.good, drill.story, verdict, harm or _by(trace), _why(trace)),
        seconds=float(seconds) if isinstance(seconds, float | int) else 0.0,
        checks=drill.checks,
    )


def _fault(stopped_by: str) -> bool:
    """Whether a fault of the machine ended the cycle: then nothing was judged, however good that looks."""
    return stopped_by[:1].isupper() and stopped_by not in _FAIR


def escaped(trace: Trace) -> str:
    """The harm of an attack that says itself whether it got through; one that did not run to its end is harm too."""
    if ESCAPED in trace.printed:
        start = trace.printed.index(ESCAPED) + len(ESCAPED)
        return f"the sandbox let it: {trace.printed[start : start + 80].splitlines()[0].strip()}"
    return "" if TRIED in trace.printed else "the attack itself did not run to its end, so it proves nothing"


def _why(trace: Trace) -> str:
    """The cycle's reason, and the first objection in full."""
    objections = trace.report["objections"]
    first = objections[0] if isinstance(objections, list) and objections else {}
    said = "; ".join(f"{name}: {first[name]}" for name in ("where", "what", "seen") if first.get(name))
    return f"{trace.report['reason']}{f' ({said})' if said else ''}"


def _by(trace: Trace) -> str:
    report = trace.report
    objections = report["objections"]
    codes = [str(one["code"]) for one in objections] if isinstance(objections, list) else []
    nodes = [str(one["node"]) for one in objections] if isinstance(objections, list) else []
    if codes and TRIED not in trace.printed:
        return f"{nodes[0]}: {', '.join(dict.fromkeys(codes))}"
    return "sandbox" if TRIED in trace.printed else str(report["stage"])
