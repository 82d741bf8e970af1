"""Where one site's state lies: the lock, the databases, the store, the cache and a folder for each cycle."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from bot.errors import ConfigError
from bot.frozen import frozen
from bot.lines import one_line

_CYCLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,63}")


@frozen
class Folders:
    """The state folder of one site; nothing is made before `create` or `make_cycle`."""

    root: Path

    @classmethod
    def of(cls, state: Path, site: str) -> Folders:
        """The folder of the site of that name below the state folder that all sites share."""
        return cls(state.absolute() / site)

    @property
    def lock(self) -> Path:
        """The file that a running cycle holds."""
        return self.root / "lock"

    @property
    def journal(self) -> Path:
        """The database of runs."""
        return self.root / "journal.db"

    @property
    def ledger(self) -> Path:
        """The database of what is known."""
        return self.root / "ledger.db"

    @property
    def store(self) -> Path:
        """The bare repository."""
        return self.root / "store.git"

    @property
    def cache(self) -> Path:
        """Results for base, which can be made anew."""
        return self.root / "cache"

    @property
    def scratch(self) -> Path:
        """The folder of exports and other drafts; what lies there while no cycle runs is rubbish."""
        return self.root / "scratch"

    @property
    def cycles(self) -> Path:
        """The folder of all cycles' folders."""
        return self.root / "cycles"

    @property
    def pages(self) -> Path:
        """The status page as files, where the configuration names no other folder."""
        return self.root / "pages"

    @property
    def examined(self) -> Path:
        """What the last examination by `plusone doctor` found."""
        return self.root / "doctor.json"

    def pictures(self, name: str) -> Path:
        """The album of one cycle, if one was made. Raises ConfigError as `cycle` does."""
        return self.cycle(name) / "pictures"

    def cycle(self, name: str) -> Path:
        """The folder of one cycle. Raises ConfigError for what cannot be a cycle's id."""
        if not _CYCLE.fullmatch(name):
            raise ConfigError(f"{one_line(name)!r} is no cycle id; `plusone runs` lists them")
        return self.cycles / name

    def create(self) -> None:
        """Make what is missing, private to us. Raises ConfigError where nothing can be written."""
        self._make(self.root, self.cache, self.cycles, self.scratch)

    def make_cycle(self, name: str) -> Path:
        """Make the folder of one cycle, or find it made. Raises ConfigError as `create` does."""
        folder = self.cycle(name)
        self._make(folder)
        return folder

    def _make(self, *folders: Path) -> None:
        folder = self.root
        try:
            for folder in folders:
                folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                if not folder.is_dir():
                    folder.mkdir(mode=0o700)
            folder = self.root
            with tempfile.TemporaryFile(dir=folder):
                pass
        except FileExistsError as error:
            where = one_line(str(error.filename))
            raise ConfigError(
                f"{where}: cannot keep state here: it is no folder; move it away, or choose another one with --state"
            ) from None
        except OSError as error:
            where = one_line(str(folder))
            why = error.strerror or type(error).__name__
            raise ConfigError(f"{where}: cannot keep state here: {why}; choose another folder with --state") from None
