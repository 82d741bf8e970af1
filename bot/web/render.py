"""Turns a page's data into HTML: templates that escape everything, the same for the server and for files."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bot import __version__
from bot.cycle import cycle
from bot.frozen import frozen
from bot.lines import printable
from bot.picture import svg
from bot.telling.report import Report

_HERE = Path(__file__).parent


@frozen
class Links:
    """How pages name one another: from the server's root, or, with an ending, as files beside each other.

    `cycles` are those that have a page, None where every one has.
    """

    root: str = "/"
    ending: str = ""
    cycles: frozenset[str] | None = None

    @property
    def home(self) -> str:
        """The overview."""
        return f"{self.root}index{self.ending}" if self.ending else self.root

    @property
    def style(self) -> str:
        """The one style sheet."""
        return f"{self.root}style.css"

    @property
    def icon(self) -> str:
        """The one picture that browsers ask for."""
        return f"{self.root}icon.svg"

    @property
    def ledger(self) -> str:
        """What is known."""
        return f"{self.root}ledger{self.ending}"

    @property
    def doctor(self) -> str:
        """What was found amiss."""
        return f"{self.root}doctor{self.ending}"

    def has(self, name: str) -> bool:
        """Whether the cycle has a page."""
        return self.cycles is None or name in self.cycles

    def picture(self, cycle: str, name: str) -> str:
        """One picture of a cycle's pages."""
        return f"{self.root}cycles/{cycle}/{name}"

    def cycle(self, name: str) -> str:
        """One cycle."""
        return f"{self.root}cycles/{name}{self.ending}"


@frozen
class Visitor:
    """Who looks: at a file (`served` False), at the server, or at the server with a token (`seal` guards the forms)."""

    served: bool = False
    seal: str = ""


def rendered(template: str, page: Report, links: Links, visitor: Visitor, **more: object) -> str:
    """The page as HTML."""
    found = _environment().get_template(template)
    return found.render(page=page, links=links, visitor=visitor, version=__version__, **more)


def static(name: str) -> str:
    """The style sheet, `style.css`, or the `icon.svg`."""
    return (_HERE / "static" / name).read_text(encoding="utf-8")


def picture(repairs: int, path: object) -> Markup:
    """The graph with the way that was taken. It is ours, and escapes what it is told, so it goes in as it is."""
    return Markup(svg(cycle(repairs), [str(node) for node in path] if isinstance(path, list) else []))  # noqa: S704


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_inert,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(money=_money, moment=_moment, secs=_seconds, short=lambda text: str(text)[:12])
    return made


def _inert(value: object) -> object:
    """Text without what moves, hides or breaks what is around it; escaping comes after."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _money(usd: float | None) -> str:
    return "unknown" if usd is None else f"{usd:.4f} USD"


def _moment(text: str) -> str:
    return text[:16].replace("T", " ")


def _seconds(value: float | None) -> str:
    return "…" if value is None else f"{value:.1f} s"
