"""gate: does the site still work? Every part compares with base; all run side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.model import GateObjections, GatePassed, Ready, Snapshot
from bot.ports import GatePart, canonical


class Gate:
    """Ordinary code; the parts run the site's code and tools in sandboxes. `recorded` is the verdict that this cycle
    already holds about a snapshot, if any."""

    def __init__(
        self,
        parts: Callable[[], Sequence[GatePart]],
        recorded: Callable[[Snapshot], GatePassed | GateObjections | None] = lambda _: None,
    ) -> None:
        self._parts, self._recorded = parts, recorded

    def run(self, ready: Ready, snapshot: Snapshot) -> GatePassed | GateObjections:
        """All objections of all parts, joined in the parts' own order whoever ends first; what was judged stays so."""
        if (earlier := self._recorded(snapshot)) is not None:
            return earlier
        from concurrent.futures import ThreadPoolExecutor  # late: most firings are skipped

        parts = self._parts()
        with ThreadPoolExecutor(max_workers=max(1, len(parts)), thread_name_prefix="gate") as pool:
            running = [pool.submit(part.judge, ready, snapshot) for part in parts]
            verdicts = [each.result() for each in running]
        evidence = tuple(found for _, found in verdicts)
        objections = tuple(one for against, _ in verdicts for one in canonical(against))
        if objections:
            return GateObjections(snapshot.tree, objections, evidence)
        return GatePassed(snapshot.tree, evidence)
