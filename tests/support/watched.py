"""A very small site in a bare remote, with a checkout of it and a configuration that watches both."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.store.git import clone, found
from tests.support.repository import PERSON, git
from tests.support.sites import PYTHON, dedented

CONFIGURATION = """\
[site]
name = "lamp"
remote = "./remote.git"
checkout = "checkout"
app = "app"
path = ["."]
python = %(python)s

[cycle]
allow = ["*.py"]

[[addition]]
kind = "feature"
adds = { url_map = "1..2" }

[page]
pictures = "never"
%(more)s"""
APP = """
    from flask import Flask
    app = Flask(__name__)
    @app.get("/")
    def home(): return "<title>Lamp</title><h1>Lamp</h1><a href=/oil>Oil</a>"
    @app.get("/oil")
    def oil(): return "<title>Oil</title><h1>Oil</h1><a href=/>Lamp</a>"
"""


@dataclass(frozen=True)
class Watched:
    """The site's checkout, its configuration and where its state goes."""

    folder: Path

    @property
    def checkout(self) -> Path:
        """Where a person works."""
        return self.folder / "checkout"

    @property
    def options(self) -> list[str]:
        """What each command is told first."""
        return ["--config", str(self.folder / "plusone.toml"), "--state", str(self.folder / "state")]

    def commit(self, files: Mapping[str, str], branch: str = "") -> str:
        """A person commits in the checkout and pushes nothing; the commit's id."""
        if branch:
            git(self.checkout, "checkout", "-q", "-b", branch)
        for path, text in files.items():
            (self.checkout / path).write_text(dedented(text), "utf-8")
        git(self.checkout, "add", "--all")
        git(self.checkout, "commit", "-q", "-m", "By hand")
        return git(self.checkout, "rev-parse", "HEAD")


def watched(folder: Path, files: Mapping[str, str], more: str = "") -> Watched:
    """The site, founded and checked out; `more` is put at the end of its configuration."""
    plain = folder / "plain"
    plain.mkdir(parents=True)
    for path, text in {"app.py": APP, **files}.items():
        (plain / path).write_text(dedented(text), "utf-8")
    found(folder / "remote.git", plain, "Found the site", PERSON, "main")
    clone(str(folder / "remote.git"), folder / "checkout", "main")
    text = CONFIGURATION % {"python": json.dumps(PYTHON), "more": more}
    (folder / "plusone.toml").write_text(text, "utf-8")
    return Watched(folder)
