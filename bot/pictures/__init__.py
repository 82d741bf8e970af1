"""Pictures of the pages that a cycle brings or changes, before and after: for people, never evidence."""

from __future__ import annotations

from bot.pictures.album import MOST, Album, Shown, arranged, chosen, keep, kept, picture
from bot.pictures.browser import Browser, located
from bot.pictures.camera import Camera, Taken

__all__ = [
    "MOST",
    "Album",
    "Browser",
    "Camera",
    "Shown",
    "Taken",
    "arranged",
    "chosen",
    "keep",
    "kept",
    "located",
    "picture",
]
