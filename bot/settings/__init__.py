"""The configuration file as frozen values: read once, whole, and refused in one line where it is not sound."""

from bot.settings.document import Settings, digest, schema
from bot.settings.file import load, settings_from
from bot.settings.models import Price

__all__ = ["Price", "Settings", "digest", "load", "schema", "settings_from"]
