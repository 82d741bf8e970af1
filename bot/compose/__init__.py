"""Puts one firing together: each part is made when it is first asked for, so that a refusal costs nothing dear."""

from bot.compose.bodies import Bodies
from bot.compose.shop import Shop

__all__ = ["Bodies", "Shop"]
