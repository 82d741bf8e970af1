"""Owns the demo's stage: a bare remote, a checkout of it, and the configuration that watches both."""

from __future__ import annotations

import importlib.util
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from bot.errors import ConfigError
from bot.frozen import frozen
from bot.store.git import Identity, clone, found

_HERE = Path(__file__).parent
_BRANCH = "main"
_AGE = timedelta(hours=26)  # well beyond the quiet period of plusone.toml
_LEAVINGS = shutil.ignore_patterns("__pycache__", "*.pyc")  # an installer compiles what it installs


@frozen
class Stage:
    """Where the demo takes place. The state folder appears beside these three with the first run."""

    remote: Path
    checkout: Path
    config: Path


def stage(folder: Path, python: str, started: datetime, age: timedelta = _AGE) -> Stage:
    """Set the demo up in an empty or new folder; the site's only commit is `age` older than `started`.

    `python` is the site's interpreter, the running one by its unresolved path, for that is what makes it a virtual
    environment. Raises ConfigError where the site could not run, or where the folder holds something.
    """
    _require_babel()
    folder = room(folder)
    made = Stage(folder / "remote.git", folder / "checkout", folder / "plusone.toml")
    when = (started - age).isoformat(timespec="seconds")
    keeper = Identity("Harbour Lights", "web@harbour-lights.example", when)
    with _site(folder) as files:
        found(made.remote, files, "The website of the Harbour Lights society\n", keeper, _BRANCH)
    clone(str(made.remote), made.checkout, _BRANCH)
    made.config.write_text(configuration(python), encoding="utf-8")
    return made


def room(folder: Path) -> Path:
    """The absolute folder, made where there is none. Raises ConfigError where something is in it."""
    folder = folder.absolute()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder} is not an empty folder, so the demo leaves it alone: name a new one (--keep DIR)")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def configuration(python: str) -> str:
    """The text of plusone.toml with the interpreter filled in."""
    text = (_HERE / "plusone.toml").read_text(encoding="utf-8")
    return text.replace('"@python@"', json.dumps(python, ensure_ascii=False))  # a TOML basic string is spelt alike


def _require_babel() -> None:
    if importlib.util.find_spec("flask_babel") is None:
        raise ConfigError("the demo's site needs Flask-Babel, which is not installed: pip install 'plusone[demo]'")


@contextmanager
def _site(folder: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix=".site-", dir=folder) as scratch:
        yield shutil.copytree(_HERE / "site", Path(scratch, "site"), ignore=_LEAVINGS)
