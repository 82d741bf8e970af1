"""`make drill`: the whole drill on two sites, then each check switched off in turn: none is idle, no drill is empty."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bot.demo import Stage, stage
from bot.drill import DRILLS, Arena, Result, arena
from bot.drill.matrix import matrix
from bot.machine.environment import Environment
from bot.settings import load
from tests.drills.covered import COVERED
from tests.drills.switches import Switch, guards, parts
from tests.drills.walls_off import SWITCHES
from tests.support import httpbin


def main() -> int:
    """Print the matrices and the switches; exit status 1 where something is not as it should be."""
    with tempfile.TemporaryDirectory(prefix="plusone-drill-") as scratch:
        now = datetime.now(UTC).replace(microsecond=0)
        lights = stage(Path(scratch, "lights"), sys.executable, now)
        other = httpbin.stage(Path(scratch, "httpbin"), now)
        fine = [whole(made) for made in (lights, other)]
        fine.append(switched(tested(lights)))
    return 0 if all(fine) else 1


def whole(made: Stage) -> bool:
    """Every drill on one site."""
    began = time.monotonic()
    with opened(made) as ground:
        results = ground.run(DRILLS, lambda _: None)
        print(
            f"== {ground.settings.site.name}: {time.monotonic() - began:.0f} s", *matrix(results), sep="\n", flush=True
        )
    return not any(one.fails for one in results)


@contextmanager
def opened(made: Stage) -> Iterator[Arena]:
    """The arena of a stage."""
    state = made.config.parent / "state"
    with arena(load(made.config), Environment(state=state), state) as ground:
        yield ground


def switched(made: Stage) -> bool:
    """Each check switched off: at least one drill that names it survives, or another check is named that covers it."""
    switches: Mapping[str, Switch] = {**guards(), **parts(), **SWITCHES}
    with opened(made) as ground:
        fine = [tried(ground, name, switch) for name, switch in switches.items()]
    return all(fine)


def tested(made: Stage) -> Stage:
    """The same, its own tests being a part of the gate."""
    with made.config.open("a", encoding="utf-8") as file:
        file.write('\n[gate.tests]\ncommand = ["python", "-m", "pytest", "-q"]\n')
    return made


def tried(ground: Arena, name: str, switch: Switch) -> bool:
    """One check switched off, and the drills that name it run."""
    named = tuple(drill for drill in DRILLS if name in drill.checks)
    with switch():
        results = ground.run(named, lambda _: None)
    survived = [one.name for one in results if one.verdict == "survived"]
    told = ", ".join(survived) or COVERED.get(name, "")
    print(f"{name:<24} {'off' if survived else 'covered' if told else 'IDLE'}  {told or said(results)}", flush=True)
    return bool(told) and not (survived and name in COVERED)


def said(results: tuple[Result, ...]) -> str:
    """Why none survived."""
    return "; ".join(f"{one.name}: {one.verdict} {one.by}" for one in results) or "no drill names it"


if __name__ == "__main__":
    sys.exit(main())
