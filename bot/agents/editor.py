"""The text editor tool, stand-alone: one command as JSON on standard input, its answer as JSON on standard output.

It runs in the sandbox by the site's interpreter, at the root of the workspace, with the standard library alone, and is
handed over as one text: hence one file.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from contextlib import contextmanager, suppress
from typing import Any, Dict, Iterator, List, Tuple

HERE = os.sep + "w"  # in two parts: where there is no such folder, `/w` is replaced in a job's arguments, and so here
LARGEST = 1000000
LISTED = 500
SHOWN = 25000


class Refused(Exception):
    """The command cannot be done; the text is for the model."""


def view(given: Dict[str, Any]) -> str:
    """A file with line numbers, or a folder two levels deep."""
    parts = _split(given)
    with _folder(parts[:-1]) as parent:
        if not parts or stat.S_ISDIR(_found(parent, parts).st_mode):
            return _listing(parts)
        lines = _load(parent, parts).split("\n")
    lines = lines[:-1] if lines[-1] == "" else lines
    first, last = _span(given.get("view_range"), len(lines))
    numbered = "\n".join(f"{number:6}\t{lines[number - 1]}" for number in range(first, last + 1))
    if len(numbered) > SHOWN:
        return numbered[:SHOWN] + "\n[... cut here: use view_range to see the rest]"
    return numbered or "[the file is empty]"


def create(given: Dict[str, Any]) -> str:
    """Write a whole file, with the folders that it needs."""
    parts = _split(given, file=True)
    content = _text(given, "file_text")
    with _folder(parts[:-1], make=True) as parent:
        _save(parent, parts, content, os.O_CREAT)
    return f"wrote {'/'.join(parts)}"


def str_replace(given: Dict[str, Any]) -> str:
    """Replace a text that stands exactly once."""
    parts = _split(given, file=True)
    old, new = _text(given, "old_str"), _text(given, "new_str", "")
    if not old:
        raise Refused("old_str is empty: give the text to replace")
    with _folder(parts[:-1]) as parent:
        content = _load(parent, parts)
        old, new = _endings(content, old), _endings(content, new)
        count = content.count(old)
        if count != 1:
            seen = "does not occur" if not count else f"occurs {count} times: give more of what is around it"
            raise Refused(f"old_str {seen} in {'/'.join(parts)}")
        start = content.index(old)
        content = content[:start] + new + content[start + len(old) :]
        _save(parent, parts, content)
    return "edited:\n" + _around(content, start, start + len(new))


def insert(given: Dict[str, Any]) -> str:
    """Insert a text after a line; line 0 is the beginning."""
    parts = _split(given, file=True)
    new, line = _text(given, "insert_text"), given.get("insert_line")
    with _folder(parts[:-1]) as parent:
        content = _load(parent, parts)
        lines = re.findall(r"[^\n]*\n|[^\n]+", content)
        if not isinstance(line, int) or isinstance(line, bool) or not 0 <= line <= len(lines):
            raise Refused(f"insert_line must be a number from 0 to {len(lines)}")
        head, tail = "".join(lines[:line]), "".join(lines[line:])
        if head and not head.endswith("\n"):
            head += _endings(content, "\n")
        new = _endings(content, new if new.endswith("\n") or not tail else new + "\n")
        content = head + new + tail
        _save(parent, parts, content)
    return "edited:\n" + _around(content, len(head), len(head) + len(new))


def _split(given: Dict[str, Any], file: bool = False) -> List[str]:
    """The parts of the path under the root. `..` and what lies elsewhere are refused, whether or not it exists."""
    path = _text(given, "path")
    for root in (HERE, os.getcwd()):
        if path == root or path.startswith(root + "/"):
            path = path[len(root) :].lstrip("/")
            break
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or ".." in parts or "\0" in path:
        raise Refused(f"{path!r} is outside the workspace {HERE}")
    if file and not parts:
        raise Refused("path is a folder: name a file")
    return parts


@contextmanager
def _folder(parts: List[str], make: bool = False) -> Iterator[int]:
    """The folder, opened part by part so that no symbolic link is ever followed."""
    here = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        for number, part in enumerate(parts):
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, dir_fd=here)
            try:
                inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
            except OSError as error:
                raise Refused(f"{'/'.join(parts[: number + 1])}: {_reason(error)}") from error
            os.close(here)
            here = inner
        yield here
    finally:
        os.close(here)


def _found(parent: int, parts: List[str]) -> os.stat_result:
    """What stands at the path, a symbolic link not followed."""
    try:
        return os.stat(parts[-1], dir_fd=parent, follow_symlinks=False)
    except OSError as error:
        raise Refused(f"{'/'.join(parts)}: {_reason(error)}") from error


def _load(parent: int, parts: List[str]) -> str:
    """The text of a regular file of bearable size."""
    with _opened(parent, parts, os.O_RDONLY) as (file, info):
        if info.st_size > LARGEST:
            raise Refused(f"{'/'.join(parts)} is larger than {LARGEST} bytes: use bash to look at it")
        return str(file.read(), "utf-8")


def _save(parent: int, parts: List[str], content: str, flags: int = 0) -> None:
    """Write the text in place, so that a file keeps its mode."""
    encoded = content.encode("utf-8")  # before the file is opened: what cannot be written must not empty it
    with _opened(parent, parts, os.O_WRONLY | flags) as (file, _):
        file.truncate(0)
        file.write(encoded)


@contextmanager
def _opened(parent: int, parts: List[str], flags: int) -> Iterator[Tuple[Any, os.stat_result]]:
    """The regular file at the path, never through a link."""
    try:
        number = os.open(parts[-1], flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644, dir_fd=parent)
    except OSError as error:
        raise Refused(f"{'/'.join(parts)}: {_reason(error)}") from error
    with os.fdopen(number, "rb" if flags & 3 == os.O_RDONLY else "wb") as file:
        info = os.fstat(number)
        if not stat.S_ISREG(info.st_mode):
            raise Refused(f"{'/'.join(parts)} is not a regular file")
        yield file, info


def _listing(parts: List[str]) -> str:
    """The folder's names, two levels deep, hidden ones left out."""
    lines: List[str] = []
    for name, inner in _names(parts):
        lines.append(name + ("/" if inner else ""))
        if inner:
            lines += [f"  {below}{'/' if deeper else ''}" for below, deeper in _names([*parts, name])]
    if len(lines) > LISTED:
        lines = [*lines[:LISTED], "[... more left out: view a folder further down]"]
    return "\n".join(lines) or "[the folder is empty]"


def _names(parts: List[str]) -> List[Tuple[str, bool]]:
    """Each name in the folder, sorted, with whether it is a folder itself."""
    with _folder(parts) as here, os.scandir(here) as entries:
        return sorted((one.name, one.is_dir(follow_symlinks=False)) for one in entries if one.name[0] != ".")


def _span(asked: Any, lines: int) -> Tuple[int, int]:
    """The first and last line to show."""
    if asked is None:
        return 1, lines
    if not (isinstance(asked, list) and len(asked) == 2 and all(type(one) is int for one in asked)):
        raise Refused("view_range must be two line numbers, [first, last]; last may be -1")
    first, last = asked[0], lines if asked[1] == -1 else asked[1]
    if not 1 <= first <= last or first > lines:
        raise Refused(f"view_range {asked} does not fit: the file has {lines} lines")
    return first, min(last, lines)


def _around(content: str, start: int, end: int) -> str:
    """The edited lines with three more on each side, numbered."""
    lines = content.split("\n")
    first = max(content.count("\n", 0, start) - 3, 0)
    last = min(content.count("\n", 0, end) + 4, first + 60, len(lines))
    return "\n".join(f"{number + 1:6}\t{lines[number]}" for number in range(first, last))


def _endings(content: str, new: str) -> str:
    """The new text with the line endings of the file."""
    return new.replace("\r\n", "\n").replace("\n", "\r\n") if "\r\n" in content else new


def _text(given: Dict[str, Any], name: str, default: Any = None) -> str:
    """A text parameter."""
    value = given.get(name, default)
    if not isinstance(value, str):
        raise Refused(f"{name} is missing: give a text")
    return value


def _reason(error: OSError) -> str:
    """Why a path cannot be opened, in words."""
    if isinstance(error, NotADirectoryError) or error.errno in (40, 20):
        return "is a symbolic link or no folder; links are not followed"
    return (error.strerror or "cannot be opened").lower()


COMMANDS = {"view": view, "create": create, "str_replace": str_replace, "insert": insert}


def answer(asked: str) -> Dict[str, Any]:
    """Do what was asked; whatever goes wrong is said, not raised."""
    try:
        given = json.loads(asked)
        command = COMMANDS.get(str(given.get("command"))) if isinstance(given, dict) else None
        if command is None:
            raise Refused(f"unknown command: use one of {', '.join(COMMANDS)}")
        return {"ok": True, "text": command(given)}
    except Refused as error:
        return {"ok": False, "text": str(error)}
    except (OSError, ValueError, TypeError) as error:
        return {"ok": False, "text": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(answer(sys.stdin.read())))
