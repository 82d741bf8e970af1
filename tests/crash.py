"""Kills a cycle at random moments, again and again, and checks what must hold after each: `python -m tests.crash`."""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot.agents.recording import load
from bot.machine.removal import remove
from bot.operation.steering import go_on
from ledger.store import LedgerStore
from tests.support import firing, plays
from tests.support.full_disk import Fill, firings
from tests.support.killing import WHAT, Moment, killed_after, killed_or_ended
from tests.support.repository import git
from tests.support.traces import adopt_orphans

COUNT = 200
KINDS = ("committed", "committed", "gate", "gate", "review", "stuck", "guards", "scope")
FIGURE = f"sed -i '0,/until 1921/s//for years/' {plays.ARTICLES}"
ENDS = {  # what each kind of script comes to, and after how many repairs, whatever came before it
    "committed": ("committed", 0),
    "gate": ("committed", 1),
    "review": ("committed", 1),
    "stuck": ("failed", 1),
    "guards": ("reverted", 0),
    "scope": ("reverted", 0),
}
GOOD = 0.25  # how often a good firing follows at once; those of the next cycle follow anyhow
STEPS = ("precheck", "build", "scope", "guards", "gate", "validate", "decide", "fix", "commit", "revert")
SPEAKERS = ("build", "validate", "fix")
WHERE = {"start": STEPS, "lost": STEPS, "kept": STEPS, "reserved": SPEAKERS, "answered": SPEAKERS}
LONGEST = 2.0  # seconds, about as long as a cycle takes
FRESH = 12  # cycles on one site, before another is staged
LEFT = (0, 40_000, 200_000, 1_000_000)  # bytes that are left on a disk that fills up


@dataclass
class Tally:
    """What was done, and what did not hold."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """For people."""
        yield from (f"{number:>6}  {what}" for what, number in sorted(self.counts.items()))
        yield from (f"FAULT   {fault}" for fault in self.faults)


def crash(count: int, seed: int, folder: Path) -> Tally:
    """`count` cycles, each killed up to three times, then finished and followed by a good one now and then."""
    adopt_orphans()
    chance, tally = random.Random(seed), Tally()
    cache = firing.warmed(folder)
    here = None
    for number in range(count):
        if here is None or number % FRESH == 0:
            here = firing.place(folder / f"site-{number}", cache)
        with _temporary(here.scratch):
            _once(here, chance, tally, f"cycle {number} of seed {seed}")
    return tally


def pairs(seed: int, folder: Path) -> Tally:
    """Every kind of ending after every other and after itself, on one site: none may change what follows it."""
    chance, tally = random.Random(seed), Tally()
    here, before = firing.place(folder / "pairs", firing.warmed(folder)), "nothing"
    with _temporary(here.scratch):
        for kind in order(sorted(ENDS)):
            report = here.fire(script(here, chance, kind))
            tally.counts["ordered pairs of endings"] += before != "nothing"
            if (report["outcome"], report["repairs"]) != ENDS[kind]:
                tally.faults.append(f"{kind} after {before}: {report['outcome']} {report['reason']}")
            before = kind
    return tally


def disks(folder: Path) -> Tally:
    """A disk that fills up, whole or nearly, at each moment of a cycle: one line or a commit, and the next commits."""
    tally, cache, walls = Tally(), firing.warmed(folder), shutil.which("bwrap")
    assert walls, "bubblewrap, which mounts the small disk, is not installed"
    for fill in [Fill(moment, left) for moment in ("start", *STEPS[:7], "commit") for left in LEFT]:
        here = firing.place(folder / f"disk-{fill.moment}-{fill.left}")
        (ended,) = firings(walls, here.made.config.parent, cache, [fill])
        told = ended.err if ended.status else ended.out
        wanted = "the disk is full; free some space" if ended.status else "committed "
        tally.counts[f"disks that filled up: {'told' if ended.status else 'room enough'}"] += 1
        if ended.status not in (0, 1) or wanted not in told or told.count("\n") != 1:
            tally.faults.append(f"{fill}: {ended.status} {told}")
        if ended.next_status or not ended.next_out.startswith("committed "):
            tally.faults.append(f"after {fill}: {ended.next_out}")
    return tally


def order(kinds: Sequence[str]) -> list[str]:
    """The shortest sequence in which each ordered pair stands once (de Bruijn's, from its Lyndon words)."""
    found = [one for at, kind in enumerate(kinds) for one in (kind, *(x for y in kinds[at + 1 :] for x in (kind, y)))]
    return [*found, found[0]]


def _once(here: firing.Place, chance: random.Random, tally: Tally, name: str) -> None:
    tip, play = here.tip, script(here, chance)
    for _ in range(chance.randint(1, 3)):
        how, hit = _kill(here, play, chance)
        tally.counts[f"killed at {how.split()[0]}" if hit else "ended before the kill"] += 1
        name += f"; {how}"
        if not hit:
            play = script(here, chance)
    report = here.fire(play)
    if report["outcome"] == "skipped":  # the breaker opened, as it should: a person closes it
        tally.counts["breakers closed by hand"] += 1
        _resume(here)
        report = here.fire(play)
    tally.counts["cycles"] += 1
    tally.counts[f"ended {report['outcome']} at {report['stage']}"] += 1
    strays = [path for path in here.scratch.iterdir() if path.name.startswith("plusone-")]
    tally.counts["git settings left where temporary files go"] += len(strays)
    for stray in strays:
        remove(stray)
    try:
        holds(here, tip)
        if chance.random() < GOOD:
            _resume(here)  # this failure may have been the third in a row
            here.goes_on(script(here, chance, "committed"))
            tally.counts["good firings that followed"] += 1
    except AssertionError as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        words = " ".join(str(error).split())[:500] or where.line
        tally.faults.append(f"{name}; {report['outcome']} {report['reason']}: {words}")


def _resume(here: firing.Place) -> None:
    """What a person does when the breaker has opened."""
    with here.journal() as journal:
        go_on(journal)


def script(here: firing.Place, chance: random.Random, kind: str = "") -> Path:
    """A file of its own for each cycle, since a cycle is finished only with the script it was begun with."""
    number = chance.randrange(10**9)
    slug, path = f"lamp-{number}", here.folder / f"play-{number}.json"
    claim = plays.submit(key=slug, routes=(f"/articles/{slug}",))
    unused = plays.replacing(plays.DOCSTRING, plays.DOCSTRING + "\nimport re\n")
    used = plays.replacing(plays.DOCSTRING + "\nimport re\n", plays.DOCSTRING)
    other = plays.replacing(f'"{slug}"', f'"{slug}-again"')
    path.write_text(
        json.dumps(
            {
                "committed": plays.play([plays.article(slug), claim], (plays.YES,)),
                "gate": plays.play([plays.article(slug), unused, claim], (plays.YES,), (used,)),
                "review": plays.play([plays.article(slug), claim], (plays.NO, plays.YES), (plays.bash(FIGURE),)),
                "stuck": plays.play([plays.article(slug), unused, claim], (), (plays.bash("true"),)),
                "guards": plays.play([plays.article(slug), other, claim]),
                "scope": plays.play([plays.bash("ln -s / src/lights/root"), claim]),
            }[kind or chance.choice(KINDS)]
        )
    )
    return path


def _kill(here: firing.Place, play: Path, chance: random.Random) -> tuple[str, bool]:
    """Kill one firing: what was done to it, in words, and whether it was still alive."""
    if chance.random() < 0.5:
        what = chance.choice(sorted(WHAT))
        moment = Moment(what, chance.choice(WHERE.get(what, ("",))), chance.randint(1, 2) if what in WHERE else 1)
        return f"moment: {moment.what} {moment.node} {moment.nth}", killed_or_ended(here, play, moment)
    seconds, whole = chance.uniform(0.0, LONGEST), chance.random() < 0.5
    how = f"{'tree' if whole else 'process'} after {seconds:.3f} s"
    return how, killed_after(here, play, seconds, whole)


def holds(here: firing.Place, tip: str) -> None:
    """Nothing is left, nothing was paid twice, and history, journal and ledger tell the same."""
    here.clean()
    with here.journal() as journal:
        runs = journal.runs(1000)
        calls = {run.cycle: journal.calls(run.cycle) for run in runs}
    pushed = firing.told_by(here.made.remote)
    assert len(set(pushed)) == len(pushed), "a cycle was pushed twice"
    assert {run.cycle for run in runs if run.outcome == "committed"} == set(pushed), "the journal and history differ"
    assert tip in git(here.made.remote, "log", "--format=%H", "main").split(), "history was rewritten"
    for run in runs:
        record = here.state.cycle(run.cycle) / "recording.jsonl"
        if record.exists():
            found = load(record)  # which refuses an exchange that stands twice
            assert found.end, f"the recording of {run.cycle} has no end"
            extra = [one for one in calls[run.cycle] if one.state == "open"]
            assert len(calls[run.cycle]) - len(extra) <= len(found.exchanges), f"{run.cycle} paid twice"
    known = [one.key for one in LedgerStore(here.state.ledger).list()] if here.state.ledger.exists() else []
    assert known == here.keys()[: len(known)], "the ledger and history differ"


@contextmanager
def _temporary(folder: Path) -> Iterator[None]:
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    yield
    tempfile.tempdir = before


def main(arguments: Sequence[str]) -> int:
    """`python -m tests.crash [COUNT] [SEED]`: pairs of endings, full disks, kills; print counts; 1 at a fault."""
    count = int(arguments[0]) if arguments else COUNT
    seed = int(arguments[1]) if len(arguments) > 1 else random.SystemRandom().randrange(10**6)
    print(f"{count} cycles, seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="crash-") as folder:
        tallies = (pairs(seed, Path(folder)), disks(Path(folder)), crash(count, seed, Path(folder)))
    print("\n".join(line for tally in tallies for line in tally.lines()))
    return int(any(tally.faults for tally in tallies))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
