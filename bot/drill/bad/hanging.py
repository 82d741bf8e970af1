"""Bad builders whose page, once it is served, hangs, hoards or never stops."""

from __future__ import annotations

from collections.abc import Callable

from bot.drill.drill import Drill, Play
from bot.drill.scene import Scene
from bot.drill.view import view

NEVER = """\
import time
from contextlib import suppress
while True:
    with suppress(BaseException):
        time.sleep(60)
"""
ENDLESS = """\
from itertools import chain, repeat
head = "<!doctype html><html lang='en'><head><title>Notes</title></head><body><h1>Notes</h1><p>"
return chain([head], repeat("And so on and so on. " * 1000))
"""
HOARDS = """\
held = "x" * (4 * 1024**3)
return f"<!doctype html><title>Notes</title><h1>Notes</h1>{len(held)}"
"""


def _view(body: str) -> Callable[[Scene], Play]:
    return lambda scene: Play(view(scene, body=body).visit())


HANGING = (
    Drill("answers-never", "has a page that does not answer and cannot be interrupted", _view(NEVER), ("routes",)),
    Drill("answers-without-end", "has a page whose text never ends", _view(ENDLESS), ("routes",)),
    Drill("hoards-memory", "has a page that takes more memory than there may be", _view(HOARDS), ("routes",)),
)
