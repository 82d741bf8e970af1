"""The accessibility rules of axe-core, run in the page that a browser shows; the newest engine that is installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from tests.support.browser import Browser

_PACKAGES = ("axe_playwright_python", "axe_core_python")
_RUN = """
axe.run(document, {resultTypes: ['violations', 'incomplete']}).then(found => found.violations.map(
  one => one.id + ': ' + one.nodes.map(node => node.target.join(' ') + ' ' + node.failureSummary).join('; ')))
"""


def engine() -> str:
    """The script. Raises StopIteration where no package that carries it is installed."""
    found = next(spec for name in _PACKAGES if (spec := find_spec(name)))
    return Path(str(found.origin)).with_name("axe.min.js").read_text(encoding="utf-8")


def violations(browser: Browser) -> list[str]:
    """What breaks a rule in the page as it stands now, a line each."""
    browser.run(engine())
    found: list[str] = browser.promised(_RUN)
    return found
