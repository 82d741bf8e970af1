"""The handbook tells every guard, and its examples are true."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import pytest

from guards import GUARDS
from guards.manual import PAGES, manual
from tests.support.changes import codes, written

DOCS = Path(__file__).resolve().parents[2] / "docs" / "guards.md"
BY_NAME = {guard.__name__: guard for guard in GUARDS}


def test_the_page_in_docs_is_the_one_that_the_code_makes() -> None:
    assert DOCS.read_text(encoding="utf-8") == manual(), "run: python -m guards.manual > docs/guards.md"


def test_every_guard_has_its_page_and_no_page_is_left_over() -> None:
    assert list(BY_NAME) == list(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_each_code_is_one_that_the_guard_gives(name: str) -> None:
    source = inspect.getsource(sys.modules[BY_NAME[name].__module__])
    assert [code for code in PAGES[name].codes if f'"{code}"' not in source] == []


@pytest.mark.parametrize("name", [name for name in PAGES if PAGES[name].file])
def test_the_example_that_passes_passes_and_the_other_does_not(name: str) -> None:
    page, guard = PAGES[name], BY_NAME[name]
    assert codes(guard, written(page.file, page.passes)) == set()
    assert codes(guard, written(page.file, page.refused)) and codes(guard, written(page.file, page.refused)) <= set(
        page.codes
    )


def test_every_guard_says_what_it_objects_to() -> None:
    assert all((inspect.getdoc(guard) or "").startswith("Objects ") for guard in GUARDS)
