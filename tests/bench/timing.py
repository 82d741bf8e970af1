"""Stop-watches: two acts in turn, so that a busy moment of the machine meets both."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

Act = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Pair:
    """Seconds of the act and of what it is held against, a number for each round."""

    ours: tuple[float, ...]
    theirs: tuple[float, ...]

    @property
    def times(self) -> float:
        """How many times as long ours took, in the median of the rounds."""
        return median(our / their for our, their in zip(self.ours, self.theirs, strict=True))

    @property
    def added(self) -> float:
        """How many seconds longer ours took, in the median of the rounds."""
        return median(our - their for our, their in zip(self.ours, self.theirs, strict=True))


def paired(rounds: int, ours: Act, theirs: Act) -> Pair:
    """Time both in turn, after one of each that does not count."""
    ours(), theirs()
    timed = [(wall(ours), wall(theirs)) for _ in range(rounds)]
    return Pair(tuple(our for our, _ in timed), tuple(their for _, their in timed))


def wall(act: Act) -> float:
    """Seconds that one call takes."""
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def program(argv: Sequence[str], environment: Mapping[str, str]) -> Act:
    """An act that runs a program to its end. It raises CalledProcessError where the program fails."""
    return lambda: subprocess.run(argv, env=environment, check=True, capture_output=True)


def ms(seconds: float) -> str:
    """For people."""
    return f"{seconds * 1000:.1f} ms"
