"""Guard: the change is small enough to be one thing that can be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from bot.model import Objection
from guards.facts import Facts

PICTURES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".ico"})
MEDIA = PICTURES | {".woff", ".woff2", ".ttf", ".otf", ".mp3", ".ogg", ".mp4", ".webm", ".pdf"}


def size(facts: Facts) -> Iterator[Objection]:
    """Objects over the limits of files, added lines and bytes a file, and to binary files that are no media.

    Only what the agent wrote counts.
    """
    written = [change for change in facts.snapshot.changes if change.by == "agent"]
    paths, limits = {change.path for change in written}, facts.limits
    if len(written) > limits.max_files:
        yield _over("too-many-files", "", "files", len(written), limits.max_files)
    lines = sum(line.path in paths for line in facts.added) - sum(change.bot_lines for change in written)
    if lines > limits.max_added_lines:
        yield _over("too-many-lines", "", "added lines", lines, limits.max_added_lines)
    for change in written:
        if change.size > limits.max_file_bytes:
            yield _over("file-too-large", change.path, "bytes", change.size, limits.max_file_bytes)
    for path in sorted(paths & set(facts.binaries)):
        if PurePosixPath(path).suffix.lower() not in MEDIA:
            accept = "text in UTF-8, or media: " + " ".join(sorted(MEDIA))
            yield Objection("binary-file", "guards", path, path, "a file that nobody can read was added", "", accept)


def _over(code: str, path: str, unit: str, number: int, most: int) -> Objection:
    what = f"the change has more {unit} than one small addition needs"
    return Objection(code, "guards", path, path or unit, what, f"{number} {unit}", f"at most {most} {unit}")
