"""What Python, pytest and Babel start by themselves runs in the sandbox alone, and changes no verdict."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.model import Claim
from bot.parts import CataloguePart, CatalogueRules, Extractor, TestsPart
from bot.ports import GatePart
from tests.support.sites import HOME, Yard, site, yard

CLAIM = Claim("feature", "tides", "Adds tides.", routes=("/tides",))
TIDES = '@app.get("/tides")\ndef tides(): return "<title>Tides</title><h1>Tides</h1><p>At noon.</p>"\n'
MAPPING = "[python: **.py]\n[extractors]\nown = own:extract\n[own: **.own]\n"
TRAP = "import pathlib\ntry: pathlib.Path({mark!r}).write_text('ran')\nexcept OSError: pass\n"
EXTRACT = "def extract(fileobj, keywords, tags, options):\n    yield 1, '_', 'Own', []\n"
PO = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'


@pytest.fixture
def outside() -> Iterator[Path]:
    """A folder of the host in which everybody may write, so that only the walls keep the traps from it."""
    folder = Path("/tmp", f"plusone-inside-{uuid.uuid4().hex}")
    folder.mkdir()
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


def trapped(outside: Path, folder: Path) -> Yard:
    """A site in which everything that could run by itself leaves a mark."""
    traps = ("src/sitecustomize.py", "sitecustomize.py", "usercustomize.py", "lib/json.py", "conftest.py", "own.py")
    files = {path: TRAP.format(mark=str(outside / path.replace("/", "-"))) for path in traps}
    files["lib/json.py"] += "raise RuntimeError('this is no json')\n"
    files["own.py"] += EXTRACT
    mark = f"import pathlib; pathlib.Path({str(outside / 'pth')!r}).write_text('ran')\n"
    plain = {"app.py": HOME, "babel.cfg": MAPPING, "x.own": "", "locales/fr/LC_MESSAGES/messages.po": PO}
    tests = {"tests/test_app.py": "def test_it(): pass\n"}
    return yard(folder, {**files, **plain, **tests, "evil.pth": mark, "pyproject.toml": "[tool.pytest.ini_options]\n"})


def test_nothing_that_starts_by_itself_runs_outside_or_sways_a_verdict(outside: Path, tmp_path: Path) -> None:
    place = trapped(outside, tmp_path)
    here = site(path=(".", "src", "lib"))
    snapshot = place.snapshot({"app.py": HOME + TIDES}, CLAIM)
    catalogue = CataloguePart(place.tools, Extractor(place.tools, here, "babel.cfg", 60.0), CatalogueRules("locales"))
    tests = TestsPart(place.tools, site(path=("src",)), ("python", "-m", "pytest", "-q"), 60.0)
    parts: list[GatePart] = [place.routes(here), catalogue, tests]
    found = {part.name: part.judge(place.ready(), snapshot)[0] for part in parts}
    assert set(found.values()) == {()}
    assert catalogue.baseline(place.base).counts["extracted"] == 1, "the site's own extractor ran"
    assert list(outside.iterdir()) == []
