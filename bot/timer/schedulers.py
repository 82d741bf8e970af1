"""Who starts cycles of a site on this machine: timers of systemd and lines of cron, found by reading files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from bot.frozen import frozen
from bot.timer.unit import Unit, read_unit, words

_SYSTEM = (
    *("etc/systemd/system", "run/systemd/system", "usr/local/lib/systemd/system", "usr/lib/systemd/system"),
    "lib/systemd/system",
)
_USERS = ("etc/systemd/user", "run/systemd/user", "usr/local/lib/systemd/user", "usr/lib/systemd/user")
_CRON = ("etc/cron.d", "var/spool/cron/crontabs", "var/spool/cron")


@frozen
class Machine:
    """Where to look: the root of the file system, and the user's home and configuration folder."""

    root: Path
    config_home: Path

    @property
    def user_units(self) -> Path:
        """Where a user's own units lie."""
        return self.config_home / "systemd/user"

    @property
    def system_units(self) -> Path:
        """Where the administrator's units lie."""
        return self.root / _SYSTEM[0]

    @property
    def systemd(self) -> bool:
        """Whether systemd is running here."""
        return (self.root / "run/systemd/system").is_dir()


@frozen
class Scheduler:
    """Something that starts a site's cycles. `where` is a file (and a line), `service` the unit of a timer."""

    kind: Literal["system", "user", "cron"]
    where: str
    service: Unit | None = None
    timer: Unit | None = None


def schedulers(machine: Machine, config: Path) -> tuple[Scheduler, ...]:
    """All that start cycles of the site with that configuration file."""
    return (*_timers(machine, config), *_lines(machine, config))


def _timers(machine: Machine, config: Path) -> Iterator[Scheduler]:
    for kind, folders in (
        ("system", [machine.root / name for name in _SYSTEM]),
        ("user", [machine.user_units, *(machine.root / name for name in _USERS)]),
    ):
        units = {unit.name: unit for folder in reversed(folders) for unit in _units(folder, folders)}
        for name, unit in sorted(units.items()):
            service = units.get(unit.last("Timer", "Unit") or name.removesuffix(".timer") + ".service")
            if name.endswith(".timer") and service and any(starts(one, config) for one in service.commands):
                yield Scheduler("system" if kind == "system" else "user", str(unit.path), service, unit)


def _units(folder: Path, folders: Sequence[Path]) -> Iterator[Unit]:
    for path in (*folder.glob("*.service"), *folder.glob("*.timer")):
        with suppress(OSError):
            yield read_unit(path, folders)


def _lines(machine: Machine, config: Path) -> Iterator[Scheduler]:
    files = [
        machine.root / "etc/crontab",
        *(file for name in _CRON for file in sorted((machine.root / name).glob("*"))),
    ]
    for file in files:
        with suppress(OSError):
            for number, line in enumerate(file.read_text("utf-8", "replace").splitlines(), 1):
                if not line.lstrip().startswith("#") and starts(words(line.replace("\\%", "%")), config):
                    yield Scheduler("cron", f"{file}:{number}")


def starts(command: tuple[str, ...], config: Path) -> bool:
    """Whether the words run a cycle of that configuration; a command that names none is taken for one of it."""
    program = next((at for at, word in enumerate(command) if Path(word).name == "plusone"), None)
    if program is None or "run" not in command[program:]:
        return False
    named = [command[at + 1] for at, word in enumerate(command[:-1]) if word == "--config"]
    named += [word.removeprefix("--config=") for word in command if word.startswith("--config=")]
    return not named or Path(named[0]).resolve() == config.resolve()
