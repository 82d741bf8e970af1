"""The demo's site in a folder of its own, fired at in this process, and what must hold after every ending."""

from __future__ import annotations

import fcntl
import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.agents.client import ADDRESS
from bot.agents.models import ModelChoice
from bot.codec import decode, encode
from bot.demo import Stage, stage
from bot.errors import PlusoneError
from bot.firing.start import Order, fire
from bot.folders import Folders
from bot.journal import Journal
from bot.machine.clock import SystemClock
from bot.machine.environment import Environment
from bot.settings import Settings, load
from bot.store.git import Identity, commit_files
from bot.telling.report import Report
from ledger.store import LedgerStore
from ledger.trailers import parse
from tests.support.plays import Play, shipped
from tests.support.repository import branch_of, git
from tests.support.traces import leavings, photograph, survivors

AGE = timedelta(hours=26)
SOON = ('quiet_period = "3h"', 'quiet_period = "0s"')  # so that one cycle may follow another at once


@dataclass
class Place:
    """A staged site below `folder`, with its state, and the folder that temporary files go to."""

    folder: Path
    made: Stage
    environment: Environment
    address: str = ADDRESS
    told: list[Report] = field(default_factory=list)

    @property
    def settings(self) -> Settings:
        """What the configuration says now."""
        return load(self.made.config)

    @property
    def state(self) -> Folders:
        """Where the site's state lies."""
        return Folders.of(self.environment.state, self.settings.site.name)

    @property
    def tip(self) -> str:
        """The commit that the remote is at."""
        return branch_of(self.made.remote)

    @property
    def scratch(self) -> Path:
        """Where temporary files go."""
        return self.folder / "tmp"

    def edit(self, *changes: tuple[str, str]) -> None:
        """Change the text of plusone.toml; each old text must stand there."""
        text = self.made.config.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new, 1)
        self.made.config.write_text(text, encoding="utf-8")

    def choice(self, script: Play | Path | str) -> ModelChoice:
        """The model that follows a script: a play, a file, or the name of an ending of the demo."""
        if isinstance(script, str):
            return ModelChoice("anthropic") if script == "anthropic" else ModelChoice("script", shipped(script))
        if isinstance(script, Path):
            return ModelChoice("script", script)
        path = self.folder / "play.json"
        path.write_text(json.dumps(script), encoding="utf-8")
        return ModelChoice("script", path)

    def order(self, script: Play | Path | str = "committed", dry_run: bool = False) -> Order:
        """What `plusone run` would be asked for."""
        return Order(
            self.settings, self.state, self.environment, self.choice(script), dry_run, self.told.append, self.address
        )

    def fire(self, script: Play | Path | str = "committed", dry_run: bool = False) -> Report:
        """One firing; where it breaks, the report that was told of it."""
        before = len(self.told)
        try:
            report = fire(self.order(script, dry_run))
        except PlusoneError as error:
            assert len(self.told) == before + 1, f"nothing was told of {error!r}"
            assert self.told[-1]["exit_code"] == error.exit_code
            return self.told[-1]
        assert self.told[before:] == [report]
        return report

    @contextmanager
    def journal(self) -> Iterator[Journal]:
        """The journal, to look at."""
        journal = Journal(self.state.journal, SystemClock(), encode, decode)
        try:
            yield journal
        finally:
            journal.shut()

    def keys(self) -> list[str]:
        """The ledger keys that the history of the remote tells of, oldest first."""
        messages = git(self.made.remote, "log", "--reverse", "--format=%B%x00", "main").split("\0")
        return [key for message in messages for key in parse(message.strip()).adds]

    def human(self, files: Mapping[str, bytes | None], message: str = "By hand") -> str:
        """A person pushes; the commit, which is as old as the site."""
        when = (datetime.now(UTC) - AGE).isoformat(timespec="seconds")
        return commit_files(self.made.remote, "main", files, message, Identity("A Person", "p@example.org", when))

    @contextmanager
    def unmoved(self) -> Iterator[None]:
        """Inside, the remote and the checkout stay as they are, and nothing is left behind."""
        tip, before = self.tip, photograph(self.made.checkout)
        yield
        assert self.tip == tip
        assert photograph(self.made.checkout) == before
        self.clean()

    def clean(self) -> None:
        """No process, no work folder, no scratch file, and no run without an end."""
        left = survivors()
        assert not left, f"left running: {left}"
        assert leavings(self.environment.state, self.scratch) == []
        if self.state.journal.exists():
            with self.journal() as journal:
                assert journal.open_runs() == ()

    def landed(self, report: Report, base: str) -> None:
        """Exactly one commit on `base`: the judged tree, its trailers, and the checkout moved along to it."""
        assert (report["outcome"], report["stage"], report["exit_code"]) == ("committed", "commit", 0), report["reason"]
        tip, tree, parents, message = git(self.made.remote, "log", "-1", "--format=%H%n%T%n%P%n%B", "main").split(
            "\n", 3
        )
        assert (tip, tree, parents) == (report["commit"], report["tree"], base)
        trailers = parse(message)
        assert trailers.cycle == report["cycle"] and trailers.adds and "Plusone-Judged: " in message
        assert git(self.made.checkout, "rev-parse", "HEAD") == tip
        assert git(self.made.checkout, "status", "--porcelain") == ""
        self.clean()

    def goes_on(self, script: Play | Path | str = "committed-feature") -> Report:
        """One good firing commits, whatever came before it; the ledger then knows what the history holds."""
        base = self.tip
        report = self.fire(script)
        self.landed(report, base)
        ledger = LedgerStore(self.state.ledger, self.settings.ledger.known)
        assert [one.key for one in ledger.list()] == self.keys()
        return report


def place(
    folder: Path, cache: Path | None = None, age: timedelta = AGE, edits: tuple[tuple[str, str], ...] = ()
) -> Place:
    """A new site whose one commit is `age` old; with the results for base that `cache` holds."""
    made = stage(folder / "site", sys.executable, datetime.now(UTC).replace(microsecond=0), age)
    here = Place(folder, made, Environment(state=folder / "site" / "state", key="sk-none-of-yours"))
    here.scratch.mkdir(exist_ok=True)
    here.edit(SOON, *edits)
    if cache is not None:
        shutil.copytree(cache, here.state.cache)
    return here


def warmed(shared: Path) -> Path:
    """A cache that holds what is measured of the demo's base and of the two additions that most cycles of the suite
    make, one after the other and each alone; made once, whoever of several processes comes first."""
    ready = shared / "warmed"
    with (shared / "warmed.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            draft = place(shared / "warming")
            for dry in (True, False):
                for play in ("committed", "committed-feature"):
                    assert draft.fire(play, dry_run=dry)["outcome"] == ("reverted" if dry else "committed")
            shutil.copytree(draft.state.cache, shared / "draft")
            (shared / "draft").rename(ready)
    return ready


def told_by(remote: Path) -> list[str]:
    """The cycles that the history of a remote tells of, newest first; a lost push is not among them."""
    messages = git(remote, "log", "--format=%B%x00", "main").split("\0")
    return [found for message in messages if (found := parse(message.strip()).cycle)]
