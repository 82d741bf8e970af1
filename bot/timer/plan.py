"""The units of one site as text, made from the templates in `deploy`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Literal

from bot.errors import ConfigError
from bot.frozen import frozen
from bot.settings import Settings
from bot.settings.values import is_url
from bot.timer.deadline import deadline

MARK = "# Written by `plusone timer install`"
STATE = Path("/var/lib/plusone")
Manager = Literal["system", "user"]
_CREDENTIAL = "anthropic-api-key"
_BLANK = re.compile(r"@([a-z]+)@")


@frozen
class Plan:
    """What is to be installed: unit texts by file name, for one manager."""

    name: str
    manager: Manager
    units: Mapping[str, str]

    @property
    def timer(self) -> str:
        """The unit that is switched on."""
        return f"{self.name}.timer"


def planned(settings: Settings, program: Path, manager: Manager = "system", user: str = "plusone") -> Plan:
    """The service, the timer and the failure unit. `user` is whom the system's manager runs the service as.

    Raises ConfigError for a path that a unit cannot hold, and for the administrator as user.
    """
    if manager == "system" and user in ("root", "0"):
        raise ConfigError("--user root: a cycle never runs as the administrator; name an ordinary user")
    name = f"plusone-{settings.site.name}"
    blanks = {
        "site": literal(settings.site.name),
        "name": name,
        "program": quoted(program, variables=False),
        "config": quoted(settings.file),
        "timeout": f"{deadline(settings).systemd // 60}min",
        "calendar": settings.timer.calendar,
        "jitter": f"{int(settings.timer.jitter.total_seconds())}s",
    }
    rules = _system(settings, user) if manager == "system" else ()
    service = {
        **blanks,
        "more": "\n".join((f"MemoryMax={3 * settings.sandbox.memory}", *rules, *_key(settings, manager))),
    }
    texts = {
        f"{name}.service": filled("plusone.service", service),
        f"{name}.timer": filled("plusone.timer", blanks),
        f"{name}-failure.service": filled("plusone-failure.service", {**blanks, "more": "\n".join(rules)}),
    }
    return Plan(name, manager, texts)


def _system(settings: Settings, user: str) -> tuple[str, ...]:
    """What the system's manager shuts off, and the few places that stay writable."""
    text = filled("plusone-system.conf", {"user": literal(user)}).splitlines()
    state = settings.state_dir
    lines = [line for line in text if state is None or not line.startswith("StateDirectory")]
    return (*lines, *(f"ReadWritePaths={quoted(path, variables=False)}" for path in _written(settings)))


def _written(settings: Settings) -> tuple[Path, ...]:
    """The state, the page, the live checkout and a remote on this machine, each where it is configured."""
    remote = settings.remote
    local = Path(remote) if not is_url(remote) and "/" in remote else None
    places = (settings.state_dir, settings.page_folder, settings.checkout, local)
    return tuple(path.resolve() for path in places if path is not None)


def _key(settings: Settings, manager: Manager) -> tuple[str, ...]:
    """The system's manager reads the key as the administrator, so that the service's user need not be able to."""
    file = settings.api_key_file
    return (f"LoadCredential={_CREDENTIAL}:{_plain(file.absolute())}",) if file and manager == "system" else ()


def filled(template: str, blanks: Mapping[str, str]) -> str:
    """A template of `deploy` with every `@blank@` filled, in one pass."""
    text = resources.files("deploy").joinpath(template).read_text("utf-8")
    return _BLANK.sub(lambda found: blanks[found[1]], text)


def quoted(path: Path, *, variables: bool = True) -> str:
    """A path as a word of a unit: nothing in it is a specifier, a variable or a blank. Raises ConfigError.

    `variables` is for a command's arguments: in no other place does systemd read `$$` as a dollar.
    """
    text = _plain(path).replace("\\", "\\\\").replace('"', '\\"')
    text = text.replace("$", "$$") if variables else text
    return f'"{text}"' if any(one in text for one in " '\"\\;") else text


def literal(text: str) -> str:
    """A text in which systemd sees no specifier."""
    return text.replace("%", "%%")


def _plain(path: Path) -> str:
    text = str(path)
    if not text.isprintable():
        raise ConfigError(f"{text!r}: a unit cannot hold this path; move the file to one of plain characters")
    return literal(text)
