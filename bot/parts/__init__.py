"""The gate's parts: each runs a pure gate's questions in the sandbox and keeps what base answered."""

from bot.parts.catalogue import CataloguePart
from bot.parts.lint import LintPart, ruff_version
from bot.parts.routes import RouteRules, RoutesPart
from bot.parts.tools import Tools

__all__ = ["CataloguePart", "LintPart", "RouteRules", "RoutesPart", "Tools", "ruff_version"]
