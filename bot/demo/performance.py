"""One performance of the demo: the stage set, a cycle run on it, and what there is to see afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from bot.agents.models import ModelChoice
from bot.demo.endings import Ending, ending
from bot.demo.stage import Stage, stage
from bot.firing.start import Order, fire
from bot.folders import Folders
from bot.frozen import frozen
from bot.machine.clock import SystemClock
from bot.machine.environment import Environment
from bot.settings import load
from bot.telling.report import Report

YOUNG = timedelta(minutes=5)  # well within the quiet period of the demo's configuration


@frozen
class Performance:
    """What was wanted, what came of it, and where it lies."""

    wanted: Ending
    report: Report
    stage: Stage

    @property
    def fits(self) -> bool:
        """Whether the cycle ended as it was meant to."""
        seen = (self.report["outcome"], self.report["stage"], self.report["repairs"], self.report.get("exit_code"))
        return seen == (self.wanted.outcome, self.wanted.stage, self.wanted.repairs, self.wanted.status)

    def row(self) -> str:
        """The ending on one line."""
        mark = "" if self.fits else f"  NOT AS MEANT: {self.report['outcome']} at {self.report['stage']}"
        ended = f"{self.wanted.outcome} at {self.wanted.stage}"
        return f"{self.wanted.name:<18} {ended:<21} {self.report['seconds']:>5} s  {self.wanted.story}{mark}"

    def story(self, plusone: str = "plusone") -> Iterator[str]:
        """What happened, and the commands to look at it; `plusone` is how the command is called here."""
        report, config = self.report, self.stage.config
        path = report["path"]
        yield f"{report['outcome']}: {report['reason']}"
        yield f"  path      {' → '.join(path) if isinstance(path, list) else path}"
        yield f"  base      {report['base']}"
        yield f"  tree      {report['tree']}  (what was judged is what was committed)"
        yield f"  commit    {report['commit']}"
        yield f"  calls     {report['model_calls']} answers of a script through the real client; {report['seconds']} s"
        yield ""
        yield f"  remote    {self.stage.remote}"
        yield f"  checkout  {self.stage.checkout}"
        yield f"  records   {config.parent / 'state'}"
        yield ""
        yield "look at it:"
        yield f"  git -C {self.stage.checkout} show"
        yield f"  {plusone} show last --diff --config {config}"
        yield f"  {plusone} replay {report['cycle']} --config {config}"


def perform(folder: Path, wanted: Ending, python: str) -> Performance:
    """Set the stage in the folder and run one cycle on it. Raises ConfigError where that cannot be."""
    started = SystemClock().now().replace(microsecond=0)
    quiet = wanted.script is not None
    made = stage(folder, python, started) if quiet else stage(folder, python, started, YOUNG)
    settings = load(made.config)
    environment = Environment(state=folder / "state")
    where = Folders.of(settings.state_dir or environment.state, settings.site.name)
    script = wanted.script or ending("committed").script
    return Performance(wanted, fire(Order(settings, where, environment, ModelChoice("script", script))), made)
