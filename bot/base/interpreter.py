"""Finds the site's own interpreter, and what the sandbox must show for it, by reading: it is never run out here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from bot.errors import ConfigError
from bot.frozen import frozen

LINKS = 40  # as many as the kernel follows


@frozen
class Interpreter:
    """A Python: its absolute path as configured, the host paths to show read-only, its version if that is written."""

    python: str
    read: tuple[str, ...]
    version: str | None


def locate(python: str, checkout: Path) -> Interpreter:
    """The interpreter at that path, relative to the checkout. Raises ConfigError for `site.python` and what next."""
    start = Path(os.path.abspath(checkout / python))  # noqa: PTH100 - resolving links would lose the environment
    try:
        return _located(start)
    except PermissionError as error:
        raise ConfigError(
            f"site.python: {start} needs {error.filename}, which this user may not read; "
            "make the environment with an interpreter that is open to every user, or name another"
        ) from error


def _located(start: Path) -> Interpreter:
    chain = list(_chain(start))
    _check(start, chain[-1])
    homes = [root for link in chain if (root := _environment(link)) is not None]
    bases = [base for link in (*chain, *_homes(homes)) if (base := _base(link)) is not None]
    roots = [*homes, *bases]
    alone = [link for link in chain if not any(link.is_relative_to(root) for root in roots)]
    shown = dict.fromkeys(str(path) for path in (*_both(roots), *alone) if not _always_shown(path))
    return Interpreter(str(start), tuple(shown), _version(homes, bases))


def _chain(link: Path) -> Iterator[Path]:
    """The path, and each that its links lead to, one step at a time."""
    for _ in range(LINKS):
        yield link
        if not link.is_symlink():
            return
        link = Path(os.path.normpath(link.parent / link.readlink()))
    raise ConfigError(f"site.python: {link} leads in circles; name the interpreter itself")


def _check(start: Path, last: Path) -> None:
    if not last.is_file():
        missing = start if start == last else f"{start} leads to {last}, which"
        raise ConfigError(
            f"site.python: {missing} is not there; make the environment (python3 -m venv), or name another interpreter"
        )
    if not os.access(last, os.X_OK):
        raise ConfigError(f"site.python: {last} may not be executed; chmod a+x it, or name another interpreter")
    with last.open("rb") as file:
        if file.read(2) == b"#!":
            raise ConfigError(f"site.python: {last} is a script; name the interpreter that it starts")


def _environment(link: Path) -> Path | None:
    """The virtual environment in which this interpreter stands."""
    root = link.parent.parent
    return root if (root / "pyvenv.cfg").is_file() else None


def _homes(environments: list[Path]) -> Iterator[Path]:
    """The base interpreters that environments name as their home."""
    for root in environments:
        if home := _settings(root).get("home"):
            yield Path(home, "python3")


def _base(link: Path) -> Path | None:
    """The installation in which this interpreter stands, known by its standard library: a bin folder alone is none."""
    root = link.parent.parent
    return root if any(root.glob("lib*/python3*/os.py")) else None


def _always_shown(path: Path) -> bool:
    """Whether it is part of the system's own programs, by whichever name: `/bin` is `/usr/bin`."""
    return path == Path("/") or (path.parent.resolve() / path.name).is_relative_to("/usr")


def _both(roots: list[Path]) -> Iterator[Path]:
    """Each root under the name that links use, and under its real one."""
    for root in roots:
        yield root
        yield root.resolve()


def _version(environments: list[Path], bases: list[Path]) -> str | None:
    for settings in map(_settings, environments):
        if version := settings.get("version") or settings.get("version_info"):
            return version
    libraries = [path.parent.name for base in bases for path in base.glob("lib*/python3*/os.py")]
    return libraries[0].removeprefix("python") if libraries else None


def _settings(environment: Path) -> dict[str, str]:
    lines = (environment / "pyvenv.cfg").read_text("utf-8", "replace").splitlines()
    pairs = (line.split("=", 1) for line in lines if "=" in line)
    return {name.strip().lower(): value.strip() for name, value in pairs}
