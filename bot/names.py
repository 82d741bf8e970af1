"""What a path may be called: pure rules, and spellings that cannot hurt a log or a terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from bot.frozen import frozen
from bot.lines import hides, spelt

MAX_NAME_BYTES = 200
MAX_PATH_BYTES = 1000
MAX_DEPTH = 30

# Default-ignorable code points that are not of category Cf: drawn as nothing, yet they make a name another name.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_SHORT_GIT = re.compile(r"^git~\d+$")
_BRANCH = re.compile(r"(?![-/.@])(?!.*(?:\.\.|//|/\.|@\{|\.lock(?:/|$)|[/.]$))[^\s\x00-\x20\x7f~^:?*\[\\]+")


@frozen
class Bad:
    """Why a path is refused: a code that never changes, and a text for people."""

    code: str
    text: str


def shown(text: str) -> str:
    """The text with every character that could move, hide or break a line spelled out, so that it is inert anywhere."""
    return "".join(spelt(char) if hides(char) or _UNSEEN.match(char) else char for char in text)


def folded(name: str) -> str:
    """The spelling under which a careless file system, or a careless reader, would find the name."""
    seen = _UNSEEN.sub("", "".join(char for char in name if unicodedata.category(char) not in ("Cf", "Cc", "Cs")))
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())
    return plain.partition(":")[0].rstrip(" .")


def is_git(name: str) -> bool:
    """Whether the name is `.git` in any spelling that some file system takes for it."""
    plain = folded(name)
    return plain == ".git" or bool(_SHORT_GIT.match(plain))


def is_branch(name: str) -> bool:
    """Whether a branch may be called so: never more than git allows."""
    return bool(_BRANCH.fullmatch(name))


def problems(path: str) -> tuple[Bad, ...]:
    """Every rule that a path of a tree breaks; an empty tuple means that it may be used."""
    return (*_of_path(path), *dict.fromkeys(bad for name in path.split("/") for bad in _of_name(name)))


def collisions(paths: Iterable[str], new: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Pairs (new path, other path) that a file system without case, or without normal forms, takes for one.

    `new` are those among `paths` that are to be judged; two old paths that collide are left alone.
    """
    fresh = frozenset(new)
    old = {_collated(prefix): prefix for path in paths if path not in fresh for prefix in prefixes(path)}
    found: dict[str, str] = {}
    for path in sorted(fresh):
        for prefix in prefixes(path):
            other = old.setdefault(_collated(prefix), prefix)
            if other != prefix:
                found.setdefault(path, other)
    return tuple(found.items())


def prefixes(path: str) -> Iterator[str]:
    """The path's folders, outermost first, and the path itself."""
    parts = path.split("/")
    return ("/".join(parts[: count + 1]) for count in range(len(parts)))


def _of_path(path: str) -> Iterator[Bad]:
    if path.startswith("/"):
        yield Bad("name-absolute", "the path is absolute; paths of a tree are relative")
    if len(path.encode("utf-8", "surrogateescape")) > MAX_PATH_BYTES:
        yield Bad("name-too-long", f"the path is longer than {MAX_PATH_BYTES} bytes")
    if path.count("/") >= MAX_DEPTH:
        yield Bad("name-too-deep", f"the path lies more than {MAX_DEPTH} levels deep")


def _of_name(name: str) -> Iterator[Bad]:
    if name in ("", ".", ".."):
        yield Bad("name-dots", "a part of the path is empty, `.` or `..`")
    if is_git(name):
        yield Bad("name-git", "a name spells `.git`, which belongs to git alone")
    if "\\" in name:
        yield Bad("name-backslash", "a name holds a backslash, which other systems take for a separator")
    if len(name.encode("utf-8", "surrogateescape")) > MAX_NAME_BYTES:
        yield Bad("name-too-long", f"a name is longer than {MAX_NAME_BYTES} bytes")
    yield from _of_letters(name)


def _of_letters(name: str) -> Iterator[Bad]:
    kinds = {unicodedata.category(char) for char in name}
    if "Cs" in kinds:
        yield Bad("name-not-utf8", "a name is not valid UTF-8")
    elif unicodedata.normalize("NFC", name) != name:
        yield Bad("name-not-nfc", "a name is not in Unicode normal form C")
    if "Cc" in kinds:
        yield Bad("name-control", "a name holds a control character")
    if kinds & {"Cf", "Zl", "Zp", "Co", "Cn"} or _UNSEEN.search(name):
        yield Bad("name-invisible", "a name holds an invisible, bidirectional or unassigned character")
    if name != name.strip():
        yield Bad("name-blank-edge", "a name begins or ends with a blank")


def _collated(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
