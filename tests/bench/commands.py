"""The command line as the timer starts it: a firing that is skipped, and `--help`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from bot.demo import stage
from bot.demo.performance import YOUNG
from bot.machine.clock import SystemClock
from tests.bench.figure import Figure
from tests.bench.timing import ms, paired, program

MAIN = "import sys; from bot.cli.main import main; sys.argv[0] = 'plusone'; main()"
LIBRARIES = "import typer, pydantic, git"
SDK = """
import sys
from bot.cli.main import main
try:
    main()
finally:
    print(*sorted({"anthropic", "genai_prices"} & set(sys.modules)), file=sys.stderr)
"""
ROUNDS = 15


def skipped() -> list[Figure]:
    """A firing that comes too soon after the last commit, whole, beside the bare import of its libraries."""
    with tempfile.TemporaryDirectory(prefix="plusone-bench-") as folder:
        scene = stage(Path(folder, "demo"), sys.executable, SystemClock().now().replace(microsecond=0), YOUNG)
        firing = ["run", "--config", str(scene.config)]
        environment = _environment(folder)
        ours = program([sys.executable, "-c", MAIN, *firing], environment)
        imports = program([sys.executable, "-c", LIBRARIES], environment)
        note = scene.config.parent / "state" / "harbour-lights" / "store.git" / "plusone-tip"

        def asking() -> None:
            note.unlink()  # raises where it is not there: then nothing was asked before
            ours()

        pair, other = paired(ROUNDS, ours, imports), paired(ROUNDS, asking, imports)
        asked = [sys.executable, "-c", SDK, *firing]
        done = subprocess.run(asked, env=environment, check=True, capture_output=True, text=True)
    assert done.stdout.startswith("skipped: the branch last moved"), done.stdout
    loaded = done.stderr.split()
    detail = f"{ms(min(pair.ours))} at best; the imports alone {ms(min(pair.theirs))}"
    return [
        Figure("skipped", f'a firing that comes too soon, beside "{LIBRARIES}"', pair.times, "times", 2.0, detail),
        Figure("skipped", "the same where the tip is not known and the remote is asked", other.times, "times", 2.0),
        Figure("skipped", "the model's client loaded by it", len(loaded), "modules", 0, " ".join(loaded)),
    ]


def usage() -> list[Figure]:
    """`plusone --help`, beside the interpreter's own start."""
    with tempfile.TemporaryDirectory(prefix="plusone-bench-") as folder:
        environment = _environment(folder)
        pair = paired(
            ROUNDS,
            program([sys.executable, "-c", MAIN, "--help"], environment),
            program([sys.executable, "-c", "pass"], environment),
        )
    detail = f"the interpreter alone starts in {ms(sorted(pair.theirs)[ROUNDS // 2])}"
    return [Figure("help", "plusone --help", sorted(pair.ours)[ROUNDS // 2], "s", 0.5, detail)]


def _environment(folder: str) -> dict[str, str]:
    """Nothing of the operator's; compiled modules are kept and found, as after an installation."""
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": folder,
        "LANG": "C.UTF-8",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "PYTHONPYCACHEPREFIX": f"{folder}/compiled",
    }
