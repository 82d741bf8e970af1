"""`python -m tests.bench [--json] [NAME…]`: measure, print, and exit with 1 where a number is over its limit."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict

from tests.bench.commands import skipped, usage
from tests.bench.demo import demo
from tests.bench.drill import drill
from tests.bench.engine import engine
from tests.bench.figure import Figure
from tests.bench.gate import gate
from tests.bench.machine import machine
from tests.bench.many import many
from tests.bench.pages import pages
from tests.bench.registries import registries
from tests.bench.sandbox import sandbox

BENCHES: dict[str, Callable[[], list[Figure]]] = {
    "sandbox": sandbox,  # first: it forks, and no thread runs yet
    "skipped": skipped,
    "help": usage,
    "engine": engine,
    "gate": gate,
    "pages": pages,
    "many": many,
    "scale": registries,
    "demo": demo,
    "drill": drill,
}


def main() -> int:
    """The exit status."""
    reading = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    reading.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHES)}; all without one")
    reading.add_argument("--json", action="store_true", help="one object on standard output, and nothing else there")
    given = reading.parse_args()
    if unknown := set(given.names) - set(BENCHES):
        reading.error(f"no bench is called {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}")
    where = machine()
    if not given.json:
        print(f"{where}\nmedians of several runs, both sides in turn; docs/bench.md says how\n")
    figures = list(_measured([name for name in BENCHES if name in given.names or not given.names], given.json))
    if given.json:
        print(json.dumps({"machine": where, "figures": [{**asdict(one), "over": one.over} for one in figures]}))
    return int(any(one.over for one in figures))


def _measured(names: list[str], quiet: bool) -> list[Figure]:
    figures = []
    for name in names:
        for figure in BENCHES[name]():
            figures.append(figure)
            if not quiet:
                print(figure.row(), flush=True)
    return figures


if __name__ == "__main__":
    sys.exit(main())
