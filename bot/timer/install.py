"""Putting units in their place and switching them on, and taking them away again; only files of ours are touched."""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator
from pathlib import Path

from bot.errors import CommandFailed, ConfigError
from bot.lines import one_line
from bot.machine.process import Command, run
from bot.timer.plan import MARK, Manager, Plan

SYSTEMCTL = "/usr/bin/systemctl"


def write(plan: Plan, folder: Path) -> tuple[Path, ...]:
    """Write the units, whole or not at all. Raises ConfigError for a file that somebody else wrote."""
    paths = {folder / name: text for name, text in plan.units.items()}
    for path in paths:
        _ours(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in paths.items():
            draft = path.with_name(f".{path.name}.new")
            draft.write_text(text, "utf-8")
            draft.chmod(0o644)
            draft.replace(path)
    except OSError as error:
        raise ConfigError(f"{folder} cannot be written ({error.strerror}); be root, or use --user-units") from error
    return tuple(paths)


def remove(plan: Plan, folder: Path) -> tuple[Path, ...]:
    """Remove the units that are there. Raises ConfigError as `write` does."""
    paths = tuple(folder / name for name in plan.units if (folder / name).exists())
    for path in paths:
        _ours(path)
    try:
        for path in paths:
            path.unlink()
    except OSError as error:
        raise ConfigError(f"{folder} cannot be written ({error.strerror}); be root, or use --user-units") from error
    return paths


def switching_on(plan: Plan) -> Iterator[tuple[str, ...]]:
    """The commands that make the manager read the units and start the timer."""
    yield control(plan.manager, "daemon-reload")
    yield control(plan.manager, "enable", "--now", plan.timer)


def switching_off(plan: Plan) -> Iterator[tuple[str, ...]]:
    """The command that stops the timer; a cycle that runs is left to end."""
    yield control(plan.manager, "disable", "--now", plan.timer)


def control(manager: Manager, *words: str) -> tuple[str, ...]:
    """A command to the manager."""
    return (SYSTEMCTL, *(("--user",) if manager == "user" else ()), *words)


def carry_out(command: tuple[str, ...], runtime: str) -> bytes:
    """Run it; `runtime` is the user's runtime folder, through which their manager is reached. Raises CommandFailed."""
    env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **({"XDG_RUNTIME_DIR": runtime} if runtime else {})}
    ran = run(Command(command, env), seconds=60)
    if ran.status or ran.ended != "exit":
        said = one_line(ran.stderr.decode("utf-8", "replace"))[-300:]
        raise CommandFailed(f"{' '.join(command)} exited {ran.status}: {said}")
    return ran.stdout


def known_user(name: str) -> None:
    """Raises ConfigError where the machine has no such user."""
    try:
        pwd.getpwnam(name)
    except KeyError:
        advice = f"useradd --system --home-dir /var/lib/plusone --shell /usr/sbin/nologin {name}"
        raise ConfigError(f"--user {one_line(name)}: there is no such user; make it: {advice}") from None


def _ours(path: Path) -> None:
    if path.is_symlink() or (path.exists() and not _marked(path)):
        raise ConfigError(f"{path} was not written by `plusone timer install`, so it is left alone; move it away first")


def _marked(path: Path) -> bool:
    return os.access(path, os.R_OK) and path.read_text("utf-8", "replace").startswith(MARK)
