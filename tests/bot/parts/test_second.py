"""A second cycle on an unchanged base finds everything in the cache; and a day that passed is no fault of a change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.base.cache import FolderCache
from bot.base.reader import SandboxReader
from bot.model import Claim
from bot.parts import (
    CataloguePart,
    CatalogueRules,
    Extractor,
    LintPart,
    RouteRules,
    RoutesPart,
    TestsPart,
    choose_ruff,
    doubt,
)
from bot.parts.tools import Tools
from bot.ports import GatePart
from gates import sweep
from gates.part import Part
from tests.support.catalogues import SITE
from tests.support.sites import PYTHON, Yard, site, yard

HERE = replace(site(sources=()), locales=("en", "fr"))
FLASK = SITE["app.py"] + "from flask import Flask\napp = Flask(__name__)\n@app.get('/')\ndef home(): return TITLE\n"
APP = FLASK.replace("import gettext as _", "import lazy_gettext as _").replace("return TITLE", "return 'lights'")


class Shut:
    """A sandbox, or exports, that nobody may use."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"base was worked on again: {name}")


def parts(tools: Tools, seed: int) -> Sequence[GatePart]:
    """Fresh parts, as the next process makes them."""
    return (
        LintPart(tools, choose_ruff(PYTHON)),
        CataloguePart(tools, Extractor(tools, HERE), CatalogueRules()),
        RoutesPart(tools, HERE, RouteRules(), Random(seed)),
        TestsPart(tools, HERE, ("python", "-c", "import app")),
    )


def test_a_second_cycle_does_no_base_work(tmp_path: Path) -> None:
    place = yard(tmp_path, {**SITE, "app.py": APP})
    first = [part.baseline(place.base) for part in parts(place.using(HERE), 1)]
    shut: Any = Shut()
    tools = replace(place.tools, sandbox=shut, exports=shut, cache=FolderCache(tmp_path / "cache"))
    reader = SandboxReader(place.store, shut, shut, tools.cache, HERE, "test")
    again = [part.baseline(place.base) for part in parts(replace(tools, reader=reader), 2)]
    assert again == first
    judged = [
        part.judge(place.ready(), place.snapshot({}, Claim("", "", "")))[1] for part in parts(place.using(HERE), 3)
    ]
    assert [(one.part, one.cached) for one in judged] == [(one.part, True) for one in first]


MANY = """
from flask import Flask
app = Flask(__name__)
@app.get("/")
def home(): return "".join(f"<a href=/lights/{n}/{k}>light {n}</a>" for n in range(3) for k in range(30))
FOOT = "<footer><p>Today is Monday</p></footer>"
"""
VIEWS = "".join(
    f'@app.get("/lights/{n}/<name>")\ndef light{n}(name): return f"<p>Light {{name}}</p>{{FOOT}}"\n' for n in range(3)
)


@pytest.fixture
def yesterday(tmp_path: Path) -> Yard:
    """A site of 91 pages whose base was swept on the day before."""
    place = yard(tmp_path, {"app.py": MANY + VIEWS})
    part = place.routes(site(sources=()))
    base, _ = part._base(place.base)
    pages = {
        key: replace(one, parts=tuple((_sunday(part), n) for part, n in one.parts)) for key, one in base.pages.items()
    }
    place.tools.cache.put(part._key(place.base), sweep.dump(replace(base, pages=pages)))
    return place


def _sunday(part: Part) -> Part:
    return part._replace(value=part.value.replace("Monday", "Sunday"))


def test_what_the_day_changed_on_every_page_is_asked_once_more_and_no_fault(
    yesterday: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, tuple[int, int]]] = []
    plain = doubt.again

    def counting(*given: Any) -> doubt.Doubt:
        asked.append((len(given[2]), given[4]))
        return plain(*given)

    monkeypatch.setattr(doubt, "again", counting)
    claim, where = Claim("", "", ""), site(sources=())
    assert yesterday.judged({"app.py": MANY + "# a note\n" + VIEWS}, claim, where)[0] == ()
    assert asked == [(60, doubt.THOROUGH), (30, doubt.ONCE)]
    broken = VIEWS.replace("<p>Light {name}</p>", "<p>Light {name if name < '25' else ''}</p>")
    found = yesterday.judged({"app.py": MANY + broken}, claim, where)[0]
    assert found and {one.code for one in found} == {"page-lost"}
    assert "Today" not in "".join(one.seen for one in found)
