"""The gate's parts: each runs a pure gate's questions in the sandbox and keeps what base answered."""

from bot.parts.catalogue import CataloguePart, CatalogueRules
from bot.parts.extractor import Extractor
from bot.parts.lint import LintPart, Ruff, choose_ruff
from bot.parts.routes import RoutesPart
from bot.parts.stand import RouteRules
from bot.parts.tests import TestsPart
from bot.parts.tools import Tools

__all__ = [
    "CataloguePart",
    "CatalogueRules",
    "Extractor",
    "LintPart",
    "RouteRules",
    "RoutesPart",
    "Ruff",
    "TestsPart",
    "Tools",
    "choose_ruff",
]
