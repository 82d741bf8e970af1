"""A site nobody here wrote: the sources of the installed httpbin as a repository, set up for a cycle."""

from __future__ import annotations

import json
import shutil
import tempfile
from datetime import datetime, timedelta
from pathlib import Path

from bot.demo import Stage
from bot.store.git import Identity, clone, found

ROOT = Path(__file__).parents[2]
ENVIRONMENT = ROOT / ".sites" / "httpbin"
SCRIPTS = ROOT / "tests" / "httpbin"
COMMITTED, RENAMED, BROKEN = (SCRIPTS / f"{name}.json" for name in ("committed", "renamed", "broken"))

# No locales: httpbin speaks one language. Its delaying endpoints answer within five seconds as they are linked.
CONFIGURATION = """\
[site]
name = "httpbin"
remote = "./remote.git"
checkout = "checkout"
app = "httpbin.core:app"
path = ["src"]
python = %(python)s

[cycle]
allow = ["src/httpbin/**"]

[[addition]]
kind = "feature"
adds = { url_map = "1..2" }

[state]
dir = "state"

[page]
pictures = "never"
"""


def site_python() -> Path:
    """The interpreter of httpbin's own environment, its link kept."""
    python = ENVIRONMENT / "bin" / "python"
    assert python.exists(), f"{python} is missing: run `make sites` (it needs the network, once)"
    return python


def sources() -> Path:
    """The installed package."""
    (package,) = site_python().parents[1].glob("lib/python3*/site-packages/httpbin")
    return package


def stage(folder: Path, started: datetime, age: timedelta = timedelta(days=2)) -> Stage:
    """A bare remote that holds the sources under `src/`, a checkout, and the configuration beside them."""
    made = Stage(folder / "remote.git", folder / "checkout", folder / "plusone.toml")
    folder.mkdir(parents=True, exist_ok=True)
    keeper = Identity("A stranger", "stranger@example.org", (started - age).isoformat(timespec="seconds"))
    with tempfile.TemporaryDirectory() as scratch:
        copy(Path(scratch))
        found(made.remote, Path(scratch), "httpbin as it was published\n", keeper, "main")
    clone(str(made.remote), made.checkout, "main")
    made.config.write_text(CONFIGURATION % {"python": json.dumps(str(site_python()))}, encoding="utf-8")
    return made


def copy(folder: Path) -> None:
    """Put the sources under `src/httpbin/` of the folder."""
    shutil.copytree(sources(), folder / "src" / "httpbin", ignore=shutil.ignore_patterns("__pycache__"))
