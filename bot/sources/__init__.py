"""Registries that are read by parsing files of the tree: nothing of the site is run for them."""

from bot.sources.parsed import parsed
from bot.sources.spelling import spelling
from bot.sources.tree import Tree

__all__ = ["Tree", "parsed", "spelling"]
