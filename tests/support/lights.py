"""What the demo's site holds and answers in one folder, found out by running it in an interpreter of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import bot.demo

TEMPLATE = Path(bot.demo.__file__).parent / "site"

_ASK = """
import json, logging, sys
from lights.app import create_app
from lights.content.articles import ARTICLES
from lights.content.projects import PROJECTS
logging.disable()
app = create_app()
rules = sorted(rule.rule for rule in app.url_map.iter_rules())
paths = [rule for rule in rules if "<" not in rule and "GET" in next(
    r.methods for r in app.url_map.iter_rules() if r.rule == rule)]
paths += ["/articles/" + a["slug"] for a in ARTICLES] + ["/projects/" + p.slug for p in PROJECTS]
pages = {}
for locale in ("en", "zh"):
    for path in paths:
        answer = app.test_client().get(path, headers={"Accept-Language": locale})
        pages[locale + " " + path] = [answer.status_code, answer.get_data(as_text=True)]
json.dump({"articles": [a["slug"] for a in ARTICLES], "projects": [p.slug for p in PROJECTS],
           "rules": rules, "pages": pages}, sys.stdout)
"""


@dataclass(frozen=True)
class Lights:
    """The site as it stands: its entries, its rules, and for each locale and path the status and the body."""

    articles: list[str]
    projects: list[str]
    rules: list[str]
    pages: dict[str, tuple[int, str]]

    @property
    def statuses(self) -> dict[str, int]:
        """The status of each page."""
        return {name: status for name, (status, _) in self.pages.items()}


def copy(folder: Path) -> Path:
    """The template as a new folder."""
    return shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns("__pycache__"))


def ask(folder: Path) -> Lights:
    """Boot the site of that folder and ask it for every page in both languages; its catalogue is compiled first."""
    catalogue = folder / "locales/zh/LC_MESSAGES/messages.po"
    with catalogue.open("rb") as source, catalogue.with_suffix(".mo").open("wb") as sink:
        write_mo(sink, read_po(source, locale="zh"))
    done = python(folder, "-c", _ASK)
    answer = json.loads(done)
    pages = {name: (status, body) for name, (status, body) in answer["pages"].items()}
    return Lights(answer["articles"], answer["projects"], answer["rules"], pages)


def python(folder: Path, *arguments: str) -> str:
    """Run the interpreter in the folder with the site on its path; what it printed."""
    environment = {**os.environ, "PYTHONPATH": "src", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout[-800:] + done.stderr[-800:]
    return done.stdout


def violations(folder: Path) -> Counter[tuple[str, str]]:
    """How often each lint rule is violated in each file."""
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format=json", "--exit-zero", "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=True)
    found = json.loads(done.stdout)
    return Counter((str(Path(one["filename"]).relative_to(folder)), one["code"]) for one in found)
