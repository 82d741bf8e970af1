"""What every part of the gate needs of the world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from hashlib import sha256

from bot.frozen import frozen
from bot.ports import Cache, Clock, Exports, Objects, Reader, Sandbox
from bot.redaction import Redaction


@frozen
class Tools:
    """The adapters, as `compose` chose them; exports must belong to the sandbox's owner, with catalogues compiled.

    `redaction` takes this machine's secrets out of what a served site answers, before anything is made of it.
    """

    objects: Objects
    exports: Exports
    sandbox: Sandbox
    cache: Cache
    reader: Reader
    clock: Clock
    tell: Callable[[str], None] = lambda _: None  # hears how far a long part is
    redaction: Redaction = field(default_factory=Redaction)


def cache_key(part: str, *about: object) -> str:
    """A key that differs wherever anything of `about` does."""
    return f"{part}-{sha256(repr(about).encode()).hexdigest()}"
