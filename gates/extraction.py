"""How a site's messages are extracted, as its own files say, and what it means when that does not work."""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from bot.frozen import frozen
from bot.model import TreeEntry

_NAMES = ("babel.cfg", "babel.ini", "babel.toml")
_PROJECT, _SETUP = "pyproject.toml", "setup.cfg"
# What Flask-Babel offers beside gettext's own names; a name that the site does not use finds nothing.
_KEYWORDS = (
    "_l",
    "_n:1,2",
    "_p:1c,2",
    "lazy_gettext",
    "lazy_ngettext:1,2",
    "lazy_pgettext:1c,2",
    "lazy_npgettext:1c,2,3",
)
_SECTION = re.compile(r"^[^\S\n]*+\[\s*[\w.:]+?\s*:\s*([^\]]+)\]", re.MULTILINE)
_PATTERN = re.compile(r'^[^\S\n]*+pattern\s*=\s*"([^"]+)"', re.MULTILINE)
_REGULAR = frozenset({"100644", "100755"})
# The messages go to standard output alone, whatever an extractor of the site prints. Templates that cannot be read are
# told on standard error, where Jinja's own extractor passes over them without a word.
PROGRAM = """
import json, os, sys, tempfile
sys.path.extend(sys.argv.pop(1).split(os.pathsep))
real, sys.stdout = sys.stdout, sys.stderr
from babel.messages.frontend import main
try:
    import jinja2.ext
except ImportError:
    jinja2 = None

def telling(extract):
    def told(fileobj, keywords, comment_tags, options):
        try:
            yield from list(extract(fileobj, keywords, comment_tags, dict(options, silent="false")))
        except jinja2.TemplateSyntaxError as error:
            place = os.path.relpath(getattr(fileobj, "name", "?"))
            sys.stderr.write("plusone-unread " + json.dumps([place, error.lineno, str(error.message)]) + "\\n")
            if options.get("silent", "true").lower() not in ("1", "on", "yes", "true"):
                raise
    return told

if jinja2:
    jinja2.ext.babel_extract = telling(jinja2.ext.babel_extract)
place = os.path.join(tempfile.mkdtemp(), "messages.pot")
sys.argv[2:2] = ["-o", place]
main()
with open(place, "rb") as file:
    real.buffer.write(file.read())
"""


@frozen
class Plan:
    """The mapping file, the folders or files that it speaks of, and the names that mark a message."""

    mapping: str
    inputs: tuple[str, ...] = (".",)
    keywords: tuple[str, ...] = ()
    defaults: bool = True

    def command(self, python: str, path: tuple[str, ...]) -> tuple[str, ...]:
        """The whole command, to be run at the top of a tree; the site's own modules come after all others."""
        own = ":".join(path)
        names = (f"--keyword={word}" for word in (*_KEYWORDS, *self.keywords))
        more = () if self.defaults else ("--no-default-keywords",)
        mapped = f"--mapping-file={self.mapping}"
        return (python, "-I", "-B", "-c", PROGRAM, own, "extract", mapped, *names, *more, *self.inputs)


def plan(entries: Mapping[str, TreeEntry], blob: Callable[[str], bytes], named: str = "") -> Plan | None:
    """How to extract, or None where the tree does not say. Raises ValueError where `named` is not there."""
    files = {path: one.oid for path, one in entries.items() if one.mode in _REGULAR}
    setup = _setup(blob(files[_SETUP])) if _SETUP in files else {}
    mapping = named or _found(files, blob, setup)
    if mapping not in files:
        if named:
            raise ValueError(f"gate.catalogue.mapping: {named} is not in the repository; name the file that is")
        return None
    given = (part.strip().rstrip("/") for part in re.split(r"[,\n]", setup.get("input_paths", "")))
    inputs = tuple(part for part in given if part and not part.startswith(("-", "/", "..")))
    keywords = tuple(word for word in setup.get("keywords", "").split() if not word.startswith("-"))
    defaults = setup.get("no_default_keywords", "0").lower() not in ("1", "true", "yes")
    text = blob(files[mapping]).decode("utf-8", "replace")
    return Plan(mapping, inputs or (_folder(mapping, text, files),), keywords, defaults)


def _found(files: Mapping[str, str], blob: Callable[[str], bytes], setup: Mapping[str, str]) -> str:
    """The mapping that setup.cfg names, else the one nearest the top, else pyproject.toml if it holds one."""
    if setup.get("mapping_file"):
        return setup["mapping_file"].removeprefix("./")
    known = [path for path in files if PurePosixPath(path).name in _NAMES]
    if known:
        return min(known, key=lambda path: (path.count("/"), path))
    project = _toml(blob(files[_PROJECT]).decode("utf-8", "replace")) if _PROJECT in files else {}
    tool = project.get("tool")
    babel = tool.get("babel") if isinstance(tool, dict) else None
    return _PROJECT if isinstance(babel, dict) and babel.get("mappings") else ""


def _setup(content: bytes) -> dict[str, str]:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(content.decode("utf-8", "replace"))
        found = dict(parser.items("extract_messages"))
    except configparser.Error:
        return {}
    said = {name.replace("-", "_"): value for name, value in found.items()}
    return {**said, "input_paths": said.get("input_paths") or said.get("input_dirs", "")}


def _folder(mapping: str, text: str, files: Mapping[str, str]) -> str:
    """What patterns start from: the top of the tree, unless they fit only the folder that the mapping lies in."""
    above = PurePosixPath(mapping).parent.as_posix()
    literal = [pattern.partition("*")[0].rpartition("/")[0] for pattern in _patterns(text)]
    fits = any(not prefix or any(path.startswith(f"{prefix}/") for path in files) for prefix in literal)
    return "." if fits or not literal else above


def _patterns(text: str) -> Iterator[str]:
    closed = text[: text.rfind("]") + 1]  # a bracket that is never closed costs no look to the end of the text
    yield from (found[1].strip() for found in _SECTION.finditer(closed))
    yield from (found[1] for found in _PATTERN.finditer(text))


def _toml(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}
