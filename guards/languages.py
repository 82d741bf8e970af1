"""Which language a file of a site is written in, told by its name."""

from __future__ import annotations

from pathlib import PurePosixPath

_TEMPLATES = frozenset({".html", ".htm", ".jinja", ".jinja2", ".j2"})
_IN_FOLDER = frozenset({".xml", ".txt", ".svg", ".js", ".css", ".md", ".json"})


def is_python(path: str) -> bool:
    """Whether Python runs or reads it."""
    return PurePosixPath(path).suffix in (".py", ".pyi")


def is_template(path: str) -> bool:
    """Whether the site may render it: by its suffix, or as a text file in a folder `templates`."""
    pure = PurePosixPath(path)
    return pure.suffix in _TEMPLATES or (pure.suffix in _IN_FOLDER and "templates" in pure.parts[:-1])


def is_test(path: str) -> bool:
    """Whether it lies among the tests at the top of the tree, which no visitor reaches."""
    return PurePosixPath(path).parts[0] in ("test", "tests")
