"""The ledger: every key that the history added, and the ideas that were turned down; a file beside the journal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from ledger import file
from ledger.contents import Added, Contents, Log, Rejected

FADING = timedelta(days=7)  # how long an idea is left alone that only met bad luck


class LedgerStore:
    """One site's ledger. Every method raises LedgerError where the file is damaged; it never reads as empty."""

    def __init__(self, path: Path, configured: tuple[str, ...] = ()) -> None:
        """`configured` are keys that were known before Plusone came."""
        self._path, self.configured = path, configured

    @property
    def folder(self) -> Path:
        """Where the file lies, or will."""
        return self._path.parent

    @property
    def exists(self) -> bool:
        """Whether there is a file; without one nothing was learnt yet, or it was taken away."""
        return self._path.exists()

    def rebuild(self, log: Log, tip: str) -> None:
        """Read the history anew, oldest first as (commit, date, message), unless `tip` is what was read last."""
        file.change(self._path, lambda held: held if held.tip == tip else held.read_to(tip, log))

    def remember(self, ideas: Iterable[Rejected]) -> None:
        """Note ideas that were turned down; a cycle that is told again, after a crash, counts once."""
        if new := tuple(ideas):
            file.change(self._path, lambda held: held.told(new))

    def renew(self, log: Log, tip: str, ideas: Iterable[Rejected]) -> None:
        """Make the file again from the history and the journal alone, whatever it held."""
        file.write(self._path, contents(log, tip, ideas))

    def contents(self) -> Contents:
        """All that the file holds."""
        return file.read(self._path)

    def same_bytes(self, other: LedgerStore) -> bool:
        """Whether both files are the very same bytes."""
        return self._path.read_bytes() == other._path.read_bytes()

    def tip(self) -> str:
        """The commit up to which the history was read last; empty where it never was."""
        return self.contents().tip

    def list(self) -> tuple[Added, ...]:
        """What the history added, oldest first."""
        return self.contents().added

    def rejected(self, limit: int | None = None, now: datetime | None = None) -> tuple[Rejected, ...]:
        """The newest rejected ideas, newest first; with `now`, those that have not faded."""
        return tuple(one for one in reversed(self.contents().rejected) if not faded(one, now))[:limit]

    def known(self, now: datetime | None = None, gone: Collection[str] = ()) -> Mapping[str, str]:
        """Every known key with how it is known, for people; `gone` are keys that the site holds no longer, beside those
        that the history took back.

        First what was configured, then what is gone, then what was committed, the newest first, then what was rejected.
        """
        held = self.contents()
        found = dict.fromkeys(self.configured, "known before, by [ledger] known")
        newest, lost = held.added[::-1], {*gone, *held.removed}
        for one in (*(one for one in newest if one.key in lost), *newest):
            since = ", and removed since" if one.key in lost else ""
            found.setdefault(one.key, f"committed in {one.commit[:10]} on {one.when[:10]}{since}")
        for idea in reversed(held.rejected):
            for key in idea.keys if not faded(idea, now) else ():
                found.setdefault(key, f"rejected on {idea.when[:10]} in {idea.cycle}: {idea.reason}")
        return found

    def set_aside(self) -> Path:
        """Move the file out of the way, for a rebuild after damage; where it lies now.

        A transaction that a crash cut short goes with it, or SQLite would roll it back into the next file.
        """
        aside = self._path.with_name(self._path.name + ".damaged")
        for part in ("-journal", ""):
            with suppress(FileNotFoundError):
                Path(f"{self._path}{part}").replace(f"{aside}{part}")
        return aside


def contents(log: Log, tip: str, ideas: Iterable[Rejected]) -> Contents:
    """What the history and the journal say."""
    return Contents().read_to(tip, log).told(ideas)


def faded(idea: Rejected, now: datetime | None) -> bool:
    """Whether bad luck is long enough ago that the idea may be had again."""
    return idea.fades and now is not None and now - datetime.fromisoformat(idea.when) > FADING
