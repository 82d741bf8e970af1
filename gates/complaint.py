"""What an extraction complained of, and what its owner has to change."""

from __future__ import annotations

import json
import re

from bot.frozen import frozen
from gates.extraction import Plan

_READING = re.compile(r"^extracting messages from (.+)$", re.MULTILINE)
_REMOVED = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'|No module named '([\w.]+)'")
_METHOD = re.compile(r"Unknown extraction method '?([^'\s]+)'?")
_UNREAD = re.compile(r"^plusone-unread (.+)$", re.MULTILINE)


@frozen
class Unread:
    """A template that the extractor cannot read, and passes over with all its messages."""

    file: str
    line: int
    why: str


def reading(complaint: str) -> str:
    """The file that was read last, empty where none was."""
    found: list[str] = _READING.findall(complaint)
    last = found[-1] if found else ""
    options = last.find(" (", 1) if last.endswith(")") else -1
    return last[: options if options >= 0 else None].removeprefix("./")


def unread(complaint: str) -> dict[str, Unread]:
    """By file, the templates that the extractor could not read."""
    found: dict[str, Unread] = {}
    for line in _UNREAD.findall(complaint):
        try:
            match json.loads(line):
                case [str(file), int(number), str(why)]:
                    found.setdefault(file, Unread(file, number, why))
        except ValueError:
            continue  # the site's own code wrote something alike
    return found


def has_no_babel(complaint: str) -> bool:
    """Whether the site's interpreter knows no Babel at all."""
    return re.search(r"No module named '?babel'?\s*$", complaint.strip()) is not None


def diagnosis(plan: Plan, mapping: str, complaint: str) -> str:
    """What the owner has to change, in one line: the trouble, the line of the mapping, and the cure."""
    last = (complaint.strip().splitlines() or ["no word was said"])[-1].strip()[:300]
    removed, method = _REMOVED.search(last), _METHOD.search(last)
    if method:
        line = _line(mapping, method[1].strip())
        cure = (
            "where its Babel is older than 2.16, put babel>=2.16 or setuptools<81 (for pkg_resources) into the site's"
            f' environment; else name the extractor under [extractors], as in "{method[1]} = jinja2.ext:babel_extract"'
        )
        return f"{plan.mapping}{line}: {last}; {cure}"
    if removed:
        name = f"{removed[1]}.{removed[2]}" if removed[1] else removed[3]
        line = _line(mapping, name) or (_line(mapping, f"{removed[1]}:{removed[2]}") if removed[1] else "")
        put = f"put {name} into the site's environment"
        kept = f"{put}, or take it out of that line" if removed[3] else f"delete {name} from that line"
        cure = kept if line else put
        return f"{plan.mapping}{line}: {last}; {cure}"
    where = reading(complaint)
    return f"{plan.mapping}: messages cannot be extracted{f' from {where}' if where else ''}: {last}; mend it"


def _line(mapping: str, name: str) -> str:
    lines = mapping.splitlines()
    return next((f":{number}: {line.strip()}" for number, line in enumerate(lines, 1) if name in line), "")
