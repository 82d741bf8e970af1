"""What systemd's own checker says of the units."""

from __future__ import annotations

import os
from collections.abc import Mapping

from bot.errors import ConfigError
from bot.frozen import frozen
from bot.lines import one_line
from bot.machine.drafts import draft
from bot.machine.process import Command, run
from bot.model import Ran
from bot.timer.plan import Manager

ANALYZE = "/usr/bin/systemd-analyze"
_ENV = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SYSTEMD_COLORS": "0"}


@frozen
class Verified:
    """Each complaint, and the exposure of the service as systemd tells it (empty where it says nothing)."""

    complaints: tuple[str, ...]
    exposure: str


def verify(units: Mapping[str, str], manager: Manager, program: str = ANALYZE) -> Verified:
    """Any message is a complaint, since the checker's exit status forgives. Raises ConfigError where it is missing."""
    if not os.access(program, os.X_OK):
        raise ConfigError(f"{program} is missing, so the units cannot be checked; apt-get install systemd")
    with draft("plusone-units") as folder:
        for name, text in units.items():
            (folder / name).write_text(text, "utf-8")
        paths = tuple(str(folder / name) for name in units)
        user = ("--user",) if manager == "user" else ()
        runtime = {"XDG_RUNTIME_DIR": str(folder), "HOME": str(folder)} if user else {}
        checked = run(Command((program, "verify", "--man=no", *user, *paths), _ENV | runtime))
        service = next(path for path in paths if path.endswith(".service"))
        scored = run(Command((program, "security", "--offline=true", "--no-pager", service), _ENV))
    said = tuple(one_line(line.replace(f"{folder}/", "")) for line in _lines(checked.stderr + checked.stdout))
    if checked.status and not said:
        said = (f"systemd-analyze verify exited {checked.status}",)
    return Verified(said, _exposure(scored))


def _exposure(scored: Ran) -> str:
    lines = [line for line in _lines(scored.stdout) if "Overall exposure level" in line]
    words = lines[-1].rpartition(": ")[2].split()[:2] if lines else []
    return " ".join(words)


def _lines(printed: bytes) -> list[str]:
    return [line.strip() for line in printed.decode("utf-8", "replace").splitlines() if line.strip()]
