"""Owns what scope says against a path: one text, and what would be accepted, for each code."""

from __future__ import annotations

from bot.model import Objection
from bot.names import shown

_TEXTS = {
    "symlink": ("a symbolic link may not be added", "a regular file"),
    "fifo": ("a named pipe may not be added", "a regular file"),
    "socket": ("a socket may not be added", "a regular file"),
    "device": ("a device may not be added", "a regular file"),
    "hard-link": ("a file with several names may not be added", "a file of its own"),
    "special-bits": ("setuid, setgid and sticky bits may not be set", "modes 0644 and 0755"),
    "nested-git": ("`.git` belongs to git alone, in every spelling", "no such name"),
    "unreadable": ("the file or folder cannot be read", "modes 0644 and 0755"),
    "oversize": ("the file is too large", ""),
    "too-many-files": ("too many files are new or changed", "one small addition"),
    "case-collision": ("the name differs from another one only by case or spelling", "a name of its own"),
    "placeholder-changed": ("a symbolic link or submodule of the site may not change", "it is left alone"),
    "name-too-deep": ("the path lies too deep", ""),
    "protected": ("the path is protected: no cycle may add, change or delete it", "changes to other files"),
    "existing-test": ("a test that exists may not be changed or deleted", "new test files"),
    "outside-allow": ("a tracked file outside cycle.allow was changed or deleted", "changes inside cycle.allow"),
    "git-ignored": ("git would ignore the new file, so that nobody's checkout shows it", "a place that is not ignored"),
    "nothing-changed": ("nothing was changed inside cycle.allow", "one addition"),
}


def refusal(path: str, code: str, seen: str = "", accept: str = "") -> Objection:
    """Scope's objection to a path. For a rule about names, `seen` is the rule's own text."""
    text, accepted = _TEXTS.get(code, (seen, "a plain name"))
    where = shown(path)
    return Objection(code, "scope", where, where, text, shown(seen) if seen != text else where, accept or accepted)
