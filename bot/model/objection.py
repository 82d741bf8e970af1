"""What a judge holds against a tree."""

from __future__ import annotations

import re

from bot.frozen import frozen

_LINE = re.compile(r"(:\d+){1,2}$")


@frozen
class Objection:
    """One reason against one change, for people and for the builder.

    `where` is `path:line` (a file of the tree, relative) or a URL path (it starts with a slash).
    """

    code: str
    node: str
    where: str
    subject: str
    what: str
    seen: str = ""
    accept: str = ""

    @property
    def path(self) -> str:
        """`where` without its line."""
        return _LINE.sub("", self.where)

    @property
    def file(self) -> str | None:
        """The file of the tree that the objection names, if it names one."""
        return None if not self.path or self.path.startswith("/") or "://" in self.path else self.path

    @property
    def identity(self) -> tuple[str, str, str]:
        """What makes two objections the same one: not the line, not the prose."""
        return (self.code, self.path, self.subject)


@frozen
class Evidence:
    """What one check did: counts and versions, which go into the commit; seconds and cache hits, which do not."""

    part: str
    counts: dict[str, int]
    tool: str = ""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    cached: bool = False

    @property
    def line(self) -> str:
        """The part of the evidence that depends on base, tree and configuration alone."""
        counts = ", ".join(f"{name} {number}" for name, number in self.counts.items())
        return f"{self.part}: {counts}" + (f" ({self.tool})" if self.tool else "")
